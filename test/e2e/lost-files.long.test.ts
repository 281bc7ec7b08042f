import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WalletKey, withdrawBody } from './support/signed-body.js'
import { assertError, eventually, Venue } from './support/venue.js'

const unheard = `0x${'e'.repeat(40)}`
const plain = `0x${'d'.repeat(40)}`
const held = `0x${'b'.repeat(40)}`
const finalized = 7
const accept = '--accept-lost-files'

/** Successive venues on one folder. */
class Folder {
  venue: Venue
  readonly key = new WalletKey()

  constructor(t: TestContext) {
    const outcomes = `${unheard}=unheard,${held}=held`
    const first = new Venue({ arguments: [`--set=withdrawals.outcomes=${outcomes}`] })
    this.venue = first
    t.after(async () => {
      if (this.venue !== first) await this.venue.end('SIGKILL')
      await first.dispose()
    })
  }

  async begin(): Promise<void> {
    await this.venue.start()
    await this.venue.set('/deposits', { wallet: this.key.wallet, amount: '1000' })
  }

  /** Ends the venue, changes its folder, and starts another one. */
  async restart(change: () => void, ...flags: string[]): Promise<void> {
    await this.venue.end('SIGKILL')
    change()
    this.venue = new Venue({ dataDir: this.venue.dataDir, arguments: flags })
    await this.venue.start()
  }

  path(name: string): string {
    return join(this.venue.dataDir, name)
  }

  withdraw(destination: string, amount: string) {
    return withdrawBody(this.key, destination, amount).then((body) =>
      this.venue.send('POST', '/withdraw/usdc', body),
    )
  }

  deposit(amount: string) {
    return this.venue.operator('POST', '/deposits', { wallet: this.key.wallet, amount })
  }

  async lost(): Promise<string[]> {
    const metrics = await this.venue.metrics()
    const names = /^strikebook_file_lost\{file="([^"]+)"\} 1$/gm
    return [...metrics.matchAll(names)].map((match) => match[1]!)
  }

  async becomes(id: string, wanted: string): Promise<void> {
    await eventually(`${id} ${wanted}`, async () => {
      const row = await this.venue.read(`/v1/directives/${id}`)
      return row.delivery_status === wanted
    })
  }

  /** Returns how often the record reports a withdrawal as delivered. */
  deliveries(id: string, name = 'rail.jsonl'): number {
    if (!existsSync(this.path(name)) || statSync(this.path(name)).isDirectory()) return 0
    const lines = readFileSync(this.path(name), 'utf8').trim().split('\n')
    const rows = lines.filter((line) => line !== '').map((line) => JSON.parse(line))
    return rows.filter((row) => row.directiveId === id && row.delivery === finalized).length
  }
}

/** Returns a folder in which the rail delivered a withdrawal while the engine knows only of its broadcast. */
async function deliveredUnheard(t: TestContext): Promise<{ folder: Folder; id: string }> {
  const folder = new Folder(t)
  await folder.begin()
  copyFileSync(folder.path('rail.jsonl'), folder.path('rail.older'))
  const { body } = await folder.withdraw(unheard, '400')
  const id = body.directive_id as string
  await eventually('it is delivered', async () => folder.deliveries(id) === 1)
  // Before any later answer the journal has stored the record's length.
  await sleep(300)
  await folder.deposit('1')
  return { folder, id }
}

const losses: Readonly<Record<string, (path: string) => void>> = {
  'is gone': (path) => rmSync(path),
  'was cut by its last line': (path) => {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    truncateSync(path, Buffer.byteLength(`${lines.slice(0, -1).join('\n')}\n`))
  },
  'is an older copy': (path) => copyFileSync(path.replace('.jsonl', '.older'), path),
  'is a folder': (path) => {
    rmSync(path)
    mkdirSync(path)
  },
}

for (const [what, lose] of Object.entries(losses)) {
  test(`a record of the rail that ${what} stops the rail, and no withdrawal is delivered twice`, async (t) => {
    const { folder, id } = await deliveredUnheard(t)
    const path = folder.path('rail.jsonl')
    renameSync(path, folder.path('rail.kept'))
    copyFileSync(folder.path('rail.kept'), path)
    await folder.restart(() => lose(path))
    await sleep(500)
    assert.equal(folder.deliveries(id), 0, 'the rail does not deliver it again')
    assert.match(folder.venue.log(), /alarm: rail\.jsonl [^"]*the settlement rail is stopped/)
    assert.deepEqual(await folder.lost(), ['rail.jsonl'])
    assertError(await folder.withdraw(plain, '10'), 503, 'withdrawal_source_unavailable')
    assert.equal((await folder.deposit('5')).status, 200, 'everything else works')
    if (what === 'is gone') {
      // Another start still reports it; with the file back in place nothing is lost.
      await folder.restart(() => {})
      assert.deepEqual(await folder.lost(), ['rail.jsonl'])
      await folder.restart(() => renameSync(folder.path('rail.kept'), path))
      await folder.becomes(id, 'finalized')
      assert.equal(folder.deliveries(id), 1)
      assert.deepEqual(await folder.lost(), [])
    }
    if (what === 'is an older copy') {
      await folder.restart(() => {}, accept)
      await folder.becomes(id, 'dead_lettered')
      const verdict = { directive_id: id, verdict: 'delivered' }
      assert.equal((await folder.venue.operator('POST', '/withdrawals', verdict)).status, 200)
      const { body } = await folder.withdraw(plain, '10')
      await folder.becomes(body.directive_id, 'finalized')
      assert.equal(folder.deliveries(id), 0)
      await folder.restart(() => {})
      assert.deepEqual(await folder.lost(), [])
    }
  })
}

test('a pending withdrawal is dead-lettered once the operator accepts the loss, and a verdict ends it', async (t) => {
  const folder = new Folder(t)
  await folder.begin()
  const { body } = await folder.withdraw(held, '400')
  const id = body.directive_id as string
  await folder.becomes(id, 'pending')
  await folder.restart(() => rmSync(folder.path('rail.jsonl')), accept)
  await folder.becomes(id, 'dead_lettered')
  assert.equal(folder.deliveries(id), 0)
  const log = folder.venue.log()
  assert.match(
    log,
    /"msg":"alarm: rail\.jsonl is missing; [^"]*; --accept-lost-files accepts the loss"/,
  )
  assert.doesNotMatch(log, /"directiveId":""/)
  const verdict = { directive_id: id, verdict: 'returned' }
  assert.equal((await folder.venue.operator('POST', '/withdrawals', verdict)).status, 200)
  assert.equal(
    (await folder.venue.read(`/portfolio?wallet=${folder.key.wallet}`)).data.equity,
    '1000',
  )
})

test('a rail record that disappears while the venue runs stops the rail', async (t) => {
  const folder = new Folder(t)
  await folder.begin()
  const first = await folder.withdraw(plain, '10')
  await folder.becomes(first.body.directive_id, 'finalized')
  rmSync(folder.path('rail.jsonl'))
  assertError(await folder.withdraw(plain, '10'), 503, 'withdrawal_source_unavailable')
  assert.deepEqual(await folder.lost(), ['rail.jsonl'])
  await eventually('the alarm', async () =>
    /alarm: rail\.jsonl is missing/.test(folder.venue.log()),
  )
})

test('requests that need an entry in a missing audit log fail without effect', async (t) => {
  const folder = new Folder(t)
  await folder.begin()
  const path = folder.path('operator-audit.jsonl')
  copyFileSync(path, folder.path('operator-audit.older'))
  assert.equal((await folder.deposit('5')).status, 200)
  const equity = async () =>
    (await folder.venue.read(`/portfolio?wallet=${folder.key.wallet}`)).data.equity
  renameSync(path, folder.path('operator-audit.kept'))
  const refused = await folder.deposit('7')
  assert.equal(refused.status, 503)
  assert.match(refused.text, /operator-audit\.jsonl is missing; nothing was done/)
  assert.equal(await equity(), '1005')
  assert.deepEqual(await folder.lost(), ['operator-audit.jsonl'])
  assert.match(folder.venue.log(), /alarm: [^"]*operator-audit\.jsonl is missing/)
  // The file is back in its place.
  renameSync(folder.path('operator-audit.kept'), path)
  assert.equal((await folder.deposit('7')).status, 200)
  assert.equal(await equity(), '1012')
  // Cut while it is open.
  truncateSync(path, 10)
  assert.match((await folder.deposit('7')).text, /operator-audit\.jsonl has 10 bytes; it had \d+/)
  // An older copy at a start, which another start still reports.
  await folder.restart(() => copyFileSync(folder.path('operator-audit.older'), path))
  await folder.restart(() => {})
  const again = await folder.deposit('7')
  assert.equal(again.status, 503)
  assert.match(again.text, /operator-audit\.jsonl has \d+ bytes; the journal knows \d+/)
  assert.deepEqual(await folder.lost(), ['operator-audit.jsonl'])
  await folder.restart(() => {}, accept)
  assert.equal((await folder.deposit('7')).status, 200)
  assert.equal(await equity(), '1019')
  await folder.restart(() => {})
  assert.deepEqual(await folder.lost(), [])
  assert.equal((await folder.deposit('1')).status, 200)
})

test('entries of another process in the audit log are no loss', async (t) => {
  const folder = new Folder(t)
  await folder.begin()
  await folder.restart(() => appendFileSync(folder.path('operator-audit.jsonl'), '{"id":1'))
  assert.equal((await folder.deposit('1')).status, 200)
  assert.deepEqual(await folder.lost(), [])
})
