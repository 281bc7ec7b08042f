import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import { neverMillis, Right } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { Result } from '../../../schemas/results.js'
import { LiquidationRig, still } from '../../support/liquidation-rig.js'

const perp = { underlying: 'BTC', expiryDate: 0, strike: 0, right: Right.None }
const perpId = 1
const holder = 5
const bidder = 3
const total = 4 * 1_000_000e6

/** Returns wallet 5, with 12,000 USD, long one perp from 100,000; wallet 2 is short it. */
function longRig(fund = 0, config = still): LiquidationRig {
  const rig = new LiquidationRig(config).openMarket()
  rig.list(perp, neverMillis)
  rig.deposit(holder, 12_000)
  if (fund > 0) rig.fundInsurance(fund)
  rig.run()
  rig.trade(holder, 2, '100000', '1', { instrument: perp })
  rig.events()
  return rig
}

/**
 * Returns the same rig after both phases: in auction, at an index of 92,500, with equity of 4,500 of the required
 * 4,625.
 */
function auctioned(config = still): LiquidationRig {
  const rig = longRig(0, config)
  rig.index(92_500)
  rig.run()
  rig.pass(60, 92_500).pass(120, 92_500)
  assert.equal(rig.stateOf(holder), 'full')
  return rig
}

test('a falling perp takes its holder below maintenance margin and into the grace period', () => {
  const rig = longRig()
  assert.deepEqual(rig.margin(holder), { equity: 12_000, required: 5000 })
  rig.index(92_700)
  rig.run()
  assert.equal(rig.stateOf(holder), 'healthy')
  rig.index(92_600)
  rig.run()
  assert.deepEqual(rig.margin(holder), { equity: 4600, required: 4630 })
  assert.equal(rig.stateOf(holder), 'pre_liquidation')
  assert.equal(rig.cash(holder), 12_000, 'a loss moves cash only when it is realized')
})

test('the partial phase offers a part of the perp, and its fill realizes the loss', () => {
  const rig = longRig()
  rig.index(92_500)
  rig.run()
  rig.pass(60, 92_500)
  assert.equal(rig.stateOf(holder), 'partial')
  const [offer] = rig.working(holder)
  // 50 bps below the mark, rounded up to a valid price; (1.1 × 4625 − 4500) ÷ (1.1 × 4625 − 462.5) of a contract.
  assert.deepEqual([offer?.side, offer?.price], ['Sell', 92_038])
  assert.ok(Math.abs(offer!.open - 587.5 / 4625) < 1e-8)
  rig.outcome(rig.place({ wallet: 2, side: 'Buy', price: '92100', size: '1', instrument: perp }))
  const sold = 1 - rig.position(holder, perpId)
  assert.ok(Math.abs(sold - offer!.open) < 1e-8)
  assert.ok(Math.abs(rig.cash(holder) - (12_000 - sold * (100_000 - 92_038))) < 1e-5)
  assert.equal(rig.stateOf(holder), 'healthy')
  assert.equal(rig.totalMicros, total + 12_000e6)
})

test("the winner of an auction gets its share of the cash and of the perp's loss", () => {
  const rig = auctioned()
  const before = rig.margin(holder)
  const [required, held] = [rig.required(holder), rig.margin(bidder).equity]
  const outcome = rig.outcome(rig.bid({ wallet: bidder, liquidated: holder }))
  assert.equal(outcome['result'], Result.Accepted)
  const after = rig.margin(holder)
  assert.ok(Math.abs(after.equity - 1.15 * after.required) < 0.01, `${after.equity}`)
  const share = 1 - after.required / before.required
  assert.ok(Math.abs(required - share * 0.95 * before.equity) < 0.01)
  assert.ok(Math.abs(rig.margin(bidder).equity - held - share * 0.05 * before.equity) < 0.01)
  // The bidder entered at the mark: it has realized nothing, and its share of the loss is in the cash it got.
  const row = rig.state.risk.findExposure(rig.account(bidder), perpId)
  assert.equal(rig.state.risk.entryPriceMicros(row), 92_500e6)
  assert.ok(Math.abs(rig.position(bidder, perpId) - share) < 1e-8)
  const cash = 1_000_000 + share * (12_000 - 7500) - required
  assert.ok(Math.abs(rig.cash(bidder) - cash) < 0.01)
  assert.equal(rig.stateOf(holder), 'healthy')
  assert.equal(rig.totalMicros, total + 12_000e6)
})

test('a bidder that is itself short the perp realizes its own gain, in addition to what it wins', () => {
  const rig = auctioned()
  rig.outcome(rig.place({ wallet: 1, side: 'Buy', price: '93000', size: '2', instrument: perp }))
  rig.outcome(
    rig.place({ wallet: bidder, side: 'Sell', price: '93000', size: '2', instrument: perp }),
  )
  const [held, judged] = [rig.margin(bidder).equity, rig.margin(holder)]
  const required = rig.required(holder)
  rig.outcome(rig.bid({ wallet: bidder, liquidated: holder }))
  const share = 2 + rig.position(bidder, perpId)
  assert.ok(share > 0)
  const won = share * judged.equity - required
  assert.ok(Math.abs(rig.margin(bidder).equity - held - won) < 0.01)
  assert.equal(rig.totalMicros, total + 12_000e6)
})

test('an insolvent perp holder is closed against wallets in profit, at the bankruptcy price', () => {
  const rig = longRig()
  rig.events()
  rig.index(87_000)
  rig.run()
  assert.equal(rig.stateOf(holder), 'full')
  rig.nowMillis += 1000
  const seen = rig.run().events()
  assert.equal(rig.position(holder, perpId), 0)
  assert.equal(rig.cash(holder), 0)
  // Equity was −1,000: the short gives up 1,000 of its 13,000.
  assert.equal(rig.cash(2), 1_000_000 + 12_000)
  assert.equal(rig.position(2, perpId), 0)
  const { realizedTotalMicros } = rig.state.risk
  assert.equal(realizedTotalMicros[rig.account(holder)], -12_000e6)
  assert.equal(
    seen.filter(({ type }) => type === EventType.Transfer).length,
    2,
    'both transfers are published',
  )
  assert.equal(rig.stateOf(holder), 'liquidated')
  assert.equal(rig.totalMicros, total + 12_000e6)
})

test('a bidder takes over a whole insolvent perp account, and the fund pays it', () => {
  const rig = longRig(1500)
  rig.index(87_000)
  rig.run()
  rig.pass(900, 87_000)
  assert.equal(rig.stateOf(holder), 'full')
  const paid = (900 / 3600) * (4350 + 1000)
  assert.equal(rig.required(holder), -paid)
  rig.outcome(rig.bid({ wallet: bidder, liquidated: holder }))
  assert.equal(rig.position(bidder, perpId), 1)
  assert.deepEqual(rig.margin(holder), { equity: 0, required: 0 })
  assert.equal(rig.margin(bidder).equity, 1_000_000 - 1000 + paid)
  assert.equal(rig.insurance, 1500 - paid)
  assert.equal(rig.totalMicros, total + 12_000e6 + 1500e6)
})

test('a perp in liquidation survives a snapshot', () => {
  const rig = auctioned()
  rig.outcome(rig.bid({ wallet: bidder, liquidated: holder }))
  const restored = new CoreReplica(still)
  restored.load(rig.save())
  const { low, high } = rig.state.hash
  assert.deepEqual(restored.stateHash(), { low, high })
})

test('a liquidated wallet stays so while its orders are rejected, by the matcher too', () => {
  const rig = auctioned({ ...still, liquidation: { ...still.liquidation, maxAuctionSeconds: 10 } })
  rig.pass(10, 92_500)
  assert.deepEqual([rig.stateOf(holder), rig.cash(holder)], ['liquidated', 4500])
  rig.outcome(rig.place({ wallet: 1, side: 'Buy', price: '92000', size: '1', instrument: perp }))
  const order = { wallet: holder, side: 'Sell', size: '0.1', instrument: perp, tif: 'alo' } as const
  const refused = rig.outcome(rig.place({ ...order, price: '92000' }))
  assert.equal(refused['result'], Result.PostOnlyWouldTrade)
  assert.equal(rig.stateOf(holder), 'liquidated')
  rig.outcome(rig.place({ ...order, price: '93000' }))
  assert.equal(rig.stateOf(holder), 'healthy')
})
