import { assert } from '../../schemas/assert.js'
import { settlementAccountsPerBatch } from '../../schemas/bounds.js'
import { InstrumentState, Side } from '../../schemas/domain.js'
import { PayoutEvent } from '../../schemas/generated/events.js'
import {
  FundsChange,
  InstrumentChange,
  PayoutStep,
  SettlementPhase,
} from '../../schemas/record-values.js'
import { clipped } from '../memory/exact-sum.js'
import { none } from '../memory/rows.js'
import { publishFunds } from '../publish/publish-funds.js'
import { publishInstrument } from '../publish/publish-market.js'
import { publishSettlement } from '../publish/publish-settlement.js'
import { floorDiv } from '../risk/exact-share.js'
import { isMarked } from '../risk/mark-view.js'
import { valueMicros } from '../risk/money.js'
import { FillEffect, fillTerms } from '../risk/order-check.js'
import type { CoreState } from '../state/core-state.js'
import { judge } from '../state/judgement.js'
import { Fund } from '../state/money/funds.js'
import { leaveRemark } from '../state/remark-queue.js'
import { positionsOf } from '../state/wallet-rows.js'
import type { Settlement } from '../tables/generated/settlement.js'
import { clearDebtor, clearInsolvent } from './liquidation-transitions.js'
import { payoffMicros, settlementFeeMicros } from './payoff.js'

//   price ──► collect: every wallet that owes net pays ──► pay: every other wallet is paid ──► settled
//                          │ the insurance fund pays what it cannot, and what the fund lacks
//                          └ ─────────────────────────► reduces the payouts of the others, in proportion
//
// Both steps run over the accounts in order, a slice per batch. A wallet's positions of one expiry settle together, so
// that between batches no wallet's margin has one leg of a spread paid and the other unpaid. Positions of an expiry do
// not change after it, so the net amounts owed to wallets are known when all accounts have been visited.

const payout = new PayoutEvent()
const effect = new FillEffect()

/** One position of a wallet in the expiry, at its settlement price. */
interface Leg {
  readonly instrument: number
  readonly positionLots: number
  readonly payoffMicros: number
  /** Signed like the position. */
  readonly valueMicros: number
}

/** A wallet with its positions in an expiry. */
interface Holder {
  readonly row: Settlement
  readonly account: number
  readonly legs: readonly Leg[]
}

/** Pays out positions of expiries with a known price, within the limit of a batch; none during a clock alarm. */
export function payDue(state: CoreState): void {
  if (state.clockAlarm) return
  const { settlements } = state
  const { busy } = settlements
  let positionsLeft = state.config.settlement.payoutsPerBatch
  let accountsLeft = settlementAccountsPerBatch
  while (busy.length > 0 && positionsLeft > 0 && accountsLeft > 0) {
    const row = busy[0]
    if (hasWorkingOrders(state, row)) return
    const first = row.accountNext
    positionsLeft -= continueStep(state, row, positionsLeft, accountsLeft)
    accountsLeft -= Math.max(1, row.accountNext - first)
    if (row.accountNext < state.accounts.count) return
    if (row.step === PayoutStep.Pay) finish(state, row)
    else settlements.startStep(row, PayoutStep.Pay)
  }
}

/** Returns true while orders of the expiry still work. Their fills must be known before anything is paid. */
function hasWorkingOrders({ closing, instruments }: CoreState, row: Settlement): boolean {
  return closing.some(
    (id) =>
      instruments.underlying[id] === row.underlying &&
      instruments.expiryMillis[id] === row.expiryMillis,
  )
}

/** Continues the current step of the expiry over the accounts. @returns the number of positions visited. */
function continueStep(
  state: CoreState,
  row: Settlement,
  positionsMax: number,
  accountsMax: number,
): number {
  const { settlements, accounts } = state
  assert(!state.clockAlarm, 'settlement: no payouts during a clock alarm')
  assert(row.phase === SettlementPhase.Paying, 'settlement: payouts have started')
  const end = Math.min(accounts.count, row.accountNext + accountsMax)
  const before = settlements.payoutCount
  let positions = 0
  while (row.accountNext < end && positions < positionsMax) {
    const account = row.accountNext++
    const legs = legsOf(state, row, account)
    if (legs.length === 0) continue
    positions += legs.length
    if (row.step === PayoutStep.Pay) payWallet(state, { row, account, legs })
    else collectFrom(state, { row, account, legs })
  }
  settlements.changed(row)
  if (settlements.payoutCount > before) publishFunds(state, FundsChange.Settlement)
  return positions
}

/** Returns a wallet's positions in the expiry by instrument, so that ids of payouts do not depend on history. */
function legsOf(state: CoreState, row: Settlement, account: number): Leg[] {
  const { exposures, groups } = state.risk
  const group = groupOf(state, account, row)
  const legs: Leg[] = []
  if (group === none) return legs
  let exposure = groups.firstExposure[group]
  for (; exposure !== none; exposure = exposures.nextInGroup[exposure]) {
    const positionLots = exposures.positionLots[exposure]
    if (positionLots === 0) continue
    legs.push(legOf(state, row, exposures.instrument[exposure], positionLots))
  }
  return legs.sort((one, other) => one.instrument - other.instrument)
}

function legOf(state: CoreState, row: Settlement, instrument: number, positionLots: number): Leg {
  const { right, strikeMicros } = state.instruments
  const hasExpired = state.instruments.state[instrument] === InstrumentState.ExpiredPendingPrice
  assert(hasExpired, 'payout: the instrument has expired')
  const payoff = payoffMicros(right[instrument], strikeMicros[instrument], row.priceMicros)
  const amount = valueMicros(payoff, Math.abs(positionLots))
  const value = (positionLots > 0 ? amount : -amount) + 0
  return { instrument, positionLots, payoffMicros: payoff, valueMicros: value }
}

/** Returns the wallet's group of exposures in the expiry, or `none`. */
function groupOf(state: CoreState, account: number, row: Settlement): number {
  const { buckets, groups, firstBucket } = state.risk
  let bucket = firstBucket[account]
  while (bucket !== none && buckets.underlying[bucket] !== row.underlying) {
    bucket = buckets.nextInAccount[bucket]
  }
  let group = bucket === none ? none : buckets.firstGroup[bucket]
  while (group !== none && groups.expiryMillis[group] !== row.expiryMillis) {
    group = groups.nextInBucket[group]
  }
  return group
}

/** First step: wallets that owe net pay. For the others, only the amount owed to them is added up. */
function collectFrom(state: CoreState, holder: Holder): void {
  const { row, account } = holder
  const owedMicros = -sumOf(holder.legs)
  if (owedMicros <= 0) {
    row.owedMicros += BigInt(-owedMicros)
    return
  }
  const feesMicros = settleWallet(state, holder, 0)
  clearIfDone(state, row, account, owedMicros)
  coverInsolvent(state, holder, owedMicros, feesMicros)
}

/** Second step: pays a wallet, less its part of the missing amount. */
function payWallet(state: CoreState, holder: Holder): void {
  const { row, account, legs } = holder
  row.countedMicros += BigInt(sumOf(legs))
  const { owedMicros, countedMicros } = row
  assert(countedMicros <= owedMicros, 'settlement: the counted amount is at most the amount owed')
  const lackingMicros = row.lackingMicros < owedMicros ? row.lackingMicros : owedMicros
  const upTo = lackingMicros === 0n ? 0n : floorDiv(lackingMicros * countedMicros, owedMicros)
  const borneMicros = Number(upTo - row.borneMicros)
  row.borneMicros = upTo
  settleWallet(state, holder, borneMicros)
  clearIfDone(state, row, account, 0)
}

/**
 * Covers the debt of a wallet without positions.
 * @param lentMax part of it that the expiry's other side bears once the fund is empty.
 */
function clearIfDone(state: CoreState, row: Settlement, account: number, lentMax: number): void {
  const { risk } = state
  if (risk.cashMicros[account] >= 0 || positionsOf(state, account).length > 0) return
  clearDebtor(state, account, (wantedMicros) => lendOf(state, row, wantedMicros, lentMax))
}

/**
 * Covers the part of a wallet's debt to the expiry that its other holdings cannot pay, as for a wallet without other
 * holdings. Otherwise a single lot of another instrument would put the whole debt on the other side of that lot. Does
 * nothing if a position cannot be valued, because it may be worth enough.
 */
function coverInsolvent(
  state: CoreState,
  { row, account }: Holder,
  owedMicros: number,
  feesMicros: number,
): void {
  const { marks, risk } = state
  const others = positionsOf(state, account)
  if (risk.cashMicros[account] >= 0 || others.length === 0 || risk.lacksMarks(account)) return
  if (others.some((exposure) => !isMarked(marks, risk.exposures.instrument[exposure]))) return
  const { equityMicros, requiredMicros } = judge(state, account)
  const missingMicros = Math.min(0, requiredMicros) - equityMicros - feesMicros
  const lossMicros = Math.min(missingMicros, owedMicros)
  if (lossMicros <= 0) return
  clearInsolvent(state, account, lossMicros, (wantedMicros) =>
    lendOf(state, row, wantedMicros, lossMicros),
  )
}

/** Lends out of the payouts of the expiry's other side. */
function lendOf({ funds }: CoreState, row: Settlement, wantedMicros: number, most: number): number {
  const lentMicros = Math.min(wantedMicros, most)
  assert(lentMicros >= 0, 'settlement: the loan is not negative')
  row.lackingMicros += BigInt(lentMicros)
  row.clearingMicros -= BigInt(lentMicros)
  funds.move(Fund.Clearing, -lentMicros)
  return lentMicros
}

/**
 * Closes all of a wallet's positions in the expiry at their payoffs, against the clearing account.
 * @returns the fees that it paid.
 */
function settleWallet(state: CoreState, holder: Holder, borneMicros: number): number {
  const { account, legs } = holder
  const gainsMicros = legs.reduce((sum, leg) => sum + Math.max(0, leg.valueMicros), 0)
  assert(
    borneMicros >= 0 && borneMicros <= gainsMicros,
    'settlement: a wallet bears at most the gains',
  )
  const isLast = positionsOf(state, account).length === legs.length
  const cashAfterMicros = state.risk.cashMicros[account] + sumOf(legs) - borneMicros
  // No fee may become a loss that others bear.
  let feesLeftMicros = isLast ? Math.max(0, cashAfterMicros) : Number.POSITIVE_INFINITY
  let countedMicros = 0
  let takenMicros = 0
  let feesMicros = 0
  for (const leg of legs) {
    countedMicros += Math.max(0, leg.valueMicros)
    const upTo =
      borneMicros === 0
        ? 0
        : Number(floorDiv(BigInt(borneMicros) * BigInt(countedMicros), BigInt(gainsMicros)))
    const fee = payLeg(state, holder, leg, upTo - takenMicros, feesLeftMicros)
    feesMicros += fee
    feesLeftMicros -= fee
    takenMicros = upTo
  }
  const cashMicros = state.risk.cashMicros[account]
  assert(
    cashMicros === cashAfterMicros - feesMicros,
    'settlement: payouts match the change of cash',
  )
  return feesMicros
}

/** Settles one leg. @returns the fee that the wallet paid. */
function payLeg(
  state: CoreState,
  { row, account }: Holder,
  leg: Leg,
  borneMicros: number,
  feeMaxMicros: number,
): number {
  const { risk, funds, settlements, config } = state
  const { instrument, positionLots, payoffMicros: payoff } = leg
  const lots = Math.abs(positionLots)
  const value = leg.valueMicros - borneMicros
  assert(positionLots > 0 ? value >= 0 : value <= 0, 'payout: longs receive, shorts pay')
  const { feeRate, feeCap } = config.settlement
  const wholeFee = settlementFeeMicros(row.priceMicros, payoff, lots, feeRate, feeCap)
  const fee = Math.min(wholeFee, feeMaxMicros, funds.roomMicros(Fund.Fees))
  const costMicros = risk.exposures.costMicros[risk.findExposure(account, instrument)]
  const side = positionLots > 0 ? Side.Sell : Side.Buy
  risk.fill(
    fillTerms({
      account,
      instrument,
      side,
      sizeLots: lots,
      priceMicros: payoff,
      premiumMicros: Math.abs(value),
      feeMicros: fee,
    }),
    effect,
  )
  assert(fee >= 0 && effect.positionLots === 0, 'payout: it closes the whole position')
  row.clearingMicros -= BigInt(value)
  funds.move(Fund.Clearing, -value)
  funds.move(Fund.Fees, fee)
  const payoutId = settlements.nextPayoutId()
  if (!payout.claim(state.sink)) return fee
  payout.payoutId = payoutId
  payout.positionLots = positionLots
  payout.payoffMicros = payoff
  payout.valueMicros = value
  payout.feeMicros = fee
  payout.costMicros = costMicros
  payout.cashMicros = effect.cashMicros
  payout.priceMicros = row.priceMicros
  payout.borneMicros = borneMicros
  payout.instrument = instrument
  payout.account = account
  state.accounts.addresses.write(account, payout.u8, payout.walletAt)
  return fee
}

function sumOf(legs: readonly Leg[]): number {
  return legs.reduce((sum, leg) => sum + leg.valueMicros, 0)
}

/** Ends a settlement after all payouts: the rounding remainder becomes dust, and the instruments are settled. */
function finish(state: CoreState, row: Settlement): void {
  const { instruments, marks, funds, settlements, hash } = state
  const { underlying, expiryMillis } = row
  // The dust is at most one micro per payout.
  const dustMicros = Number(row.clearingMicros)
  assert(row.countedMicros === row.owedMicros, 'settlement: every amount owed is counted')
  assert(
    Math.abs(dustMicros) <= settlements.payoutCount,
    'settlement: at most a rounding per payout is left',
  )
  for (const id of [...instruments.ofUnderlying[underlying]]) {
    if (instruments.expiryMillis[id] !== expiryMillis) continue
    if (instruments.state[id] !== InstrumentState.ExpiredPendingPrice) continue
    instruments.hashRow(id, hash, false)
    leaveRemark(state, id)
    instruments.settle(id)
    instruments.hashRow(id, hash, true)
    marks.markInstrument(id)
    publishInstrument(state, id, InstrumentChange.Settled)
  }
  marks.removeExpiry(underlying, expiryMillis)
  state.cells.noteMarks(underlying)
  state.risk.newMarks(underlying)
  funds.move(Fund.Clearing, -dustMicros)
  funds.move(Fund.Dust, dustMicros)
  row.phase = SettlementPhase.Settled
  row.clearingMicros = 0n
  settlements.changed(row)
  settlements.dequeue(row)
  if (dustMicros !== 0) publishFunds(state, FundsChange.Settlement)
  publishSettlement(state, row, dustMicros, clipped(row.borneMicros))
}
