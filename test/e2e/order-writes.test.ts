import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import {
  agentBody,
  cancelBody,
  expirySeconds,
  placeBody,
  symbolOf,
  WalletKey,
} from './support/signed-body.js'
import type { Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const otherSymbol = symbolOf('BTC', 120_000)
const { fundedWallet, place, replace, cancel } = orderActions(venue, symbol)

before(async () => {
  await listMarket(venue, [symbol, otherSymbol])
})

test('all forms of a symbol address the same book, and answers use the canonical one', async () => {
  const by = await fundedWallet()
  const date = new Date(expirySeconds() * 1000)
  const month = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
  const day = String(date.getUTCDate()).padStart(2, '0')
  const short = `${day}${month[date.getUTCMonth()]}${String(date.getUTCFullYear()).slice(2)}`
  for (const text of [`BTC-${short}-110000-C`, `${symbol.slice(0, -2)}.0-C`]) {
    const update = await place(by, { symbol: text })
    assert.equal(update.status, 'ACKED', JSON.stringify(update))
    assert.equal(update.info.symbol, symbol)
  }
})

test("cancels of unknown, filled, cancelled and other wallets' orders are rejected", async () => {
  const [by, other] = [await fundedWallet(), await fundedWallet()]
  assertRejected(
    await cancel(by, { client_id: 'nobody' }),
    'order_not_found',
    'Order not found for cancellation: nobody',
  )
  const unknown = await cancel(by, { order_id: 987654321 })
  assertRejected(unknown, 'order_not_found', 'Order 987654321 not found')
  assert.deepEqual(unknown.info, {
    symbol: '',
    price: '0',
    size: '0',
    side: 'Buy',
    tif: 'gtc',
    client_id: null,
    underlying: null,
    builder_code_address: null,
    order_id: unknown.info.order_id,
    is_perp: false,
    mmp_enabled: false,
    reduce_only: null,
    nonce: null,
    signature: null,
  })

  const resting = await place(by, { client_id: 'mine', price: '10' })
  assertRejected(
    await cancel(other, { order_id: resting.order_id }),
    'order_not_found',
    `Order ${resting.order_id} not found`,
  )
  const canceled = await cancel(by, { order_id: resting.order_id })
  assert.equal(canceled.status, 'CANCELED')
  assert.equal(canceled.reason, null)
  assert.equal(canceled.reason_code, null)
  assert.equal(canceled.order_id, resting.order_id)
  assert.equal(canceled.info.symbol, symbol)
  assert.equal(canceled.info.client_id, 'mine')
  assertRejected(
    await cancel(by, { order_id: resting.order_id }),
    'order_already_canceled',
    `Order ${resting.order_id} was already cancelled`,
  )
  assertRejected(
    await cancel(by, { client_id: 'mine' }),
    'order_not_found',
    'Order not found for cancellation: mine',
  )

  const maker = await place(by, { side: 'Sell', price: '6500' })
  const taken = await place(other, { price: '6500', tif: 'ioc' })
  assert.equal(taken.status, 'FILLED', JSON.stringify(taken))
  assertRejected(
    await cancel(by, { order_id: maker.order_id }),
    'order_already_filled',
    `Order ${maker.order_id} is already filled and cannot be cancelled`,
  )
})

test('the venue accepts order_id as a decimal string, and a cancel by client id', async () => {
  const by = await fundedWallet()
  const first = await place(by, { client_id: 'a b~' })
  const byText = await cancel(by, { order_id: String(first.order_id) })
  assert.equal(byText.status, 'CANCELED', JSON.stringify(byText))
  const second = await place(by, { client_id: 'a b~' })
  const byClientId = await cancel(by, { client_id: 'a b~' })
  assert.equal(byClientId.status, 'CANCELED')
  assert.equal(byClientId.order_id, second.order_id)
})

test("DELETE /order_cloid answers with the public client's envelope", async () => {
  const by = await fundedWallet()
  const resting = await place(by, { client_id: 'alias' })
  const done = await venue.send(
    'DELETE',
    '/order_cloid',
    await cancelBody(by, { client_id: 'alias' }),
  )
  assert.equal(done.status, 200, done.text)
  assert.equal(done.body.success, true)
  assert.equal(done.body.error, null)
  assert.equal(done.body.data.status, 'CANCELED')
  assert.equal(done.body.data.order_id, resting.order_id)
  const again = await venue.send(
    'DELETE',
    '/order_cloid',
    await cancelBody(by, { client_id: 'alias' }),
  )
  assert.equal(again.status, 200)
  assert.equal(again.body.success, false)
  assert.equal(again.body.error, 'Order not found for cancellation: alias')
  assertRejected(again.body.data, 'order_not_found', 'Order not found for cancellation: alias')
  const empty = await venue.send('DELETE', '/order_cloid', await cancelBody(by, { client_id: '' }))
  assert.equal(empty.status, 400, empty.text)
})

test('PUT /order replaces in one step, and leaves the old order when it cannot', async () => {
  const [by, other] = [await fundedWallet(), await fundedWallet()]
  const old = await place(by, { client_id: 'keep', price: '20' })
  const update = await replace(by, {
    order_id: old.order_id,
    client_id: 'keep',
    price: '21',
    size: '2',
  })
  assert.equal(update.status, 'ACKED', JSON.stringify(update))
  assert.ok(update.order_id > old.order_id)
  assert.equal(update.info.order_id, old.order_id)
  assert.equal(update.info.size, '2')
  const oldRow = await venue.get(`/orders/status?wallet=${by.wallet}&order_id=${old.order_id}`)
  assert.equal(oldRow.body.data.status, 'canceled')
  assert.equal(oldRow.body.data.reason, 'Order replaced')

  assertRejected(
    await replace(by, { order_id: old.order_id }),
    'order_already_canceled',
    `Order ${old.order_id} was already cancelled`,
  )
  assertRejected(
    await replace(by, { order_id: 55_555_555 }),
    'order_not_found',
    'Order 55555555 not found',
  )
  assertRejected(
    await replace(other, { order_id: update.order_id }),
    'order_not_found',
    `Order ${update.order_id} not found`,
  )
  assertRejected(
    await replace(by, { order_id: update.order_id, symbol: otherSymbol }),
    'order_not_found',
    `Order ${update.order_id} not found in orderbook ${otherSymbol}`,
  )
  assertRejected(
    await replace(by, { order_id: update.order_id, price: '90000', size: '1000' }),
    'insufficient_cash',
    /^Insufficient cash \(Standard\): needed=90000000, available=\d/,
  )
  const row = await venue.get(`/orders/status?wallet=${by.wallet}&order_id=${update.order_id}`)
  assert.equal(row.body.data.status, 'open')

  const maker = await place(by, { side: 'Sell', price: '6400' })
  assert.equal((await place(other, { price: '6400', tif: 'fok' })).status, 'FILLED')
  assertRejected(
    await replace(by, { order_id: maker.order_id, side: 'Sell' }),
    'order_already_filled',
    `Order ${maker.order_id} is already filled and cannot be cancelled`,
  )
})

test('with a used nonce, the same payload gets its first result, and another one is rejected', async () => {
  const by = await fundedWallet()
  const body = await placeBody(by, { symbol, client_id: 'once' })
  const first = await venue.send('POST', '/order', body)
  assert.equal(first.body.status, 'ACKED')
  const repeat = await venue.send('POST', '/order', body)
  assert.deepEqual(repeat.body, first.body)
  const nonce = body['nonce']
  assertRejected(await place(by, { nonce }), 'nonce_used', `Nonce ${nonce} already used`)
  assertRejected(
    await cancel(by, { order_id: first.body.order_id, nonce }),
    'nonce_used',
    `Nonce ${nonce} already used`,
  )
  const listed = await venue.get(`/orders?wallet=${by.wallet}`)
  assert.equal(listed.body.data.length, 1)
})

test('a rejected order burns no nonce', async () => {
  const by = await fundedWallet('50')
  const nonce = by.nextNonce()
  assert.equal((await place(by, { nonce })).status, 'REJECTED')
  await venue.set('/deposits', { wallet: by.wallet, amount: '100' })
  assert.equal((await place(by, { nonce })).status, 'ACKED')
})

test('the venue accepts nonces from zero to 2^64-1 in any order, also as strings', async () => {
  const by = await fundedWallet()
  for (const nonce of ['18446744073709551615', 0, 9007199254740991, '9007199254740993', '5']) {
    const update = await place(by, { nonce })
    assert.equal(update.status, 'ACKED', `${nonce}: ${JSON.stringify(update)}`)
    assert.equal(update.info.nonce, nonce)
  }
  assertRejected(await place(by, { nonce: 5, size: '2' }), 'nonce_used', 'Nonce 5 already used')
  assertRejected(
    await place(by, { nonce: '18446744073709551615', size: '2' }),
    'nonce_used',
    'Nonce 18446744073709551615 already used',
  )
})

test('the core rejects a client id that another working order has', async () => {
  const by = await fundedWallet()
  await place(by, { client_id: 'twice' })
  assertRejected(
    await place(by, { client_id: 'twice' }),
    'duplicate_client_id',
    'Duplicate client id: twice',
  )
  await cancel(by, { client_id: 'twice' })
  assert.equal((await place(by, { client_id: 'twice' })).status, 'ACKED')
})

test('an agent trades for its owner; the order belongs to the wallet', async () => {
  const [by, agent] = [await fundedWallet(), new WalletKey()]
  const approve = await agentBody(by, 'ApproveAgent', { agent: agent.wallet })
  assert.equal((await venue.send('POST', '/approve-agent', approve)).status, 200)
  const answer = await venue.send('POST', '/order', await placeBody(by, { symbol }, agent))
  assert.equal(answer.body.status, 'ACKED', answer.text)
  assert.equal(answer.body.wallet_address, by.wallet)
})

test('a read directly after an acknowledged write contains it, also for many at once', async () => {
  const wallets = await Promise.all(Array.from({ length: 20 }, () => fundedWallet()))
  await Promise.all(
    wallets.map(async (by) => {
      for (let round = 0; round < 10; round++) {
        const update = await place(by, { price: '2', size: '0.01' })
        const listed = await venue.get(`/orders?wallet=${by.wallet}`)
        const row = listed.body.data.find((each: Wire) => each.order_id === update.order_id)
        assert.equal(row?.status, 'open', `round ${round}: ${listed.text}`)
        assert.ok(listed.body.as_of_seq >= update.seq)
        const done = await cancel(by, { order_id: update.order_id })
        const status = await venue.get(
          `/orders/status?wallet=${by.wallet}&order_id=${update.order_id}`,
        )
        assert.equal(status.body.data.status, 'canceled', status.text)
        assert.ok(status.body.as_of_seq >= done.seq)
      }
    }),
  )
})
