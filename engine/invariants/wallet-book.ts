import { InstrumentState, OrderFlag } from '../../schemas/domain.js'
import { LiquidationState } from '../../schemas/record-values.js'
import { none } from '../memory/rows.js'
import type { LiquidationTable } from '../state/market/liquidation-table.js'
import {
  filled,
  type NaiveBook,
  type NaiveMarginState,
  type NaiveOrder,
  type NaiveSlacks,
  slacksOf,
} from './naive-margin.js'
import { exposuresIn, type StateRowsState } from './state-rows.js'

export interface WalletBookState extends StateRowsState, NaiveMarginState {
  readonly liquidations: LiquidationTable
}

/** Positions and working orders of a wallet. */
export interface WalletBook {
  readonly book: NaiveBook
  readonly ordinary: readonly NaiveOrder[]
  readonly riskReducing: readonly NaiveOrder[]
}

/** Returns the wallet's positions and orders; null if its margin is unknown, or if the wallet is in liquidation. */
export function walletOf(state: WalletBookState, account: number): WalletBook | null {
  const { instruments, liquidations, marks, orders, risk } = state
  const row = liquidations.find(account)
  if (row !== null && row.state !== LiquidationState.PreLiquidation) return null
  const { exposures } = risk
  const positions = new Map<number, { lots: number; costMicros: number }>()
  const ordinary: NaiveOrder[] = []
  const riskReducing: NaiveOrder[] = []
  for (const at of exposuresIn(state, account)) {
    const instrument = exposures.instrument[at]
    const isMarked = marks.markMicros[instrument] >= 0
    const isPriced =
      isMarked && !Number.isNaN(marks.indexMicros[instruments.underlying[instrument]])
    if (!isPriced || instruments.state[instrument] !== InstrumentState.Active) return null
    const costMicros = instruments.isPerp(instrument) ? exposures.costMicros[at] : 0
    const lots = exposures.positionLots[at]
    if (lots !== 0) positions.set(instrument, { lots, costMicros })
    for (let slot = exposures.firstOrder[at]; slot !== none; slot = orders.nextInExposure[slot]) {
      const flags = orders.flags[slot]
      if ((flags & OrderFlag.Liquidation) !== 0) return null
      const [side, priceMicros] = [orders.side[slot], orders.priceMicros[slot]]
      const order = { instrument, side, lots: orders.openLots[slot], priceMicros }
      if ((flags & OrderFlag.Exempt) !== 0) riskReducing.push(order)
      else ordinary.push(order)
    }
  }
  const book = { kind: risk.modelKind[account], cashMicros: risk.cashMicros[account], positions }
  return { book, ordinary, riskReducing }
}

/** Returns the minimum slacks, and the maximum uncovered lots, over all subsets of filled risk-reducing orders. */
export function worstSlacks(
  state: WalletBookState,
  { book, ordinary, riskReducing }: WalletBook,
): NaiveSlacks {
  let books = [book]
  for (const order of riskReducing) {
    books = books.concat(books.map((one) => filled(state, one, order, order.lots)))
  }
  return books
    .map((one) => slacksOf(state, one, ordinary))
    .reduce((one, other) => ({
      im: Math.min(one.im, other.im),
      backed: Math.min(one.backed, other.backed),
      mm: Math.min(one.mm, other.mm),
      free: Math.min(one.free, other.free),
      uncovered: Math.max(one.uncovered, other.uncovered),
    }))
}
