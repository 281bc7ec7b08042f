import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../../engine/core/replica.js'
import { MarginSummary } from '../../../../engine/risk/order-check.js'
import { Fund } from '../../../../engine/state/money/funds.js'
import { Tier } from '../../../../schemas/domain.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { Result } from '../../../../schemas/results.js'
import { assertInvariants, FollowedBooks } from '../../../support/core-invariants.js'
import { type LiquidationRig, short, shortRig, still } from '../../../support/liquidation-rig.js'

const bidder = 3

test('the winner pays what is required, and takes the share that restores the buffer', () => {
  const rig = auctioned()
  const before = rig.margin(short)
  const required = rig.required(short)
  const total = rig.margin(bidder).equity
  assert.ok(before.equity > 0 && required > 0)
  const outcome = rig.outcome(rig.bid({ wallet: bidder, liquidated: short, usd: required + 500 }))
  assert.equal(outcome['result'], Result.Accepted)
  const after = rig.margin(short)
  // (1-p)(M - bR) + p f M = 0, and R' = (1-p) R.
  assert.ok(Math.abs(after.equity - 1.15 * after.required) < 0.001)
  const share = 1 - after.required / before.required
  assert.ok(Math.abs(required - share * 0.95 * before.equity) < 0.001)
  assert.ok(Math.abs(rig.margin(bidder).equity - total - share * 0.05 * before.equity) < 0.001)
  assert.equal(rig.position(short) + rig.position(bidder), -1)
  assert.equal(rig.stateOf(short), 'healthy')
  assertInvariants(rig.state, followed(rig), 'after the bid')
})

test('a bid signed over other terms never wins', () => {
  const cases = [
    { auction: 7 },
    { version: 0 },
    { version: 99 },
    { moreLots: 1 },
    { moreLots: -1 },
    { usd: 1 },
    { valuationMillis: -5001 },
    { valuationMillis: 1 },
  ]
  for (const wrong of cases) {
    const rig = auctioned()
    const valuationMillis = rig.nowMillis + (wrong.valuationMillis ?? 0)
    const bid = { wallet: bidder, liquidated: short, ...wrong, valuationMillis }
    const hash = { ...rig.state.hash }
    assert.equal(rig.outcome(rig.bid(bid))['result'], Result.Conflict, JSON.stringify(wrong))
    assert.equal(rig.stateOf(short), 'full')
    assert.equal(rig.position(bidder), 0)
    assert.notDeepEqual({ ...rig.state.hash }, hash, 'only the counters moved')
  }
})

test('terms that are 5 s old still win, and so do terms of an earlier version with the same positions', () => {
  const rig = auctioned()
  const { version } = rig.row(short)!
  const valuationMillis = rig.nowMillis
  rig.pass(5, 108_000)
  assert.ok(rig.row(short)!.version > version)
  const bid = { wallet: bidder, liquidated: short, version, valuationMillis }
  assert.equal(rig.outcome(rig.bid(bid))['result'], Result.Accepted)
})

test('a client can bid on the terms in the event of their change', () => {
  const rig = auctioned()
  const bid = { wallet: bidder, liquidated: short, version: 1 }
  assert.ok(rig.row(short)!.version > 1)
  assert.equal(rig.outcome(rig.bid(bid))['result'], Result.Accepted)
})

test('a bid after a won one finds an ended auction, or changed terms', () => {
  const rig = auctioned()
  const { version, auction } = rig.row(short)!
  const first = rig.bid({ wallet: bidder, liquidated: short })
  const second = rig.bid({ wallet: 2, liquidated: short, version, auction })
  const seen = rig.run().events()
  const results = [first, second].map(
    (request) =>
      seen.find(({ type, fields }) => type === EventType.Outcome && fields['request'] === request)!
        .fields['result'],
  )
  assert.deepEqual(results, [Result.Accepted, Result.Conflict])
})

test('a duplicate bid gets the first answer, and nothing moves again', () => {
  const rig = auctioned()
  rig.outcome(rig.bid({ wallet: bidder, liquidated: short, nonce: 77 }))
  const position = rig.position(bidder)
  const again = rig.outcome(rig.bid({ wallet: bidder, liquidated: short, nonce: 77 }))
  assert.equal(again['result'], Result.Accepted)
  assert.equal(rig.position(bidder), position)
})

test('a bidder fails without money or margin, if it is long only or in liquidation, or if it is the account itself', () => {
  const rig = auctioned()
  const bid = (wallet: number) => rig.outcome(rig.bid({ wallet, liquidated: short }))['result']
  assert.equal(bid(99), Result.NoAccount)
  rig.tier(99, Tier.Tier2)
  assert.equal(bid(99), Result.InsufficientBalance)
  rig.deposit(6, 100)
  rig.deposit(7, rig.required(short) + 1)
  rig.tier(4, Tier.Tier1)
  rig.run()
  assert.equal(bid(6), Result.InsufficientBalance)
  rig.deposit(8, rig.required(short) + 2)
  rig.run()
  assert.equal(bid(short), Result.Conflict)
  assert.equal(bid(4), Result.TierLongOnly)
  // Wallet 9 goes under with a short of its own.
  rig.deposit(9, 15_500)
  rig.run()
  rig.trade(2, 9, '6500', '1')
  rig.index(113_000)
  rig.run()
  assert.equal(rig.stateOf(9), 'pre_liquidation')
  assert.equal(rig.stateOf(short), 'full')
  rig.deposit(9, 10)
  assert.equal(bid(9), Result.AccountInLiquidation)
})

test('a bidder that would not meet initial margin fails, and its account is unchanged', () => {
  const rig = auctioned()
  // Its equity above initial margin does not cover the margin of its share.
  rig.deposit(8, 15_000)
  rig.run()
  rig.trade(2, 8, '6500', '1')
  const summary = new MarginSummary()
  rig.state.risk.summarize(rig.account(8), summary)
  assert.ok(summary.available > 0 && summary.available < 1500e6, `${summary.available}`)
  const saved = [rig.cash(8), rig.position(8)]
  const result = rig.outcome(rig.bid({ wallet: 8, liquidated: short }))['result']
  assert.equal(result, Result.InsufficientMargin)
  assert.deepEqual([rig.cash(8), rig.position(8)], saved)
  const other = new CoreReplica(still)
  other.load(rig.save())
  assert.deepEqual({ ...other.stateHash() }, { ...rig.state.hash })
})

test('an insolvent account is sold whole, and the fund pays the bidder along the ramp', () => {
  const rig = auctioned(still, 108_000)
  rig.fundInsurance(50_000)
  rig.run()
  rig.index(130_000)
  rig.run()
  const { equity, required } = rig.margin(short)
  assert.ok(equity < 0)
  assert.equal(rig.required(short), 0)
  rig.nowMillis += 1_800_000
  rig.index(130_000)
  rig.run()
  const offer = -rig.required(short)
  const now = rig.margin(short)
  assert.ok(Math.abs(offer - (now.required - now.equity) / 2) < 1e-5)
  assert.ok(required > 0)
  const before = rig.margin(bidder).equity
  assert.equal(rig.outcome(rig.bid({ wallet: bidder, liquidated: short, usd: -1 }))['result'], 0)
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.deepEqual([rig.cash(short), rig.position(short), rig.position(bidder)], [0, 0, -1])
  assert.ok(Math.abs(rig.margin(bidder).equity - before - offer - now.equity) < 1e-5)
  assert.equal(rig.row(short)!.insuranceMicros, Math.round(offer * 1e6), 'on record')
  const held = rig.state.funds.balanceMicros[Fund.Insurance]! / 1e6
  assert.ok(Math.abs(held - (50_000 - offer)) < 1e-5)
  assertInvariants(rig.state, followed(rig), 'after the bid')
})

test('a liquidated wallet is healthy again after its next deposit or order', () => {
  const rig = auctioned()
  rig.fundInsurance(50_000)
  rig.index(130_000)
  rig.run()
  rig.outcome(rig.bid({ wallet: bidder, liquidated: short, usd: 0 }))
  assert.equal(rig.stateOf(short), 'liquidated')
  rig.nowMillis += 5000
  rig.index(130_000)
  rig.run()
  assert.equal(rig.stateOf(short), 'liquidated')
  rig.deposit(short, 100)
  rig.run()
  assert.equal(rig.stateOf(short), 'healthy')
})

test('a reduce-only order of the bidder is cut to the position that it acquires', () => {
  const rig = auctioned()
  rig.trade(bidder, 2, '6500', '1')
  const { orderId } = rig.outcome(
    rig.place({ wallet: bidder, side: 'Sell', price: '9000', size: '1', reduceOnly: true }),
  )
  assert.ok(orderId! > 0)
  rig.events()
  rig.outcome(rig.bid({ wallet: bidder, liquidated: short }))
  const position = rig.position(bidder)
  assert.ok(position > 0 && position < 1)
  assert.deepEqual(
    rig.working(bidder).map(({ open }) => open),
    [position],
  )
  rig.outcome(rig.place({ wallet: 2, side: 'Buy', price: '9000', size: '1' }))
  assert.equal(rig.position(bidder), 0)
})

test('a bid and the later orders of its batch see the moved position', () => {
  const rig = auctioned()
  rig.trade(bidder, 2, '6500', '1')
  rig.outcome(
    rig.place({ wallet: bidder, side: 'Sell', price: '9000', size: '1', reduceOnly: true }),
  )
  rig.bid({ wallet: bidder, liquidated: short })
  rig.place({ wallet: 2, side: 'Buy', price: '9000', size: '1' })
  rig.run()
  assert.equal(rig.position(bidder), 0)
  assertInvariants(rig.state, followed(rig), 'after both')
})

/** Wallet 5, short one call, in auction at an index of 108,000; marks move with the index alone. */
function auctioned(config = still, index = 108_000): LiquidationRig {
  const rig = shortRig(config)
  rig.index(index)
  rig.run()
  rig.nowMillis += 60_000
  rig.run()
  rig.nowMillis += 120_000
  rig.index(index)
  rig.run()
  assert.equal(rig.stateOf(short), 'full')
  return rig
}

const books = new WeakMap<LiquidationRig, FollowedBooks>()

/** Returns the books according to the event log; levels from before the first call are those of the core. */
function followed(rig: LiquidationRig): FollowedBooks {
  const known = books.get(rig) ?? new FollowedBooks()
  books.set(rig, known)
  const { orders, instruments } = rig.state
  const levels = []
  for (let instrument = 0; instrument < instruments.count; instrument++) {
    for (let slot = orders.firstOf(instrument); slot >= 0; slot = orders.nextInInstrument[slot]!) {
      const fields = {
        instrument,
        side: orders.side[slot]!,
        price: orders.priceMicros[slot]! / 1e6,
        size: orders.openLots[slot]! / 1e8,
      }
      levels.push({ type: EventType.BookLevel, seq: 0, millis: 0, fields })
    }
  }
  known.take(levels)
  return known
}
