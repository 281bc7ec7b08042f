import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putAcceptLoss } from '../../../engine/core/operator/accept-loss.js'
import { HaltMode } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { LiquidationChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { TimerWatch } from '../../simulation/checks/timer-watch.js'
import { type LiquidationRig, short, shortRig, still } from '../../support/liquidation-rig.js'

// Liquidation time passes only while the markets of the positions are open.

/** Indexes at which the wallet of `shortRig` is below maintenance margin, and at which its equity is negative. */
const under = 108_000
const insolvent = 140_000
const bidder = 6
const closedModes = [
  [HaltMode.Halted, Result.TradingHalted],
  [HaltMode.CancelOnly, Result.CancelOnly],
] as const

/** Returns the wallet's liquidation after this many seconds of its first states. */
function rigAfter(...seconds: readonly number[]): LiquidationRig {
  const rig = shortRig(still)
  rig.deposit(bidder, 100_000)
  rig.index(under)
  rig.run()
  for (const each of seconds) wait(rig, each)
  rig.events()
  return rig
}

function wait(rig: LiquidationRig, seconds: number): void {
  rig.nowMillis += seconds * 1000
  rig.run()
}

function halt(rig: LiquidationRig, mode: HaltMode, underlying: string): void {
  rig.halt(mode, underlying)
  rig.run()
}

function deadlineOf(rig: LiquidationRig): number | undefined {
  const changes = rig.events().filter(({ type }) => type === EventType.Liquidation)
  return changes.at(-1)?.fields['deadline']
}

test('the grace period pauses in a closed market and continues where it was', () => {
  for (const [mode] of closedModes) {
    const rig = rigAfter(20)
    const begunMillis = rig.nowMillis - 20_000
    halt(rig, mode, 'BTC')
    wait(rig, 1000)
    assert.equal(rig.stateOf(short), 'pre_liquidation')
    rig.events()
    halt(rig, HaltMode.Open, 'BTC')
    assert.equal(
      deadlineOf(rig),
      begunMillis + 60_000 + 1000_000,
      'the deadline has moved by the halt',
    )
    // A second halt directly after the first.
    wait(rig, 39)
    halt(rig, mode, 'BTC')
    wait(rig, 1000)
    halt(rig, HaltMode.Open, 'BTC')
    assert.equal(rig.stateOf(short), 'pre_liquidation')
    rig.nowMillis += 999
    rig.run()
    assert.equal(rig.stateOf(short), 'pre_liquidation')
    rig.nowMillis += 1
    rig.run()
    assert.equal(rig.stateOf(short), 'partial')
  }
})

test("a halt cancels a partial phase's orders at once, and their successors use later prices", () => {
  for (const [mode] of closedModes) {
    const rig = rigAfter(60)
    const [before] = rig.working(short)
    halt(rig, mode, 'BTC')
    assert.deepEqual(rig.working(short), [])
    // The mark falls during the halt: the old order would give the difference to the first taker.
    rig.index(107_900)
    wait(rig, 1000)
    assert.deepEqual(rig.working(short), [])
    halt(rig, HaltMode.Open, 'BTC')
    const [after] = rig.working(short)
    assert.equal(rig.stateOf(short), 'partial')
    const mark = rig.state.marks.markMicros[0]! / 1e6
    assert.ok(after!.price <= mark * 1.005 && after!.price < before!.price)
    assert.equal(rig.row(short)!.bonusBps, 50, 'the bonus has not risen')
  }
})

test('the auction price pauses in a closed market, and bids are rejected', () => {
  for (const [mode, refused] of closedModes) {
    const rig = rigAfter(60, 120)
    wait(rig, 100)
    assert.equal(rig.stateOf(short), 'full')
    halt(rig, mode, 'BTC')
    const required = rig.required(short)
    wait(rig, 40_000)
    assert.equal(rig.required(short), required)
    const bid = rig.outcome(rig.bid({ wallet: bidder, liquidated: short }))
    assert.equal(bid['result'], refused)
    wait(rig, 10_000)
    assert.equal(rig.stateOf(short), 'full', 'the engine deleverages nobody in a closed market')
    halt(rig, HaltMode.Open, 'BTC')
    assert.equal(rig.required(short), required)
    const won = rig.outcome(rig.bid({ wallet: bidder, liquidated: short }))
    assert.equal(won['result'], Result.Accepted)
  }
})

test("an insolvent account's offer and its deleveraging pause in a closed market", () => {
  const rig = rigAfter()
  rig.fundInsurance(5000)
  rig.index(insolvent)
  rig.run()
  assert.equal(rig.stateOf(short), 'full')
  wait(rig, 360)
  halt(rig, HaltMode.Halted, 'BTC')
  const offer = rig.required(short)
  assert.ok(offer < 0)
  wait(rig, 36_000)
  assert.equal(rig.required(short), offer)
  assert.equal(rig.position(short), -1)
  halt(rig, HaltMode.Open, 'BTC')
  assert.equal(rig.required(short), offer)
  // The fund's offer lasts for some time; then other wallets bear the loss.
  wait(rig, 3600)
  assert.equal(rig.stateOf(short), 'liquidated')
})

test('a wallet that enters liquidation in a closed market has its full time when it opens', () => {
  const rig = rigAfter()
  rig.index(100_000)
  rig.run()
  assert.equal(rig.stateOf(short), 'healthy')
  halt(rig, HaltMode.Halted, 'BTC')
  rig.index(under)
  wait(rig, 500)
  assert.equal(rig.stateOf(short), 'pre_liquidation')
  halt(rig, HaltMode.Open, 'BTC')
  wait(rig, 59)
  assert.equal(rig.stateOf(short), 'pre_liquidation')
  wait(rig, 1)
  assert.equal(rig.stateOf(short), 'partial')
})

test('a wallet can recover in a closed market, and is liquidated at once when it opens insolvent', () => {
  const rig = rigAfter()
  halt(rig, HaltMode.Halted, 'BTC')
  rig.index(100_000)
  rig.run()
  assert.equal(rig.stateOf(short), 'healthy')
  rig.index(insolvent)
  rig.run()
  assert.equal(rig.stateOf(short), 'full')
})

test('a halt elsewhere pauses nothing, and repeating one restarts nothing', () => {
  const rig = rigAfter()
  rig.index(4000, 'ETH')
  halt(rig, HaltMode.Halted, 'ETH')
  wait(rig, 60)
  assert.equal(rig.stateOf(short), 'partial')
  halt(rig, HaltMode.Halted, 'BTC')
  wait(rig, 100)
  rig.events()
  halt(rig, HaltMode.CancelOnly, 'BTC')
  wait(rig, 100)
  const changes = rig.events().filter(({ type }) => type === EventType.Liquidation)
  const turns = changes.filter(({ fields }) => fields['change'] === LiquidationChange.Timers)
  assert.deepEqual(turns, [], 'still closed')
  halt(rig, HaltMode.Open, 'BTC')
  wait(rig, 119)
  assert.equal(rig.stateOf(short), 'partial')
  wait(rig, 1)
  assert.equal(rig.stateOf(short), 'full')
})

test('the simulator finds timers that run in a closed market, and timers that pause in an open one', () => {
  const rig = rigAfter(20)
  const watch = new TimerWatch()
  assert.equal(watch.check(rig.state), 0)
  halt(rig, HaltMode.Halted, 'BTC')
  assert.equal(watch.check(rig.state), 1)
  const row = rig.row(short)!
  row.stoodMillis -= 1
  assert.throws(() => watch.check(rig.state), /timers of account \d+ moved by 1 ms/)
  row.stoodMillis += 1
  const { standingMillis } = row
  row.standingMillis = 0
  assert.throws(() => watch.check(rig.state), /timers of account \d+ run/)
  row.standingMillis = standingMillis
  rig.halt(HaltMode.Open, 'BTC')
  rig.run()
  row.standingMillis = standingMillis
  assert.throws(() => watch.check(rig.state), /timers of account \d+ stand/)
})

test('timers also pause after an accepted loss, until the operator opens the market', () => {
  const rig = rigAfter(20)
  const { state } = rig
  const { seq } = state.sink
  const none = { orderCount: 0, tradeCount: 0, payoutCount: 0, auctionCount: 0 }
  const border = { ...none, seq: seq + 10, timeMillis: 0, batchNumber: state.batchNumber + 10 }
  putAcceptLoss(rig.commands, border, [])
  rig.core.beginAfterLoss(border)
  rig.run()
  const watch = new TimerWatch()
  assert.equal(watch.check(state), 1)
  wait(rig, 1000)
  assert.equal(watch.check(state), 1)
  assert.equal(rig.stateOf(short), 'pre_liquidation')
})
