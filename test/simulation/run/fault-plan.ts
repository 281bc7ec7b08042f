import { Random } from './random.js'
import type { Statistics } from './statistics.js'

/** Kinds of faults. A run can leave out each by its name. */
export const faultKinds = [
  'crash', // the process is killed between two duties, or at any byte of a write
  'power', // the power fails: all or some unflushed data is lost
  'torn', // an unflushed write survives in part
  'reordered', // later unflushed writes survive without earlier ones
  'short', // a write stores fewer bytes than it was given and fails
  'flush-failed', // a flush fails, and pages that it could not write count as clean
  'flush-slow', // other threads run during a flush
  'disk-full', // no file can grow for a while
  'flip', // a bit on the disk changes
  'lost', // a flushed write is missing after a restart
  'duplicated', // a flushed write also appears in a second place
  'misdirected', // a flushed write appears in another place
  'stall', // a thread does not run for a while
  'ring', // rings are so small that they fill up
  'repeat', // a client sends a request twice
  'late', // a client retries an answered request much later
  'clock', // an administrator steps the clock
  'suspend', // the machine is suspended, and its steady clock with it
  'requests', // an optional activity, not a fault: quote providers and requests for quote
  'auctions', // likewise: orders that providers may fill better than the book
  'services', // likewise: commands of wallets other than trading
  'safety', // likewise: wallets that end all their orders, by themselves, by timers and by connections
  'caps', // likewise: wallets at their order cap, with all sizes, while indexes move by half
] as const
export type FaultKind = (typeof faultKinds)[number]

/** Different rates per kind find more than all kinds at the same rate. */
const rates = [0, 0.5, 1, 1, 2] as const

/** Decides when faults strike: drawn from the seed, with one random stream per kind. */
export class FaultPlan {
  /** False in the liveness phase. */
  isActive = true
  readonly #faults = new Map<FaultKind, { readonly random: Random; readonly rate: number }>()
  readonly #statistics: Statistics

  constructor(seed: number, without: ReadonlySet<FaultKind>, statistics: Statistics) {
    this.#statistics = statistics
    for (const kind of faultKinds) {
      const random = new Random(seed, `fault ${kind}`)
      const rate = random.pick(rates)
      this.#faults.set(kind, { random, rate: without.has(kind) ? 0 : rate })
    }
  }

  /** Returns true if this kind happens at all in this run. */
  has(kind: FaultKind): boolean {
    return this.isActive && this.#faults.get(kind)!.rate > 0
  }

  /** Draws whether the fault happens now, and counts it. */
  happens(kind: FaultKind, probability: number): boolean {
    const isNow = this.strikes(kind, probability)
    if (isNow) this.count(kind)
    return isNow
  }

  /** Draws whether the fault strikes now. The code that carries it out counts it. */
  strikes(kind: FaultKind, probability: number): boolean {
    const { random, rate } = this.#faults.get(kind)!
    return this.has(kind) && random.chance(probability * rate)
  }

  /** Random stream of the kind. */
  random(kind: FaultKind): Random {
    return this.#faults.get(kind)!.random
  }

  /** Counts the fault. */
  count(kind: FaultKind): void {
    this.#statistics.add(`fault ${kind}`)
  }
}
