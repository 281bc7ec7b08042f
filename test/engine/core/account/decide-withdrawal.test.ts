import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyWithdrawal } from '../../../../engine/core/account/decide-withdrawal.js'
import { ownFacts } from '../../../../engine/state/accounts/kept-results.js'
import { judge } from '../../../../engine/state/judgement.js'
import { Fund } from '../../../../engine/state/money/funds.js'
import {
  moneyMicrosMax,
  withdrawalsMicrosMax,
  withdrawalsPendingMax,
} from '../../../../schemas/bounds.js'
import {
  ClockAlarm,
  DeliveryStatus,
  DomainStatus,
  HaltMode,
  neverMillis,
  WithdrawalVerdict,
} from '../../../../schemas/domain.js'
import { CommandType, WithdrawUsdcCommand } from '../../../../schemas/generated/commands.js'
import { AuctionRig, rowsOf } from '../../../support/auction-rig.js'
import { funded, hour, perp } from '../../../support/funding-rig.js'
import { still } from '../../../support/liquidation-rig.js'
import { resultNames, taker } from '../../../support/rfq-rig.js'
import { walletOf } from '../../../support/rig-commands.js'
import { destination, WithdrawalRig, withdrawOf } from '../../../support/withdrawal-rig.js'

const { Broadcasted, Included, Finalized, CoreRejected, Reverted, Expired, DeadLettered } =
  DeliveryStatus
const expiry = Date.UTC(2026, 0, 31, 0)
const micro = 1e-6

/** Wallet 5 has so much, and nothing else. */
function opened(usd = 1000, config = still): WithdrawalRig {
  const rig = new WithdrawalRig(config).openMarket() as WithdrawalRig
  rig.deposit(5, usd)
  rig.run().events()
  return rig
}

/** Asserts that exactly this amount can be withdrawn, and not a micro more. */
function assertMost(rig: WithdrawalRig, wallet: number, usd: number): void {
  assert.equal(rig.withdrawable(wallet), usd)
  assert.equal(rig.tryWithdraw(wallet, usd + micro), 'NotWithdrawable')
  rig.withdraw(wallet, usd)
  assert.equal(rig.withdrawable(wallet), 0)
}

test('a wallet with nothing else can withdraw all of its cash, which is then in transit', () => {
  const rig = opened()
  const total = rig.totalMicros
  assertMost(rig, 5, 1000)
  assert.deepEqual([rig.cash(5), rig.inTransit, rig.totalMicros], [0, 1000, total])
})

test('a withdrawal publishes cash, directive and balance', () => {
  const rig = opened()
  const { seq } = rig.state.sink
  rig.withdraw(5, 400)
  const eventCount = rig.state.sink.seq - seq
  assert.equal(eventCount, 3, 'account, directive, outcome')
  assert.equal(rig.state.accounts.depositsMicros[rig.account(5)], 600e6, 'net of it')
})

test('an amount below the minimum fails, and burns no nonce', () => {
  const rig = opened()
  assert.equal(rig.tryWithdraw(5, 5 - micro, { nonce: 7 }), 'WithdrawalTooSmall')
  assert.equal(rig.lastDetail, 5e6)
  rig.withdraw(5, 5, { nonce: 7 })
  assert.equal(rig.tryWithdraw(5, 5, { nonce: 7, digest: 8 }), 'NonceUsed')
})

test('only whole micros above 0 are an amount, whatever a record has', () => {
  const rig = opened(9_000_000_000)
  const record = new WithdrawUsdcCommand()
  const tried = (amountMicros: number) => {
    record.claim(rig)
    rig.sign(record, 5, {})
    record.amountMicros = amountMicros
    record.u8.set(walletOf(destination), record.destinationAt)
    return resultNames[rig.outcome(rig.requests)['result']!]
  }
  const before = rig.state.cells.uncounted()
  for (const micros of [0, -0, -1, -5e6, 0.5, 5e6 + 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(tried(micros), 'ValueRefused', `${micros}`)
  }
  for (const micros of [1, 5e6 - 1]) assert.equal(tried(micros), 'WithdrawalTooSmall')
  for (const micros of [9e15 + 1, moneyMicrosMax, 2 ** 53, 1e300]) {
    assert.equal(tried(micros), 'NotWithdrawable', `${micros}`)
  }
  assert.deepEqual(rig.state.cells.uncounted(), before)
})

test('the amount in transit per wallet is limited to the micro, and so is the room for refunds', () => {
  const rig = opened(9_000_000_000)
  const most = withdrawalsMicrosMax * micro
  const id = rig.withdraw(5, most - 10)
  assert.equal(rig.tryWithdraw(5, 10 + micro), 'WithdrawalsMicros')
  assert.equal(rig.lastDetail, withdrawalsMicrosMax - 10e6)
  rig.withdraw(5, 10)
  assert.equal(rig.tryWithdraw(5, 5), 'WithdrawalsMicros')
  const { result } = rig.outcome(rig.deposit(5, 8_000_000))
  assert.equal(resultNames[result!], 'DepositLimit')
  rig.settle(id, Reverted)
  assert.equal(rig.cash(5), 9_000_000_000 - 10)
})

test('a duplicate payload is the same withdrawal', () => {
  const rig = opened()
  const first = rig.withdraw(5, 100, { nonce: 7 })
  const again = rig.withdraw(5, 100, { nonce: 7 })
  assert.deepEqual(again, first)
  assert.deepEqual([rig.cash(5), rig.inTransit], [900, 100])
  rig.settle(first, Finalized)
  rig.withdraw(5, 100, { nonce: 7 })
  assert.deepEqual([rig.cash(5), rig.inTransit], [900, 0], 'behind its end, too')
})

test('requests of agents and strangers change nothing and reveal nothing', () => {
  const rig = opened()
  rig.outcome(rig.agent(CommandType.ApproveAgent, 5, 50))
  rig.withdraw(5, 100, { nonce: 7 })
  const before = rig.state.cells.uncounted()
  for (const signer of [50, 77]) {
    assert.equal(rig.tryWithdraw(5, 100, { signer }), 'Unauthorized')
    assert.equal(rig.tryWithdraw(5, 100, { signer, nonce: 7 }), 'Unauthorized', 'a repeat')
  }
  assert.deepEqual(rig.state.cells.uncounted(), before)
  assert.equal(rig.tryWithdraw(66, 100), 'NoAccount')
})

test("no signature of an agent prevents the owner's withdrawal", () => {
  const rig = opened(1000, { ...still, noncesKept: 1000 })
  rig.outcome(rig.agent(CommandType.ApproveAgent, 5, 50))
  rig.outcome(rig.selfTrade(5, 1, { signer: 50, nonce: 9 }))
  rig.withdraw(5, 100, { nonce: 9 })
  assert.equal(rig.inTransit, 100)
})

test('the number of pending withdrawals is limited, and the end of one frees a place', () => {
  const rig = opened()
  const ids = Array.from({ length: withdrawalsPendingMax }, () => rig.withdraw(5, 5))
  assert.equal(rig.tryWithdraw(5, 5), 'WithdrawalsPending')
  rig.settle(ids[3]!, Expired)
  assert.equal(rig.tryWithdraw(5, 5), 'WithdrawalsPending', 'its money is still out')
  rig.settle(ids[4]!, Finalized)
  rig.withdraw(5, 5)
})

test('money reserved by orders stays', () => {
  const rig = opened(10_000)
  rig.outcome(rig.place({ wallet: 5, side: 'Buy', price: '3000', size: '1' }))
  assertMost(rig, 5, 7000)
  rig.outcome(rig.place({ wallet: 5, side: 'Buy', price: '1', size: '1' }))
  assert.equal(rig.withdrawable(5), 0)
})

test('the reservation of an order in an auction stays, and its price improvement is free afterwards', () => {
  const rig = new AuctionRig().openAuctions()
  rig.ask(rowsOf(3296))
  rig.story()
  const ask = (usd: number) =>
    resultNames[rig.outcome(withdrawOf(rig, taker, usd).request)['result']!]
  const spared = 1_000_000 - 5 * 3310
  assert.equal(ask(spared + micro), 'NotWithdrawable')
  assert.equal(ask(spared), 'Accepted')
  rig.answer(2, 3297)
  rig.answer(3, 3296)
  rig.story()
  const saved = 5 * (3310 - 3296)
  assert.equal(ask(saved + micro), 'NotWithdrawable')
  assert.equal(ask(saved), 'Accepted')
})

test('a short position keeps its initial margin, exactly to the micro', () => {
  const rig = opened(30_000)
  rig.trade(2, 5, '3270', '1')
  const most = rig.withdrawable(5)
  const { equity } = rig.margin(5)
  assert.ok(most > 0 && most < equity)
  assertMost(rig, 5, most)
  assert.equal(rig.stateOf(5), 'healthy')
  const judged = judge(rig.state, rig.account(5))
  assert.ok(judged.equityMicros >= judged.requiredMicros)
})

test('neither the value of an option nor the profit of a perp can be withdrawn', () => {
  const rig = opened(10_000)
  rig.trade(5, 2, '3270', '1')
  assert.equal(rig.withdrawable(5), 6730)
  const perps = opened(20_000)
  perps.outcome(perps.list(perp, neverMillis))
  perps.trade(5, 2, '100000', '0.1', { instrument: perp })
  perps.index(110_000)
  perps.run()
  assert.equal(perps.margin(5).equity, 21_000)
  assertMost(perps, 5, 20_000 - 1100)
})

test('the cost of a risk-reducing buy counts as spent', () => {
  const rig = opened(15_000)
  rig.trade(2, 5, '3270', '1')
  rig.index(104_000)
  rig.run()
  const before = rig.withdrawable(5)
  const bid = { wallet: 5, side: 'Buy', price: '9000', size: '1' } as const
  const { result, orderFlags } = rig.outcome(rig.place(bid))
  assert.equal(result, 0, `accepted with flags ${orderFlags}`)
  assert.ok(rig.withdrawable(5) <= before)
})

test('an earlier order of the same batch keeps its reservation', () => {
  const rig = opened(10_000)
  rig.place({ wallet: 5, side: 'Buy', price: '3000', size: '2' })
  assert.equal(rig.tryWithdraw(5, 4001), 'NotWithdrawable')
  assert.equal(rig.withdrawable(5), 4000)
})

test('a later order of the batch has only the remaining cash', () => {
  const rig = opened(10_000)
  const order = { wallet: 5, side: 'Buy', price: '3000', size: '1' } as const
  rig.withdraw(5, 8000)
  assert.notEqual(rig.outcome(rig.place(order))['result'], 0)
})

test('withdrawals fail during a clock alarm', () => {
  const rig = opened()
  rig.clockAlarm(ClockAlarm.Raised, 10_000)
  assert.equal(rig.tryWithdraw(5, 5), 'NotWithdrawable')
  rig.clockAlarm(ClockAlarm.None, 0)
  rig.withdraw(5, 5)
})

test('a wallet with an interest in a halted underlying, or one without an index, cannot withdraw', () => {
  for (const mode of [HaltMode.CancelOnly, HaltMode.Halted]) {
    const rig = opened()
    rig.halt(mode, 'BTC')
    rig.withdraw(5, 5)
    rig.halt(HaltMode.Open, 'BTC')
    rig.outcome(rig.place({ wallet: 5, side: 'Buy', price: '1', size: '1' }))
    rig.halt(mode, 'BTC')
    assert.equal(rig.tryWithdraw(5, 5), 'NotWithdrawable')
    rig.halt(HaltMode.Open, 'BTC')
    rig.withdraw(5, 5)
  }
  const aged = { ...still, pricing: { ...still.pricing, indexMaxAgeMillis: 1000 } }
  const rig = opened(1000, aged)
  rig.outcome(rig.place({ wallet: 5, side: 'Buy', price: '1', size: '1' }))
  rig.nowMillis += 2000
  assert.equal(rig.tryWithdraw(5, 5), 'NotWithdrawable')
})

test('an expiry that waits for its price blocks withdrawals until it is paid out', () => {
  const rig = opened(10_000)
  rig.trade(5, 2, '3270', '1')
  rig.nowMillis = expiry
  rig.run()
  assert.equal(rig.tryWithdraw(5, 5), 'NotWithdrawable')
  rig.settlementPrice(110_000)
  rig.run()
  assert.equal(rig.withdrawable(5), rig.cash(5))
})

test('a wallet in its grace period or in liquidation cannot withdraw', () => {
  const rig = opened(15_000)
  rig.trade(2, 5, '3270', '1')
  rig.index(108_000)
  rig.run()
  assert.equal(rig.stateOf(5), 'pre_liquidation')
  assert.equal(rig.tryWithdraw(5, 5), 'NotWithdrawable')
  rig.pass(70, 108_000)
  assert.notEqual(rig.stateOf(5), 'healthy')
  assert.equal(rig.tryWithdraw(5, 5), 'NotWithdrawable')
})

test('fixed funding is paid first', () => {
  const rig = new WithdrawalRig(funded({ paymentsPerBatch: 1 })).openMarket() as WithdrawalRig
  rig.deposit(5, 100_000)
  rig.outcome(rig.list(perp, neverMillis))
  for (const [buyer, seller] of [[5, 2] as const, [3, 4] as const]) {
    rig.trade(buyer, seller, '100000', '0.1', { instrument: perp })
  }
  const quote = { size: '0.12', instrument: perp } as const
  rig.place({ wallet: 3, side: 'Buy', price: '100100', ...quote })
  rig.place({ wallet: 4, side: 'Sell', price: '100200', ...quote })
  rig.run()
  rig.nowMillis = Math.ceil(rig.nowMillis / hour) * hour + hour - 1
  rig.run()
  rig.nowMillis += 1
  rig.step()
  assert.ok(rig.state.fundings.isAwaited(rig.account(5)))
  assert.equal(rig.tryWithdraw(5, 5), 'NotWithdrawable')
  assert.equal(rig.state.fundings.isAwaited(rig.account(5)), false)
  rig.withdraw(5, 5)
})

test('reports of the rail apply once and in their order, and others change nothing', () => {
  const rig = opened()
  const id = rig.withdraw(5, 100)
  assert.equal(rig.standing(id), `0 ${DomainStatus.PendingChainEffect}`)
  assert.equal(rig.settle(id, Included, 0xab), 'Accepted')
  const before = rig.state.cells.uncounted()
  for (const late of [DeliveryStatus.Pending, Broadcasted, Included]) {
    assert.equal(rig.settle(id, late), 'Accepted')
    assert.equal(rig.standing(id), `${Included} ${DomainStatus.PendingChainEffect}`)
  }
  assert.deepEqual(rig.state.cells.uncounted(), before)
  assert.equal(rig.settle(id, Finalized), 'Accepted')
  assert.equal(rig.standing(id), `${Finalized} ${DomainStatus.Completed}`)
  assert.deepEqual([rig.cash(5), rig.inTransit], [900, 0])
  const ended = rig.state.cells.uncounted()
  assert.equal(rig.settle(id, Finalized), 'Accepted')
  assert.equal(rig.settle(id, Broadcasted), 'Accepted')
  assert.equal(rig.settle(id, Reverted), 'WithdrawalEnded')
  assert.equal(rig.settle(new Uint8Array(16), Finalized), 'NotFound')
  assert.equal(rig.settle(id, 99 as never), 'ValueRefused')
  assert.deepEqual(rig.state.cells.uncounted(), ended)
})

for (const [delivery, name] of [
  [CoreRejected, 'rejected by the core'],
  [Reverted, 'reverted'],
] as const) {
  test(`a withdrawal that is ${name} is refunded once, in that step`, () => {
    const rig = opened()
    const total = rig.totalMicros
    const id = rig.withdraw(5, 100)
    rig.settle(id, delivery)
    assert.deepEqual([rig.cash(5), rig.inTransit, rig.totalMicros], [1000, 0, total])
    rig.settle(id, delivery)
    assert.equal(rig.settle(id, Finalized), 'WithdrawalEnded')
    assert.deepEqual([rig.cash(5), rig.inTransit], [1000, 0])
    assert.equal(rig.state.accounts.depositsMicros[rig.account(5)], 1000e6)
  })
}

for (const [delivery, name] of [
  [Expired, 'expired'],
  [DeadLettered, 'given up'],
] as const) {
  test(`money of a withdrawal that is ${name} stays in transit until the operator reports its result`, () => {
    for (const verdict of [WithdrawalVerdict.Delivered, WithdrawalVerdict.Returned] as const) {
      const rig = opened()
      const id = rig.withdraw(5, 100)
      assert.equal(rig.judge(id, verdict), 'WithdrawalUnderWay')
      rig.settle(id, delivery)
      assert.equal(rig.standing(id), `${delivery} ${DomainStatus.PendingManualReview}`)
      assert.deepEqual([rig.cash(5), rig.inTransit], [900, 100])
      assert.equal(rig.settle(id, Finalized), 'WithdrawalEnded', 'not by the rail')
      assert.equal(rig.settle(id, CoreRejected), 'WithdrawalEnded')
      assert.equal(rig.judge(id, verdict), 'Accepted')
      const isReturned = verdict === WithdrawalVerdict.Returned
      assert.deepEqual([rig.cash(5), rig.inTransit], [isReturned ? 1000 : 900, 0])
      assert.equal(rig.judge(id, verdict), 'Accepted', 'again')
      const other = isReturned ? WithdrawalVerdict.Delivered : WithdrawalVerdict.Returned
      assert.equal(rig.judge(id, other), 'WithdrawalEnded')
      assert.deepEqual([rig.cash(5), rig.inTransit], [isReturned ? 1000 : 900, 0])
    }
  })
}

test('a report for an unknown withdrawal fails with not found', () => {
  const rig = opened()
  assert.equal(rig.judge(new Uint8Array(16), WithdrawalVerdict.Returned), 'NotFound')
})

test('a replay, and a snapshot with its journal, end in the same state', () => {
  const rig = opened()
  const ids = [100, 50, 25].map((usd) => rig.withdraw(5, usd))
  rig.settle(ids[0]!, Finalized)
  rig.settle(ids[1]!, Included, 7)
  const started = new WithdrawalRig(still)
  started.nowMillis = rig.nowMillis
  started.restore(rig.save())
  assert.deepEqual({ ...started.state.hash }, { ...rig.state.hash })
  assert.equal(started.state.funds.balanceMicros[Fund.InTransit], 75e6)
  for (const one of [rig, started]) {
    one.settle(ids[1]!, Reverted)
    assert.equal(one.settle(ids[0]!, Reverted), 'WithdrawalEnded')
    assert.equal(one.cash(5), 875)
  }
  assert.deepEqual({ ...started.state.hash }, { ...rig.state.hash })
  const replayed = new WithdrawalRig(still)
  for (const batch of rig.batches) replayed.replay(batch)
  assert.deepEqual({ ...replayed.state.hash }, { ...rig.state.hash })
  assert.deepEqual(replayed.save(), rig.save())
})

test('without withdrawals the hash has no part for them', () => {
  const rig = opened()
  const before = rig.state.cells.uncounted()
  rig.tryWithdraw(5, 1)
  rig.tryWithdraw(5, 5000)
  assert.deepEqual(rig.state.cells.uncounted(), before)
})

test('applying a withdrawal above the withdrawable amount stops the engine', () => {
  const rig = opened(1000)
  const record = new WithdrawUsdcCommand()
  record.claim(rig)
  rig.sign(record, 5, {})
  record.amountMicros = 1000e6 + 1
  const apply = () => applyWithdrawal(rig.state, rig.account(5), record, ownFacts())
  assert.throws(apply, /withdrawal: at most the withdrawable amount leaves/)
})
