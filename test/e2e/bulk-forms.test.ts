import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { cancelBody, placeBody, replaceBody, symbolOf, WalletKey } from './support/signed-body.js'
import { assertError, type Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, book } = orderActions(venue, symbol)

before(async () => {
  await listMarket(venue, [symbol])
})

/** Returns the result of each item: its code, or its status. */
const ends = (results: Wire) => results.map(({ code, data }: Wire) => code ?? data.status)
const forms = [
  ['POST', '/bulk_order', 'orders'],
  ['POST', '/orders', 'orders'],
  ['PUT', '/bulk_order', 'replacements'],
  ['DELETE', '/bulk_order', 'cancels'],
  ['DELETE', '/bulk_order_cloid', 'cancels'],
  ['POST', '/orders/cancel', 'cancels'],
] as const

for (const [method, path, listName] of forms) {
  test(`${method} ${path}: the venue answers an array with an array, {${listName}} with {results}`, async () => {
    const bare = await venue.send(method, path, [{}])
    assert.equal(bare.status, 200, bare.text)
    const inObject = await venue.send(method, path, { [listName]: [{}] })
    assert.equal(inObject.status, 200, inObject.text)
    assert.deepEqual(inObject.body, { results: bare.body })
    const [item] = bare.body
    const { index, success, data, code } = item
    assert.deepEqual(
      { index, success, data, code },
      {
        index: 0,
        success: false,
        data: null,
        code: 'missing_field',
      },
    )
    assert.ok(item.error.startsWith('missing_field: '), item.error)
  })

  test(`${method} ${path}: the venue accepts 1 to 50 items, in a list of the right name`, async () => {
    for (const count of [0, 51]) {
      const items = Array.from({ length: count }, () => ({}))
      assertError(await venue.send(method, path, items), 400, 'invalid_parameter')
      assertError(await venue.send(method, path, { [listName]: items }), 400, 'invalid_parameter')
    }
    assertError(await venue.send(method, path, { [listName]: {} }), 400, 'invalid_parameter')
    assertError(await venue.send(method, path, { items: [{}] }), 400, 'missing_field')
    assertError(await venue.send(method, path, '"orders"'), 400, 'invalid_request')
    const fifty = await venue.send(
      method,
      path,
      Array.from({ length: 50 }, () => 7),
    )
    assert.equal(fifty.status, 200, fifty.text)
    assert.deepEqual(
      fifty.body.map(({ index, code }: Wire) => [index, code]),
      Array.from({ length: 50 }, (_, index) => [index, 'invalid_parameter']),
    )
  })
}

test('valid and invalid items of two wallets each get their own result, in order', async () => {
  const [buyer, seller] = [await fundedWallet(), await fundedWallet()]
  const first = await placeBody(buyer, { symbol, price: '3000', route: undefined })
  const good = () => placeBody(buyer, { symbol, price: '3000' })
  const answer = await venue.send('POST', '/bulk_order', [
    first,
    'text',
    null,
    { ...(await good()), signature: `0x${'00'.repeat(65)}` },
    await placeBody(buyer, { symbol }, new WalletKey()),
    { ...(await good()), price: 3000 },
    { ...(await good()), price: '3000.55' },
    { ...(await good()), tif: undefined },
    await placeBody(buyer, { symbol, route: 'best_execution' }),
    await placeBody(buyer, { symbol, route: 'rfq_only' }),
    first,
    await placeBody(buyer, { symbol, price: '3001', nonce: first['nonce'] }),
    await placeBody(seller, { symbol, side: 'Sell', price: '3000', size: '0.25' }),
  ])
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(ends(answer.body), [
    'ACKED',
    'invalid_parameter',
    'invalid_parameter',
    'signature_verification_failed',
    'unauthorized',
    'invalid_parameter',
    'invalid_field',
    'missing_field',
    'route_not_supported',
    'route_not_supported',
    'ACKED',
    'nonce_used',
    'FILLED',
  ])
  const results = answer.body
  for (const [index, item] of results.entries()) {
    assert.equal(item.index, index)
    assert.equal(item.success, 'code' in item === false, JSON.stringify(item))
    assert.equal('error' in item, !item.success)
  }
  assert.equal(results[10].data.order_id, results[0].data.order_id)
  assert.equal(results[11].error, `Nonce ${first['nonce']} already used`)
  assert.equal(results[8].error, 'Route best_execution is not supported here')
  assert.equal(results[8].data.status, 'REJECTED')
  assert.equal(results[12].data.wallet_address, seller.wallet)
  assert.deepEqual((await book()).bids, [[3000, 0.75]])
  const status = `/orders/status?wallet=${buyer.wallet}&order_id=${results[0].data.order_id}`
  assert.equal((await venue.read(status)).data.filled_size, '0.25')
})

test('the core applies each item before it checks the cash for the next one', async () => {
  const by = await fundedWallet('100')
  const buy = (price: string) => placeBody(by, { symbol, price })
  const { body } = await venue.send('POST', '/bulk_order', {
    orders: [await buy('60'), await buy('61'), await buy('39')],
  })
  assert.deepEqual(
    body.results.map(({ success }: Wire) => success),
    [true, false, true],
  )
  assert.equal(body.results[1].error, body.results[1].data.reason)
})

test('the cap on open orders fails the item that exceeds it', async () => {
  const by = await fundedWallet()
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier1' })
  const orders = []
  for (const price of ['50', '51', '52']) orders.push(await placeBody(by, { symbol, price }))
  const { body } = await venue.send('POST', '/bulk_order', orders)
  assert.deepEqual(ends(body), ['ACKED', 'ACKED', 'limit_exceeded'])
})

test("replacements and cancels find orders by either id, and fail for another wallet's and ended ones", async () => {
  const [by, other] = [await fundedWallet(), await fundedWallet()]
  const placed = await venue.send('POST', '/orders', [
    await placeBody(by, { symbol, price: '40', client_id: 'one' }),
    await placeBody(by, { symbol, price: '41', client_id: 'two' }),
  ])
  const [one, two] = placed.body.map(({ data }: Wire) => data.order_id)
  const moved = await venue.send('PUT', '/bulk_order', [
    await replaceBody(other, { symbol, order_id: one, price: '42' }),
    await replaceBody(by, { symbol, order_id: one, price: '42', client_id: 'one' }),
    await replaceBody(by, { symbol, order_id: one, price: '43' }),
  ])
  assert.deepEqual(ends(moved.body), ['order_not_found', 'ACKED', 'order_already_canceled'])
  assert.equal(moved.body[1].data.info.order_id, one)
  const next = moved.body[1].data.order_id
  assert.ok(next > two)
  const canceled = await venue.send('POST', '/orders/cancel', [
    await cancelBody(other, { order_id: next }),
    await cancelBody(by, { client_id: 'two' }),
    await cancelBody(by, { order_id: two }),
    await cancelBody(by, { client_id: 'one' }),
    await cancelBody(by, { client_id: 'none' }),
  ])
  assert.deepEqual(
    canceled.body.map(({ success, code }: Wire) => code ?? success),
    ['order_not_found', true, 'order_already_canceled', true, 'order_not_found'],
  )
  assert.equal(canceled.body[4].error, 'Order not found for cancellation: none')
})
