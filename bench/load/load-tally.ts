import { LoadKind, loadKindNames } from './command-plan.js'
import { LatencyHistogram, type LatencySummary } from './latency-histogram.js'
import type { CommandAnswer } from './order-ledger.js'

type KindName = (typeof loadKindNames)[number]

/** Results of the commands of one kind. */
export interface KindReport {
  readonly sent: number
  /** Commands that the engine accepted or rejected. */
  readonly executed: number
  /** Rejections, included in `executed`, by reason code. */
  readonly rejected: Readonly<Record<string, number>>
  /** Commands that failed before the engine, by error code. */
  readonly refused: Readonly<Record<string, number>>
  /** Open-loop latencies of executed commands, in milliseconds. */
  readonly latency: LatencySummary
}

class KindTally {
  sent = 0
  executed = 0
  readonly rejected = new Map<string, number>()
  readonly refused = new Map<string, number>()
  readonly latencies = new LatencyHistogram()

  report(): KindReport {
    return {
      sent: this.sent,
      executed: this.executed,
      rejected: Object.fromEntries(this.rejected),
      refused: Object.fromEntries(this.refused),
      latency: this.latencies.summary(),
    }
  }
}

/** Counts and latencies of one phase's commands, by kind. */
export class LoadTally {
  /** Begin and end of the phase, from the start of the run. */
  readonly beginMillis: number
  endMillis: number
  /** Engine answers that arrived within the phase, to commands of any phase. */
  executedInTime = 0
  /** Time of the last answer to a command of the phase. */
  lastAnswerMillis = 0
  readonly #kinds = Object.values(LoadKind).map(() => new KindTally())

  constructor(beginMillis: number, endMillis: number) {
    this.beginMillis = beginMillis
    this.endMillis = endMillis
  }

  /** Ends the phase at an interruption. A phase that had not begun gets length 0. */
  cut(millis: number): void {
    this.endMillis = Math.max(this.beginMillis, Math.min(this.endMillis, millis))
  }

  get seconds(): number {
    return (this.endMillis - this.beginMillis) / 1000
  }

  get goodputPerSecond(): number {
    return this.executedInTime / this.seconds
  }

  get sentCount(): number {
    return this.#kinds.reduce((sum, { sent }) => sum + sent, 0)
  }

  sent(kind: number): void {
    this.#kinds[kind].sent++
  }

  answered(kind: number, answer: CommandAnswer, latencyMillis: number): void {
    const tally = this.#kinds[kind]
    if (answer.status === '') {
      count(tally.refused, answer.code)
      return
    }
    tally.executed++
    tally.latencies.record(latencyMillis)
    if (answer.status === 'REJECTED') count(tally.rejected, answer.code)
  }

  histogramOf(kind: KindName): LatencyHistogram {
    return this.#kinds[loadKindNames.indexOf(kind)].latencies
  }

  /** Returns the latencies of all kinds. */
  total(): LatencyHistogram {
    const total = new LatencyHistogram()
    for (const { latencies } of this.#kinds) total.add(latencies)
    return total
  }

  report(): Readonly<Record<KindName, KindReport>> {
    const rows = loadKindNames.map((name, kind) => [name, this.#kinds[kind].report()])
    return Object.fromEntries(rows)
  }
}

function count(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1)
}
