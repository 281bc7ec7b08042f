import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { perpOrderBody } from './support/perp-body.js'
import { bidBody, symbolOf, type WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// A wallet's reads of the perps that it trades, and the auction of a wallet with too many of them.

const settings = { graceSeconds: 0, partialSeconds: 0, valuationSeconds: 60 }
const venue = new Venue({
  arguments: Object.entries(settings).map(([name, value]) => `--set=liquidation.${name}=${value}`),
})
const option = symbolOf('BTC', 110_000)
const perp = 'BTC-PERP'
const { fundedWallet } = orderActions(venue, option)
const open = streamPeers(venue)
let asset = -1

before(async () => {
  await venue.start()
  await listMarket(venue, [option, perp])
  await eventually('the asset is known', async () => {
    const { perps } = await venue.read('/exchange-info')
    asset = perps[0]?.asset ?? -1
    return asset >= 0
  })
})
after(() => venue.dispose())

async function trade(by: WalletKey, isBuy: boolean, price: string, size: string): Promise<Wire> {
  const body = await perpOrderBody(by, { a: asset, b: isBuy, p: price, s: size })
  const answer = await venue.send('POST', '/perp-order', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function index(price: string): Promise<void> {
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price }] })
}

const portfolioOf = async ({ wallet }: WalletKey): Promise<Wire> =>
  (await venue.read(`/portfolio?wallet=${wallet}`)).data

test('every read shows a perp trade as a perp, and no options total includes it', async () => {
  const [maker, taker] = [await fundedWallet(), await fundedWallet()]
  const [market] = (await venue.read('/markets')).data
  const peer = await open(`?wallet=${taker.wallet}`)
  await peer.subscribe('portfolio')
  await trade(maker, false, '100000', '2')
  const taken = await trade(taker, true, '100000', '0.5')
  assert.equal(taken.status, 'FILLED')
  const held = { symbol: perp, amount: '0.5', entry_price: '100000', instrument_type: 'perp' }
  const { position } = await peer.next((message) => message.kind === 'PositionUpdate')
  assert.deepEqual({ ...position, ...held }, position)
  await index('101000')
  const { per_leg, aggregate } = await peer.next((message) => message.kind === 'GreeksUpdate')
  assert.deepEqual([per_leg[0].symbol, per_leg[0].delta], [perp, 0.5])
  assert.deepEqual(aggregate, { delta: 0.5, gamma: 0, theta: 0, vega: 0, iv: null })
  await eventually('the profit', async () => {
    const [row] = (await portfolioOf(taker)).positions
    return row.unrealized_pnl === '500' && row.notional_value === '50500'
  })
  const data = await portfolioOf(taker)
  assert.deepEqual(
    [data.span_margin.initial_margin_required, data.total_margin_used],
    ['5050', '5050'],
  )
  for (const path of ['/orders', '/fills']) {
    const [row] = (await venue.read(`${path}?wallet=${taker.wallet}`)).data
    assert.deepEqual([row.symbol, row.instrument_type, row.size], [perp, 'perp', '0.5'], path)
  }
  const [row] = (await venue.read(`/trades?symbol=${perp}`)).data
  assert.deepEqual([row.symbol, row.price, row.size], [perp, '100000', '0.5'])
  const { result: book } = await venue.read(`/orderbook?symbol=${perp}`)
  assert.deepEqual([book.asks, book.open_interest, book.last_price], [[[100_000, 1.5]], 0.5, 1e5])
  assert.equal(book.stats.volume, 0.5)
  const { index_price: _, ...after } = (await venue.read('/markets?include_instruments=0')).data[0]
  assert.equal(after.total_open_interest, market.total_open_interest)
  assert.equal(after.total_volume_24h, market.total_volume_24h)
  const orders = [{ symbol: perp, side: 'Sell', size: '0.5', price: '100000' }]
  const { body } = await venue.send('POST', '/risk/simulate/orders', {
    wallet: taker.wallet,
    orders,
  })
  assert.deepEqual([body.data.admissible, body.data.consumed_im], [true, '5050'])
  const { data: grid } = await venue.read(`/risk/grid?wallet=${taker.wallet}`)
  assert.deepEqual(grid.underlyings[0].extended_risk_matrix.instruments, [])
  await venue.end('SIGKILL')
  await venue.start()
  const again = await portfolioOf(taker)
  assert.deepEqual({ ...again.positions[0], ...held }, again.positions[0])
})

test('an auction of a wallet with too many perps names them by symbol', async () => {
  await index('100000')
  const [maker, weak, bidder] = [
    await fundedWallet(),
    await fundedWallet('10200'),
    await fundedWallet(),
  ]
  await trade(maker, false, '100000', '1')
  const bought = await trade(weak, true, '100000', '1')
  assert.equal(bought.status, 'FILLED', JSON.stringify(bought))
  const peer = await open(`?wallet=${weak.wallet}`)
  await peer.subscribe('liquidation')
  await index('94000')
  const change = await peer.next((message) => message.liquidation_mode === 'full')
  const positions = [{ symbol: perp, quantity: '1', entry_price: '100000' }]
  assert.deepEqual(change.full_liquidation.current_positions, positions)
  let status: Wire
  await eventually('terms', async () => {
    status = (await venue.read(`/liquidation/status?wallet=${weak.wallet}`)).data
    return typeof status.full_liquidation?.current_required_bid_usdc === 'string'
  })
  assert.deepEqual(status.full_liquidation.current_positions, positions)
  const bid = await bidBody(bidder, status)
  const won = await venue.send('POST', '/liquidation/standard-margin', bid)
  assert.equal(won.status, 200, won.text)
  const [part] = (await portfolioOf(bidder)).positions
  assert.deepEqual([part.symbol, part.instrument_type], [perp, 'perp'])
  assert.ok(Number(part.amount) > 0 && Number(part.amount) <= 1)
})
