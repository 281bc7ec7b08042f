import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import {
  type Body,
  cancelBody,
  placeBody,
  replaceBody,
  selfTradeBody,
  symbolOf,
  type WalletKey,
} from './support/signed-body.js'
import type { Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const put = symbolOf('BTC', 90_000, 'P')
const { fundedWallet, book } = orderActions(venue, symbol)
let seller: WalletKey
let buyer: WalletKey

before(async () => {
  await listMarket(venue, [symbol, put])
  seller = await fundedWallet()
  buyer = await fundedWallet()
})

const buy = (price: string, patch: Body = {}) => placeBody(buyer, { symbol, price, ...patch })
const sell = (price: string, patch: Body = {}) =>
  placeBody(seller, { symbol, side: 'Sell', price, ...patch })
const bids = async () => (await book()).bids
/** Returns status and filled size of each item of an answer without an envelope. */
const outcomes = (items: Wire) => items.map(({ data }: Wire) => [data.status, data.filled_size])

test('a bulk places, a bulk replaces and a bulk cancels, in one step each', async () => {
  const placed = await venue.send('POST', '/bulk_order', [
    await buy('3000', { client_id: 'first' }),
    await buy('3001'),
    await buy('3002'),
  ])
  assert.equal(placed.status, 200, placed.text)
  assert.deepEqual(outcomes(placed.body), [
    ['ACKED', 0],
    ['ACKED', 0],
    ['ACKED', 0],
  ])
  assert.deepEqual(await bids(), [
    [3002, 1],
    [3001, 1],
    [3000, 1],
  ])
  const [first, second, third] = placed.body.map(({ data }: Wire) => data.order_id)
  const move = (order_id: unknown, price: string) =>
    replaceBody(buyer, { symbol, order_id, price, size: '2' })
  const replaced = await venue.send('PUT', '/bulk_order', {
    replacements: [await move(second, '2901'), await move(1, '2902'), await move(third, '2902')],
  })
  assert.deepEqual(
    replaced.body.results.map(({ success }: Wire) => success),
    [true, false, true],
  )
  assert.equal(replaced.body.results[1].error, 'Order 1 not found')
  assert.deepEqual(await bids(), [
    [3000, 1],
    [2902, 2],
    [2901, 2],
  ])
  const canceled = await venue.send('DELETE', '/bulk_order_cloid', {
    cancels: [
      await cancelBody(buyer, { client_id: 'first' }),
      await cancelBody(buyer, { order_id: replaced.body.results[0].data.order_id }),
      await cancelBody(buyer, { order_id: replaced.body.results[2].data.order_id }),
      await cancelBody(buyer, { order_id: first }),
    ],
  })
  assert.deepEqual(
    canceled.body.results.map(({ code }: Wire) => code ?? 'done'),
    ['done', 'done', 'done', 'order_already_canceled'],
  )
  assert.deepEqual(await bids(), [])
})

test('items of one request trade with each other in the order of the array', async () => {
  const { body } = await venue.send('POST', '/bulk_order', [
    await sell('3300'),
    await buy('3300', { size: '2' }),
    await sell('3300', { size: '2' }),
  ])
  assert.deepEqual(outcomes(body), [
    ['ACKED', 0],
    ['PARTIALLY_FILLED', 1],
    ['PARTIALLY_FILLED', 1],
  ])
})

test('a retried bulk gets its first results again', async () => {
  const orders = [await buy('2500'), await buy('2501')]
  const first = await venue.send('POST', '/bulk_order', { orders })
  const again = await venue.send('POST', '/bulk_order', { orders })
  const ids = (answer: typeof first) => answer.body.results.map(({ data }: Wire) => data.order_id)
  assert.deepEqual(ids(again), ids(first))
  assert.deepEqual((await bids()).slice(0, 2), [
    [2501, 1],
    [2500, 1],
  ])
})

test('a wallet chooses the mode of self-trade prevention', async () => {
  const by = await fundedWallet()
  const change = await selfTradeBody(by, 'cancel_maker')
  const set = await venue.send('POST', '/self-trade-prevention', change)
  assert.equal(set.status, 200, set.text)
  assert.deepEqual(set.body.data, { wallet: by.wallet, mode: 'cancel_maker' })
  const order = { symbol: put, size: '0.1', price: '2000' }
  const { body } = await venue.send('POST', '/bulk_order', [
    await placeBody(by, { ...order, side: 'Buy' }),
    await placeBody(by, { ...order, side: 'Sell' }),
  ])
  assert.deepEqual(outcomes(body), [
    ['ACKED', 0],
    ['ACKED', 0],
  ])
  const status = `/orders/status?wallet=${by.wallet}&order_id=${body[0].data.order_id}`
  assert.equal((await venue.read(status)).data.status, 'canceled')
})
