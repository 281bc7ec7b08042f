import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { expirySeconds, placeBody, symbolOf } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { Venue, type Wire } from './support/venue.js'

const venue = new Venue({ arguments: ['--gateways=2', '--matchers=2'] })
const bitcoin = symbolOf('BTC', 110_000)
const ether = symbolOf('ETH', 3500)
const { fundedWallet, place, cancel, book } = orderActions(venue, bitcoin)
const open = streamPeers(venue)
/** Enough that both gateways most likely have some. */
const connections = 8
const roundsMax = 12

before(async () => {
  await venue.start()
  await listMarket(venue, [bitcoin, ether])
  await venue.set('/index-prices', { prices: [{ underlying: 'ETH', price: '3100' }] })
  const points = [{ strike: '3500', iv: '0.6' }]
  await venue.set('/vol-surfaces', { underlying: 'ETH', expiry: expirySeconds(), points })
})
after(() => venue.dispose())

test('every thread of the layout runs', async () => {
  const { threads } = (await venue.operator('GET', '/state')).body
  const roles = threads.map((thread: Wire) => thread.role)
  const count = (word: string) => roles.filter((role: string) => role.startsWith(word)).length
  assert.deepEqual([count('gateway'), count('matcher')], [2, 2], JSON.stringify(roles))
})

test('orders of one wallet over many connections on two matchers give one position each', async () => {
  const [seller, buyer] = [await fundedWallet('100000000'), await fundedWallet('100000000')]
  for (const { wallet } of [seller, buyer]) {
    await venue.set('/tiers', { wallet, tier: 'market_maker' })
  }
  const price = '200'
  for (const symbol of [bitcoin, ether]) {
    await place(seller, { symbol, side: 'Sell', size: String(connections * 4), price })
  }
  const peers = await Promise.all(Array.from({ length: connections }, () => open()))
  const results = await Promise.all(
    peers.flatMap((peer) =>
      [bitcoin, ether, bitcoin, ether].map(async (symbol) => {
        const body = await placeBody(buyer, { symbol, size: '2', price, tif: 'ioc' })
        peer.send({ type: 'PlaceOrder', ...body })
        return peer.next((message) => message.nonce === body['nonce'])
      }),
    ),
  )
  for (const result of results) assert.equal(result.status, 'FILLED', JSON.stringify(result))
  const { positions } = (await venue.read(`/portfolio?wallet=${buyer.wallet}`)).data
  const amounts = Object.fromEntries(positions.map((row: Wire) => [row.symbol, row.amount]))
  const amount = String(connections * 4)
  assert.deepEqual(amounts, { [bitcoin]: amount, [ether]: amount })
  for (const symbol of [bitcoin, ether]) assert.deepEqual((await book(symbol)).asks, [])
})

test('every gateway can explain an order of any other', async () => {
  const by = await fundedWallet('100000000')
  await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
  const gateways = new Set<number>()
  // Gateways that share one listening socket accept unevenly: one may take several connections in a row.
  for (let round = 0; round < roundsMax && gateways.size < 2; round++) {
    const peers = await Promise.all(Array.from({ length: connections }, () => open()))
    const sent = await Promise.all(
      peers.map(async (peer) => {
        const body = await placeBody(by, { symbol: bitcoin, price: '7', tif: 'ioc' })
        peer.send({ type: 'PlaceOrder', ...body })
        return peer.next((message) => message.nonce === body['nonce'])
      }),
    )
    for (const { order_id } of sent) {
      // One of the gateways takes each connection.
      for (let connection = 0; connection < 3; connection++) {
        const headers = { Connection: 'close' }
        const { body } = await venue.get(`/orders/why?order_id=${order_id}`, headers)
        assert.equal(body.data.order_id, order_id, JSON.stringify(body))
        gateways.add(body.data.gateway)
      }
    }
  }
  assert.deepEqual([...gateways].sort(), [0, 1])
})

test('every connection receives all events in one order', async () => {
  const peers = await Promise.all(Array.from({ length: connections }, () => open()))
  for (const peer of peers) await peer.subscribe('trades')
  const [seller, buyer] = [await fundedWallet(), await fundedWallet()]
  for (const [index, symbol] of [bitcoin, ether, bitcoin, ether].entries()) {
    const price = String(300 + index)
    await place(seller, { symbol, side: 'Sell', price })
    assert.equal((await place(buyer, { symbol, price })).status, 'FILLED')
  }
  const pricesOf = (peer: (typeof peers)[0]) => peer.ofType('Trade').map((trade) => trade.price)
  for (const peer of peers) {
    await peer.until('four trades', () => peer.ofType('Trade').length === 4)
    assert.deepEqual(pricesOf(peer), ['300', '301', '302', '303'])
    const seqs = peer.ofType('Trade').map((trade) => trade.seq)
    assert.deepEqual(
      seqs,
      peers[0]!.ofType('Trade').map((trade) => trade.seq),
    )
  }
})

test('a write over one connection is visible to a read over any other', async () => {
  const by = await fundedWallet()
  for (let round = 0; round < connections; round++) {
    const symbol = round % 2 === 0 ? bitcoin : ether
    const { order_id } = await place(by, { symbol, price: '1' })
    const status = () => venue.get(`/orders/status?wallet=${by.wallet}&order_id=${order_id}`)
    const answers = await Promise.all(Array.from({ length: connections }, status))
    for (const { body } of answers) assert.equal(body.data?.status, 'open')
    await cancel(by, { order_id })
    assert.equal((await status()).body.data.status, 'canceled')
  }
})
