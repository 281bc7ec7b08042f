import { assert } from '../../schemas/assert.js'
import { AccountChange, FundsChange } from '../../schemas/record-values.js'
import { none } from '../memory/rows.js'
import { type PublishFundsState, publishFunds } from '../publish/publish-funds.js'
import { type PublishMarketState, publishAccount } from '../publish/publish-market.js'
import { floorDiv } from '../risk/exact-share.js'
import { isMarked } from '../risk/mark-view.js'
import { valueMicros } from '../risk/money.js'
import { type JudgementState, judge } from '../state/judgement.js'
import type { LiquidationTable } from '../state/market/liquidation-table.js'
import { Fund } from '../state/money/funds.js'
import { positionsOf } from '../state/wallet-rows.js'
import type { Liquidation } from '../tables/generated/liquidation.js'

export interface LossSharingState extends PublishMarketState, PublishFundsState, JudgementState {
  readonly liquidations: LiquidationTable
}

// Order in which the debt of an account without positions is covered: the insurance fund down to 0, then the lender,
// then all wallets in profit, in proportion. The remainder stays the account's own debt. For an account with positions,
// only the first two pay. Every part is in its record, and the total cash of all wallets and funds does not change.

/** Lends up to an amount out of money that is not paid out yet. @returns the loan in micros. */
export type Lender = (lackingMicros: number) => number

/** Maximum number of wallets that share one loss, those with the largest profits; it bounds the events of the step. */
const sharersMax = 1024

/** A wallet in profit, with the most that it can bear. */
export interface Sharer {
  readonly account: number
  readonly profitMicros: number
}

/** Pays from the insurance fund, down to 0, to the account. @returns the payment. */
export function drawInsurance(
  state: LossSharingState,
  row: Liquidation,
  owedMicros: number,
): number {
  const { funds, risk } = state
  assert(owedMicros >= 0, 'insurance: the debt is not negative')
  const heldMicros = Math.max(0, funds.balanceMicros[Fund.Insurance])
  const paidMicros = Math.min(heldMicros, owedMicros)
  if (paidMicros === 0) return 0
  funds.move(Fund.Insurance, -paidMicros)
  assert(funds.balanceMicros[Fund.Insurance] >= 0, 'insurance: the fund never goes negative')
  risk.creditCash(row.account, paidMicros)
  state.liquidations.amend(row, (changed) => {
    changed.insuranceMicros += paidMicros
  })
  publishAccount(state, row.account, AccountChange.Liquidation, paidMicros)
  return paidMicros
}

/** Covers the debt of an account without positions, and records who bore it. */
export function coverDebt(state: LossSharingState, row: Liquidation, lend: Lender | null): void {
  const owedMicros = Math.max(0, -state.risk.cashMicros[row.account])
  if (owedMicros === 0) return
  let lackingMicros = payFor(state, row, owedMicros)
  const lentMicros = lackingMicros > 0 && lend !== null ? lend(lackingMicros) : 0
  assert(lentMicros >= 0 && lentMicros <= lackingMicros, 'loss: a loan is at most what is missing')
  lackingMicros -= lentMicros
  const takenMicros = lackingMicros > 0 ? takeFromProfits(state, row.account, lackingMicros) : 0
  lackingMicros -= takenMicros
  credit(state, row, lentMicros + takenMicros, lackingMicros)
  const { cashMicros } = state.risk
  assert(
    cashMicros[row.account] + lackingMicros === 0,
    'loss: cash and the missing amount add up to zero',
  )
}

/** Covers a loss of an account with positions, as far as the insurance fund and the lender can. */
export function coverLoss(
  state: LossSharingState,
  row: Liquidation,
  lossMicros: number,
  lend: Lender,
): void {
  const lackingMicros = payFor(state, row, lossMicros)
  credit(state, row, lackingMicros > 0 ? lend(lackingMicros) : 0, 0)
}

/** Pays from the insurance fund and publishes its balance. @returns the unpaid amount in micros. */
function payFor(state: LossSharingState, row: Liquidation, owedMicros: number): number {
  const paidMicros = drawInsurance(state, row, owedMicros)
  if (paidMicros > 0) publishFunds(state, FundsChange.Liquidation)
  return owedMicros - paidMicros
}

/** Credits the amounts that others bear, and records them together with the uncovered amount. */
function credit(
  state: LossSharingState,
  row: Liquidation,
  sharedMicros: number,
  uncoveredMicros: number,
): void {
  if (sharedMicros > 0) {
    state.risk.creditCash(row.account, sharedMicros)
    publishAccount(state, row.account, AccountChange.Liquidation, sharedMicros)
  }
  assert(sharedMicros >= 0 && uncoveredMicros >= 0, 'loss: no part is negative')
  state.liquidations.amend(row, (changed) => {
    changed.sharedMicros += sharedMicros
    changed.uncoveredMicros += uncoveredMicros
  })
}

/** Takes a loss from the wallets in profit. @returns the amount taken, in micros. */
function takeFromProfits(state: LossSharingState, debtor: number, lossMicros: number): number {
  const sharers = sharersOf(state, debtor)
  const parts = shareLoss(sharers, lossMicros)
  let takenMicros = 0
  for (const [index, { account, profitMicros }] of sharers.entries()) {
    const micros = parts[index]
    assert(micros >= 0 && micros <= profitMicros, 'loss: a share is at most the wallet’s gain')
    if (micros === 0) continue
    takenMicros += micros
    state.risk.creditCash(account, -micros)
    publishAccount(state, account, AccountChange.Liquidation, -micros)
  }
  assert(takenMicros <= lossMicros, 'loss: shares are at most the loss')
  return takenMicros
}

/** Splits a loss in proportion to profits, which are also the limits. The parts sum to the exact loss. */
function shareLoss(sharers: readonly Sharer[], lossMicros: number): number[] {
  const total = sharers.reduce((sum, { profitMicros }) => sum + BigInt(profitMicros), 0n)
  const loss = total < BigInt(lossMicros) ? total : BigInt(lossMicros)
  let counted = 0n
  let shared = 0n
  return sharers.map(({ profitMicros }) => {
    counted += BigInt(profitMicros)
    const upTo = total === 0n ? 0n : floorDiv(loss * counted, total)
    const part = upTo - shared
    shared = upTo
    return Number(part)
  })
}

/**
 * Returns the wallets with an unrealized profit, largest first. None bears more than its equity, so a shared loss makes
 * no other wallet insolvent.
 */
function sharersOf(state: LossSharingState, debtor: number): Sharer[] {
  const sharers: Sharer[] = []
  for (let account = 0; account < state.accounts.count; account++) {
    if (account === debtor || state.risk.firstExposure[account] === none) continue
    const gainedMicros = unrealizedMicros(state, account)
    if (gainedMicros <= 0) continue
    const profitMicros = Math.min(gainedMicros, judge(state, account).equityMicros)
    if (profitMicros > 0) sharers.push({ account, profitMicros })
  }
  sharers.sort((a, b) => b.profitMicros - a.profitMicros || a.account - b.account)
  return sharers.slice(0, sharersMax)
}

function unrealizedMicros(state: LossSharingState, account: number): number {
  const { risk, marks } = state
  const { costMicros, instrument, positionLots } = risk.exposures
  let sum = 0
  for (const row of positionsOf(state, account)) {
    if (!isMarked(marks, instrument[row])) continue
    sum += valueMicros(marks.markMicros[instrument[row]], positionLots[row]) - costMicros[row]
  }
  return sum
}
