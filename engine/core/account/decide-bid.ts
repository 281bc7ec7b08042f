import { assert } from '../../../schemas/assert.js'
import { moneyMicrosMax } from '../../../schemas/bounds.js'
import { HaltMode, Side, Tier } from '../../../schemas/domain.js'
import { type AnyCommand, BidLiquidationCommand } from '../../../schemas/generated/commands.js'
import {
  AccountChange,
  AuctionChange,
  FundsChange,
  LiquidationMode,
  TransferCause,
} from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { chargeFee, feeMicrosOf } from '../../lifecycle/liquidation-fee.js'
import { liquidationGate, revive } from '../../lifecycle/liquidation-gate.js'
import { type Move, movePosition, moveSide } from '../../lifecycle/position-move.js'
import { closedModeOf } from '../../lifecycle/timers.js'
import { publishFunds } from '../../publish/publish-funds.js'
import { publishAuction } from '../../publish/publish-liquidation.js'
import { publishAccount } from '../../publish/publish-market.js'
import { factsOfNothing } from '../../publish/publish-orders.js'
import { type AuctionTerms, shareOf } from '../../risk/auction-terms.js'
import { costShareMicros } from '../../risk/fill.js'
import { holdingOf } from '../../risk/holding.js'
import { valueMicros } from '../../risk/money.js'
import { FillEffect, LiquidationGate } from '../../risk/order-check.js'
import { ownFacts } from '../../state/accounts/kept-results.js'
import type { Batch } from '../../state/batch.js'
import type { CoreState } from '../../state/core-state.js'
import { type Judgement, judge, lacksPrices, neededMicros, termsOf } from '../../state/judgement.js'
import { Fund } from '../../state/money/funds.js'
import { awaitsSettlement, positionsOf } from '../../state/wallet-rows.js'
import type { Liquidation } from '../../tables/generated/liquidation.js'
import { answerEarlier, answerNow } from '../steps/answer.js'
import { acceptAction } from '../steps/signed.js'

const bid = new BidLiquidationCommand()
const facts = ownFacts()
const effect = new FillEffect()

/** A bid that matches the terms in force, with everything that it would move. */
interface MatchedBid {
  readonly row: Liquidation
  readonly bidder: number
  readonly judged: Judgement
  readonly requiredMicros: number
  /**
   * Cash transferred in addition to the payments of the moves: the share of the account's cash, plus all that the moves
   * pay to the account. The share therefore refers to the cash before the moves. Below 0 if the account has a debt.
   */
  readonly legMicros: number
  readonly moves: readonly Move[]
}

/**
 * BidLiquidation: the first valid bid in the order of commands wins. It is checked against what its wallet signed: the
 * auction, each position, the version and age of the terms, and the maximum payment. The bidder pays the currently
 * required amount.
 */
export function decideBid(
  state: CoreState,
  batch: Batch,
  ticket: number,
  command: AnyCommand,
): void {
  answerEarlier(state, batch, ticket)
  const matched = matchBid(state, batch.account[ticket], bid.of(command))
  const result = typeof matched === 'number' ? matched : tryMoves(state, matched)
  batch.result[ticket] = result
  if (typeof matched === 'number' || result !== Result.Accepted) return
  execute(state, matched)
  factsOfNothing(command, -1, facts)
  acceptAction(state, batch, ticket, Result.Accepted, facts, 0)
  answerNow(state, batch, ticket, Result.Accepted, 0, facts)
}

/** @returns the matched bid, or the error. */
function matchBid(
  state: CoreState,
  bidder: number,
  bid: BidLiquidationCommand,
): MatchedBid | Result {
  if (state.clockAlarm) return Result.VenueHalted
  if (state.walletStops.has(bidder)) return Result.WalletClosed
  const liquidated = state.accounts.find(bid.u8, bid.liquidatedAt)
  const row = liquidated < 0 ? null : state.liquidations.find(liquidated)
  if (row === null) return Result.Conflict
  // A bid moves positions, and no position moves in a closed market.
  const closed = closedModeOf(state, row.account)
  if (closed !== HaltMode.Open) {
    return closed === HaltMode.Halted ? Result.TradingHalted : Result.CancelOnly
  }
  if (!isInForce(state, row, bid)) return Result.Conflict
  if (bidder === liquidated || !isSamePortfolio(state, liquidated, bid)) {
    return Result.Conflict
  }
  if (liquidationGate(state, bidder) !== LiquidationGate.Open) return Result.AccountInLiquidation
  const judged = judge(state, liquidated)
  if (neededMicros(state.config.liquidation, judged) === 0) return Result.Conflict
  const terms = termsOf(state, row, judged)
  const { requiredMicros } = terms
  if (state.risk.cashMicros[bidder] < requiredMicros) return Result.InsufficientBalance
  if (!(bid.bidMicros >= requiredMicros)) return Result.Conflict
  if (-requiredMicros > state.funds.balanceMicros[Fund.Insurance]) return Result.Conflict
  const moves = movesOf(state, liquidated, bidder, terms)
  if (moves.length === 0) return Result.Conflict
  let legMicros = shareOf(terms.share, state.risk.cashMicros[liquidated])
  for (const move of moves) legMicros += paidMicros(state, move, liquidated)
  return { row, bidder, judged, requiredMicros, legMicros, moves }
}

/**
 * Returns true if the bid names this auction, its terms are recent enough, and the account's margin can be computed.
 */
function isInForce(state: CoreState, row: Liquidation, bid: BidLiquidationCommand): boolean {
  if (row.mode !== LiquidationMode.Full || row.purging === 1) return false
  const { auction, version } = bid
  if (auction !== row.auction) return false
  if (!(version >= row.positionsVersion && version <= row.version)) return false
  const ageMillis = state.nowMillis - bid.valuationMillis
  const ageMillisMax = state.config.liquidation.valuationSeconds * 1000
  if (!(ageMillis >= 0 && ageMillis <= ageMillisMax)) return false
  return !lacksPrices(state, row) && !awaitsSettlement(state, row.account)
}

/** Returns true if the bid names exactly the account's positions: instrument, size and entry price, in any order. */
function isSamePortfolio(state: CoreState, account: number, bid: BidLiquidationCommand): boolean {
  const { risk, instruments } = state
  const { count } = bid
  if (count !== positionsOf(state, account).length) return false
  const named = new Set<number>()
  for (let index = 0; index < count; index++) {
    const { entryMicros, key, lots } = bid.positions(index)
    const exposure = risk.findExposure(account, instruments.findKey(key))
    if (exposure < 0 || named.has(exposure)) return false
    named.add(exposure)
    if (lots !== risk.exposures.positionLots[exposure]) return false
    if (entryMicros !== risk.entryPriceMicros(exposure)) return false
  }
  return true
}

/** Returns the moves of the share of every position, at its mark. */
function movesOf(state: CoreState, account: number, bidder: number, terms: AuctionTerms): Move[] {
  const { exposures } = state.risk
  const moves: Move[] = []
  for (const exposure of positionsOf(state, account)) {
    const instrument = exposures.instrument[exposure]
    const lots = shareOf(terms.share, exposures.positionLots[exposure])
    if (lots === 0) continue
    const priceMicros = state.marks.markMicros[instrument]
    const sizeLots = Math.abs(lots)
    moves.push({
      instrument,
      seller: lots > 0 ? account : bidder,
      buyer: lots > 0 ? bidder : account,
      sizeLots,
      priceMicros,
      premiumMicros: valueMicros(priceMicros, sizeLots),
    })
  }
  return moves
}

/** Returns the cash that a move pays to the account: the premium, or for a perp the profit realized at the mark. */
function paidMicros(state: CoreState, move: Move, account: number): number {
  const { instruments, risk } = state
  const flowMicros = move.seller === account ? move.premiumMicros : -move.premiumMicros
  if (!instruments.isPerp(move.instrument)) return flowMicros
  const { costMicros, positionLots } = risk.exposures
  const exposure = risk.findExposure(account, move.instrument)
  const wholeLots = Math.abs(positionLots[exposure])
  return flowMicros - costShareMicros(costMicros[exposure], move.sizeLots, wholeLots)
}

/** Checks the bidder's initial margin with the positions it would get: applies them to its account, and restores it. */
function tryMoves(state: CoreState, matched: MatchedBid): Result {
  const { bidder, moves } = matched
  const { risk } = state
  const cashMicros = risk.cashMicros[bidder]
  const before = moves.map(({ instrument }) => holdingOf(risk, bidder, instrument))
  for (const move of moves) {
    moveSide(state, move, move.buyer === bidder ? Side.Buy : Side.Sell, effect)
  }
  risk.creditCash(bidder, matched.legMicros - matched.requiredMicros)
  const result = checkBidder(state, bidder)
  for (const holding of before) risk.restoreHolding(holding)
  assert(risk.cashMicros[bidder] === cashMicros, 'bid: a trial changes nothing')
  return result
}

function checkBidder(state: CoreState, bidder: number): Result {
  const { risk } = state
  const maxMicros = Math.abs(risk.cashMicros[bidder]) + risk.limits.exposedMicros(bidder)
  if (maxMicros > moneyMicrosMax) return Result.Conflict
  const isShort = positionsOf(state, bidder).some((row) => risk.exposures.positionLots[row] < 0)
  if (risk.tier[bidder] === Tier.Tier1 && isShort) return Result.TierLongOnly
  if (risk.lacksMarks(bidder)) return Result.InsufficientMargin
  return risk.isCovered(bidder) ? Result.Accepted : Result.InsufficientMargin
}

function execute(state: CoreState, matched: MatchedBid): void {
  const { row, bidder, judged, requiredMicros, legMicros, moves } = matched
  const { risk, funds } = state
  assert(row.mode === LiquidationMode.Full, 'bid: only in the full liquidation phase')
  assert(
    Number.isSafeInteger(requiredMicros) && Number.isSafeInteger(legMicros),
    'bid: its amounts are safe integers',
  )
  for (const move of moves) movePosition(state, move, TransferCause.Auction)
  const paidByFund = Math.max(0, -requiredMicros)
  const accountMicros = Math.max(0, requiredMicros) - legMicros
  const givenMicros = accountMicros + (legMicros - requiredMicros)
  assert(givenMicros === paidByFund, 'bid: payments of both wallets and the fund add up to zero')
  risk.creditCash(row.account, accountMicros)
  // Value of what the bidder received, less its payment.
  const gaveMicros = judged.equityMicros - judge(state, row.account).equityMicros
  const bonusMicros = gaveMicros + Math.max(0, requiredMicros) - requiredMicros
  let feeMicros = 0
  for (const { instrument, sizeLots } of moves) {
    feeMicros += feeMicrosOf(state, instrument, sizeLots)
  }
  const chargedMicros = chargeFee(state, row.account, feeMicros)
  publishAccount(state, row.account, AccountChange.Liquidation, accountMicros - chargedMicros)
  risk.creditCash(bidder, legMicros - requiredMicros)
  assert(Number.isSafeInteger(risk.cashMicros[bidder]), 'bid: the bidder’s cash is a safe integer')
  assert(risk.isCovered(bidder), 'bid: the bidder meets margin, as in the trial')
  revive(state, bidder)
  publishAccount(state, bidder, AccountChange.Liquidation, legMicros - requiredMicros)
  if (paidByFund > 0) {
    funds.move(Fund.Insurance, -paidByFund)
    assert(funds.balanceMicros[Fund.Insurance] >= 0, 'bid: the insurance fund never goes negative')
    publishFunds(state, FundsChange.Liquidation)
  }
  state.liquidations.amend(row, (changed) => {
    changed.version++
    changed.positionsVersion = changed.version
    changed.winner = bidder + 1
    changed.bonusMicros = bonusMicros
    changed.insuranceMicros += paidByFund
  })
  publishAuction(state, row, AuctionChange.Won, requiredMicros)
}
