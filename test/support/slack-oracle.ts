import {
  filled,
  type NaiveBook,
  type NaiveOrder,
  type NaiveSlacks,
} from '../../engine/invariants/naive-margin.js'
import { type WalletBookState, worstSlacks } from '../../engine/invariants/wallet-book.js'
import { none } from '../../engine/memory/rows.js'
import { MarginModelKind, OrderFlag } from '../../schemas/domain.js'
import { LiquidationState } from '../../schemas/record-values.js'

/**
 * More than the number of amounts that a fill rounds anew in one of these books: each moves a slack by at most a micro.
 */
const roundingMicros = 200

export interface WorkingOrder extends NaiveOrder {
  readonly orderId: number
  readonly reducesRisk: boolean
}

/** Wallet derived from its positions and orders alone, without the engine's sums. */
export interface SlackBook {
  readonly book: NaiveBook
  readonly orders: readonly WorkingOrder[]
}

/** @returns null if the wallet is in liquidation */
export function bookOf(state: WalletBookState, account: number): SlackBook | null {
  const { instruments, liquidations, orders, risk } = state
  const row = liquidations.find(account)
  if (row !== null && row.state !== LiquidationState.PreLiquidation) return null
  const { exposures, firstExposure } = risk
  const positions = new Map<number, { lots: number; costMicros: number }>()
  const working: WorkingOrder[] = []
  for (let at = firstExposure[account]!; at !== none; at = exposures.nextInAccount[at]!) {
    const instrument = exposures.instrument[at]!
    const lots = exposures.positionLots[at]!
    const costMicros = instruments.isPerp(instrument) ? exposures.costMicros[at]! : 0
    if (lots !== 0) positions.set(instrument, { lots, costMicros })
    for (let slot = exposures.firstOrder[at]!; slot !== none; slot = orders.nextInExposure[slot]!) {
      working.push({
        orderId: orders.orderId[slot]!,
        instrument,
        side: orders.side[slot]!,
        lots: orders.openLots[slot]!,
        priceMicros: orders.priceMicros[slot]!,
        reducesRisk: (orders.flags[slot]! & OrderFlag.Exempt) !== 0,
      })
    }
  }
  const book = { kind: risk.modelKind[account], cashMicros: risk.cashMicros[account]!, positions }
  return { book, orders: working }
}

/**
 * Returns the minimum of each slack and the maximum uncovered lots over all subsets of risk-reducing orders, filled in
 * full.
 */
export function worstSlacksOf(state: WalletBookState, { book, orders }: SlackBook): NaiveSlacks {
  const open = orders.filter(({ lots }) => lots > 0)
  const ordinary = open.filter(({ reducesRisk }) => !reducesRisk)
  return worstSlacks(state, {
    book,
    ordinary,
    riskReducing: open.filter(({ reducesRisk }) => reducesRisk),
  })
}

/** Returns the book after lots of one of its orders fill at its limit. */
export function fillOf(
  state: WalletBookState,
  { book, orders }: SlackBook,
  order: WorkingOrder,
  lots: number,
): SlackBook {
  const left = orders.map((one) => (one === order ? { ...one, lots: one.lots - lots } : one))
  return { book: filled(state, book, order, lots), orders: left }
}

/**
 * Returns the error in a change at constant marks: a slack below 0 and below its earlier value, or newly uncovered
 * lots.
 * @param spentMicros fees of the fills in between, plus a micro for each fill
 * @param mayUncover true if an order may have been accepted: one with margin for the lots it uncovers may do so
 */
export function faultOf(
  kind: number,
  before: NaiveSlacks,
  after: NaiveSlacks,
  spentMicros: number,
  mayUncover: boolean,
): string | null {
  for (const name of ['im', 'mm', 'free'] as const) {
    const least = Math.min(0, before[name]) - roundingMicros - spentMicros
    if (after[name] < least) return `slack (${name}) falls from ${before[name]} to ${after[name]}`
  }
  const isMargined = after.im >= -roundingMicros - spentMicros
  const isAllowed = mayUncover && isMargined && kind !== MarginModelKind.DefinedRisk
  if (after.uncovered <= before.uncovered || isAllowed) return null
  return `uncovered lots rise from ${before.uncovered} to ${after.uncovered}`
}
