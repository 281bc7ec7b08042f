import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import { placeBody, symbolOf, type WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { Venue, type Wire } from './support/venue.js'

// Limits move a little at each re-mark, so the tests send prices far from them on either side.

const venue = new Venue({ arguments: ['--set=bands.enabled=true'] })
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place, replace, cancelAll } = orderActions(venue, symbol)
const open = streamPeers(venue)
const outside = /^Price outside band: (\d+\.\d{1,6}) to (\d+\.\d{1,6})$/
let by: WalletKey

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
  by = await fundedWallet()
})
after(() => venue.dispose())

test('the order book shows the band as its minimum and maximum price', async () => {
  const { min_price, max_price, mark_price } = (
    await venue.read(`/orderbook?instrument_id=${symbol}`)
  ).result
  assert.ok(1000 < min_price && min_price < mark_price, `${min_price}, ${mark_price}`)
  assert.ok(mark_price < max_price && max_price < 7000, `${mark_price}, ${max_price}`)
})

test('the core rejects a buy above the band and a sell below it, with its limits, but not the reverse', async () => {
  const book = (await venue.read(`/orderbook?instrument_id=${symbol}`)).result
  for (const terms of [
    { side: 'Buy', price: '9000' },
    { side: 'Sell', price: '100' },
  ]) {
    const update = await place(by, terms)
    assertRejected(update, 'price_band', outside)
    const [, lower, upper] = outside.exec(update.reason)!
    assert.deepEqual(update.details, { lower, upper })
    assert.ok(Math.abs(Number(lower) - book.min_price) < 50, `${lower}, ${book.min_price}`)
    assert.ok(Math.abs(Number(upper) - book.max_price) < 50, `${upper}, ${book.max_price}`)
  }
  assert.equal((await place(by, { side: 'Sell', price: '9000' })).status, 'ACKED')
  assert.equal((await place(by, { side: 'Buy', price: '100' })).status, 'ACKED')
  await cancelAll(by)
})

test('the band also applies to replacements, bulk items and previews', async () => {
  const { order_id } = await place(by, { price: '100' })
  const replaced = await replace(by, { order_id, price: '9000' })
  assertReason(replaced)
  const row = await venue.read(`/orders/status?wallet=${by.wallet}&order_id=${order_id}`)
  assert.equal(row.data.status, 'open', 'the old order keeps working')
  const orders = [
    await placeBody(by, { symbol, price: '9000', route: undefined }),
    await placeBody(by, { symbol, price: '101', route: undefined }),
  ]
  const [refused, taken] = (await venue.send('POST', '/bulk_order', orders)).body
  assert.deepEqual([refused.success, refused.code], [false, 'price_band'])
  assert.match(refused.error, outside)
  assert.equal(taken.success, true)
  await cancelAll(by)
  assert.match((await preview('9000')).rejection_reason, outside)
  assert.equal((await preview('100')).admissible, true)
})

test('the stream answers the same', async () => {
  const peer = await open()
  const body = await placeBody(by, { symbol, price: '9000' })
  const result = await peer.ask({ type: 'PlaceOrder', ...body }, 'OrderResult')
  assertReason(result)
})

function assertReason(update: Wire): void {
  assert.equal(update.status, 'REJECTED', JSON.stringify(update))
  assert.equal(update.reason_code, 'price_band')
  assert.match(update.reason, outside)
}

async function preview(price: string): Promise<Wire> {
  const orders = [{ symbol, side: 'Buy', size: '1', price }]
  const answer = await venue.send('POST', '/risk/simulate/orders', { wallet: by.wallet, orders })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
