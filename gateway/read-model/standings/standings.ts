import { CompetitionMetric } from '../../../schemas/domain.js'
import type { Participants } from './participants.js'
import { RankedRows } from './ranked-rows.js'

const metrics = Object.values(CompetitionMetric)

/** Exact ranks of all participants, by each metric. To change a row, `take` it, change it, and `put` it back. */
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

  /** Number of participants. */
  get count(): number {
    return this.#ranked[CompetitionMetric.Pnl].count
  }

  /** Ranks all participants from scratch. */
  rankAll(): void {
    const { count, trades } = this.#participants
    const rows = Int32Array.from({ length: count }, (_, row) => row).filter(
      (row) => trades[row]! > 0,
    )
    for (const metric of metrics) this.#ranked[metric].fill(rows)
  }

  /** Removes a row from the ranks, before it changes. */
  take(row: number): void {
    if (!this.takesPart(row)) return
    for (const metric of metrics) this.#ranked[metric].remove(row)
  }

  /** Adds a row to the ranks, after it has changed. */
  put(row: number): void {
    if (!this.takesPart(row)) return
    for (const metric of metrics) this.#ranked[metric].add(row)
  }

  takesPart(row: number): boolean {
    return row >= 0 && this.#participants.trades[row]! > 0
  }

  /** Returns the rank of a participant, from 1. */
  rankOf(row: number, metric: CompetitionMetric): number {
    return this.#ranked[metric].placeOf(row) + 1
  }

  /** Returns the row at a rank, or -1. */
  rowAt(rank: number, metric: CompetitionMetric): number {
    return this.#ranked[metric].slice(rank - 1, 1)[0] ?? -1
  }

  /**
   * Returns a page of rows with their ranks.
   * @param ascending Last rank first.
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
