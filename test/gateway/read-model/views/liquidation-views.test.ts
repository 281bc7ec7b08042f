import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followEvents } from '../../../../bench/follow-events.js'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { liquidationParametersDefault } from '../../../../engine/risk/liquidation-parameters.js'
import { MarginSummary } from '../../../../engine/risk/order-check.js'
import { QuoteBoard } from '../../../../gateway/quotes/quote-board.js'
import { liquidationStatusRoute } from '../../../../gateway/read-model/routes/liquidation-status.js'
import { AnswerCache } from '../../../../gateway/read-model/texts/route-context.js'
import { EventViews } from '../../../../gateway/read-model/views/event-views.js'
import { QueryReader } from '../../../../gateway/wire/query-reader.js'
import { auctionTermsHash, portfolioHash } from '../../../../schemas/signing/auction-terms-hash.js'
import { formatAddress } from '../../../../schemas/wallet.js'
import { emptyBoard } from '../../../support/competition-events.js'
import { LiquidationRig, short, still } from '../../../support/liquidation-rig.js'
import { walletOf } from '../../../support/rig-commands.js'

const bidder = 3
const wallets = [1, 2, 3, 4, 5]
const config = {
  ...still,
  liquidation: { ...liquidationParametersDefault, graceSeconds: 10, partialSeconds: 20 },
}

test('the read model follows every phase, and shows the same margin as the core', () => {
  const { rig, follow, statusOf } = followed()
  assert.equal(statusOf(short).state, 'healthy')
  rig.index(108_000)
  follow('grace')
  const grace = statusOf(short)
  assert.deepEqual(
    [grace.state, grace.liquidation_mode, grace.partial_liquidation, grace.full_liquidation],
    ['pre_liquidation', null, null, null],
  )
  rig.nowMillis += 10_000
  follow('partial')
  const { partial_liquidation: partial } = statusOf(short)
  const [order] = rig.working(short)
  assert.equal(partial.active_order_client_ids.length, 1)
  assert.equal(partial.escalation_deadline - partial.entered_at, 20_000)
  assert.ok(Math.abs(Number(partial.target_equity) - 1.1 * rig.margin(short).required) < 1e-5)
  rig.place({ wallet: 2, side: 'Sell', price: String(order!.price), size: '0.01' })
  follow('a part fills')
  rig.nowMillis += 20_000
  follow('full')
  assertTerms(statusOf(short), rig)
  rig.bid({ wallet: bidder, liquidated: short })
  follow('won')
  assert.equal(statusOf(short).state, 'healthy')
  assert.ok(rig.position(bidder) < 0)
})

test('an insolvent account, auto-deleveraged, leaves the same cash and positions in both', () => {
  const { rig, follow, statusOf } = followed()
  rig.fundInsurance(700)
  rig.index(140_000)
  follow('insolvent')
  const { full_liquidation: auction } = statusOf(short)
  assert.equal(auction.current_required_bid_usdc, '0')
  rig.nowMillis += 3_600_000
  follow('deleveraged')
  const status = statusOf(short)
  assert.deepEqual(
    [status.state, status.equity, status.full_liquidation.winner],
    ['liquidated', '0', null],
  )
  assert.equal(status.full_liquidation.liquidated_at, rig.nowMillis)
})

test('after a restart everything is published again, and another read model shows the same status', () => {
  const { rig, follow, statusOf } = followed()
  rig.index(108_000)
  follow('grace')
  rig.nowMillis += 10_000
  follow('partial')
  const partial = statusOf(short)
  assert.deepEqual(restored(rig).statusOf(short), partial)
  rig.nowMillis += 20_000
  follow('full')
  const { full_liquidation: before } = statusOf(short)
  const { full_liquidation: after } = restored(rig).statusOf(short)
  assert.deepEqual(after, before)
})

function assertTerms(status: Wire, rig: LiquidationRig): void {
  const auction = status.full_liquidation
  assert.deepEqual([status.state, status.liquidation_mode], ['in_liquidation', 'full'])
  assert.equal(Number(auction.current_required_bid_usdc), rig.required(short))
  const positions = auction.current_positions.map((held: Wire) => ({
    symbol: held.symbol,
    quantity: held.quantity,
    entryPrice: held.entry_price,
  }))
  assert.equal(positions[0].quantity, String(rig.position(short)))
  assert.equal(auction.current_portfolio_hash, portfolioHash(positions))
  const hash = auctionTermsHash({
    auctionId: auction.auction_id,
    liquidatedWallet: status.wallet,
    auctionVersion: auction.current_auction_version,
    portfolioHash: auction.current_portfolio_hash,
    bidUsdc: auction.current_required_bid_usdc,
    valuationTimestampMillis: auction.current_valuation_timestamp_ms,
  })
  assert.equal(auction.current_auction_terms_hash, hash)
  assert.match(
    auction.request_id,
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  )
}

// biome-ignore lint/suspicious/noExplicitAny: the wire has no types
type Wire = any

/** Wallet 5, short a call, and a read model that has followed from the begin. */
function followed() {
  const rig = new LiquidationRig(config)
  const parts = viewsOf(rig)
  rig.list()
  rig.index(100_000)
  rig.surface(0.6)
  for (const wallet of [1, 2, 3, 4]) rig.deposit(wallet, 1_000_000)
  rig.deposit(short, 15_000)
  rig.run()
  rig.place({ wallet: short, side: 'Sell', price: '3270', size: '1' })
  rig.place({ wallet: 2, side: 'Buy', price: '3270', size: '1' })
  parts.follow('the short is sold')
  return { rig, ...parts }
}

/** Another engine and another read model, from a snapshot of the first. */
function restored(from: LiquidationRig) {
  const rig = new LiquidationRig(config)
  rig.nowMillis = from.nowMillis
  rig.restore(from.save())
  const parts = viewsOf(rig)
  parts.follow('after a restart')
  return parts
}

function viewsOf(rig: LiquidationRig) {
  const views = new EventViews(config)
  publishBootstrap(rig.state, () => {})
  const follow = (where: string) => {
    rig.run()
    followEvents(rig.reader, (event) => views.apply(event))
    assertSame(rig, views, where)
  }
  const statusOf = (wallet: number): Wire => {
    const query = new QueryReader(`wallet=${formatAddress(walletOf(wallet), 0)}`)
    const engine = {
      engine: config,
      testnet: false,
      minTradeLots: 1,
      chainMillis: 1,
      refusesUnknown: false,
    }
    const cache = new AnswerCache()
    const quotes = new QuoteBoard()
    const standings = emptyBoard()
    const times = { nowMillis: 0, arrivedMillis: 0 }
    const context = { views, quotes, standings, config: engine, cache, ...times }
    return JSON.parse(liquidationStatusRoute.answer(query, context).body).data
  }
  return { views, follow, statusOf }
}

function assertSame(rig: LiquidationRig, views: EventViews, where: string): void {
  const [core, shown] = [new MarginSummary(), new MarginSummary()]
  for (const wallet of wallets) {
    const account = rig.account(wallet)
    if (account < 0) continue
    rig.state.risk.summarize(account, core)
    views.accounts.risk.summarize(account, shown)
    assert.deepEqual(shown, core, `${where}: wallet ${wallet}`)
  }
}
