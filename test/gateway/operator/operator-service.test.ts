import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, beforeEach, test } from 'node:test'
import { AuditLog } from '../../../gateway/operator/audit-log.js'
import {
  approvalsFile,
  type KeptRequest,
  KeptRequests,
  readRequests,
} from '../../../gateway/operator/kept-requests.js'
import { operatorEndpoints } from '../../../gateway/operator/operator-endpoints.js'
import { OperatorPort } from '../../../gateway/operator/operator-port.js'
import {
  type OperatorServerOptions,
  startOperatorServer,
} from '../../../gateway/operator/operator-server.js'
import { newToken, OperatorTokens } from '../../../gateway/operator/operator-tokens.js'
import { loadTransports } from '../../../gateway/transport/transports.js'
import {
  type AuditRow,
  type OperatorRow,
  type OperatorScope,
  operatorRows,
  operatorScopes,
} from '../../../schemas/interface/operator.js'
import { endpointOf } from '../../../schemas/interface/paths.js'
import { Result } from '../../../schemas/results.js'
import { OperatorCore } from '../../support/operator-core.js'

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer as its reader finds it
  readonly body: any
}

const wallet = '0x00000000000000000000000000000000000000aa'
const deposit = { wallet, amount: '5', deposit_id: 'd1' }
const folder = mkdtempSync(join(tmpdir(), 'strikebook-operator-'))
const ofScope = Object.fromEntries(
  operatorScopes.map((scope) => [scope, newToken(`has-${scope}`, [scope])]),
) as Record<OperatorScope, ReturnType<typeof newToken>>
const [ann, ben] = [newToken('ann', ['money', 'read']), newToken('ben', ['money'])]
const path = join(folder, 'tokens')
const lines = [...Object.values(ofScope), ann, ben].map(({ line }) => line)
writeFileSync(path, lines.join('\n'), { mode: 0o600 })
const tokens = new OperatorTokens('own-token', { path, onChange: () => {} })
const core = new OperatorCore()
const port = new OperatorPort(core.memory)
const audit = await AuditLog.open(folder, {
  ...{ isFlushed: false, fileBytesMax: 2 ** 26, nowMillis: Date.now, onNote: () => {} },
})
const newKeptPath = () => join(mkdtempSync(join(folder, 'kept-')), approvalsFile)
const newKept = () => new KeptRequests(newKeptPath())
const options: OperatorServerOptions = {
  ...{ host: '127.0.0.1', port: 0, transports: await loadTransports('auto') },
  ...{
    tokens,
    audit,
    approvalMillis: 0,
    keptRequests: newKept(),
    sender: port,
    onRefused: () => {},
  },
  context: { underlyings: {}, isProduction: false, nowMillis: () => 1, wallMillis: Date.now },
  openPages: {},
  reads: {
    '/operator/state': () => ({ status: 200, body: '{"a":1}' }),
    '/operator/usernames': () => ({ status: 200, body: '{}' }),
  },
}
const plain = await startOperatorServer(options)
const strict = await startOperatorServer({
  ...options,
  approvalMillis: 60_000,
  keptRequests: newKept(),
})

after(async () => {
  plain.close()
  strict.close()
  port.close()
  core.close()
  tokens.close()
  await audit.close()
  rmSync(folder, { recursive: true })
})

beforeEach(() => {
  core.verdict = {}
  core.seen.length = 0
})

async function ask(
  server: { readonly url: string },
  token: string,
  key: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const [method, target] = endpointOf(key)
  const answer = await fetch(server.url + target, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}

async function rows(query = ''): Promise<readonly AuditRow[]> {
  const { status, body } = await ask(plain, ofScope.read.token, `GET /operator/audit?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

function operationOf(key: string): OperatorRow {
  return (operatorRows as Readonly<Record<string, OperatorRow>>)[key]!
}

test('a scope reaches the rows of the table that name it and no others; all reaches each', async () => {
  for (const [key, row] of Object.entries<OperatorRow>(operatorRows)) {
    if (row.scope === undefined) continue
    for (const scope of operatorScopes) {
      core.seen.length = 0
      const body = row.example
      const { status, body: answer } = await ask(plain, ofScope[scope].token, key, body)
      const isIn: boolean = row.scope === null || scope === row.scope || scope === 'all'
      assert.equal(status === 403, !isIn, `${key} by ${scope}: ${status} ${answer?.message}`)
      if (!isIn) {
        assert.equal(core.seen.length, 0)
        assert.match(answer.message, new RegExp(`^Scope ${row.scope} missing: has-${scope} has`))
      }
    }
  }
})

test('a missing scope and a wrong token are logged, without the sent content', async () => {
  await ask(plain, ofScope.prices.token, 'POST /operator/deposits', deposit)
  await ask(plain, 'wrong', 'POST /operator/tiers?token=abc', { wallet, tier: 'mm' })
  const [stranger, narrow] = await rows('limit=2')
  assert.deepEqual(
    [stranger!.identity, stranger!.path, stranger!.status, stranger!.code, stranger!.body],
    [null, '/operator/tiers', 401, 'unauthorized', null],
  )
  assert.deepEqual(
    [narrow!.identity, narrow!.path, narrow!.status, narrow!.outcome, narrow!.body],
    ['has-prices', '/operator/deposits', 403, 'refused', null],
  )
  assert.equal(narrow!.address, '127.0.0.1')
})

test('an action is logged with its identity, body and sequence, and found by identity and path', async () => {
  const { body } = await ask(plain, ann.token, 'POST /operator/deposits', deposit)
  await ask(plain, 'own-token', 'POST /operator/halts', { scope: 'all', mode: 'open' })
  const [row] = await rows('identity=ann&path=/operator/deposits&limit=1')
  assert.deepEqual([row!.seq, row!.body, row!.outcome], [body.seq, deposit, 'done'])
  const [own] = await rows('limit=1')
  assert.equal(own!.identity, 'operator')
  core.verdict = { result: Result.NotFound }
  await ask(plain, 'own-token', 'DELETE /operator/instruments', { symbol: 'BTC-PERP' })
  const [refused] = await rows('limit=1')
  assert.deepEqual(
    [refused!.outcome, refused!.status, refused!.code],
    ['refused', 404, 'not_found'],
  )
})

test('pages of the log follow their cursors, and an unknown cursor fails', async () => {
  for (let i = 0; i < 5; i++) await ask(plain, ann.token, 'POST /operator/deposits', deposit)
  const first = await ask(plain, ann.token, 'GET /operator/audit?limit=2&identity=ann')
  assert.equal(first.body.page.has_more, true)
  const { next_cursor } = first.body.page
  const second = await ask(plain, ann.token, `GET /operator/audit?limit=2&cursor=${next_cursor}`)
  assert.ok(second.body.data[0].id < first.body.data[1].id)
  for (const query of ['cursor=1', 'cursor=x', 'limit=0', 'limit=201', 'who=ann']) {
    assert.equal((await ask(plain, ann.token, `GET /operator/audit?${query}`)).status, 400, query)
  }
})

test('a token in a body or a path is masked', async () => {
  const { token } = newToken('zoe', ['all'])
  await ask(plain, ann.token, 'POST /operator/deposits', { ...deposit, deposit_id: token })
  const [row] = await rows('limit=1')
  assert.deepEqual(row!.body, { ...deposit, deposit_id: '***' })
  await ask(plain, ann.token, 'POST /operator/deposits', { ...deposit, api_token: 'hunter2' })
  await ask(plain, 'wrong', `GET /operator/${token}`)
  const text = JSON.stringify(await rows('limit=3'))
  assert.ok(!text.includes(token) && !text.includes('hunter2'))
})

test('a page in a browser gets in by no name of its own, and no preflight is granted', async () => {
  const answer = await fetch(`${plain.url}/operator/deposits`, {
    method: 'OPTIONS',
    headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' },
  })
  assert.equal(answer.status, 401)
  assert.equal(answer.headers.get('access-control-allow-origin'), null)
  const simple = await fetch(`${plain.url}/operator/deposits`, {
    ...{ method: 'POST', body: JSON.stringify(deposit) },
    headers: { 'Content-Type': 'text/plain', Cookie: `token=${ann.token}` },
  })
  assert.equal(simple.status, 401)
  const inUrl = await fetch(`${plain.url}/operator/state?access_token=${ann.token}`)
  assert.equal(inUrl.status, 401)
  assert.equal(core.seen.length, 0)
})

test('an action that cannot be logged fails, and nothing is done', async () => {
  const full = { begin: () => Promise.reject(new Error('ENOSPC')) } as unknown as AuditLog
  const alarms: string[] = []
  const log = (line: string) => alarms.push(line)
  const server = await startOperatorServer({ ...options, audit: full, log })
  const { status, body } = await ask(server, ann.token, 'POST /operator/deposits', deposit)
  server.close()
  assert.deepEqual([status, body.code], [503, 'not_ready'])
  assert.match(body.message, /audit log cannot be written; nothing was done/)
  assert.equal(core.seen.length, 0)
  assert.match(alarms[0]!, /alarm: The audit log cannot be written; nothing was done: .*ENOSPC/)
})

async function waitingOf(token: string, key = 'POST /operator/deposits', body: object = deposit) {
  const { status, body: answer } = await ask(strict, token, key, body)
  assert.equal(status, 202, JSON.stringify(answer))
  assert.equal(core.seen.length, 0)
  return answer.approval_id as string
}

const judge = (token: string, approval_id: string, verdict = 'approved') =>
  ask(strict, token, 'POST /operator/approvals', { approval_id, verdict })

test('a money request waits for another identity, whose approval executes it; both are logged', async () => {
  const id = await waitingOf(ann.token)
  const listed = await ask(strict, ofScope.read.token, 'GET /operator/approvals')
  const pending = listed.body.data.find((row: { approval_id: string }) => row.approval_id === id)
  assert.deepEqual(
    [pending.requested_by, pending.path, pending.body],
    ['ann', '/operator/deposits', deposit],
  )
  const [asked] = await rows('limit=1')
  assert.deepEqual([asked!.outcome, asked!.requested?.approval_id], ['waiting', id])
  for (const token of [ann.token, ofScope.prices.token]) {
    assert.equal((await judge(token, id)).status, 403)
  }
  assert.equal(core.seen.length, 0)
  const { status, body } = await judge(ben.token, id)
  assert.equal(status, 200)
  assert.deepEqual([body.requested_by, body.approved_by], ['ann', 'ben'])
  assert.deepEqual([body.answer.result, body.answer.amount], ['DEPOSIT_CREDITED', '5'])
  assert.equal(core.seen.length, 1)
  const [row] = await rows('limit=1')
  assert.deepEqual(
    [row!.identity, row!.requested?.identity, row!.requested?.body, row!.seq],
    ['ben', 'ann', deposit, body.seq],
  )
  assert.equal((await judge(ben.token, id)).status, 404)
})

test('of two simultaneous approvals one executes it', async () => {
  const id = await waitingOf(ann.token)
  const statuses = (await Promise.all([judge(ben.token, id), judge('own-token', id)])).map(
    ({ status }) => status,
  )
  assert.deepEqual(statuses.sort(), [200, 404])
  assert.equal(core.seen.length, 1)
})

test('each money operation waits, and nothing else does', async () => {
  for (const [key, row] of Object.entries(operatorEndpoints)) {
    if (!('request' in row)) continue
    const { status } = await ask(strict, 'own-token', key, operationOf(key).example)
    assert.equal(status === 202, operationOf(key).scope === 'money', `${key}: ${status}`)
  }
})

test('the requester may withdraw a request, and an invalid body never waits', async () => {
  const id = await waitingOf(ann.token)
  const { body } = await judge(ann.token, id, 'rejected')
  assert.deepEqual([body.verdict, body.requested_by], ['rejected', 'ann'])
  assert.equal((await judge(ben.token, id)).status, 404)
  const wrong = await ask(strict, ann.token, 'POST /operator/deposits', { ...deposit, amount: '0' })
  assert.equal(wrong.status, 400)
  assert.equal(core.seen.length, 0)
})

test('a request that a busy engine has not executed keeps waiting', async () => {
  const id = await waitingOf(ann.token)
  core.verdict = { result: Result.EngineBusy }
  assert.equal((await judge(ben.token, id)).status, 503)
  core.verdict = {}
  assert.equal((await judge(ben.token, id)).status, 200)
})

test('an identity that has lost the scope since gets nothing executed by an earlier request', async () => {
  const lost = join(folder, 'lost')
  writeFileSync(lost, [ann.line, ben.line].join('\n'), { mode: 0o600 })
  let changed = () => {}
  const file = { path: lost, pollMillis: 5, onChange: () => changed() }
  const own = new OperatorTokens('', file)
  const server = await startOperatorServer({
    ...options,
    tokens: own,
    approvalMillis: 60_000,
    keptRequests: newKept(),
  })
  const { body } = await ask(server, ann.token, 'POST /operator/deposits', deposit)
  const read = new Promise<void>((resolve) => {
    changed = resolve
  })
  writeFileSync(lost, ben.line)
  await read
  const verdict = { approval_id: body.approval_id, verdict: 'approved' }
  const answer = await ask(server, ben.token, 'POST /operator/approvals', verdict)
  assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'])
  assert.equal(core.seen.length, 0)
  server.close()
  own.close()
})

async function untilExpired(id: string): Promise<void> {
  for (;;) {
    const ended = (await rows('limit=5&identity=ann')).filter(
      ({ outcome }) => outcome === 'expired',
    )
    if (ended.some(({ requested }) => requested?.approval_id === id)) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('an expired request is gone and logged; one identity cannot fill the list', async () => {
  const quick = await startOperatorServer({
    ...options,
    approvalMillis: 20,
    keptRequests: newKept(),
  })
  const { body } = await ask(quick, ann.token, 'POST /operator/deposits', deposit)
  await untilExpired(body.approval_id)
  const late = await ask(quick, ben.token, 'POST /operator/approvals', {
    ...{ approval_id: body.approval_id, verdict: 'approved' },
  })
  assert.equal(late.status, 404)
  quick.close()
  const many = Array.from({ length: 25 }, () =>
    ask(strict, ann.token, 'POST /operator/deposits', deposit),
  )
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 202).length, 20)
  assert.equal(statuses.filter((status) => status === 409).length, 5)
  await waitingOf(ben.token)
  assert.equal(core.seen.length, 0)
})

/** Venues that have one data folder, one after the other. */
/** Servers of a test, which close when it ends, even if it fails. */
const started: { close(): void }[] = []
afterEach(() => {
  for (const server of started.splice(0)) server.close()
})

function restarts() {
  const path = newKeptPath()
  const alarms: string[] = []
  const log = (line: string) => alarms.push(line)
  const start = async (over: Partial<OperatorServerOptions> = {}) => {
    const server = await startOperatorServer({
      ...{ ...options, approvalMillis: 60_000, keptRequests: new KeptRequests(path), log },
      ...over,
    })
    started.push(server)
    return server
  }
  const kept = () => readRequests(path).map(({ audited }) => audited.approval_id)
  return { path, alarms, start, kept }
}

async function askedAt(server: { readonly url: string }): Promise<string> {
  const { status, body } = await ask(server, ann.token, 'POST /operator/deposits', deposit)
  assert.equal(status, 202)
  return body.approval_id
}

const wordAt = (
  server: { readonly url: string },
  token: string,
  id: string,
  verdict = 'approved',
) => ask(server, token, 'POST /operator/approvals', { approval_id: id, verdict })

async function listedAt(server: { readonly url: string }): Promise<readonly string[]> {
  const { body } = await ask(server, ofScope.read.token, 'GET /operator/approvals')
  return body.data.map((row: { approval_id: string }) => row.approval_id)
}

test('pending requests survive the venue unchanged, and are executed once', async () => {
  const { path, start, kept } = restarts()
  const before = await start()
  const id = await askedAt(before)
  const { body: pending } = await ask(before, ofScope.read.token, 'GET /operator/approvals')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  before.close()
  const behind = await start()
  const { body: again } = await ask(behind, ofScope.read.token, 'GET /operator/approvals')
  assert.deepEqual(again, pending)
  assert.equal((await wordAt(behind, ann.token, id)).status, 403, 'not by who has asked')
  const { body } = await wordAt(behind, ben.token, id)
  assert.deepEqual([body.requested_by, body.answer.amount], ['ann', '5'])
  assert.deepEqual([core.seen.length, kept()], [1, []])
  behind.close()
  const third = await start()
  assert.equal((await wordAt(third, ben.token, id)).status, 404)
  third.close()
})

test('a sent request is not pending at a later start, whenever the venue ends', async () => {
  const { start, kept } = restarts()
  const before = await start()
  const id = await askedAt(before)
  before.close()
  let keptAsSent: readonly string[] = ['nothing was sent']
  const send = () => {
    keptAsSent = kept()
    return new Promise<never>(() => {})
  }
  const sending = await start({ sender: { send } as unknown as OperatorPort })
  void wordAt(sending, ben.token, id).catch(() => {})
  while (keptAsSent.length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  sending.close()
  const behind = await start()
  assert.deepEqual(await listedAt(behind), [])
  behind.close()
})

test('a request that cannot be removed from the list is not sent, and keeps waiting', async () => {
  const { path, alarms, start, kept } = restarts()
  const file = new KeptRequests(path)
  let fault = ''
  const failing = {
    read: () => [],
    write: (waiting: readonly KeptRequest[]) => {
      if (fault !== '') throw new Error(fault)
      file.write(waiting)
    },
  } as unknown as KeptRequests
  const server = await start({ keptRequests: failing })
  const id = await askedAt(server)
  fault = 'ENOSPC: no space left on device'
  for (const verdict of ['approved', 'rejected']) {
    const { status, body } = await wordAt(server, ben.token, id, verdict)
    assert.deepEqual([status, body.code], [503, 'not_ready'])
    assert.match(body.message, /The file of pending approvals cannot be written; nothing was done/)
  }
  const more = await ask(server, ann.token, 'POST /operator/deposits', deposit)
  assert.equal(more.status, 503)
  assert.match(alarms.join(), /alarm: .*ENOSPC/)
  assert.deepEqual([core.seen.length, kept(), await listedAt(server)], [0, [id], [id]])
  fault = ''
  assert.equal((await wordAt(server, ben.token, id)).status, 200)
  assert.deepEqual([core.seen.length, kept()], [1, []])
  server.close()
})

test('a stop during an approval removes no other pending request', async () => {
  const { start, kept } = restarts()
  let release = () => {}
  let isHeld = false
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = {
    note: audit.note.bind(audit),
    end: audit.end.bind(audit),
    begin: async (what: Parameters<AuditLog['begin']>[0]) => {
      isHeld = true
      await held
      return audit.begin(what)
    },
  } as unknown as AuditLog
  const server = await start({ audit: slow })
  const [approved, waits] = [await askedAt(server), await askedAt(server)]
  const word = wordAt(server, ben.token, approved).catch(() => {})
  while (!isHeld) await new Promise((resolve) => setTimeout(resolve, 5))
  server.close()
  release()
  await word
  while (kept().length > 1) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual(kept(), [waits])
})

test('a rejected request is not pending at a later start', async () => {
  const { start, kept } = restarts()
  const before = await start()
  const id = await askedAt(before)
  assert.equal((await wordAt(before, ann.token, id, 'rejected')).status, 200)
  assert.deepEqual(kept(), [])
  before.close()
})

test('requests that expired during a stop are logged so, and a clock that was set back extends none', async () => {
  const { start, kept } = restarts()
  let nowMillis = Date.now()
  const context = { ...options.context, wallMillis: () => nowMillis }
  const before = await start({ context })
  const id = await askedAt(before)
  before.close()
  nowMillis -= 86_400_000
  const quick = await start({ context, approvalMillis: 3000 })
  assert.deepEqual(await listedAt(quick), [id])
  while ((await listedAt(quick)).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual(kept(), [])
  const other = await askedAt(quick)
  quick.close()
  nowMillis += 3001
  const late = await start({ context })
  assert.deepEqual([await listedAt(late), kept()], [[], []])
  await untilExpired(other)
  late.close()
})

test('without second approval pending requests are dropped and logged', async () => {
  const { start, kept } = restarts()
  const before = await start()
  const id = await askedAt(before)
  before.close()
  const behind = await start({ approvalMillis: 0 })
  assert.deepEqual([await listedAt(behind), kept()], [[], []])
  await untilExpired(id)
  behind.close()
})

test('an unreadable list is renamed, and the venue starts', async () => {
  for (const text of ['{', '{}', '[{"audited":{}}]', '[null]']) {
    const { path, alarms, start } = restarts()
    writeFileSync(path, text)
    const server = await start()
    assert.deepEqual(await listedAt(server), [])
    assert.match(alarms[0]!, /pending requests must be made again/)
    const aside = readdirSync(dirname(path)).find((name) => name.includes('.aside-'))
    assert.equal(readFileSync(join(dirname(path), aside!), 'utf8'), text)
    await askedAt(server)
    server.close()
  }
})
