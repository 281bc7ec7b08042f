import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { settledBody } from '../../gateway/client/settled.js'
import { signPlaceOrder } from '../../gateway/client/signed-actions.js'
import { connectStrikebook } from '../../gateway/client/strikebook-client.js'
import type { WhyValue } from '../../scripts/command/why/why-order.js'
import { strikebookAsync } from '../support/strikebook.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { cancelBody, placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { assertError, type Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet } = orderActions(venue, symbol)
const open = streamPeers(venue)
const stageNames = ['socket', 'recovery', 'ring', 'batch', 'match', 'flush', 'pump']

before(async () => {
  await listMarket(venue, [symbol])
})

async function why(query: string): Promise<Wire> {
  return (await venue.read(`/orders/why?${query}`)).data
}

/** Asserts that all stages are measured, not negative, and add up to the total. */
function assertMeasured({ stages }: Wire): void {
  const parts = stageNames.map((name) => stages[`${name}_micros`])
  const shown = JSON.stringify(stages)
  assert.ok(
    parts.every((part) => Number.isInteger(part) && part >= 0),
    shown,
  )
  assert.equal(
    parts.reduce((sum, part) => sum + part, 0),
    stages.total_micros,
    shown,
  )
}

test('the trace of an accepted order has every measured stage, its batch, and its position in it', async () => {
  const by = await fundedWallet()
  const body = await placeBody(by, { symbol, price: '10' })
  const before = Date.now()
  const answer = (await venue.send('POST', '/order', body)).body
  const trace = await why(`order_id=${answer.order_id}`)
  assertMeasured(trace)
  assert.deepEqual(
    [trace.order_id, trace.seq, trace.status],
    [answer.order_id, answer.seq, answer.status],
  )
  assert.deepEqual([trace.action, trace.symbol, trace.source], ['PlaceOrder', symbol, 'measured'])
  assert.deepEqual([trace.reason, trace.check, trace.margin], [null, null, null])
  assert.ok(Math.abs(trace.received_at - before) < 60_000, `${trace.received_at - before}`)
  const { first_seq, last_seq, commands, place: at } = trace.batch
  assert.ok(first_seq <= trace.seq && trace.seq <= last_seq)
  assert.ok(at >= 1 && at <= commands, JSON.stringify(trace.batch))
  assert.deepEqual(
    [trace.wallet, trace.nonce],
    [null, null],
    'a read by id does not reveal the wallet',
  )
  assert.deepEqual(
    await why(`wallet=${by.wallet.toUpperCase().replace('0X', '0x')}&nonce=${body['nonce']}`),
    { ...trace, wallet: by.wallet, nonce: body['nonce'] },
  )
  const again = (await venue.send('POST', '/order', body)).body
  assert.equal(again.order_id, answer.order_id)
  assert.deepEqual(
    (await why(`order_id=${answer.order_id}`)).stages,
    trace.stages,
    'the trace has the times of the first request',
  )
})

test("the trace of a margin rejection, by nonce, has the wallet's equity, requirement and binding shock", async () => {
  const by = await fundedWallet('10')
  const body = await placeBody(by, { symbol, side: 'Sell', price: '5000' })
  const { details } = (await venue.send('POST', '/order', body)).body
  const trace = await why(`wallet=${by.wallet}&nonce=${body['nonce']}`)
  assertMeasured(trace)
  assert.deepEqual([trace.order_id, trace.status], [null, 'REJECTED'])
  assert.deepEqual([trace.reason, trace.check.name], ['insufficient_margin', 'insufficient_margin'])
  assert.deepEqual([trace.check.has, trace.check.needs], [details.equity, details.required])
  assert.deepEqual([trace.check.details, trace.check.note], [details, null])
  const { scenario } = trace.margin
  assert.deepEqual([trace.margin.model, trace.margin.binding], ['standard', details.bound_by])
  assert.deepEqual({ kind: scenario.kind, id: scenario.id }, details.scenario)
  const shocks = [scenario.spot_shift, scenario.vol_shift, scenario.skew, scenario.kurtosis]
  assert.ok(shocks.some((shock) => shock !== 0))
  assert.ok(Number(scenario.loss) > 0, JSON.stringify(scenario))
})

test('a replay of the journal gives the same numbers for a rejection, and the venue provides the times', async () => {
  const by = await fundedWallet('10')
  const { nonce } = await placedFor(by, { side: 'Sell', price: '5000' })
  const trace = await why(`wallet=${by.wallet}&nonce=${nonce}`)
  const words = [`--data-dir=${venue.dataDir}`, `--wallet=${by.wallet}`, `--nonce=${nonce}`]
  const { code, error, out } = await strikebookAsync('why', ...words, '--json')
  assert.equal(code, 0, error)
  const { batch, checks, decision, margin, stages } = JSON.parse(out) as WhyValue
  assert.deepEqual(stages, trace.stages)
  assert.deepEqual(
    [batch.number, batch.firstSeq, batch.lastSeq],
    [...[trace.batch.number, trace.batch.first_seq, trace.batch.last_seq]],
  )
  const failed = checks.find(({ verdict }) => verdict === 'failed')!
  assert.deepEqual([decision.code, failed.check], [trace.reason, 'margin'])
  assert.deepEqual([failed.has, failed.needs], [trace.check.has, trace.check.needs])
  const { id, loss } = margin!.scenario!
  assert.deepEqual([id, loss], [trace.margin.scenario.id, trace.margin.scenario.loss])
  assert.deepEqual([margin!.model, margin!.binding], [trace.margin.model, trace.margin.binding])
})

test('the trace of a rejection without amounts refers to a replay of the journal', async () => {
  const by = await fundedWallet('50')
  const { nonce } = await placedFor(by, { reduce_only: true })
  const { check } = await why(`wallet=${by.wallet}&nonce=${nonce}`)
  assert.deepEqual([check.name, check.has, check.needs], ['reduce_only', null, null])
  assert.match(check.note, /replay/)
})

test("the trace of an order beyond its wallet's cash has both amounts", async () => {
  const by = await fundedWallet('50')
  const { nonce } = await placedFor(by, {})
  const { check } = await why(`wallet=${by.wallet}&nonce=${nonce}`)
  assert.deepEqual([check.name, check.has, check.needs], ['insufficient_cash', '50', '500'])
})

test('an order that the gateway rejects is in no batch', async () => {
  const by = new WalletKey()
  const { nonce } = await placedFor(by, {})
  const trace = await why(`wallet=${by.wallet}&nonce=${nonce}`)
  assert.deepEqual([trace.status, trace.reason], ['REJECTED', 'no_funds'])
  assert.deepEqual([trace.seq, trace.batch, trace.neighbours], [null, null, []])
  const { stages } = trace
  assert.deepEqual(
    [stages.ring_micros, stages.match_micros, stages.flush_micros],
    [null, null, null],
  )
  assert.ok(stages.total_micros > 0 && stages.socket_micros !== null)
})

test("the trace of an order with a stranger's signature says so and names no signer", async () => {
  const by = await fundedWallet()
  const { nonce, ...body } = await placeBody(by, { symbol, price: '10' })
  assertError(
    await venue.send('POST', '/order', { ...body, nonce, price: '11' }),
    401,
    'unauthorized',
  )
  const trace = await why(`wallet=${by.wallet}&nonce=${nonce}`)
  assert.deepEqual([trace.status, trace.reason, trace.order_id], ['REJECTED', 'unauthorized', null])
  assert.deepEqual([trace.check.name, trace.check.details], ['unauthorized', null])
  assert.match(trace.check.note, /not that of the wallet/)
})

test("the traces of a bulk's items have adjacent positions and one answer", async () => {
  const by = await fundedWallet()
  const prices = ['11', '12', '13', '14']
  const bulk = await Promise.all(prices.map((price) => placeBody(by, { symbol, price })))
  const answers = (await venue.send('POST', '/bulk_order', bulk)).body
  const ids: number[] = answers.map(({ data }: Wire) => data.order_id)
  const traces = await Promise.all(ids.map((id) => why(`order_id=${id}`)))
  for (const trace of traces) assertMeasured(trace)
  const [, second] = traces
  const places = traces.map(({ batch }) => batch.place)
  assert.deepEqual(
    places,
    places.map((_, index) => places[0] + index),
  )
  const near = second!.neighbours.map(({ order_id }: Wire) => order_id)
  assert.ok([ids[0], ids[2], ids[3]].every((id) => near.includes(id)) && !near.includes(ids[1]))
})

test('the trace finds cancels by nonce, and commands of the stream', async () => {
  const by = await fundedWallet()
  const peer = await open()
  const body = await placeBody(by, { symbol, price: '15' })
  const { order_id } = await peer.ask({ type: 'PlaceOrder', ...body }, 'OrderResult')
  assertMeasured(await why(`order_id=${order_id}`))
  const cancel = await cancelBody(by, { order_id })
  await venue.send('DELETE', '/order', cancel)
  const trace = await why(`wallet=${by.wallet}&nonce=${cancel['nonce']}`)
  assertMeasured(trace)
  assert.deepEqual(
    [trace.action, trace.status, trace.order_id],
    ['CancelOrder', 'CANCELED', order_id],
  )
  assert.equal((await why(`order_id=${order_id}`)).action, 'PlaceOrder')
})

test('the client reads a trace by order or by nonce', async () => {
  const by = await fundedWallet()
  const client = await connectStrikebook({ url: venue.url, account: by.account })
  const terms = { symbol, side: 'Buy', price: '16', size: '1' } as const
  const nonce = client.nextNonce()
  const body = await settledBody(signPlaceOrder(client.context, terms, nonce))
  const placed = await client.rest.request<Wire>('POST', '/order', { body })
  const trace = await client.safety.whyOrder({ orderId: placed.order_id })
  const { wallet } = client
  assert.deepEqual(await client.safety.whyOrder({ nonce }), { ...trace, wallet, nonce })
})

test('a trace request needs exactly one key, and a known order', async () => {
  const { wallet } = new WalletKey()
  for (const [query, status, code] of [
    ['', 400, 'missing_field'],
    [`wallet=${wallet}`, 400, 'missing_field'],
    ['nonce=1', 400, 'missing_field'],
    [`order_id=1&wallet=${wallet}&nonce=1`, 400, 'invalid_parameter'],
    ['order_id=1&nonce=1', 400, 'invalid_parameter'],
    ['order_id=x', 400, 'invalid_parameter'],
    ['order_id=0', 400, 'invalid_parameter'],
    [`wallet=${wallet}&nonce=-1`, 400, 'invalid_parameter'],
    [`wallet=${wallet}&nonce=18446744073709551616`, 400, 'invalid_parameter'],
    ['wallet=0x12&nonce=1', 400, 'invalid_wallet'],
    [`wallet=${wallet}&nonce=18446744073709551615`, 404, 'not_found'],
    ['order_id=9007199254740991', 404, 'not_found'],
  ] as const) {
    const answer = await venue.get(`/orders/why?${query}`)
    assertError(answer, status, code)
    assert.deepEqual([answer.body.success, answer.body.data], [false, null], query)
  }
})

/**
 * Places an order that the core rejects.
 * @returns its signed body
 */
async function placedFor(by: WalletKey, patch: object): Promise<Wire> {
  const body = await placeBody(by, { symbol, price: '500', ...patch })
  await venue.send('POST', '/order', body)
  return body
}
