import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { placeBody, selfTradeBody, symbolOf } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { assertError, type Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place, cancelAll } = orderActions(venue, symbol)
const open = streamPeers(venue)

before(async () => {
  await listMarket(venue, [symbol])
})

/** Places an ask of a wallet, another wallet's ask after it, and the wallet's buy over the stream that reaches both. */
async function meetItself(mode: string | null, price: string) {
  const [by, other] = [await fundedWallet('10000000'), await fundedWallet('10000000')]
  if (mode !== null) {
    const answer = await venue.send('POST', '/self-trade-prevention', await selfTradeBody(by, mode))
    assert.equal(answer.status, 200, answer.text)
  }
  const own = await place(by, { side: 'Sell', price, size: '1' })
  await place(other, { side: 'Sell', price, size: '1' })
  const peer = await open(`?wallet=${by.wallet}`)
  await peer.subscribe('order_updates')
  const order = await placeBody(by, { symbol, price, size: '2' })
  const result = await peer.ask({ type: 'PlaceOrder', ...order }, 'OrderResult')
  const status = async (orderId: number): Promise<Wire> =>
    (await venue.read(`/orders/status?wallet=${by.wallet}&order_id=${orderId}`)).data
  const met = { result, own: await status(own.order_id), incoming: await status(result.order_id) }
  await cancelAll(by)
  await cancelAll(other)
  return met
}

const cells = ({ status, filled_size, reason }: Wire) => [status, filled_size, reason]
const prevented = 'Self-trade prevention'

test('by default the core cancels the incoming order and keeps the resting one', async () => {
  const { result, own, incoming } = await meetItself(null, '5000')
  assert.deepEqual(cells(incoming), ['canceled', '0', prevented])
  assert.deepEqual([result.status, result.reason], ['CANCELED', prevented])
  assert.deepEqual(cells(own), ['open', '0', null])
})

test('with cancel_maker the core cancels the resting order, and the incoming one keeps trading', async () => {
  const { own, incoming } = await meetItself('cancel_maker', '4900')
  assert.deepEqual(cells(own), ['canceled', '0', prevented])
  assert.deepEqual(cells(incoming), ['partially_filled', '1', null])
})

test('with cancel_both the core cancels both orders', async () => {
  const { own, incoming } = await meetItself('cancel_both', '4800')
  assert.deepEqual(cells(own), ['canceled', '0', prevented])
  assert.deepEqual(cells(incoming), ['canceled', '0', prevented])
})

test('the venue returns the mode and refuses an unknown one', async () => {
  const by = await fundedWallet()
  const mode = async () =>
    (await venue.read(`/self-trade-prevention?wallet=${by.wallet}`)).data.mode
  assert.equal(await mode(), 'cancel_taker')
  await venue.send('POST', '/self-trade-prevention', await selfTradeBody(by, 'cancel_both'))
  assert.equal(await mode(), 'cancel_both')
  const wrong = await selfTradeBody(by, 'cancel_all')
  assertError(await venue.send('POST', '/self-trade-prevention', wrong), 400, 'invalid_field')
  assert.equal(await mode(), 'cancel_both')
})
