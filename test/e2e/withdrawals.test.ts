import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { agentBody, type Body, WalletKey, withdrawBody } from './support/signed-body.js'
import { assertError, eventually, Venue, type Wire } from './support/venue.js'

const outcomes = [
  ...['inactive', 'unsupported_mode', 'preflight_unavailable', 'source_unavailable'],
  ...['slow', 'core_rejected', 'reverted', 'expired', 'dead_lettered', 'held', 'unheard'],
] as const
type Outcome = (typeof outcomes)[number]
/** Addresses by configured result, and an address with immediate delivery. */
const to = Object.fromEntries(
  ['plain', ...outcomes].map((name, index) => [name, `0x${'0'.repeat(37)}d${index + 10}`]),
) as Readonly<Record<Outcome | 'plain', string>>
const asked = outcomes.map((name) => `${to[name]}=${name}`).join(',')

const first = new Venue({
  arguments: [
    '--gateways=2',
    `--set=withdrawals.outcomes=${asked}`,
    '--set=withdrawals.stepMillis=20',
  ],
})
let venue: Venue = first

before(() => first.start())
after(async () => {
  if (venue !== first) await venue.end('SIGKILL')
  await first.dispose()
})

async function funded(amount = '1000'): Promise<WalletKey> {
  const key = new WalletKey()
  await venue.set('/deposits', { wallet: key.wallet, amount })
  return key
}

const post = (body: Body) => venue.send('POST', '/withdraw/usdc', body)
const directive = (id: string) => venue.read(`/v1/directives/${id}`)

async function withdrawn(by: WalletKey, destination: string, amount: string): Promise<Wire> {
  const { status, body, text } = await post(await withdrawBody(by, destination, amount))
  assert.equal(status, 200, text)
  return body
}

async function equityOf({ wallet }: WalletKey): Promise<string> {
  return (await venue.read(`/portfolio?wallet=${wallet}`)).data.equity
}

/** Returns the USD in transit of all wallets. */
async function inTransit(): Promise<string> {
  return (await venue.operatorState()).venue.funds.in_transit
}

async function becomes(id: string, delivery: string, domain: string): Promise<void> {
  await eventually(`${id} ${delivery}`, async () => {
    const { delivery_status, domain_status } = await directive(id)
    return delivery_status === delivery && domain_status === domain
  })
}

/** Returns how often the rail has delivered each directive. */
function deliveries(): Map<string, number> {
  const path = join(first.dataDir, 'rail.jsonl')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  const counts = new Map<string, number>()
  for (const line of lines.filter((text) => text !== '')) {
    const { directiveId, delivery } = JSON.parse(line)
    if (delivery === 7) counts.set(directiveId, (counts.get(directiveId) ?? 0) + 1)
  }
  return counts
}

test('a withdrawal debits at once and is delivered', async () => {
  const key = await funded()
  const answer = await withdrawn(key, to.plain, '400.5')
  assert.match(answer.directive_id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
  const { success, domain_status, delivery_status, balance_after, message } = answer
  assert.deepEqual(
    { success, domain_status, delivery_status, balance_after, message },
    {
      ...{ success: true, domain_status: 'pending_chain_effect', delivery_status: 'pending' },
      ...{ balance_after: '599.5', message: 'USDC withdrawal accepted' },
    },
  )
  assert.equal(typeof answer.request_id, 'string')
  const status = await directive(answer.directive_id)
  assert.equal(status.action_key, 'hl_send_asset', 'the directive is readable immediately')
  assert.equal(await equityOf(key), '599.5')
  await becomes(answer.directive_id, 'finalized', 'completed')
  assert.match((await directive(answer.directive_id)).tx_hash, /^0x[0-9a-f]{64}$/)
  const { withdrawals } = await venue.read(`/v1/withdrawals?wallet=${key.wallet}`)
  assert.deepEqual(withdrawals[0].directive_id, answer.directive_id)
  const { data, page } = await venue.read(`/v1/transfers?wallet=${key.wallet}`)
  assert.deepEqual(
    data.map((row: Wire) => [row.transaction_type, row.amount, row.status]),
    [
      ['withdrawal', '400.5', 'completed'],
      ['deposit', '1000', 'completed'],
    ],
  )
  assert.equal(page.has_more, false)
})

test('a wallet can withdraw the amount that its portfolio states, to the micro', async () => {
  const key = await funded('123.456789')
  const { data } = await venue.read(`/portfolio?wallet=${key.wallet}`)
  assert.equal(data.withdrawable_usdc, '123.456789')
  const more = await post(await withdrawBody(key, to.plain, '123.45679'))
  assertError(more, 422, 'insufficient_balance')
  await withdrawn(key, to.plain, '123.456789')
  assert.equal(await equityOf(key), '0')
})

test('the same payload again is the same withdrawal, on any gateway', async () => {
  const key = await funded()
  const body = await withdrawBody(key, to.plain, '100')
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(body)))
  for (const { status, text } of answers) assert.equal(status, 200, text)
  const ids = new Set(answers.map((answer) => answer.body.directive_id))
  assert.equal(ids.size, 1)
  await becomes([...ids][0], 'finalized', 'completed')
  assert.deepEqual((await post(body)).body.balance_after, '900')
  assert.equal(await equityOf(key), '900')
  assert.equal(deliveries().get([...ids][0]), 1)
  const other = await withdrawBody(key, to.plain, '7', { nonce: body['nonce'] })
  assertError(await post(other), 409, 'conflict')
})

test('invalid bodies, agents and strangers fail and debit nothing', async () => {
  const key = await funded()
  const stranger = new WalletKey()
  const agent = new WalletKey()
  await venue.send(
    'POST',
    '/approve-agent',
    await agentBody(key, 'ApproveAgent', { agent: agent.wallet }),
  )
  const refusals = [
    [await withdrawBody(key, to.plain, '4.999999'), 400, 'invalid_field'],
    [await withdrawBody(key, to.plain, '0'), 400, 'invalid_field'],
    [await withdrawBody(key, to.plain, '10.0000001'), 400, 'invalid_field'],
    [await withdrawBody(key, to.plain, '-10'), 400, 'invalid_field'],
    [{ ...(await withdrawBody(key, to.plain, '10')), destination: 'x' }, 400, 'invalid_field'],
    [{}, 400, 'missing_field'],
    [await withdrawBody(key, to.plain, '10', { account: stranger.wallet }), 400, 'invalid_field'],
    [await withdrawBody(key, to.plain, '10', {}, agent), 401, 'unauthorized'],
    [await withdrawBody(key, to.plain, '10', {}, stranger), 401, 'unauthorized'],
    [await withdrawBody(stranger, to.plain, '10'), 403, 'no_account'],
    [{ ...(await withdrawBody(key, to.plain, '10')), amount: 10 }, 400, 'invalid_parameter'],
  ] as const
  for (const [body, status, code] of refusals) assertError(await post(body as Body), status, code)
  assert.equal(await equityOf(key), '1000')
  assert.deepEqual((await venue.read(`/v1/withdrawals?wallet=${key.wallet}`)).withdrawals, [])
})

test('a failing preflight debits nothing and does not affect earlier withdrawals', async () => {
  const key = await funded()
  const { directive_id } = await withdrawn(key, to.plain, '100')
  await becomes(directive_id, 'finalized', 'completed')
  const before = await directive(directive_id)
  for (const [outcome, status, code] of [
    ['inactive', 422, 'withdrawal_destination_inactive'],
    ['unsupported_mode', 422, 'withdrawal_destination_mode_unsupported'],
    ['preflight_unavailable', 503, 'withdrawal_preflight_unavailable'],
    ['source_unavailable', 503, 'withdrawal_source_unavailable'],
  ] as const) {
    const body = await withdrawBody(key, to[outcome], '10')
    assertError(await post(body), status, code)
    const free = await post(await withdrawBody(key, to.plain, '10', { nonce: body['nonce'] }))
    assert.equal(free.status, 200, 'the nonce of the failed withdrawal is free')
  }
  assert.equal(await equityOf(key), '860')
  const { as_of_seq: _, ...now } = await directive(directive_id)
  const { as_of_seq: __, ...then } = before
  assert.deepEqual(now, then)
})

test('each configured result of the rail is final, and money that never arrives returns once', async () => {
  const key = await funded()
  for (const [outcome, delivery, domain, equity] of [
    ['slow', 'finalized', 'completed', '900'],
    ['core_rejected', 'core_rejected', 'failed', '900'],
    ['reverted', 'reverted', 'failed', '900'],
  ] as const) {
    const { directive_id } = await withdrawn(key, to[outcome], '100')
    await becomes(directive_id, delivery, domain)
    assert.equal(await equityOf(key), equity, outcome)
  }
  await eventually('no money in transit', async () => (await inTransit()) === '0')
})

test("a stuck withdrawal stays in transit until the operator's verdict", async () => {
  const key = await funded()
  const judge = (directive_id: string, verdict: string) =>
    venue.operator('POST', '/withdrawals', { directive_id, verdict })
  for (const [outcome, verdict, domain, equity] of [
    ['expired', 'returned', 'failed', '1000'],
    ['dead_lettered', 'delivered', 'completed', '900'],
  ] as const) {
    const { directive_id } = await withdrawn(key, to[outcome], '100')
    await becomes(directive_id, outcome, 'pending_manual_review')
    assert.equal(await inTransit(), '100')
    const { data } = await venue.read(`/v1/transfers?wallet=${key.wallet}&status=manual_review`)
    assert.equal(data[0].id, directive_id)
    const answer = await judge(directive_id, verdict)
    assert.deepEqual([answer.status, answer.body.changed], [200, true], answer.text)
    await becomes(directive_id, outcome, domain)
    assert.equal((await judge(directive_id, verdict)).body.changed, false)
    const other = verdict === 'returned' ? 'delivered' : 'returned'
    assertError(await judge(directive_id, other), 409, 'conflict')
    assert.deepEqual([await equityOf(key), await inTransit()], [equity, '0'])
  }
  assertError(await judge('00000000-0000-8000-8000-000000000000', 'returned'), 404, 'not_found')
  assertError(await judge('x', 'returned'), 400, 'invalid_field')
})

longTest(
  'after a kill at any step every withdrawal is delivered once, and nothing is lost',
  async () => {
    const key = await funded()
    const body = await withdrawBody(key, to.held, '10')
    const held = (await post(body)).body.directive_id
    const unheard = (await withdrawn(key, to.unheard, '20')).directive_id
    const slow = (await withdrawn(key, to.slow, '30')).directive_id
    await eventually('it is delivered', () => deliveries().get(unheard) === 1)
    assert.equal(
      (await directive(unheard)).delivery_status,
      'broadcasted',
      'clients know of the broadcast only',
    )
    await venue.end('SIGKILL')
    const { dataDir } = first
    // The same crash again, from before the rail had recorded anything of the first one.
    const lines = readFileSync(join(dataDir, 'rail.jsonl'), 'utf8')
    assert.ok(lines.includes(held))
    venue = new Venue({ dataDir, arguments: ['--gateways=1'] })
    await venue.start()
    for (const id of [held, unheard, slow]) await becomes(id, 'finalized', 'completed')
    await eventually('no money in transit', async () => (await inTransit()) === '0')
    for (const id of [held, unheard, slow]) assert.equal(deliveries().get(id), 1)
    assert.equal(await equityOf(key), '940')
    assert.equal((await post(body)).body.directive_id, held, 'a retry finds it')
    await venue.end('SIGKILL')
    await venue.start()
    assert.equal(await equityOf(key), '940')
    for (const id of [held, unheard, slow]) assert.equal(deliveries().get(id), 1)
  },
)

longTest('after a kill before the rail received it, a withdrawal is delivered once', async () => {
  await venue.end('SIGKILL')
  venue = new Venue({
    dataDir: first.dataDir,
    arguments: [`--set=withdrawals.outcomes=${to.held}=held`],
  })
  await venue.start()
  const key = await funded()
  const record = join(first.dataDir, 'rail.jsonl')
  const before = readFileSync(record)
  const body = await withdrawBody(key, to.held, '10')
  const { directive_id } = (await post(body)).body
  await venue.end('SIGKILL')
  writeFileSync(record, before)
  venue = new Venue({
    dataDir: first.dataDir,
    arguments: [`--set=withdrawals.outcomes=${to.held}=inactive`],
  })
  await venue.start()
  await becomes(directive_id, 'finalized', 'completed')
  assert.equal(deliveries().get(directive_id), 1)
  assert.equal(
    (await post(body)).body.directive_id,
    directive_id,
    'a retry gets the first result, even if a preflight would fail now',
  )
  assertError(
    await post(await withdrawBody(key, to.held, '10')),
    422,
    'withdrawal_destination_inactive',
  )
  assert.equal(await equityOf(key), '990')
})

test('without a rail nothing can be withdrawn', async () => {
  await venue.end('SIGTERM')
  venue = new Venue({ dataDir: first.dataDir, arguments: ['--set=withdrawals.rail=none'] })
  await venue.start()
  const key = await funded()
  const answer = await post(await withdrawBody(key, to.plain, '10'))
  assertError(answer, 503, 'withdrawal_source_unavailable')
  assert.equal(await equityOf(key), '1000')
})
