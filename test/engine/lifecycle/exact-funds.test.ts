import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { clearingOf } from '../../../engine/invariants/money.js'
import { Fund } from '../../../engine/state/money/funds.js'
import { moneyMicrosMax } from '../../../schemas/bounds.js'
import { beginExact, checkExact, checkMoney } from '../../simulation/checks/exact-invariants.js'
import { checkState } from '../../simulation/checks/invariants.js'
import { FundingRig } from '../../support/funding-rig.js'
import { LiquidationRig, still } from '../../support/liquidation-rig.js'
import { walletOf } from '../../support/rig-commands.js'

// Other test files of the process clamp amounts on purpose.
beforeEach(beginExact)

// Each wallet is within the exact range; the debts of all of them in one expiry exceed it.

const expiryMillis = Date.UTC(2026, 0, 31, 0)
const highestUsd = 1_000_000
const debtors = [11, 12, 13, 14, 15]
const config = { ...still, settlement: { ...still.settlement, payoutsPerBatch: 1 } }

/**
 * Each debtor is short 2,200 contracts and a few lots against a creditor, and owes 1.958 billion at the maximum price.
 */
function borderRig(debtorUsd: number): LiquidationRig {
  const rig = new LiquidationRig(config)
  rig.configure(config)
  rig.list({}, expiryMillis)
  rig.openMarket()
  for (const debtor of debtors) {
    rig.deposit(debtor, debtorUsd)
    rig.deposit(debtor + 10, 2_200_000_000)
  }
  rig.run()
  for (const [index, debtor] of debtors.entries()) {
    rig.trade(debtor + 10, debtor, '3000', `2200.0000${index + 1}`)
  }
  rig.nowMillis = expiryMillis
  rig.run().events()
  rig.settlementPrice(highestUsd, expiryMillis)
  return rig
}

function microsOf({ state }: LiquidationRig, wallet: number): number {
  return state.risk.cashMicros[state.accounts.find(walletOf(wallet), 0)]!
}

/**
 * Runs until nothing is left to pay, and checks each batch.
 * @returns the maximum in clearing
 */
function settleAll(rig: LiquidationRig): bigint {
  const { state } = rig
  let most = 0n
  while (rig.step()) {
    checkState(state)
    checkMoney(state)
    checkExact(state)
    if (clearingOf(state.funds) <= most) continue
    most = clearingOf(state.funds)
    const copy = new LiquidationRig(config)
    copy.restore(rig.save())
    assert.deepEqual({ ...copy.state.hash }, { ...state.hash })
    assert.equal(clearingOf(copy.state.funds), most)
  }
  assert.equal(clearingOf(state.funds), 0n)
  assert.equal(state.funds.balanceMicros[Fund.Dust], 0)
  return most
}

test('solvent wallets pay more than a double holds into clearing, and every micro is paid out', () => {
  const rig = borderRig(2_200_000_000.000_001)
  const before = debtors.map((debtor) => [microsOf(rig, debtor), microsOf(rig, debtor + 10)])
  const most = settleAll(rig)
  assert.ok(most > BigInt(moneyMicrosMax), `${most}`)
  for (const [index, debtor] of debtors.entries()) {
    const owedMicros = (2200e5 + index + 1) * 8_900_000
    const [debtorMicros, creditorMicros] = before[index]!
    assert.equal(debtorMicros! - microsOf(rig, debtor), owedMicros)
    assert.equal(microsOf(rig, debtor + 10) - creditorMicros!, owedMicros)
  }
})

test('the unpaid debts may exceed a double: all creditors bear them in proportion', () => {
  const rig = borderRig(60_000_000)
  const before = debtors.map((debtor) => rig.cash(debtor + 10))
  settleAll(rig)
  for (const [index, debtor] of debtors.entries()) {
    assert.equal(rig.cash(debtor), 0)
    const gained = rig.cash(debtor + 10) - before[index]!
    assert.ok(Math.abs(gained - 66_600_000) < 10, `${gained}`)
  }
})

test("a funding credit beyond a wallet's exact range becomes dust, and no micro is lost", () => {
  const rig = new FundingRig().openPerp()
  const { funds, risk } = rig.state
  const short = rig.account(2)
  const usedMicros = microsOf(rig, 2) + risk.limits.exposedMicros(short)
  rig.deposit(2, (moneyMicrosMax - usedMicros - 60e6) / 1e6)
  rig.run()
  const cashMicros = microsOf(rig, 2)
  const roomMicros = moneyMicrosMax - cashMicros - risk.limits.exposedMicros(short)
  assert.ok(Math.abs(roomMicros - 60e6) <= 1)
  rig.quote('100000', '100200').minutes(60)
  assert.equal(
    microsOf(rig, 2) - cashMicros,
    roomMicros,
    'the wallet gets what fits of the 100 that the long pays',
  )
  assert.equal(funds.balanceMicros[Fund.Dust], 100e6 - roomMicros)
  assert.equal(clearingOf(funds), 0n)
  checkMoney(rig.state)
  checkExact(rig.state)
})
