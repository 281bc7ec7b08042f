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

/** Equity and maintenance margin that a wallet is judged by, micros. */
export interface Judgement {
  readonly equityMicros: number
  readonly requiredMicros: number
}

const margin = new MaintenanceMargin()

/** What the wallet is worth and needs at the marks in force. */
export function judge(state: JudgementState, account: number): Judgement {
  state.risk.maintenance(account, margin)
  return { equityMicros: margin.equityMicros, requiredMicros: margin.requiredMicros }
}

/**
 * Whether prices are missing without which nothing may happen to the wallet: what its margin needs, and in the full
 * phase, where positions change hands at their marks, the mark of everything that it holds.
 */
export function lacksPrices(state: JudgementState, row: Liquidation): boolean {
  const { risk, marks } = state
  if (risk.lacksMarks(row.account)) return true
  if (row.mode !== LiquidationMode.Full) return false
  const { instrument } = risk.exposures
  return positionsOf(state, row.account).some((exposure) => !isMarked(marks, instrument[exposure]))
}

/** Whether equity is at least `ratio` of maintenance margin. */
export function reaches(judged: Judgement, ratio: number): boolean {
  return judged.equityMicros >= atLeast(ratio, judged.requiredMicros)
}

/** What is missing to the buffer that the auction restores. */
export function neededMicros(parameters: LiquidationParameters, judged: Judgement): number {
  const wanted = atLeast(parameters.auctionBuffer, judged.requiredMicros)
  return Math.max(0, wanted - judged.equityMicros)
}

/** The clock that the row's timers run by: engine time, less how long they stood still in this state and mode. */
export function rowMillis({ nowMillis }: JudgementState, row: Liquidation): number {
  return (row.standingMillis === 0 ? nowMillis : row.standingMillis) - row.stoodMillis
}

/** When the row's state or mode ends by time alone, by the clock of `rowMillis`; 0: never. */
export function rowEndOf(parameters: LiquidationParameters, row: Liquidation): number {
  const { graceSeconds, partialSeconds, maxAuctionSeconds } = parameters
  if (row.state === LiquidationState.PreLiquidation) return row.enteredMillis + graceSeconds * 1000
  if (row.mode === LiquidationMode.Partial) return row.enteredMillis + partialSeconds * 1000
  if (row.mode === LiquidationMode.Full) return row.auctionMillis + maxAuctionSeconds * 1000
  return 0
}

/** When that is in engine time, if the timers stand still no longer than up to now. */
export function deadlineOf(state: JudgementState, row: Liquidation): number {
  const endMillis = rowEndOf(state.config.liquidation, row)
  return endMillis === 0 ? 0 : endMillis + state.nowMillis - rowMillis(state, row)
}

/** Terms of the row's auction at the batch's time. */
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
