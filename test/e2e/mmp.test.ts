import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { type Body, mmpBody, symbolOf, type WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { type Answer, assertError, type Wire } from './support/venue.js'

// Market-maker protection. Windows and freezes last a day, so that no test depends on its speed.

const day = 86_400_000
const venue = sharedVenue()
const call = symbolOf('BTC', 110_000)
const put = symbolOf('BTC', 90_000, 'P')
const { fundedWallet, place } = orderActions(venue, call)
const open = streamPeers(venue)

before(async () => {
  await listMarket(venue, [call, put])
})

const terms = { interval_ms: day, frozen_time_ms: day, qty_limit: '10', delta_limit: '4' }

async function protect(by: WalletKey, patch: Body = {}): Promise<Answer> {
  const body = await mmpBody(by, 'SetMmpConfig', { ...terms, ...patch })
  return venue.send('POST', '/mmp-config', body)
}

async function configs(by: WalletKey, query = ''): Promise<Wire[]> {
  const { success, data } = await venue.read(`/mmp-config?wallet=${by.wallet}${query}`)
  assert.equal(success, true)
  return data
}

async function reset(by: WalletKey, patch: Body = {}): Promise<Answer> {
  return venue.send('POST', '/mmp-config/reset', await mmpBody(by, 'ResetMmp', patch))
}

async function remove(by: WalletKey, patch: Body = {}): Promise<Answer> {
  return venue.send('DELETE', '/mmp-config', await mmpBody(by, 'DeleteMmpConfig', patch))
}

/** Places a protected sell of `maker`, at the patch's price. */
function quote(maker: WalletKey, patch: Body): Promise<Wire> {
  return place(maker, { side: 'Sell', mmp_enabled: true, ...patch })
}

test('in the worked example three fills reach the quantity limit, over HTTP and stream', async () => {
  const [maker, taker] = [await fundedWallet('10000000'), await fundedWallet('10000000')]
  assert.equal((await protect(maker)).status, 200)
  const peer = await open(`?wallet=${maker.wallet}`)
  await peer.subscribe('order_updates')
  await peer.subscribe('fills')
  const price = '5000'
  const first = await quote(maker, { size: '3', price })
  const second = await quote(maker, { size: '6', price })
  const third = await quote(maker, { symbol: put, size: '6', price })
  const plain = await quote(maker, { size: '1', price: '5100', mmp_enabled: false })
  for (const { status, info } of [first, second, third]) {
    assert.deepEqual([status, info.mmp_enabled], ['ACKED', true])
  }

  await place(taker, { size: '3', price })
  await place(taker, { symbol: put, size: '4', price })
  const [before] = await configs(maker)
  assert.equal(before.window.qty, '7')
  assert.deepEqual([before.frozen, before.frozen_until_ms], [false, null])
  const { data } = await venue.read('/options-summary?currency=BTC').then(summaryOf)
  const expected = -3 * data.get(call)! + -4 * data.get(put)!
  assert.ok(Math.abs(Number(before.window.delta) - expected) < 0.01, JSON.stringify(before))

  const taken = await place(taker, { size: '3.5', price })
  assert.deepEqual([taken.status, taken.filled_size, taken.mmp_triggered], ['FILLED', 3.5, false])
  const canceled = (orderId: number) => (message: Wire) =>
    message.type === 'OrderUpdate' && message.order_id === orderId && message.status === 'CANCELED'
  const filled = await peer.next(canceled(second.order_id))
  assert.deepEqual(
    [filled.reason, filled.reason_code, filled.mmp_triggered, filled.filled_size],
    ['MMP triggered during fill processing', 'mmp_triggered', true, '3.5'],
  )
  const other = await peer.next(canceled(third.order_id))
  assert.deepEqual(
    [other.reason, other.reason_code, other.mmp_triggered, other.filled_size],
    ['Order canceled by MMP trigger', 'mmp_canceled', false, '4'],
  )
  await peer.settle()
  const updates = peer
    .ofType('OrderUpdate')
    .filter(({ order_id }) => order_id === second.order_id)
    .map(({ status }) => status)
  assert.deepEqual(updates, ['ACKED', 'OPEN', 'CANCELED'], 'the step publishes one update')
  const fill = peer.ofType('Fill').at(-1)
  assert.deepEqual([fill.order_id, fill.size], [second.order_id, '3.5'])
  assert.equal(peer.ofType('OrderUpdate').filter(canceled(plain.order_id)).length, 0)

  const [frozen] = await configs(maker, '&currency=BTC')
  assert.deepEqual(frozen.window, { qty: '0', delta: '0', vega: '0' })
  assert.deepEqual([frozen.frozen, frozen.frozen_until_ms], [true, fill.timestamp + day])
  const refused = await quote(maker, { size: '1', price })
  const until = frozen.frozen_until_ms
  assertRejected(refused, 'mmp_frozen', `MMP is frozen for BTC until ${until}`)
  assert.deepEqual(refused.details, { underlying: 'BTC', until })
  const listed = (await venue.read(`/orders?wallet=${maker.wallet}`)).data
  const row = listed.find(({ order_id }: Wire) => order_id === second.order_id)
  assert.deepEqual([row.status, row.reason], ['canceled', 'MMP triggered during fill processing'])
})

longTest('window, freeze and terms survive a kill', async () => {
  const makers = [await fundedWallet('10000000'), await fundedWallet('10000000')] as const
  const taker = await fundedWallet('10000000')
  const [frozen, counted] = makers
  for (const maker of makers) {
    await protect(maker, { qty_limit: '2', delta_limit: undefined, frozen_time_ms: 0 })
  }
  await quote(frozen, { size: '5', price: '4000' })
  await place(taker, { size: '2', price: '4000' })
  await quote(counted, { size: '5', price: '4000' })
  await place(taker, { size: '1.5', price: '4000' })
  const allConfigs = () => Promise.all(makers.map((maker) => configs(maker)))
  const before = await allConfigs()
  assert.deepEqual(
    before.map(([config]) => [config.frozen, config.frozen_until_ms]),
    [
      [true, null],
      [false, null],
    ],
  )
  assert.equal(before[1]![0].window.qty, '1.5')
  await venue.end('SIGKILL')
  await venue.start()
  assert.deepEqual(await allConfigs(), before)
  const refused = await quote(frozen, { size: '1', price: '4000' })
  assertRejected(refused, 'mmp_frozen', 'MMP is frozen for BTC until reset')
  assert.deepEqual((await reset(frozen)).body.data, 'reset')
  assert.equal((await quote(frozen, { size: '1', price: '4000' })).status, 'ACKED')
  await place(taker, { size: '0.5', price: '4000' })
  const [config] = await configs(counted)
  assert.deepEqual([config.frozen, config.frozen_until_ms], [true, null])
})

test('the venue returns a whole config, reads it by currency, changes and deletes it', async () => {
  const by = await fundedWallet()
  assert.deepEqual(await configs(by), [])
  const body = await mmpBody(by, 'SetMmpConfig', {
    interval_ms: 5000,
    frozen_time_ms: 0,
    qty_limit: '010.50',
    vega_limit: null,
    nonce: '18446744073709551000',
  })
  const set = await venue.send('POST', '/mmp-config', body)
  assert.equal(set.status, 200, set.text)
  const config = {
    wallet_address: by.wallet,
    currency: 'BTC',
    interval_ms: 5000,
    frozen_time_ms: 0,
    qty_limit: '10.5',
    delta_limit: null,
    vega_limit: null,
    enabled: true,
    nonce: '18446744073709551000',
    frozen: false,
    frozen_until_ms: null,
    window: { qty: '0', delta: '0', vega: '0' },
  }
  const { as_of_seq, ...rest } = set.body
  assert.deepEqual(rest, { success: true, data: config, error: null })
  assert.ok(Number.isSafeInteger(as_of_seq))
  assert.deepEqual(await configs(by), [config])
  assert.deepEqual(await configs(by, '&currency=ETH'), [])
  const again = await venue.send('POST', '/mmp-config', body)
  assert.deepEqual(again.body, set.body, 'a retry gets the first answer')
  const changed = await protect(by)
  const { qty_limit, delta_limit, nonce } = changed.body.data
  assert.deepEqual([qty_limit, delta_limit, typeof nonce], ['10', '4', 'number'])
  assert.deepEqual((await remove(by)).body.data, 'deleted')
  assert.deepEqual(await configs(by), [])
})

test('the endpoints check bounds, types and missing fields', async () => {
  const by = await fundedWallet()
  for (const [patch, code] of [
    [{ interval_ms: undefined }, 'missing_field'],
    [{ frozen_time_ms: null }, 'missing_field'],
    [{ currency: undefined }, 'missing_field'],
    [{ interval_ms: '5000' }, 'invalid_parameter'],
    [{ interval_ms: 1.5 }, 'invalid_parameter'],
    [{ qty_limit: 10 }, 'invalid_parameter'],
    [{ delta_limit: 4 }, 'invalid_parameter'],
    [{ vega_limit: 1 }, 'invalid_parameter'],
    [{ currency: 7 }, 'invalid_parameter'],
    [{ interval_ms: 0 }, 'invalid_field'],
    [{ interval_ms: day + 1 }, 'invalid_field'],
    [{ frozen_time_ms: -1 }, 'invalid_field'],
    [{ frozen_time_ms: day + 1 }, 'invalid_field'],
    [{ qty_limit: '0' }, 'invalid_field'],
    [{ qty_limit: '-1' }, 'invalid_field'],
    [{ qty_limit: '1.0000001' }, 'invalid_field'],
    [{ vega_limit: 'many' }, 'invalid_field'],
    [{ delta_limit: '9999999999' }, 'invalid_field'],
    [{ qty_limit: undefined, delta_limit: undefined }, 'invalid_field'],
    [{ currency: 'NONE' }, 'invalid_field'],
    [{ currency: 'a name that is far too long' }, 'invalid_field'],
    [{ wallet: '0x12' }, 'invalid_wallet'],
  ] as [Body, string][]) {
    // Signed correctly, then changed: the venue reports an invalid value before the signature.
    const body = await mmpBody(by, 'SetMmpConfig', terms)
    const { currency } = patch
    const sound =
      currency === 'NONE' ? await mmpBody(by, 'SetMmpConfig', { ...terms, currency }) : body
    const answer = await venue.send('POST', '/mmp-config', { ...sound, ...patch })
    assertError(answer, 400, code)
    assert.deepEqual([answer.body.success, answer.body.data], [false, null])
  }
  for (const limit of ['0.000001', '4503599627.370496']) {
    assert.equal((await protect(by, { qty_limit: limit })).status, 200, limit)
  }
  assertError(await protect(by, { qty_limit: '4503599627.370497' }), 400, 'invalid_field')
})

test('without a config, reset and delete find nothing', async () => {
  const by = await fundedWallet()
  for (const answer of [await reset(by), await remove(by), await reset(by, { currency: 'NONE' })]) {
    assertError(answer, 404, 'not_found')
    assert.deepEqual([answer.body.success, answer.body.data], [false, null])
  }
  assert.match((await remove(by)).body.message, /No market-maker protection is set for BTC/)
})

test('an agent may sign, an unknown key may not, and a used nonce is a conflict', async () => {
  const [by, stranger] = [await fundedWallet(), await fundedWallet()]
  const body = await mmpBody(by, 'SetMmpConfig', terms, stranger)
  assertError(await venue.send('POST', '/mmp-config', body), 401, 'unauthorized')
  const sound = await mmpBody(by, 'SetMmpConfig', terms)
  assert.equal((await venue.send('POST', '/mmp-config', sound)).status, 200)
  assertError(await reset(by, { nonce: sound['nonce'] }), 409, 'conflict')
  const tampered = { ...(await mmpBody(by, 'SetMmpConfig', terms)), qty_limit: '11' }
  assertError(await venue.send('POST', '/mmp-config', tampered), 401, 'unauthorized')
})

test('a read requires a wallet, and other methods fail', async () => {
  assertError(await venue.get('/mmp-config'), 400, 'missing_field')
  assertError(await venue.get('/mmp-config?wallet=me'), 400, 'invalid_wallet')
  const put = await venue.send('PUT', '/mmp-config', {})
  assertError(put, 405, 'method_not_allowed')
  assert.equal(put.headers.get('allow'), 'POST, DELETE, GET, HEAD, OPTIONS')
  assertError(await venue.get('/mmp-config/reset'), 405, 'method_not_allowed')
})

/** Returns the deltas of a GET /options-summary by symbol. */
function summaryOf(body: Wire): { data: Map<string, number> } {
  const rows: Wire[] = body.result ?? body.data ?? body
  return {
    data: new Map(rows.map((row) => [row.instrument_name ?? row.symbol, row.greeks.delta])),
  }
}
