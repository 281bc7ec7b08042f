import { CompetitionMetric } from '../../../schemas/domain.js'
import type { Participants } from './participants.js'
import { RankedRows } from './ranked-rows.js'

const metrics = Object.values(CompetitionMetric)

/** Exact ranks of everybody who takes part, by each metric. A row is taken out, changed, and put back. */
export class Standings {
  readonly #participants: Participants
  readonly #ranked: Readonly<Record<CompetitionMetric, RankedRows>>

  constructor(participants: Participants) {
    this.#participants = participants
    const rankedBy = (metric: CompetitionMetric) =>
      new RankedRows((row, other) => participants.isBetter(row, other, metric))
    this.#ranked = {
      [CompetitionMetric.Pnl]: rankedBy(CompetitionMetric.Pnl),
      [CompetitionMetric.Volume]: rankedBy(CompetitionMetric.Volume),
      [CompetitionMetric.Efficiency]: rankedBy(CompetitionMetric.Efficiency),
    }
  }

  /** How many take part. */
  get count(): number {
    return this.#ranked[CompetitionMetric.Pnl].count
  }

  /** Ranks all that take part anew. */
  rankAll(): void {
    const { count, trades } = this.#participants
    const rows = Int32Array.from({ length: count }, (_, row) => row).filter(
      (row) => trades[row]! > 0,
    )
    for (const metric of metrics) this.#ranked[metric].fill(rows)
  }

  /** Before the row changes. */
  take(row: number): void {
    if (!this.takesPart(row)) return
    for (const metric of metrics) this.#ranked[metric].remove(row)
  }

  /** After it has changed. */
  put(row: number): void {
    if (!this.takesPart(row)) return
    for (const metric of metrics) this.#ranked[metric].add(row)
  }

  takesPart(row: number): boolean {
    return row >= 0 && this.#participants.trades[row]! > 0
  }

  /** From 1; of a row that takes part. */
  rankOf(row: number, metric: CompetitionMetric): number {
    return this.#ranked[metric].placeOf(row) + 1
  }

  /** The row of a rank, -1 without one. */
  rowAt(rank: number, metric: CompetitionMetric): number {
    return this.#ranked[metric].slice(rank - 1, 1)[0] ?? -1
  }

  /**
   * A page of rows with their ranks.
   * @param ascending the last rank first.
   */
  page(metric: CompetitionMetric, ascending: boolean, offset: number, limit: number) {
    const ranked = this.#ranked[metric]
    const { count } = ranked
    if (!ascending) {
      return ranked.slice(offset, limit).map((row, index) => ({ row, rank: offset + index + 1 }))
    }
    const end = count - offset
    const from = Math.max(0, end - limit)
    const rows = end <= 0 ? [] : ranked.slice(from, end - from)
    return rows.map((row, index) => ({ row, rank: from + index + 1 })).reverse()
  }
}
