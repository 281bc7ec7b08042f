import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { WalletMargin } from '../../../engine/risk/wallet-margin.js'
import { ClockAlarm, DeliveryStatus, HaltMode, neverMillis } from '../../../schemas/domain.js'
import { perp } from '../../support/funding-rig.js'
import { still } from '../../support/liquidation-rig.js'
import { longTest } from '../../support/long-test.js'
import { settleOf, WithdrawalRig, withdrawOf } from '../../support/withdrawal-rig.js'
import { Statistics } from '../run/statistics.js'
import { simulate } from '../simulation.js'
import { WithdrawalWatch } from './withdrawal-watch.js'

const micro = 1e-6
const tooMuch = /account \d+ has withdrawn too much/

/** Returns a rig whose wallet 5 has `usd` plus the effects of `prepare`, and a watch that has seen that state. */
function watched(usd: number, prepare: (rig: WithdrawalRig) => void = () => {}) {
  const rig = new WithdrawalRig(still).openMarket() as WithdrawalRig
  rig.deposit(5, usd)
  prepare(rig)
  rig.run().events()
  const statistics = new Statistics()
  const watch = new WithdrawalWatch(statistics)
  const look = () => watch.checkBatch(rig.state, rig.batches.at(-1))
  look()
  return { rig, look, statistics }
}

/** Makes the engine allow any withdrawal. */
function letsAllLeave(t: TestContext): void {
  const { summarize } = WalletMargin.prototype
  t.mock.method(WalletMargin.prototype, 'summarize', function (this: WalletMargin, ...of) {
    summarize.apply(this, of)
    of[1].withdrawable = 1e12
  } as typeof summarize)
}

const short = (rig: WithdrawalRig) => rig.trade(2, 5, '3270', '1')

/** Opens a long perp position that has gained 1000. */
function gained(rig: WithdrawalRig): void {
  rig.outcome(rig.list(perp, neverMillis))
  rig.trade(5, 2, '100000', '0.1', { instrument: perp })
  rig.index(110_000)
}

/** Places a risk-reducing order whose margin only its own fill frees. */
function riskReducing(rig: WithdrawalRig): void {
  short(rig)
  rig.index(104_000)
  rig.run()
  const { result } = rig.outcome(rig.place({ wallet: 5, side: 'Buy', price: '9000', size: '1' }))
  assert.equal(result, 0)
}

const works = (rig: WithdrawalRig) =>
  rig.place({ wallet: 5, side: 'Buy', price: '3000', size: '1' })

for (const [name, usd, prepare] of [
  ['cash alone', 1000, () => {}],
  ['a short position', 30_000, short],
  ['a long option', 10_000, (rig: WithdrawalRig) => rig.trade(5, 2, '3270', '1')],
  ['a perp that has gained', 20_000, gained],
  ['a working buy', 10_000, works],
] as const) {
  test(`the watch accepts a withdrawal of everything available with ${name}, and finds one cent more`, (t) => {
    const { rig, look, statistics } = watched(usd, prepare)
    const most = rig.withdrawable(5)
    look()
    rig.withdraw(5, most)
    look()
    assert.equal(statistics.of('withdrawals to the last'), 1)
    letsAllLeave(t)
    const other = watched(usd, prepare)
    other.rig.withdraw(5, most + 0.01)
    assert.throws(other.look, tooMuch)
  })
}

test('the watch finds that the cost of a risk-reducing buy is missing', (t) => {
  const { rig, look } = watched(15_000, riskReducing)
  letsAllLeave(t)
  rig.withdraw(5, 9500)
  assert.throws(look, tooMuch)
})

test('the watch finds cash of one micro below zero', (t) => {
  const { rig, look } = watched(1000)
  letsAllLeave(t)
  rig.withdraw(5, 1000 + micro)
  assert.throws(look, /others bear what it lacks/)
})

test('the watch adds up two withdrawals of a batch and counts money returned in it', (t) => {
  const { rig, look, statistics } = watched(1000)
  const first = rig.withdraw(5, 600)
  look()
  settleOf(rig, first, DeliveryStatus.Reverted)
  withdrawOf(rig, 5, 900)
  rig.run()
  look()
  assert.equal(statistics.of('withdrawals weighed'), 2)
  letsAllLeave(t)
  withdrawOf(rig, 5, 50)
  withdrawOf(rig, 5, 51)
  rig.run()
  assert.throws(look, tooMuch)
})

test('the watch skips a wallet that acts again after its withdrawal', (t) => {
  const { rig, look, statistics } = watched(10_000)
  withdrawOf(rig, 5, 6000)
  letsAllLeave(t)
  works(rig)
  rig.run()
  look()
  assert.equal(statistics.of('withdrawals weighed'), 0)
})

/** Conditions that lock a wallet before and after a batch; the watch sees only the batch. */
for (const [name, lock, open, why] of [
  [
    'a halted underlying',
    (rig: WithdrawalRig) => rig.halt(HaltMode.CancelOnly, 'BTC'),
    (rig: WithdrawalRig) => rig.halt(HaltMode.Open, 'BTC'),
    /underlying 0 is not open/,
  ],
  [
    'a doubted clock',
    (rig: WithdrawalRig) => rig.clockAlarm(ClockAlarm.Raised, 10_000),
    (rig: WithdrawalRig) => rig.clockAlarm(ClockAlarm.None, 0),
    /the clock is doubted/,
  ],
] as const) {
  test(`the watch finds a withdrawal in spite of ${name}`, () => {
    const { rig, look } = watched(30_000, short)
    lock(rig)
    rig.run()
    look()
    open(rig)
    rig.run()
    rig.withdraw(5, 5)
    const batch = rig.batches.at(-1)!
    lock(rig)
    rig.run()
    rig.batches.push(batch)
    assert.throws(look, why)
  })
}

test('the watch finds a withdrawal during the grace period', () => {
  const { rig, look } = watched(15_000, short)
  rig.index(108_000)
  rig.run()
  assert.equal(rig.stateOf(5), 'pre_liquidation')
  look()
  const { state } = rig
  const account = rig.account(5)
  const at = { account, amountMicros: 5e6, createdMillis: 0, destination: new Uint8Array(20) }
  state.withdrawals.open({ id: new Uint8Array(16).fill(1), ...at })
  assert.throws(look, /has withdrawn, and it is in liquidation/)
})

longTest('the simulator finds an engine that pays out unrealised perp gains', (t) => {
  const { summarize } = WalletMargin.prototype
  t.mock.method(WalletMargin.prototype, 'summarize', function (this: WalletMargin, ...of) {
    summarize.apply(this, of)
    const [, { cash, premiumReserved, worstSlack }] = of
    of[1].withdrawable = Math.max(0, Math.min(worstSlack, cash - premiumReserved))
  } as typeof summarize)
  const { failure } = simulate({ seed: 18, steps: 300 })
  assert.match(failure!.what, tooMuch)
})
