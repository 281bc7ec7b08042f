import { EventType } from '../../schemas/generated/events.js'
import {
  auctionAccountAt,
  auctionBytes,
  auctionChangeAt,
  auctionNumberAt,
  auctionRequiredMicrosAt,
  auctionVersionAt,
  auctionWalletAt,
  liquidationAccountAt,
  liquidationAuctionAt,
  liquidationAuctionMillisAt,
  liquidationBeforeModeAt,
  liquidationBeforeStateAt,
  liquidationBonusBpsAt,
  liquidationBonusMicrosAt,
  liquidationChangeAt,
  liquidationClockMillisAt,
  liquidationCountAt,
  liquidationDeadlineMillisAt,
  liquidationDeleveragedMicrosAt,
  liquidationEnteredMillisAt,
  liquidationEquityMicrosAt,
  liquidationFeeMicrosAt,
  liquidationInsolventMillisAt,
  liquidationInsuranceMicrosAt,
  liquidationIsStandingAt,
  liquidationIsWaitingAt,
  liquidationMarginModeAt,
  liquidationMmMicrosAt,
  liquidationModeAt,
  liquidationNeededMicrosAt,
  liquidationPositionBytes,
  liquidationPositionEntryMicrosAt,
  liquidationPositionInstrumentAt,
  liquidationPositionLotsAt,
  liquidationPositionsAt,
  liquidationPositionsMax,
  liquidationRepricedMillisAt,
  liquidationSharedMicrosAt,
  liquidationStateAt,
  liquidationTargetMicrosAt,
  liquidationUncoveredMicrosAt,
  liquidationVersionAt,
  liquidationWalletAt,
  liquidationWinnerAt,
  transferAccountAt,
  transferBytes,
  transferCashMicrosAt,
  transferCauseAt,
  transferCostMicrosAt,
  transferInstrumentAt,
  transferOtherAt,
  transferPositionLotsAt,
  transferPremiumMicrosAt,
  transferPriceMicrosAt,
  transferRealizedMicrosAt,
  transferSideAt,
  transferSizeLotsAt,
  transferWalletAt,
} from '../../schemas/liquidation.js'
import {
  AuctionChange,
  LiquidationChange,
  LiquidationMode,
  type TransferCause,
} from '../../schemas/record-values.js'
import { addressBytes } from '../../schemas/wallet.js'
import type { FillEffect, FillTerms } from '../risk/order-check.js'
import type { CoreState } from '../state/core-state.js'
import { unheard } from '../state/event-sink.js'
import { positionsOf } from '../state/holdings.js'
import {
  deadlineOf,
  type Judgement,
  judge,
  neededMicros,
  rowMillis,
  termsOf,
} from '../state/judgement.js'
import type { Liquidation } from '../state/liquidation-table.js'

/** A wallet's place in liquidation, and what it was judged by. */
export function publishLiquidation(
  state: CoreState,
  row: Liquidation,
  change: LiquidationChange,
  judged: Judgement,
  beforeState: number = row.state,
  beforeMode: number = row.mode,
): void {
  const isFull = row.mode === LiquidationMode.Full
  const exposures = isFull ? positionsOf(state, row.account) : []
  const count = exposures.length > liquidationPositionsMax ? 0 : exposures.length
  const bytes = liquidationPositionsAt + count * liquidationPositionBytes
  const at = state.sink.tryClaim(bytes, EventType.Liquidation)
  if (at === unheard) return
  const { f64, i32, u8 } = state.sink.views
  writeAmounts(state, row, judged, f64, at)
  i32[(at + liquidationAccountAt) >> 2] = row.account
  i32[(at + liquidationChangeAt) >> 2] = change
  i32[(at + liquidationBeforeStateAt) >> 2] = beforeState
  i32[(at + liquidationBeforeModeAt) >> 2] = beforeMode
  i32[(at + liquidationStateAt) >> 2] = row.state
  i32[(at + liquidationModeAt) >> 2] = row.mode
  i32[(at + liquidationMarginModeAt) >> 2] = state.risk.marginMode[row.account]
  i32[(at + liquidationBonusBpsAt) >> 2] = row.bonusBps
  i32[(at + liquidationIsWaitingAt) >> 2] = row.waiting
  i32[(at + liquidationIsStandingAt) >> 2] = row.standingMillis > 0 ? 1 : 0
  state.accounts.addresses.write(row.account, u8, at + liquidationWalletAt)
  writeWinner(state, row.winner, at + liquidationWinnerAt)
  i32[(at + liquidationCountAt) >> 2] = count
  i32[(at + liquidationCountAt + 4) >> 2] = 0
  for (let index = 0; index < count; index++) {
    const position = at + liquidationPositionsAt + index * liquidationPositionBytes
    const exposure = exposures[index]
    f64[(position + liquidationPositionLotsAt) >> 3] = state.risk.exposures.positionLots[exposure]
    const entryMicros = state.risk.entryPriceMicros(exposure)
    f64[(position + liquidationPositionEntryMicrosAt) >> 3] = entryMicros
    const instrument = state.risk.exposures.instrument[exposure]
    i32[(position + liquidationPositionInstrumentAt) >> 2] = instrument
    i32[(position + liquidationPositionInstrumentAt + 4) >> 2] = 0
  }
}

function writeAmounts(
  state: CoreState,
  row: Liquidation,
  judged: Judgement,
  f64: Float64Array,
  at: number,
): void {
  f64[(at + liquidationEquityMicrosAt) >> 3] = judged.equityMicros
  f64[(at + liquidationMmMicrosAt) >> 3] = judged.requiredMicros
  f64[(at + liquidationEnteredMillisAt) >> 3] = row.enteredMillis
  f64[(at + liquidationDeadlineMillisAt) >> 3] = deadlineOf(state, row)
  f64[(at + liquidationTargetMicrosAt) >> 3] = row.targetMicros
  f64[(at + liquidationRepricedMillisAt) >> 3] = row.repricedMillis
  f64[(at + liquidationAuctionAt) >> 3] = row.auction
  f64[(at + liquidationAuctionMillisAt) >> 3] = row.auctionMillis
  f64[(at + liquidationVersionAt) >> 3] = row.version
  f64[(at + liquidationNeededMicrosAt) >> 3] = neededMicros(state.config.liquidation, judged)
  f64[(at + liquidationBonusMicrosAt) >> 3] = row.bonusMicros
  f64[(at + liquidationInsuranceMicrosAt) >> 3] = row.insuranceMicros
  f64[(at + liquidationDeleveragedMicrosAt) >> 3] = row.deleveragedMicros
  f64[(at + liquidationUncoveredMicrosAt) >> 3] = row.uncoveredMicros
  f64[(at + liquidationInsolventMillisAt) >> 3] = row.insolventMillis
  f64[(at + liquidationFeeMicrosAt) >> 3] = row.feeMicros
  f64[(at + liquidationClockMillisAt) >> 3] = rowMillis(state, row)
  f64[(at + liquidationSharedMicrosAt) >> 3] = row.sharedMicros
}

/** A bootstrap record of a wallet that is not healthy, and of its auction. */
export function republishLiquidation(state: CoreState, row: Liquidation): void {
  const judged = judge(state, row.account)
  publishLiquidation(state, row, LiquidationChange.Bootstrap, judged)
  if (row.mode !== LiquidationMode.Full) return
  publishAuction(state, row, AuctionChange.Bootstrap, termsOf(state, row, judged).requiredMicros)
}

/** The terms of a wallet's auction, or its end. */
export function publishAuction(
  state: CoreState,
  row: Liquidation,
  change: AuctionChange,
  requiredMicros: number,
): void {
  const at = state.sink.tryClaim(auctionBytes, EventType.Auction)
  if (at === unheard) return
  const { f64, i32, u8 } = state.sink.views
  f64[(at + auctionNumberAt) >> 3] = row.auction
  f64[(at + auctionVersionAt) >> 3] = row.version
  f64[(at + auctionRequiredMicrosAt) >> 3] = requiredMicros
  i32[(at + auctionAccountAt) >> 2] = row.account
  i32[(at + auctionChangeAt) >> 2] = change
  state.accounts.addresses.write(row.account, u8, at + auctionWalletAt)
  u8.fill(0, at + auctionWalletAt + addressBytes, at + auctionBytes)
}

/** One wallet's side of a position that moved off the book; the wallet has been changed already. */
export function publishTransfer(
  state: CoreState,
  terms: FillTerms,
  effect: FillEffect,
  other: number,
  cause: TransferCause,
): void {
  const at = state.sink.tryClaim(transferBytes, EventType.Transfer)
  if (at === unheard) return
  const { f64, i32, u8 } = state.sink.views
  f64[(at + transferSizeLotsAt) >> 3] = terms.sizeLots
  f64[(at + transferPriceMicrosAt) >> 3] = terms.priceMicros
  f64[(at + transferPremiumMicrosAt) >> 3] = terms.premiumMicros
  f64[(at + transferRealizedMicrosAt) >> 3] = effect.realizedMicros
  f64[(at + transferPositionLotsAt) >> 3] = effect.positionLots
  f64[(at + transferCostMicrosAt) >> 3] = effect.costMicros
  f64[(at + transferCashMicrosAt) >> 3] = effect.cashMicros
  i32[(at + transferInstrumentAt) >> 2] = terms.instrument
  i32[(at + transferSideAt) >> 2] = terms.side
  i32[(at + transferCauseAt) >> 2] = cause
  i32[(at + transferAccountAt) >> 2] = terms.account
  i32[(at + transferOtherAt) >> 2] = other
  state.accounts.addresses.write(terms.account, u8, at + transferWalletAt)
}

/** @param winner account plus 1, 0: nobody. */
function writeWinner(state: CoreState, winner: number, at: number): void {
  const { u8 } = state.sink.views
  if (winner > 0) state.accounts.addresses.write(winner - 1, u8, at)
  else u8.fill(0, at, at + 20)
}
