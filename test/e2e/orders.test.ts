import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { accepted, btcSymbol, deposit, listBtc } from './support/small-market.js'
import { openStream, startVenueProcess, type VenueProcess } from './support/venue.js'
import { ViemWallet } from './support/viem-wallet.js'

const call = btcSymbol(110_000, 'C')
const put = btcSymbol(90_000, 'P')
const seller = new ViemWallet('seller')
const buyer = new ViemWallet('buyer')
let venue: VenueProcess

before(async () => {
  venue = await startVenueProcess()
  await listBtc(venue, [call, put])
  for (const { wallet } of [seller, buyer]) {
    await deposit(venue, wallet, '1000000')
    // The default tier's 60 orders a minute are a test of their own.
    await accepted(venue, 'tiers', { wallet, tier: 'market_maker' })
  }
})

after(() => venue.stop())

async function place(wallet: ViemWallet, order: Parameters<ViemWallet['place']>[0]) {
  return venue.request('POST', '/order', await wallet.place(order))
}

/** Prices and sizes of one side of a book, best first. */
async function book(symbol: string) {
  const { body } = await venue.request('GET', `/orderbook?instrument_id=${symbol}`)
  return { bids: body.result.bids, asks: body.result.asks }
}

async function position(wallet: string, symbol: string): Promise<string> {
  const { body } = await venue.request('GET', `/portfolio?wallet=${wallet}`)
  const found = body.data.positions.find((row: { symbol: string }) => row.symbol === symbol)
  return found?.amount ?? '0'
}

test('an order rests, is seen in the book, and is cancelled', async () => {
  const { status, body } = await place(buyer, {
    symbol: call,
    side: 'Buy',
    size: '1',
    price: '3000',
  })
  assert.equal(status, 200)
  assert.deepEqual([body.status, body.filled_size, body.reason], ['ACKED', 0, null])
  assert.equal(body.info.symbol, call)
  assert.equal(body.wallet_address, buyer.wallet)
  assert.deepEqual(await book(call), { bids: [[3000, 1]], asks: [] })
  const canceled = await venue.request('DELETE', '/order', await buyer.cancel(body.order_id))
  assert.equal(canceled.body.status, 'CANCELED')
  assert.ok(canceled.body.seq > body.seq)
  assert.deepEqual(await book(call), { bids: [], asks: [] })
  const again = await venue.request('DELETE', '/order', await buyer.cancel(body.order_id))
  assert.deepEqual(
    [again.status, again.body.status, again.body.reason],
    [200, 'REJECTED', `Order ${body.order_id} was already cancelled`],
  )
})

test('a buy through the ask trades at the resting price and leaves the rest', async () => {
  const ask = await place(seller, { symbol: call, side: 'Sell', size: '2', price: '3300' })
  assert.equal(ask.body.status, 'ACKED', JSON.stringify(ask.body))
  const bid = await place(buyer, { symbol: call, side: 'Buy', size: '3', price: '3400' })
  assert.deepEqual([bid.body.status, bid.body.filled_size], ['PARTIALLY_FILLED', 2])
  assert.deepEqual(await book(call), { bids: [[3400, 1]], asks: [] })
  assert.equal(await position(buyer.wallet, call), '2')
  assert.equal(await position(seller.wallet, call), '-2')
  const { body } = await venue.request('GET', `/fills?wallet=${buyer.wallet}`)
  assert.deepEqual(
    [body.data[0].price, body.data[0].size, body.data[0].is_taker],
    ['3300', '2', true],
  )
  await venue.request('DELETE', '/order', await buyer.cancel(bid.body.order_id))
})

test('immediate-or-cancel takes what is there, fill-or-kill all or nothing', async () => {
  await place(seller, { symbol: put, side: 'Sell', size: '1', price: '2700' })
  const fok = await place(buyer, { symbol: put, side: 'Buy', size: '2', price: '2700', tif: 'fok' })
  assert.deepEqual([fok.body.status, fok.body.reason_code], ['CANCELED', 'fok_not_filled'])
  const ioc = await place(buyer, { symbol: put, side: 'Buy', size: '2', price: '2700', tif: 'ioc' })
  assert.deepEqual([ioc.body.status, ioc.body.filled_size], ['CANCELED', 1])
  assert.equal(ioc.body.reason_code, 'ioc_remainder')
})

test('a replacement is one step; of a dead order it is refused', async () => {
  const terms = { symbol: put, side: 'Buy', size: '1', price: '2000' } as const
  const first = await place(buyer, terms)
  const better = { ...terms, price: '2100' }
  const second = await venue.request(
    'PUT',
    '/order',
    await buyer.replace(first.body.order_id, better),
  )
  assert.equal(second.body.status, 'ACKED', JSON.stringify(second.body))
  assert.notEqual(second.body.order_id, first.body.order_id)
  assert.equal(second.body.info.order_id, first.body.order_id)
  assert.deepEqual(await book(put), { bids: [[2100, 1]], asks: [] })
  const third = await venue.request(
    'PUT',
    '/order',
    await buyer.replace(first.body.order_id, better),
  )
  assert.equal(third.body.status, 'REJECTED')
  assert.deepEqual(await book(put), { bids: [[2100, 1]], asks: [] })
  await venue.request('DELETE', '/order', await buyer.cancel(second.body.order_id))
})

test('a client id finds its order, and is free again afterwards', async () => {
  const terms = { symbol: put, side: 'Buy', size: '1', price: '2000', clientId: 'mine 1' } as const
  await place(buyer, terms)
  assert.equal((await place(buyer, terms)).body.reason_code, 'duplicate_client_id')
  const canceled = await venue.request('DELETE', '/order', await buyer.cancelByClientId('mine 1'))
  assert.equal(canceled.body.status, 'CANCELED')
  const gone = await venue.request('DELETE', '/order', await buyer.cancelByClientId('mine 1'))
  assert.equal(gone.body.reason, 'Order not found for cancellation: mine 1')
})

test('the same payload again gives the first outcome, another one a used nonce', async () => {
  const terms = { symbol: put, side: 'Buy', size: '1', price: '2000' } as const
  const body = await buyer.place(terms)
  const first = await venue.request('POST', '/order', body)
  const again = await venue.request('POST', '/order', body)
  assert.equal(again.body.order_id, first.body.order_id)
  const nonce = body['nonce'] as number
  const other = await place(buyer, { ...terms, price: '2001', nonce })
  assert.deepEqual(
    [other.status, other.body.status, other.body.reason],
    [200, 'REJECTED', `Nonce ${nonce} already used`],
  )
  await venue.request('DELETE', '/order', await buyer.cancel(first.body.order_id))
})

test('an agent trades for its owner until it is revoked', async () => {
  const agent = new ViemWallet('agent', buyer.wallet)
  agent.startNonces(1_000_000)
  const terms = { symbol: put, side: 'Buy', size: '1', price: '2000' } as const
  const stranger = await place(agent, terms)
  assert.deepEqual([stranger.status, stranger.body.code], [401, 'unauthorized'])
  const approved = await venue.request('POST', '/approve-agent', await buyer.approve(agent.address))
  assert.deepEqual([approved.body.success, approved.body.wallet], [true, buyer.wallet])
  const placed = await place(agent, terms)
  assert.deepEqual([placed.body.status, placed.body.wallet_address], ['ACKED', buyer.wallet])
  const agents = await venue.request('GET', `/authorized-agents?wallet=${buyer.wallet}`)
  assert.deepEqual(agents.body.agents, [agent.address])
  await venue.request('DELETE', '/revoke-agent', await buyer.revoke(agent.address))
  assert.equal((await place(agent, terms)).status, 401)
  const canceled = await venue.request('DELETE', '/order', await buyer.cancel(placed.body.order_id))
  assert.equal(canceled.body.status, 'CANCELED', 'its order had stayed')
})

test('bodies that are wrong are refused before the engine, each with its code', async () => {
  const good = await buyer.place({ symbol: put, side: 'Buy', size: '1', price: '2000' })
  const cases: [change: object, code: string][] = [
    [{ wallet: '0x12' }, 'invalid_wallet'],
    [{ price: undefined }, 'missing_field'],
    [{ price: 2000 }, 'invalid_parameter'],
    [{ price: '2000.55' }, 'invalid_field'],
    [{ size: '0' }, 'invalid_field'],
    [{ side: 'buy' }, 'invalid_field'],
    [{ symbol: 'BTC-2027-1-C' }, 'invalid_field'],
    [{ nonce: -1 }, 'invalid_parameter'],
    [{ signature: '0x1234' }, 'signature_verification_failed'],
  ]
  for (const [change, code] of cases) {
    const answer = await venue.request('POST', '/order', { ...good, ...change })
    assert.deepEqual([answer.status, answer.body.code], [400, code], JSON.stringify(change))
  }
  // Another price than the signed one gives another signer, and that is nobody's agent.
  const tampered = await venue.request('POST', '/order', { ...good, price: '2001' })
  assert.deepEqual([tampered.status, tampered.body.code], [401, 'unauthorized'])
})

test('rejections of the engine are answers with a reason', async () => {
  const poor = new ViemWallet('poor')
  const broke = await place(poor, { symbol: put, side: 'Buy', size: '1', price: '2000' })
  assert.deepEqual(
    [broke.status, broke.body.status, broke.body.reason_code],
    [200, 'REJECTED', 'no_funds'],
  )
  const unlisted = btcSymbol(123_000, 'C')
  const nowhere = await place(buyer, { symbol: unlisted, side: 'Buy', size: '1', price: '1' })
  assert.equal(nowhere.body.reason, `Invalid symbol: ${unlisted}`)
  await deposit(venue, poor.wallet, '10000')
  const naked = await place(poor, { symbol: call, side: 'Sell', size: '1', price: '3270' })
  assert.equal(naked.body.reason_code, 'insufficient_margin')
  assert.match(naked.body.reason, /^Insufficient margin: required=/)
  const costly = await place(poor, { symbol: call, side: 'Buy', size: '10', price: '3300' })
  assert.equal(costly.body.reason, 'Insufficient cash (Standard)')
})

test('the default tier has sixty orders a minute, then 429', async () => {
  const eager = new ViemWallet('eager')
  await deposit(venue, eager.wallet, '100')
  let limited = null
  let accepted = 0
  for (let i = 0; i < 121 && limited === null; i++) {
    const answer = await place(eager, { symbol: call, side: 'Buy', size: '0.01', price: '1' })
    if (answer.status === 429) limited = answer
    else accepted++
  }
  assert.ok(limited !== null && accepted >= 60)
  assert.equal(limited.body.code, 'rate_limit_exceeded')
  assert.equal(limited.body.limit, 60)
  assert.ok(Number(limited.headers.get('retry-after')) <= 60)
  assert.equal(limited.headers.get('x-ratelimit-remaining'), '0')
})

test('the stream shows orders, fills, trades and books as they happen', async () => {
  const stream = await openStream(venue)
  stream.send({ type: 'Authenticate', wallet: seller.wallet })
  assert.equal((await stream.next('Authenticated')).wallet, seller.wallet)
  for (const channel of ['order_updates', 'fills', 'trades', 'orderbook']) {
    stream.send({ type: 'Subscribe', channel })
    assert.equal((await stream.next('Subscribed')).channel, channel)
  }
  const ask = await place(seller, { symbol: call, side: 'Sell', size: '1', price: '3350' })
  const orderId = ask.body.order_id
  const opened = await stream.next('OrderUpdate', (seen) => seen.order_id === orderId)
  assert.ok(['ACKED', 'OPEN'].includes(opened.status))
  const shown = await stream.next('OrderbookUpdate', (seen) => seen.asks.length > 0)
  assert.deepEqual(shown.asks, [['3350', '1']])
  stream.send({
    type: 'PlaceOrder',
    ...(await buyer.place({ symbol: call, side: 'Buy', size: '1', price: '3350' })),
  })
  assert.equal((await stream.next('OrderResult')).status, 'FILLED')
  const fill = await stream.next('Fill')
  assert.deepEqual([fill.order_id, fill.side, fill.is_taker], [orderId, 'Sell', false])
  const trade = await stream.next('Trade')
  assert.deepEqual([trade.symbol, trade.price, trade.size, trade.side], [call, '3350', '1', 'buy'])
  const filled = await stream.next('OrderUpdate', (seen) => seen.status === 'FILLED')
  assert.equal(filled.filled_size, '1')
  stream.close()
})

test('a private channel without an identity is an error, and the connection stays', async () => {
  const stream = await openStream(venue)
  stream.send({ type: 'Subscribe', channel: 'fills' })
  const error = await stream.next('Error')
  assert.equal(error.message, 'Authentication required for this channel')
  stream.send({ type: 'ClockSync', nonce: 'x' })
  assert.equal((await stream.next('ClockSynced')).nonce, 'x')
  stream.close()
})
