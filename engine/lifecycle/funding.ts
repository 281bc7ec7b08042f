import { assert } from '../../schemas/assert.js'
import { exactBound, lotsPerContract, microsPerUsd, moneyMicrosMax } from '../../schemas/bounds.js'
import { HaltMode } from '../../schemas/domain.js'
import { AccountChange, FundingPhase, FundsChange } from '../../schemas/record-values.js'
import { clipped } from '../memory/exact-sum.js'
import { none } from '../memory/rows.js'
import type { Marks } from '../pricing/marks.js'
import { type PublishFundingState, publishFunding } from '../publish/publish-funding.js'
import { type PublishFundsState, publishFunds } from '../publish/publish-funds.js'
import { type PublishMarketState, publishAccount } from '../publish/publish-market.js'
import { halfEvenDiv } from '../risk/exact-share.js'
import { indexMicrosOf } from '../risk/mark-view.js'
import { mulDivHalfEven } from '../risk/money.js'
import type { EngineConfig } from '../state/market/engine-config.js'
import { capNanosOf, nanosPerUnit } from '../state/market/funding-parameters.js'
import type { FundingRound } from '../state/market/funding-table.js'
import { Fund } from '../state/money/funds.js'
import { committedMicros, type WalletRowsState } from '../state/wallet-rows.js'
import type { PerpFunding } from '../tables/generated/perp-funding.js'
import { type ImpactPrices, impactPrices } from './impact-price.js'
import { type LiquidationGateState, revive } from './liquidation-gate.js'

interface FundingState
  extends PublishFundingState,
    PublishFundsState,
    LiquidationGateState,
    PublishMarketState,
    WalletRowsState {
  readonly nowMillis: number
  readonly clockAlarm: boolean
  readonly config: EngineConfig
  readonly marks: Marks
}

//   minute ──► sample of a two-sided book ──► … ──► hour: rate and holders are fixed ──► paid, a slice per batch ──► dust
//
// Times are engine times; minutes and hours are aligned to 1970. Each perp is sampled in the first batch at or after a
// minute, one perp per batch. Minutes without a batch are skipped. Trades between the batches that pay do not change
// fixed payments: accounts owe them even if they have been liquidated since.

/**
 * Premiums beyond ±100 times the index are clamped. Sums over the seconds of a day then stay exact, and no hour's rate
 * differs.
 */
const premiumTimesMax = 100
const premiumNanosMax = premiumTimesMax * nanosPerUnit

const prices: ImpactPrices = { bidMicros: 0, askMicros: 0 }

/**
 * Runs when a batch starts: takes the samples of its minute, fixes the rate of an hour that has ended, and continues
 * payments. Does nothing during a clock alarm: an hour that the clock was stepped over has not ended, and a wallet that
 * owes a payment without a position could not be cleared.
 */
export function fundPerps(state: FundingState): void {
  const { fundings, nowMillis } = state
  if (state.clockAlarm) return
  if (fundings.nextMillis <= nowMillis) {
    const perp = fundings.firstDue(nowMillis)
    if (perp !== null) takeTurn(state, perp)
  }
  if (fundings.rounds.length > 0) payRounds(state)
}

/** Returns the time of the next funding work; Infinity while funding is off. */
export function nextFunding({ fundings, nowMillis, clockAlarm }: FundingState): number {
  if (clockAlarm) return Number.POSITIVE_INFINITY
  return fundings.rounds.length > 0 ? nowMillis : fundings.nextMillis
}

/**
 * Returns the payment of a holder for a period, half-even to micros; negative if the holder is paid. Both sides of a
 * size pay the same amount.
 * @param lots of the position, signed.
 */
export function fundingMicros(lots: number, indexMicros: number, rateNanos: number): number {
  const product = BigInt(lots) * BigInt(indexMicros) * BigInt(rateNanos)
  return Number(halfEvenDiv(product, BigInt(lotsPerContract) * BigInt(nanosPerUnit)))
}

function takeTurn(state: FundingState, perp: PerpFunding): void {
  const { fundings, nowMillis } = state
  const periodMillis = beginOf(nowMillis, fundings.periodMillis)
  const sampledMillis = beginOf(nowMillis, fundings.sampleMillis)
  assert(perp.periodMillis <= periodMillis, 'funding: periods never go back')
  if (perp.periodMillis !== periodMillis) {
    // The engine may have slept through several periods. The one with samples is due now.
    if (perp.sampleCount > 0) fix(state, perp)
    fundings.amend(perp, (changed) => {
      changed.periodMillis = periodMillis
      changed.sampleCount = 0
      changed.premiumNanos = 0
    })
  }
  if (perp.sampledMillis === sampledMillis) return
  const premiumNanos = premiumOf(state, perp.instrument)
  fundings.amend(perp, (changed) => {
    changed.sampledMillis = sampledMillis
    if (Number.isNaN(premiumNanos)) return
    changed.sampleCount++
    changed.premiumNanos += premiumNanos
  })
}

/** Returns the latest multiple of a duration. */
function beginOf(millis: number, lengthMillis: number): number {
  return Math.floor(millis / lengthMillis) * lengthMillis
}

/**
 * Returns (mid − S) / S now, in 1e-9, half-even. Mid is that of the impact prices, the mean prices of buying and
 * selling the impact notional. Returns 0 if a side has less than that. Returns NaN if a side of the book is empty, the
 * market is closed, or the index is missing.
 */
function premiumOf(state: FundingState, instrument: number): number {
  const { config, orders, marks, instruments, nowMillis } = state
  const underlying = instruments.underlying[instrument]
  const indexMicros = indexMicrosOf(marks, underlying)
  if (state.haltModeOf(underlying) !== HaltMode.Open || !(indexMicros > 0)) return Number.NaN
  if (marks.indexIsMissing(underlying, nowMillis)) return Number.NaN
  const notionalMicros = Math.round(config.perpFunding.impactNotional * microsPerUsd)
  impactPrices(orders, instrument, notionalMicros, prices)
  const { bidMicros, askMicros } = prices
  if (bidMicros === 0 || askMicros === 0) return Number.NaN
  if (Number.isNaN(bidMicros) || Number.isNaN(askMicros)) return 0
  const twice = 2 * indexMicros
  // With a very low index, a far ask may exceed the index by more than an exact product allows.
  if (bidMicros + askMicros > (1 + premiumTimesMax) * twice) return premiumNanosMax
  const nanos = mulDivHalfEven(bidMicros + askMicros - twice, nanosPerUnit, twice)
  return Math.max(-premiumNanosMax, Math.min(premiumNanosMax, nanos))
}

/** Fixes a period that has ended: its rate, the index for its payments, and the positions of all holders. */
function fix(state: FundingState, perp: PerpFunding): void {
  const { fundings, instruments, risk, config } = state
  const { instrument, sampleCount } = perp
  const underlying = instruments.underlying[instrument]
  const capNanos = capNanosOf(config.perpFunding)
  const meanNanos = mulDivHalfEven(perp.premiumNanos, 1, sampleCount)
  const accounts: number[] = []
  const lots: number[] = []
  // Modulo 2^32, because a sum of many large positions can exceed 2^53.
  let netLots = 0
  risk.holdersOf(underlying).forEach((account) => {
    const exposure = risk.findExposure(account, instrument)
    const held = exposure === none ? 0 : risk.exposures.positionLots[exposure]
    if (held === 0) return
    accounts.push(account)
    lots.push(held)
    netLots = (netLots + held) | 0
  })
  assert(netLots === 0, 'funding: positions add up to zero')
  const terms = {
    instrument,
    endMillis: perp.periodMillis + fundings.periodMillis,
    rateNanos: Math.max(-capNanos, Math.min(capNanos, meanNanos)) + 0,
    // An index of any age: there was a valid one at the last sample.
    indexMicros: indexMicrosOf(state.marks, underlying),
    sampleCount,
    holderCount: accounts.length,
  }
  assert(terms.indexMicros > 0, 'funding: the index is positive')
  assert(terms.endMillis <= state.nowMillis, 'funding: the period has ended')
  fundings.amend(perp, (changed) => {
    changed.rateNanos = terms.rateNanos
    changed.endMillis = terms.endMillis
  })
  fundings.begin(terms, accounts, lots)
  publishFunding(state, terms, FundingPhase.Fixed)
}

/** Continues the pending rounds within the limit of the batch. */
function payRounds(state: FundingState): void {
  const { fundings, funds, config } = state
  const { balanceMicros } = funds
  const [clearingMicros, dustMicros] = [balanceMicros[Fund.Clearing], balanceMicros[Fund.Dust]]
  let left = config.perpFunding.paymentsPerBatch
  while (fundings.rounds.length > 0 && left > 0) {
    const round = fundings.rounds[0]
    for (; round.next < round.accounts.length && left > 0; left--) payHolder(state, round)
    if (round.next === round.accounts.length) finish(state, round)
  }
  const isMoved =
    balanceMicros[Fund.Clearing] !== clearingMicros || balanceMicros[Fund.Dust] !== dustMicros
  if (isMoved) publishFunds(state, FundsChange.Funding)
}

/** Pays the next holder, or collects from it. The holder may owe the payment; the check of this batch then finds it. */
function payHolder(state: FundingState, round: FundingRound): void {
  const { fundings, funds, risk } = state
  assert(!state.clockAlarm, 'funding: no payments during a clock alarm')
  const account = round.accounts[round.next]
  const owedMicros = fundingMicros(round.lots[round.next], round.indexMicros, round.rateNanos)
  const paidMicros = owedMicros < 0 ? -creditMicros(state, account, -owedMicros) : owedMicros
  fundings.advance(round, BigInt(paidMicros))
  if (paidMicros === 0) return
  risk.creditCash(account, -paidMicros)
  funds.move(Fund.Clearing, paidMicros)
  revive(state, account)
  publishAccount(state, account, AccountChange.Funding, -paidMicros)
}

/** Returns the part of a credit that keeps every sum over the wallet exact. The remainder becomes dust. */
function creditMicros(state: FundingState, account: number, micros: number): number {
  const { risk, withdrawals } = state
  const afterMicros = risk.cashMicros[account] + withdrawals.microsOf(account) + micros
  // An admitted wallet holds less than the bound, so with so little cash there is room for the credit.
  if (afterMicros < exactBound / 2) return micros
  return Math.max(0, Math.min(micros, moneyMicrosMax - committedMicros(state, account)))
}

/** Ends a round after all holders; the rounding remainder becomes dust. */
function finish(state: FundingState, round: FundingRound): void {
  const { fundings, funds } = state
  const dustMicros = clipped(round.clearingMicros)
  funds.move(Fund.Clearing, -dustMicros)
  funds.move(Fund.Dust, dustMicros)
  fundings.end(round)
  publishFunding(state, round, FundingPhase.Paid, dustMicros)
}
