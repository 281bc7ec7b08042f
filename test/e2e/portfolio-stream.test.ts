import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import {
  dateText,
  expirySeconds,
  placeBody,
  symbolOf,
  type WalletKey,
} from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { Venue, type Wire } from './support/venue.js'

const venue = new Venue({ arguments: ['--gateways', '2'] })
const symbol = symbolOf('BTC', 100_000)
const putSymbol = symbolOf('BTC', 100_000, 'P')
const open = streamPeers(venue)
const { fundedWallet } = orderActions(venue, symbol)

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol, putSymbol])
})

after(() => venue.dispose())

async function place(by: WalletKey, side: string, price: string): Promise<Wire> {
  const route = 'book_only'
  const body = await placeBody(by, { symbol, side, price, size: '1', route })
  const answer = await venue.send('POST', '/order', body)
  assert.notEqual(answer.body.status, 'REJECTED', answer.text)
  return answer.body
}

const ofKind = (kind: string) => (message: Wire) =>
  message.type === 'PortfolioUpdate' && message.kind === kind && message.snapshot !== true

test('both sides see a trade in their portfolios, on two gateways and in the read', async () => {
  const [buyer, seller] = [await fundedWallet(), await fundedWallet()]
  // Several connections, so that both gateway threads most likely have one.
  const streams = await Promise.all(
    Array.from({ length: 6 }, () => open(`?wallet=${buyer.wallet}`)),
  )
  for (const peer of streams) {
    await peer.subscribe('portfolio')
    const initial = await peer.next('PortfolioUpdate')
    assert.deepEqual([initial.kind, initial.positions, initial.snapshot], ['Initial', [], true])
    assert.equal((await peer.next('PortfolioUpdate')).kind, 'MarginUpdate')
  }
  await place(seller, 'Sell', '6000')
  await place(buyer, 'Buy', '6000')
  for (const peer of streams) {
    const { position, seq } = await peer.next(ofKind('PositionUpdate'))
    assert.deepEqual([position.symbol, position.amount], [symbol, '1'])
    const balance = await peer.next(ofKind('BalanceUpdate'))
    assert.deepEqual([balance.cash, balance.seq], ['994000', seq])
    const margin = await peer.next(ofKind('MarginUpdate'))
    const answer = await venue.get(`/portfolio?wallet=${buyer.wallet}&min_seq=${margin.seq}`)
    assert.equal(answer.body.data.positions[0].amount, '1')
    // A mark loses some time value between two reads.
    const drift = Number(margin.span_margin.equity) - Number(answer.body.data.equity)
    assert.ok(Math.abs(drift) < 0.05, `equity of stream and read differ by ${drift}`)
  }
  const late = await open(`?wallet=${seller.wallet}`)
  await late.subscribe('portfolio')
  const { positions, as_of_seq: asOfSeq } = await late.next('PortfolioUpdate')
  assert.deepEqual([positions.length, positions[0].amount], [1, '-1'])
  assert.equal(typeof asOfSeq, 'number')
})

test("every gateway's snapshot contains an acknowledged order", async () => {
  const [buyer, seller] = [await fundedWallet(), await fundedWallet()]
  for (let round = 1; round <= 8; round++) {
    await place(seller, 'Sell', '5000')
    const { seq } = await place(buyer, 'Buy', '5000')
    const peer = await open(`?wallet=${buyer.wallet}`)
    await peer.subscribe('portfolio')
    const initial = await peer.next('PortfolioUpdate')
    assert.ok(initial.as_of_seq >= seq, `as of ${initial.as_of_seq}, acknowledged at ${seq}`)
    assert.equal(initial.positions[0].amount, String(round))
  }
})

test('the options chain sends rows on subscribe, a change, and a removal', async () => {
  const by = await fundedWallet()
  const peer = await open()
  await peer.subscribe('options_chain', { symbols: ['BTC'], expiry: dateText() })
  const { row, expiry, snapshot } = await peer.next('OptionsChainUpdate')
  assert.deepEqual([row.strike, expiry, snapshot], [100_000, expirySeconds(), true])
  assert.deepEqual([row.call.symbol, row.put.symbol], [symbol, putSymbol])
  assert.ok(Math.abs(row.call.greeks_abs.delta + row.put.greeks_abs.delta) < 0.2)
  await place(by, 'Buy', '123.4')
  const update = await peer.next(
    (message) => message.row?.call.bid_price_usd === 123.4 && message.snapshot !== true,
  )
  assert.equal(update.row.call.bid_size_contracts, 1)
  assert.ok(update.row.call.bid_iv === null || update.row.call.bid_iv > 0)
  const added = symbolOf('BTC', 90_000)
  await venue.set('/instruments', { symbol: added })
  await peer.next((message) => message.row?.call?.symbol === added)
  assert.equal((await venue.operator('DELETE', '/instruments', { symbol: added })).status, 200)
  const removal = await peer.next((message) => message.action === 'Remove')
  assert.deepEqual(
    [removal.symbol, removal.strike, removal.option_type, removal.currency],
    [added, 90_000, 'call', 'BTC'],
  )
})

test('the related reads agree: HEAD, min_seq, specs, grid, mode, preview', async () => {
  const by = await fundedWallet()
  const paths = ['/instrument-specs', `/risk/grid?wallet=${by.wallet}`]
  paths.push(`/self-trade-prevention?wallet=${by.wallet}`, `/portfolio?wallet=${by.wallet}`)
  for (const path of paths) {
    const { status, body, text } = await venue.get(path)
    assert.equal(status, 200, text)
    assert.equal(typeof body.as_of_seq, 'number', path)
    const head = await venue.send('HEAD', path)
    assert.deepEqual([head.status, head.text], [200, ''], path)
    const joint = path.includes('?') ? '&' : '?'
    const { body: later } = await venue.get(`${path}${joint}min_seq=${body.as_of_seq}`)
    assert.ok(later.as_of_seq >= body.as_of_seq, path)
    const bad = await venue.get(`${path}${joint}min_seq=-1`)
    assert.deepEqual([bad.status, bad.body.code], [400, 'invalid_parameter'], path)
  }
  const order = { symbol, side: 'Buy', size: '1', price: '100' }
  const wallet = by.wallet
  const preview = await venue.send('POST', '/risk/simulate/orders', { wallet, orders: [order] })
  assert.equal(preview.body.data.admissible, true, preview.text)
  assert.equal(preview.body.data.required, '100')
})
