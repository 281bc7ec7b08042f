import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { symbolOf, type WalletKey } from './support/signed-body.js'
import type { Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place, replace, cancel, cancelAll, book } = orderActions(venue, symbol)

before(async () => {
  await listMarket(venue, [symbol])
})

async function positionOf({ wallet }: WalletKey): Promise<string> {
  const { data } = await venue.read(`/portfolio?wallet=${wallet}`)
  return data.positions.find((row: Wire) => row.symbol === symbol)?.amount ?? '0'
}

test('an order rests, appears in the book, and can be cancelled', async () => {
  const by = await fundedWallet()
  const resting = await place(by, { price: '3000' })
  assert.equal(resting.status, 'ACKED')
  assert.deepEqual(await book(), { bids: [[3000, 1]], asks: [] })
  const canceled = await cancel(by, { order_id: resting.order_id })
  assert.equal(canceled.status, 'CANCELED')
  assert.ok(canceled.seq > resting.seq)
  assert.deepEqual(await book(), { bids: [], asks: [] })
})

test('a buy through the ask trades at the resting price and leaves the rest', async () => {
  const [seller, buyer] = [await fundedWallet(), await fundedWallet()]
  const ask = await place(seller, { side: 'Sell', size: '2', price: '3300' })
  assert.equal(ask.status, 'ACKED', JSON.stringify(ask))
  const bid = await place(buyer, { size: '3', price: '3400' })
  assert.deepEqual([bid.status, bid.filled_size], ['PARTIALLY_FILLED', 2])
  assert.deepEqual(await book(), { bids: [[3400, 1]], asks: [] })
  assert.equal(await positionOf(buyer), '2')
  assert.equal(await positionOf(seller), '-2')
  const [fill] = (await venue.read(`/fills?wallet=${buyer.wallet}`)).data
  assert.deepEqual([fill.price, fill.size, fill.is_taker], ['3300', '2', true])
  await cancelAll(buyer)
})

test('better prices trade first, and earlier orders first at each price', async () => {
  const [first, second, third] = [await fundedWallet(), await fundedWallet(), await fundedWallet()]
  await place(first, { side: 'Sell', price: '3500' })
  await place(second, { side: 'Sell', price: '3500' })
  await place(third, { side: 'Sell', price: '3499' })
  const buyer = await fundedWallet()
  const taken = await place(buyer, { size: '2.5', price: '3500', tif: 'ioc' })
  assert.equal(taken.filled_size, 2.5, JSON.stringify(taken))
  assert.deepEqual(await book(), { bids: [], asks: [[3500, 0.5]] })
  const positions = await Promise.all([first, second, third].map(positionOf))
  assert.deepEqual(positions, ['-1', '-0.5', '-1'])
  await cancelAll(second)
})

test('a replacement is one step, and a rejected one does not change the book', async () => {
  const by = await fundedWallet()
  const { order_id } = await place(by, { price: '2000' })
  const moved = await replace(by, { order_id, price: '2100' })
  assert.deepEqual(await book(), { bids: [[2100, 1]], asks: [] })
  assert.equal((await replace(by, { order_id, price: '2200' })).status, 'REJECTED')
  assert.deepEqual(await book(), { bids: [[2100, 1]], asks: [] })
  await cancel(by, { order_id: moved.order_id })
})
