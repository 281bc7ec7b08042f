import { readFileSync } from 'node:fs'
import type { Breach } from '../invariants/breach.js'
import { InvariantSweep, type Swept } from '../invariants/sweep.js'
import { InvariantAlarm } from '../memory/exchange-memory.js'
import type { BookAsker } from './book-desk.js'

export interface InvariantWatchOptions {
  /** Between two looks, at least. */
  readonly everyMillis: number
  /** The replica, at a batch border whenever the watch is called. */
  readonly swept: () => Swept & { readonly batchNumber: number }
  readonly books: BookAsker
  readonly wakeBooks: (matcher: number) => void
  /** Of `InvariantAlarm`: shared with the core, which halts the market and hears of its opening. */
  readonly alarm: Int32Array
  readonly wakeCore: () => void
  readonly onBreach: (breach: Breach, batchNumber: number) => void
  readonly onLook: (look: Look) => void
  readonly clockMillis: () => number
  /** Processor time of the calling thread so far, nanoseconds. */
  readonly processorNanos: () => number
}

/** What a look has come to. */
export interface Look {
  readonly batchNumber: number
  readonly nanos: number
  readonly breachCount: number
  /** Slices of the running books that were compared since the start. */
  readonly comparedCount: number
}

/** Of a core: what a look takes is followed by a pause so many times as long, however large the venue. */
const pausesPerLook = 100

/**
 * When the invariants are looked at, and what becomes of a breach: whoever hears of it tells the operator, and the core
 * halts the market until the operator opens it. What stands then is known, and rings no more as long as it stays as it is.
 */
export class InvariantWatch {
  readonly #options: InvariantWatchOptions
  readonly #sweep = new InvariantSweep()
  readonly #standing = new Set<string>()
  readonly #known = new Set<string>()
  #nextMillis = 0

  constructor(options: InvariantWatchOptions) {
    this.#options = options
  }

  /** @returns whether there was a look. */
  doWork(): boolean {
    const { clockMillis, processorNanos, swept, everyMillis, onLook, books, wakeBooks } =
      this.#options
    if (clockMillis() < this.#nextMillis) return false
    const begin = processorNanos()
    this.#learn()
    const engine = swept()
    const breaches: Breach[] = [...this.#sweep.look(engine)]
    const live = books.compare(engine.state.orders.high)
    if (live !== null) breaches.push(live)
    books.ask(wakeBooks)
    for (const breach of breaches) this.#tell(breach, engine.batchNumber)
    const nanos = processorNanos() - begin
    const pauseMillis = Math.max(everyMillis, (nanos / 1e6) * pausesPerLook)
    this.#nextMillis = clockMillis() + pauseMillis
    const { comparedCount } = books
    onLook({ batchNumber: engine.batchNumber, nanos, breachCount: breaches.length, comparedCount })
    return true
  }

  /** What stood when the operator opened the market is known from then on. */
  #learn(): void {
    if (this.#standing.size === 0) return
    if (Atomics.load(this.#options.alarm, 0) !== InvariantAlarm.None) return
    for (const key of this.#standing) this.#known.add(key)
    this.#standing.clear()
  }

  #tell(breach: Breach, batchNumber: number): void {
    const { alarm, onBreach, wakeCore } = this.#options
    if (this.#known.has(breach.key) || this.#standing.has(breach.key)) return
    this.#standing.add(breach.key)
    onBreach(breach, batchNumber)
    Atomics.compareExchange(alarm, 0, InvariantAlarm.None, InvariantAlarm.Raised)
    wakeCore()
  }
}

/** Processor time of the calling thread as the kernel counts it; where it does not tell, time that passes. */
export function threadNanos(): number {
  try {
    const [nanos] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')
    if (nanos !== undefined && Number(nanos) > 0) return Number(nanos)
  } catch {
    // Not this kernel.
  }
  return performance.now() * 1e6
}
