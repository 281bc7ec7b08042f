import { liquidationPositionsMax } from '../../schemas/bounds.js'
import type { MarginMode, Side } from '../../schemas/domain.js'
import { AuctionEvent, LiquidationEvent, TransferEvent } from '../../schemas/generated/events.js'
import {
  AuctionChange,
  LiquidationChange,
  LiquidationMode,
  type LiquidationState,
  type TransferCause,
} from '../../schemas/record-values.js'
import { addressBytes } from '../../schemas/wallet.js'
import type { FillEffect, FillTerms } from '../risk/order-check.js'
import type { Accounts } from '../state/accounts/accounts.js'
import type { EventSink } from '../state/event-sink.js'
import {
  deadlineOf,
  type Judgement,
  type JudgementState,
  judge,
  neededMicros,
  rowMillis,
  termsOf,
} from '../state/judgement.js'
import { positionsOf } from '../state/wallet-rows.js'
import type { Liquidation } from '../tables/generated/liquidation.js'

export interface PublishLiquidationState extends JudgementState {
  readonly sink: EventSink
  readonly accounts: Accounts
}

const liquidation = new LiquidationEvent()
const auction = new AuctionEvent()
const transfer = new TransferEvent()

/** Publishes the liquidation state of a wallet, and the amounts that determined it. */
export function publishLiquidation(
  state: PublishLiquidationState,
  row: Liquidation,
  change: LiquidationChange,
  judged: Judgement,
  beforeState: LiquidationState = row.state,
  beforeMode: LiquidationMode = row.mode,
): void {
  const isFull = row.mode === LiquidationMode.Full
  const exposures = isFull ? positionsOf(state, row.account) : []
  const count = exposures.length > liquidationPositionsMax ? 0 : exposures.length
  if (!liquidation.claim(state.sink, LiquidationEvent.bytesWith(count))) return
  writeAmounts(state, row, judged)
  liquidation.account = row.account
  liquidation.change = change
  liquidation.beforeState = beforeState
  liquidation.beforeMode = beforeMode
  liquidation.state = row.state
  liquidation.mode = row.mode
  liquidation.marginMode = state.risk.marginMode[row.account] as MarginMode
  liquidation.bonusBps = row.bonusBps
  liquidation.isWaiting = row.waiting
  liquidation.isStanding = row.standingMillis > 0 ? 1 : 0
  const { addresses } = state.accounts
  addresses.write(row.account, liquidation.u8, liquidation.walletAt)
  if (row.winner > 0) addresses.write(row.winner - 1, liquidation.u8, liquidation.winnerAt)
  else liquidation.u8.fill(0, liquidation.winnerAt, liquidation.winnerAt + addressBytes)
  liquidation.count = count
  for (let index = 0; index < count; index++) writePosition(state, index, exposures[index])
}

function writePosition({ risk }: PublishLiquidationState, index: number, exposure: number): void {
  const position = liquidation.positions(index)
  position.lots = risk.exposures.positionLots[exposure]
  position.entryMicros = risk.entryPriceMicros(exposure)
  position.instrument = risk.exposures.instrument[exposure]
  position.zero = 0
}

function writeAmounts(state: PublishLiquidationState, row: Liquidation, judged: Judgement): void {
  liquidation.equityMicros = judged.equityMicros
  liquidation.mmMicros = judged.requiredMicros
  liquidation.enteredMillis = row.enteredMillis
  liquidation.deadlineMillis = deadlineOf(state, row)
  liquidation.targetMicros = row.targetMicros
  liquidation.repricedMillis = row.repricedMillis
  liquidation.auction = row.auction
  liquidation.auctionMillis = row.auctionMillis
  liquidation.version = row.version
  liquidation.neededMicros = neededMicros(state.config.liquidation, judged)
  liquidation.bonusMicros = row.bonusMicros
  liquidation.insuranceMicros = row.insuranceMicros
  liquidation.deleveragedMicros = row.deleveragedMicros
  liquidation.uncoveredMicros = row.uncoveredMicros
  liquidation.insolventMillis = row.insolventMillis
  liquidation.feeMicros = row.feeMicros
  liquidation.clockMillis = rowMillis(state, row)
  liquidation.sharedMicros = row.sharedMicros
}

/** Publishes the bootstrap records of a wallet that is not healthy, and of its auction. */
export function republishLiquidation(state: PublishLiquidationState, row: Liquidation): void {
  const judged = judge(state, row.account)
  publishLiquidation(state, row, LiquidationChange.Bootstrap, judged)
  if (row.mode !== LiquidationMode.Full) return
  publishAuction(state, row, AuctionChange.Bootstrap, termsOf(state, row, judged).requiredMicros)
}

/** Publishes the terms of a wallet's auction, or its end. */
export function publishAuction(
  state: PublishLiquidationState,
  row: Liquidation,
  change: AuctionChange,
  requiredMicros: number,
): void {
  if (!auction.claim(state.sink)) return
  auction.number = row.auction
  auction.version = row.version
  auction.requiredMicros = requiredMicros
  auction.account = row.account
  auction.change = change
  state.accounts.addresses.write(row.account, auction.u8, auction.walletAt)
}

/** Publishes one wallet's side of a position that moved off the book. The wallet has already been changed. */
export function publishTransfer(
  state: PublishLiquidationState,
  terms: FillTerms,
  effect: FillEffect,
  other: number,
  cause: TransferCause,
): void {
  if (!transfer.claim(state.sink)) return
  transfer.sizeLots = terms.sizeLots
  transfer.priceMicros = terms.priceMicros
  transfer.premiumMicros = terms.premiumMicros
  transfer.realizedMicros = effect.realizedMicros
  transfer.positionLots = effect.positionLots
  transfer.costMicros = effect.costMicros
  transfer.cashMicros = effect.cashMicros
  transfer.positionRealizedMicros = effect.positionRealizedMicros
  transfer.instrument = terms.instrument
  transfer.side = terms.side as Side
  transfer.cause = cause
  transfer.account = terms.account
  transfer.other = other
  state.accounts.addresses.write(terms.account, transfer.u8, transfer.walletAt)
}
