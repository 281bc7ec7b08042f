import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { type Body, dateText, mmpBody, type WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { eventually, type Wire } from './support/venue.js'

// Further worked examples of protection: delta and vega limits, a sliding window, a freeze that ends. Windows last a
// day or a millisecond, so that no test depends on its speed.

const day = 86_400_000
const venue = sharedVenue()
const expiry = Math.floor(Date.now() / 1000) + 30 * 86_400
const call = `BTC-${dateText(30)}-110000-C`
const put = `BTC-${dateText(30)}-90000-P`
const { fundedWallet, place } = orderActions(venue, call)
const open = streamPeers(venue)
// Greeks of one contract, from the worked examples of Black-76. Time passes, hence the tolerance.
const callDelta = 0.3198656857
const putDelta = -0.242427189805
const callVega = 102.505855988
const putVega = 89.613346232
const tolerance = 0.01

before(async () => {
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  for (const symbol of [call, put]) await venue.set('/instruments', { symbol, expiry })
  const points = [{ strike: '100000', iv: '0.6' }]
  await venue.set('/vol-surfaces', { underlying: 'BTC', expiry, points })
})

interface Rig {
  readonly maker: WalletKey
  /** Trades with the maker's protected order of the other side, at its price. */
  fill(symbol: string, makerSide: 'Buy' | 'Sell', size: string): Promise<Wire>
  config(): Promise<Wire>
}

/** Starts a maker with protected orders of 50 on both sides of both options, and a taker. */
async function startMaker(terms: Body): Promise<Rig> {
  const [maker, taker] = [await fundedWallet('100000000'), await fundedWallet('100000000')]
  for (const { wallet } of [maker, taker]) {
    await venue.set('/tiers', { wallet, tier: 'market_maker' })
  }
  const body = await mmpBody(maker, 'SetMmpConfig', terms)
  const set = await venue.send('POST', '/mmp-config', body)
  assert.equal(set.status, 200, set.text)
  const prices = { Buy: '3000', Sell: '3500' }
  for (const symbol of [call, put]) {
    for (const side of ['Buy', 'Sell'] as const) {
      const resting = { symbol, side, size: '50', price: prices[side], mmp_enabled: true }
      assert.equal((await place(maker, resting)).status, 'ACKED')
    }
  }
  return {
    maker,
    async fill(symbol, makerSide, size) {
      const side = makerSide === 'Buy' ? 'Sell' : 'Buy'
      const taken = await place(taker, { symbol, side, size, price: prices[makerSide], tif: 'ioc' })
      assert.equal(taken.filled_size, Number(size), JSON.stringify(taken))
      return taken
    },
    config: async () => (await venue.read(`/mmp-config?wallet=${maker.wallet}`)).data[0],
  }
}

async function sweep(maker: WalletKey): Promise<void> {
  const { cancelAll } = orderActions(venue, call)
  await cancelAll(maker)
}

function near(text: string, wanted: number): void {
  const gap = Math.abs(Number(text) - wanted)
  assert.ok(gap <= tolerance * Math.abs(wanted), `${text} is not near ${wanted}`)
}

test('with a quantity limit of 20 the fourth sell of 3.2 reaches the delta limit', async () => {
  const terms = { interval_ms: day, frozen_time_ms: day, qty_limit: '20', delta_limit: '4' }
  const { maker, fill, config } = await startMaker(terms)
  for (const count of [1, 2, 3]) {
    await fill(call, 'Sell', '3.2')
    const { frozen, window } = await config()
    assert.deepEqual([frozen, Number(window.qty).toFixed(1)], [false, (3.2 * count).toFixed(1)])
    near(window.delta, -3.2 * count * callDelta)
    near(window.vega, -3.2 * count * callVega)
  }
  await fill(call, 'Sell', '3.2')
  const after = await config()
  assert.deepEqual([after.frozen, after.window], [true, { qty: '0', delta: '0', vega: '0' }])
  await sweep(maker)
})

test('delta is a signed sum: selling a put reduces what selling a call has added', async () => {
  const terms = { interval_ms: day, frozen_time_ms: day, delta_limit: '1' }
  const { maker, fill, config } = await startMaker(terms)
  await fill(call, 'Sell', '3')
  await fill(put, 'Sell', '4')
  const { window } = await config()
  assert.equal(window.qty, '7')
  const wanted = -3 * callDelta - 4 * putDelta
  assert.ok(Math.abs(Number(window.delta) - wanted) < tolerance, JSON.stringify(window))
  await fill(call, 'Sell', '3')
  assert.equal((await config()).frozen, false, 'the sum of the three fills is within the limit')
  await fill(call, 'Sell', '1')
  assert.equal((await config()).frozen, true)
  await sweep(maker)
})

test('the vega limit applies to bought and sold vega, and the freeze lasts until a reset', async () => {
  const limit = Math.round(2.5 * callVega)
  const terms = { interval_ms: day, frozen_time_ms: 0, vega_limit: String(limit) }
  const { maker, fill, config } = await startMaker(terms)
  await fill(call, 'Buy', '2')
  await fill(put, 'Sell', '1')
  near((await config()).window.vega, 2 * callVega - putVega)
  await fill(call, 'Buy', '1')
  assert.equal((await config()).frozen, false)
  await fill(put, 'Buy', '1')
  const { frozen, frozen_until_ms: until } = await config()
  assert.deepEqual([frozen, until], [true, null])
  const reset = await mmpBody(maker, 'ResetMmp')
  assert.equal((await venue.send('POST', '/mmp-config/reset', reset)).body.data, 'reset')
  assert.equal((await config()).frozen, false)
})

test('fills that have left the window no longer count, and a freeze ends by itself', async () => {
  const terms = { interval_ms: 1, frozen_time_ms: 1, qty_limit: '10' }
  const { maker, fill, config } = await startMaker(terms)
  await fill(call, 'Sell', '9')
  await sleep(5)
  await fill(call, 'Sell', '9')
  await sleep(5)
  assert.equal((await config()).enabled, true)
  const { data } = await venue.read(`/orders?wallet=${maker.wallet}&status=canceled`)
  assert.deepEqual(data, [], 'each fill by itself is below the limit')
  await fill(call, 'Sell', '10')
  const canceled = await venue.read(`/orders?wallet=${maker.wallet}&status=canceled`)
  assert.equal(canceled.data.length, 4, 'all protected orders are cancelled')
  const again = { side: 'Sell', price: '3500', mmp_enabled: true }
  await eventually('the end of the freeze', async () => {
    return (await place(maker, again)).status === 'ACKED'
  })
  await sweep(maker)
})

test('an incoming order continues against other makers and skips the frozen one', async () => {
  const terms = { interval_ms: day, frozen_time_ms: day, qty_limit: '2' }
  const [maker, other, taker] = [
    await fundedWallet('1000000'),
    await fundedWallet('1000000'),
    await fundedWallet('1000000'),
  ]
  await venue.send('POST', '/mmp-config', await mmpBody(maker, 'SetMmpConfig', terms))
  const sell = { side: 'Sell', mmp_enabled: true }
  const first = await place(maker, { ...sell, size: '2', price: '3300' })
  const second = await place(maker, { ...sell, size: '1', price: '3310' })
  const plain = await place(maker, { ...sell, size: '1', price: '3400', mmp_enabled: false })
  const rest = await place(other, { ...sell, size: '5', price: '3320' })
  const peer = await open(`?wallet=${maker.wallet}`)
  await peer.subscribe('order_updates')
  const taken = await place(taker, { size: '4', price: '3320' })
  assert.deepEqual([taken.status, taken.filled_size, taken.mmp_triggered], ['FILLED', 4, false])
  const { data: fills } = await venue.read(`/fills?wallet=${taker.wallet}`)
  assert.deepEqual(
    fills.map(({ price, size }: Wire) => [price, size]),
    [
      ['3320', '2'],
      ['3300', '2'],
    ],
  )
  const ended = async (id: number) => {
    const found = await peer.next(({ order_id, status }) => order_id === id && status !== 'ACKED')
    return [found.status, found.reason, found.reason_code, found.mmp_triggered]
  }
  // The order's last lot reaches the limit, so no part of it is left to cancel.
  assert.deepEqual((await ended(first.order_id)).slice(0, 1), ['FILLED'])
  assert.deepEqual(await ended(second.order_id), [
    'CANCELED',
    'Order canceled by MMP trigger',
    'mmp_canceled',
    false,
  ])
  const status = async (by: WalletKey, id: number) =>
    (await venue.read(`/orders/status?wallet=${by.wallet}&order_id=${id}`)).data.status
  assert.equal(await status(maker, plain.order_id), 'open')
  assert.equal(await status(other, rest.order_id), 'partially_filled')
})
