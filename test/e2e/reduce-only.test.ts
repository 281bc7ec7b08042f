import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { symbolOf, type WalletKey } from './support/signed-body.js'
import { eventually, type Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place, book } = orderActions(venue, symbol)
const closing = { side: 'Sell', reduce_only: true, route: 'book_only' }

before(async () => {
  await listMarket(venue, [symbol])
})

test('the core cancels a reduce-only order when its position shrinks below it', async () => {
  const [by, other] = [await fundedWallet(), await fundedWallet()]
  await place(other, { side: 'Sell', size: '5', price: '4000' })
  assert.equal((await place(by, { size: '5', price: '4000' })).status, 'FILLED')
  const far = await place(by, { ...closing, size: '2', price: '6000' })
  const near = await place(by, { ...closing, size: '3', price: '5000' })
  assert.deepEqual([far.status, near.status], ['ACKED', 'ACKED'])

  await place(other, { size: '9', price: '3000' })
  assert.equal((await place(by, { side: 'Sell', size: '4', price: '3000' })).status, 'FILLED')
  assert.deepEqual((await book()).asks, [[5000, 1]])
  const cut = await orderRow(by, near.order_id, 'open')
  assert.deepEqual([cut.size, cut.filled_size, cut.reason], ['1', '0', null])
  const gone = await orderRow(by, far.order_id, 'canceled')
  assert.equal(gone.reason, 'Reduce-only order would increase the position')
  assert.equal(gone.reason_code, 'reduce_only')

  await place(other, { size: '3', price: '5000' })
  const closed = await orderRow(by, near.order_id, 'filled')
  assert.deepEqual([closed.size, closed.filled_size], ['1', '1'])
  const { status, reason_code } = await place(by, { ...closing, size: '1', price: '5000' })
  assert.deepEqual([status, reason_code], ['REJECTED', 'reduce_only'])
})

async function orderRow(by: WalletKey, orderId: number, status: string): Promise<Wire> {
  let row: Wire
  await eventually(`order ${orderId} is ${status}`, async () => {
    const rows = (await venue.read(`/orders?wallet=${by.wallet}`)).data
    row = rows.find((found: Wire) => found.order_id === orderId)
    return row?.status === status
  })
  return row
}
