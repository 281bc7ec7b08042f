import { moneyMicrosMax } from '../../schemas/bounds.js'
import { MarginModelKind, neverMillis } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import type { BookView } from './margin-model.js'
import { isMarked, markOf } from './mark-view.js'
import { moveValues, SizeMove, valueProductMax } from './money.js'
import type { PositionMargin } from './order-check.js'
import {
  notional,
  notionalLotsAt,
  notionalPriceAt,
  notionalResultAt,
  notionalUp,
  Ratio,
  workOutNotional,
} from './ratio.js'
import type { RiskLedger } from './risk-ledger.js'

/**
 * Operands of `moveValues`: a position's size, moved from 0, and its value. Amounts are in cells, so nothing is boxed.
 */
const held = new SizeMove()
const value = new Float64Array(1)

/** Sums over the perps of a bucket, in micros. */
export class PerpSums {
  /** Unrealised profit, part of equity. */
  profitMicros = 0
  /** Sum over only those perps with a profit. */
  gainMicros = 0
  imMicros = 0
  /** 0 in views with working orders that do not request it. */
  mmMicros = 0
}

/**
 * Margin of perps as shares of the notional at the mark. The portfolio model includes perps in its scenarios instead. A
 * perp costs nothing to hold, so its profit is no option value: equity includes (mark - entry) × size, and cash changes
 * only by realized profit.
 */
export class PerpMargin {
  readonly #ledger: RiskLedger
  readonly #initial: Ratio
  readonly #maintenance: Ratio

  constructor(ledger: RiskLedger) {
    this.#ledger = ledger
    this.#initial = Ratio.of(ledger.parameters.perpInitialFraction)
    this.#maintenance = Ratio.of(ledger.parameters.perpMaintenanceFraction)
  }

  /** Returns true if a bucket has perps. Groups start with the latest expiry, and perps never expire. */
  isIn(bucket: number): boolean {
    const { buckets, groups } = this.#ledger
    return groups.expiryMillis[buckets.firstGroup[bucket]] === neverMillis
  }

  /**
   * Writes the sums over a bucket's perps in one view of the book. A perp without a mark counts 0. A tenth of a
   * position's value is enough to enter it, so value and cost could exceed the bounds of money. A position above a
   * quarter of those bounds therefore requires more margin than any wallet has.
   */
  sum(bucket: number, kind: MarginModelKind, view: BookView, out: PerpSums): void {
    const { buckets, exposures, groups, marks } = this.#ledger
    out.profitMicros = 0
    out.gainMicros = 0
    out.imMicros = 0
    out.mmMicros = 0
    // There is one perp, or two while the orders of a delisted one are being cancelled.
    let row = groups.firstExposure[buckets.firstGroup[bucket]]
    for (; row !== none; row = exposures.nextInGroup[row]) {
      const instrument = exposures.instrument[row]
      if (!isMarked(marks, instrument)) continue
      held.after = exposures.positionLots[row]
      value[0] = 0
      moveValues(value, 0, marks.markMicros, instrument, 1, held)
      value[0] -= exposures.costMicros[row]
      out.profitMicros += value[0]
      if (value[0] > 0) out.gainMicros += value[0]
      notional[notionalPriceAt] = marks.markMicros[instrument]
      this.#writeLots(row, view)
      if (notional[notionalPriceAt] * notional[notionalLotsAt] > valueProductMax) {
        out.imMicros += moneyMicrosMax
      }
      if (kind === MarginModelKind.Portfolio) continue
      workOutNotional(this.#initial)
      out.imMicros += notional[notionalResultAt]
      if (view.withSells && !view.withMaintenance) continue
      workOutNotional(this.#maintenance)
      out.mmMicros += notional[notionalResultAt]
    }
  }

  /** Writes the margin of one position alone. */
  measureAlone(row: number, out: PositionMargin): void {
    const { exposures, marks } = this.#ledger
    const markMicros = markOf(marks, exposures.instrument[row])
    const lots = Math.abs(exposures.positionLots[row])
    out.imMicros = notionalUp(markMicros, lots, this.#initial)
    out.mmMicros = notionalUp(markMicros, lots, this.#maintenance)
  }

  /** Writes the largest size that a perp's position could reach: |q|, with working orders also |q + b| and |q - s|. */
  #writeLots(row: number, view: BookView): void {
    const { positionLots, workingBuyLots, workingSellLots } = this.#ledger.exposures
    const isChanged = row === view.exposure
    const position = positionLots[row] + (isChanged ? view.positionLots : 0)
    notional[notionalLotsAt] = Math.abs(position)
    if (!view.withSells) return
    const buys = workingBuyLots[row] + (isChanged ? view.buyLots : 0)
    const sells = workingSellLots[row] + (isChanged ? view.sellLots : 0)
    notional[notionalLotsAt] = Math.max(
      Math.abs(position),
      Math.abs(position + buys),
      Math.abs(position - sells),
    )
  }
}
