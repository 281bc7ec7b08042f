import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { perpCancelBody, perpOrderBody } from './support/perp-body.js'
import { sharedVenue } from './support/shared-venue.js'
import { cancelBody, placeBody, replaceBody, symbolOf, WalletKey } from './support/signed-body.js'
import { type StreamPeer, streamPeers } from './support/stream-peer.js'
import type { Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place, replace, cancel } = orderActions(venue, symbol)
const open = streamPeers(venue)

before(async () => {
  await listMarket(venue, [symbol])
})

async function listen(by: WalletKey): Promise<StreamPeer> {
  const peer = await open(`?wallet=${by.wallet}`)
  await peer.subscribe('order_updates')
  await peer.subscribe('fills')
  return peer
}

/** Returns the sequence of the order's latest message, once its update with this status has come. */
async function lastSeqOf(peer: StreamPeer, orderId: number, status: string): Promise<number> {
  const ofOrder = () => peer.messages.filter(({ order_id }) => order_id === orderId)
  await peer.until(`${status} of ${orderId}`, () =>
    ofOrder().some((message) => message.type === 'OrderUpdate' && message.status === status),
  )
  await peer.settle()
  return ofOrder().at(-1).seq
}

test("an answer, and a retry's, carries the sequence of the order’s last message in its step", async () => {
  const [maker, taker] = [await fundedWallet(), await fundedWallet()]
  const [made, took] = [await listen(maker), await listen(taker)]
  const terms = await placeBody(maker, { symbol, side: 'Sell', price: '3300', size: '3' })
  const resting = (await venue.send('POST', '/order', terms)).body
  assert.equal(resting.seq, await lastSeqOf(made, resting.order_id, 'OPEN'))
  const taken = await place(taker, { price: '3300', size: '1', tif: 'ioc' })
  assert.equal(taken.seq, await lastSeqOf(took, taken.order_id, 'FILLED'))
  const moved = await replace(maker, { order_id: resting.order_id, side: 'Sell', price: '3400' })
  assert.equal(moved.seq, await lastSeqOf(made, moved.order_id, 'OPEN'))
  const gone = await cancel(maker, { order_id: moved.order_id })
  assert.equal(gone.seq, await lastSeqOf(made, moved.order_id, 'CANCELED'))
  const again = (await venue.send('POST', '/order', terms)).body
  assert.deepEqual([again.order_id, again.seq], [resting.order_id, resting.seq])

  const frame = { type: 'PlaceOrder', ...(await placeBody(maker, { symbol, price: '10' })) }
  const result = await made.ask(frame, 'OrderResult')
  assert.equal(result.seq, await lastSeqOf(made, result.order_id, 'OPEN'))
  const bulk = [
    await placeBody(maker, { symbol, price: '9' }),
    await placeBody(maker, { symbol, price: '8' }),
  ]
  for (const { data } of (await venue.send('POST', '/bulk_order', bulk)).body) {
    assert.equal(data.seq, await lastSeqOf(made, data.order_id, 'OPEN'))
  }
})

test('the stream reports every engine rejection, with its nonce, and /orders has no row for it', async () => {
  const by = await fundedWallet('2000')
  const peer = await listen(by)
  const unlisted = symbolOf('BTC', 5)
  const foreign = symbolOf('NOPE', 5)
  const refused: readonly (readonly [Wire, string])[] = [
    [await placeBody(by, { symbol: unlisted, client_id: 'x' }), 'invalid_symbol'],
    [await placeBody(by, { symbol: foreign }), 'invalid_symbol'],
    [await placeBody(by, { symbol, price: '5000', size: '9' }), 'insufficient_cash'],
    [await placeBody(by, { symbol, reduce_only: true }), 'reduce_only'],
  ]
  for (const [body, code] of refused) {
    const { body: answer, text } = await venue.send('POST', '/order', body)
    assert.deepEqual([answer.status, answer.reason_code], ['REJECTED', code], text)
    const update = await peer.next('OrderUpdate')
    const { symbol: updateSymbol, side } = update.request
    assert.deepEqual(
      [update.status, update.reason_code, update.reason, update.nonce, update.seq, update.order_id],
      ['REJECTED', code, answer.reason, body.nonce, answer.seq, null],
    )
    assert.deepEqual(
      [updateSymbol, side, update.client_id],
      [body.symbol, body.side, body.client_id ?? null],
    )
  }
  assert.deepEqual((await venue.read(`/orders?wallet=${by.wallet}`)).data, [])
})

test('the core checks an unsupported route after nonce, halt and instrument, and the stream reports it', async () => {
  const by = await fundedWallet()
  const peer = await listen(by)
  const working = await place(by, { price: '10' })
  await lastSeqOf(peer, working.order_id, 'OPEN')
  const refusal = async (terms: Wire, route: string, method: 'single' | 'bulk') => {
    const body = await placeBody(by, { symbol, route, ...terms })
    const isBulk = method === 'bulk'
    const answer = await venue.send(
      'POST',
      isBulk ? '/bulk_order' : '/order',
      isBulk ? [body] : body,
    )
    const update = isBulk ? answer.body[0].data : answer.body
    await peer.until('the same update', () => peer.messages.at(-1).seq === update.seq)
    const message = peer.messages.at(-1)
    assert.deepEqual([message.nonce, message.reason], [body['nonce'], update.reason], answer.text)
    return message.reason
  }
  const nonce = working.info.nonce
  for (const [route, method] of [
    ['rfq_only', 'single'],
    ['rfq_only', 'bulk'],
    ['best_execution', 'bulk'],
  ] as const) {
    const unlisted = symbolOf('BTC', 5)
    assert.equal(await refusal({ nonce }, route, method), `Nonce ${nonce} already used`)
    assert.equal(await refusal({ symbol: unlisted }, route, method), `Invalid symbol: ${unlisted}`)
    assert.equal(await refusal({}, route, method), `Route ${route} is not supported here`)
    await venue.set('/halts', { underlying: 'BTC', mode: 'halted' })
    assert.equal(await refusal({}, route, method), 'Trading is halted for BTC')
    await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
  }
})

test('the stream reports rejections for a used nonce and for unknown orders, without the named order', async () => {
  const by = await fundedWallet()
  const peer = await listen(by)
  const working = await place(by, { price: '10', client_id: 'mine' })
  await lastSeqOf(peer, working.order_id, 'OPEN')
  const seen = peer.messages.length
  const nonce = working.info.nonce
  const bodies: readonly (readonly [string, Wire, string])[] = [
    ['POST', await placeBody(by, { symbol, nonce, price: '11' }), `Nonce ${nonce} already used`],
    ['PUT', await replaceBody(by, { symbol, order_id: 987654 }), 'Order 987654 not found'],
    ['DELETE', await cancelBody(by, { order_id: 987654 }), 'Order 987654 not found'],
    ['DELETE', await cancelBody(by, { client_id: 'no' }), 'Order not found for cancellation: no'],
    ['DELETE', await cancelBody(by, { client_id: 'mine', nonce }), `Nonce ${nonce} already used`],
  ]
  for (const [method, body, reason] of bodies) {
    const { body: answer, text } = await venue.send(method, '/order', body)
    assert.deepEqual([answer.status, answer.reason], ['REJECTED', reason], text)
    await peer.until(reason, () => peer.messages.at(-1).seq === answer.seq)
    const update = peer.messages.at(-1)
    assert.deepEqual(
      [update.type, update.status, update.order_id, update.client_id, update.nonce, update.reason],
      ['OrderUpdate', 'REJECTED', null, null, body.nonce, reason],
    )
  }
  assert.equal(peer.messages.length, seen + bodies.length)
  const { data } = await venue.read(`/orders/status?wallet=${by.wallet}&order_id=mine`)
  assert.equal(data.status, 'open')
})

test('the stream reports a stranger’s order to no connection', async () => {
  const owner = await fundedWallet()
  const peer = await listen(owner)
  const stranger = await placeBody(owner, { symbol: symbolOf('BTC', 5) }, new WalletKey())
  assert.equal((await venue.send('POST', '/order', stranger)).status, 401)
  await peer.settle()
  assert.deepEqual(peer.ofType('OrderUpdate'), [])
})

test('the stream also reports rejected actions on perps', async () => {
  const by = await fundedWallet()
  const peer = await listen(by)
  for (const body of [await perpOrderBody(by, { a: 4242 }), await perpCancelBody(by, 4242, 1)]) {
    const answer = await venue.send('POST', '/perp-order', body)
    assert.equal(answer.body.status, 'REJECTED', answer.text)
    const update = await peer.next('OrderUpdate')
    assert.deepEqual(
      [update.status, update.reason_code, update.nonce, update.seq],
      ['REJECTED', answer.body.reason_code, body['nonce'], answer.body.seq],
    )
  }
})
