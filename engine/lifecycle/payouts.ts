import { settlementAccountsPerBatch } from '../../schemas/bounds.js'
import { InstrumentState, Side } from '../../schemas/domain.js'
import { InstrumentChange } from '../../schemas/events.js'
import { FundsChange } from '../../schemas/funds.js'
import { SettlementPhase } from '../../schemas/settlement.js'
import type { CoreState } from '../core/core-state.js'
import { Fund } from '../core/funds.js'
import { none } from '../core/orders.js'
import { publishInstrument } from '../core/publish.js'
import { publishFunds } from '../core/publish-funds.js'
import { leaveRemark } from '../core/remark.js'
import { hashInstrument, hashSurface } from '../core/state-facts.js'
import { valueMicros } from '../risk/money.js'
import { FillEffect } from '../risk/order-check.js'
import { payoffMicros, settlementFeeMicros } from './payoff.js'
import { PayoutFacts, publishPayout, publishSettlement } from './publish-settlement.js'
import type { Settlement } from './settlements.js'

// Payouts run over the accounts in their order, a slice per batch, and a wallet's positions of one expiry together:
// between batches nobody's margin has one leg of a spread paid and the other not. Every round over the accounts that
// paid something is followed by another: a position that moved meanwhile to a wallet that was passed is found then.

const facts = new PayoutFacts()
const effect = new FillEffect()
/** Instruments of one wallet's positions; reused. */
const held: number[] = []

/** Pays out positions of expiries whose price is known, as many as a batch may. */
export function payDue(state: CoreState): void {
  const { busy } = state.settlements
  let payoutsLeft = state.config.settlement.payoutsPerBatch
  let accountsLeft = settlementAccountsPerBatch
  while (busy.length > 0 && payoutsLeft > 0 && accountsLeft > 0) {
    const row = busy[0]
    if (hasWorkingOrders(state, row)) return
    const before = state.settlements.payoutCount
    accountsLeft -= payAccounts(state, row, payoutsLeft, accountsLeft)
    payoutsLeft -= state.settlements.payoutCount - before
    if (row.accountNext < state.accounts.count) return
    if (row.paidInRound === 0) finish(state, row)
    else state.settlements.startPaying(row)
  }
}

/** Orders come first: what they could still become is known before anything is paid. */
function hasWorkingOrders({ closing, instruments }: CoreState, row: Settlement): boolean {
  return closing.some(
    (id) =>
      instruments.underlying[id] === row.underlying &&
      instruments.expiryMillis[id] === row.expiryMillis,
  )
}

/** @returns the accounts looked at, at least 1. */
function payAccounts(
  state: CoreState,
  row: Settlement,
  payoutsMax: number,
  accountsMax: number,
): number {
  const { settlements, accounts } = state
  const end = Math.min(accounts.count, row.accountNext + accountsMax)
  const first = row.accountNext
  let paid = 0
  settlements.leave(row)
  while (row.accountNext < end && paid < payoutsMax) {
    paid += payWallet(state, row, row.accountNext)
    row.accountNext++
  }
  row.paidInRound += paid
  settlements.enter(row)
  if (paid > 0) publishFunds(state, FundsChange.Settlement)
  return Math.max(1, row.accountNext - first)
}

/** Pays all of a wallet's positions in the expiry, by instrument. @returns how many. */
function payWallet(state: CoreState, row: Settlement, account: number): number {
  const { exposures, groups } = state.risk.ledger
  const group = groupOf(state, account, row)
  if (group === none) return 0
  held.length = 0
  let exposure = groups.firstExposure[group]
  for (; exposure !== none; exposure = exposures.nextInGroup[exposure]) {
    if (exposures.positionLots[exposure] !== 0) held.push(exposures.instrument[exposure])
  }
  // The group's order of equal strikes depends on the way to it, ids of payouts must not.
  held.sort((one, other) => one - other)
  for (const instrument of held) payPosition(state, row, account, instrument)
  return held.length
}

/** The wallet's group of exposures in the expiry, or `none`. */
function groupOf(state: CoreState, account: number, row: Settlement): number {
  const { buckets, groups, firstBucket } = state.risk.ledger
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

/** A position closes at its payoff, against the clearing account. */
function payPosition(state: CoreState, row: Settlement, account: number, instrument: number): void {
  const { instruments, risk, funds, settlements, config } = state
  const exposure = risk.findExposure(account, instrument)
  const positionLots = risk.exposures.positionLots[exposure]
  const lots = Math.abs(positionLots)
  const { right, strikeMicros } = instruments
  const payoff = payoffMicros(right[instrument], strikeMicros[instrument], row.priceMicros)
  const amount = valueMicros(payoff, lots)
  const { feeRate, feeCap } = config.settlement
  const fee = settlementFeeMicros(row.priceMicros, payoff, lots, feeRate, feeCap)
  const value = (positionLots > 0 ? amount : -amount) + 0
  facts.costMicros = risk.exposures.costMicros[exposure]
  const side = positionLots > 0 ? Side.Sell : Side.Buy
  risk.applyFill(account, instrument, side, lots, payoff, amount, fee, effect)
  row.clearingMicros -= value
  funds.move(Fund.Clearing, -value)
  funds.move(Fund.Fees, fee)
  facts.payoutId = settlements.nextPayoutId()
  facts.account = account
  facts.instrument = instrument
  facts.positionLots = positionLots
  facts.payoffMicros = payoff
  facts.valueMicros = value
  facts.feeMicros = fee
  facts.cashMicros = effect.cashMicros
  facts.priceMicros = row.priceMicros
  publishPayout(state, facts)
}

/** Everything is paid: what rounding left is dust, and the instruments are settled. */
function finish(state: CoreState, row: Settlement): void {
  const { instruments, marks, funds, settlements } = state
  const { underlying, expiryMillis } = row
  const dustMicros = row.clearingMicros + 0
  for (const id of [...instruments.ofUnderlying[underlying]]) {
    if (instruments.expiryMillis[id] !== expiryMillis) continue
    if (instruments.state[id] !== InstrumentState.ExpiredPendingPrice) continue
    hashInstrument(state, id, false)
    leaveRemark(state, id)
    instruments.settle(id)
    hashInstrument(state, id, true)
    marks.markInstrument(id)
    publishInstrument(state, id, InstrumentChange.Settled)
  }
  hashSurface(state, underlying, expiryMillis, false)
  marks.removeExpiry(underlying, expiryMillis)
  state.risk.remarked(underlying)
  funds.move(Fund.Clearing, -dustMicros)
  funds.move(Fund.Dust, dustMicros)
  settlements.leave(row)
  row.phase = SettlementPhase.Settled
  row.clearingMicros = 0
  settlements.enter(row)
  settlements.rest(row)
  if (dustMicros !== 0) publishFunds(state, FundsChange.Settlement)
  publishSettlement(state, row, dustMicros)
}
