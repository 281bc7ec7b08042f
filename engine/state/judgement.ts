import { LiquidationMode, LiquidationState } from '../../schemas/record-values.js'
import type { Marks } from '../pricing/marks.js'
import { type AuctionState, type AuctionTerms, auctionTerms } from '../risk/auction-terms.js'
import { atLeast } from '../risk/exact-share.js'
import type { LiquidationParameters } from '../risk/liquidation-parameters.js'
import { isMarked } from '../risk/mark-view.js'
import { MaintenanceMargin } from '../risk/order-check.js'
import type { Liquidation } from '../tables/generated/liquidation.js'
import type { EngineConfig } from './market/engine-config.js'
import { positionsOf, type WalletRowsState } from './wallet-rows.js'

export interface JudgementState extends WalletRowsState {
  readonly marks: Marks
  readonly nowMillis: number
  readonly config: EngineConfig
}

/** Equity and maintenance margin of a wallet, micros. */
export interface Judgement {
  readonly equityMicros: number
  readonly requiredMicros: number
}

const margin = new MaintenanceMargin()

/** Computes the wallet's equity and requirement at the current marks. */
export function judge(state: JudgementState, account: number): Judgement {
  state.risk.maintenance(account, margin)
  return { equityMicros: margin.equityMicros, requiredMicros: margin.requiredMicros }
}

/**
 * Returns true if a price is missing that the liquidation of the wallet needs: any price of its margin. In the full
 * phase, where positions are transferred at their marks, it also needs the mark of every position.
 */
export function lacksPrices(state: JudgementState, row: Liquidation): boolean {
  const { risk, marks } = state
  if (risk.lacksMarks(row.account)) return true
  if (row.mode !== LiquidationMode.Full) return false
  const { instrument } = risk.exposures
  return positionsOf(state, row.account).some((exposure) => !isMarked(marks, instrument[exposure]))
}

/** Returns true if equity is at least `ratio` of maintenance margin. */
export function reaches(judged: Judgement, ratio: number): boolean {
  return judged.equityMicros >= atLeast(ratio, judged.requiredMicros)
}

/** Returns the amount that is missing to the buffer that the auction restores. */
export function neededMicros(parameters: LiquidationParameters, judged: Judgement): number {
  const bufferMicros = atLeast(parameters.auctionBuffer, judged.requiredMicros)
  return Math.max(0, bufferMicros - judged.equityMicros)
}

/** Returns the time of the row's timers: engine time less their pauses in this state and mode. */
export function rowMillis({ nowMillis }: JudgementState, row: Liquidation): number {
  return (row.standingMillis === 0 ? nowMillis : row.standingMillis) - row.stoodMillis
}

/** Returns when the row's state or mode ends by time alone, by the clock of `rowMillis`; 0 for never. */
export function rowEndOf(parameters: LiquidationParameters, row: Liquidation): number {
  const { graceSeconds, partialSeconds, maxAuctionSeconds } = parameters
  if (row.state === LiquidationState.PreLiquidation) return row.enteredMillis + graceSeconds * 1000
  if (row.mode === LiquidationMode.Partial) return row.enteredMillis + partialSeconds * 1000
  if (row.mode === LiquidationMode.Full) return row.auctionMillis + maxAuctionSeconds * 1000
  return 0
}

/** Returns that end in engine time, if the timers do not pause again. */
export function deadlineOf(state: JudgementState, row: Liquidation): number {
  const endMillis = rowEndOf(state.config.liquidation, row)
  return endMillis === 0 ? 0 : endMillis + state.nowMillis - rowMillis(state, row)
}

/** Returns the terms of the row's auction at the batch's time. */
export function termsOf(state: JudgementState, row: Liquidation, judged: Judgement): AuctionTerms {
  return auctionTerms(state.config.liquidation, auctionStateOf(state, row, judged))
}

export function auctionStateOf(
  state: JudgementState,
  row: Liquidation,
  judged: Judgement,
): AuctionState {
  return {
    equityMicros: judged.equityMicros,
    maintenanceMicros: judged.requiredMicros,
    nowMillis: rowMillis(state, row),
    begunMillis: row.auctionMillis,
    insolventMillis: row.insolventMillis,
  }
}
