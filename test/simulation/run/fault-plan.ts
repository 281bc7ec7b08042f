import { Random } from './random.js'
import type { Statistics } from './statistics.js'

/** What can go wrong. Each can be left out by its name. */
export const faultKinds = [
  'crash', // the process is killed: between two duties, or at any byte of a write
  'power', // the power goes: what was not flushed is lost, all of it or some
  'torn', // a write that was not flushed survives in part
  'reordered', // of the writes that were not flushed later ones survive without earlier ones
  'short', // a write stores fewer bytes than it was given and fails
  'flush-failed', // a flush fails, and pages that it could not write are called clean
  'flush-slow', // everybody else goes on while a flush runs
  'disk-full', // nothing can grow for a while
  'flip', // a bit on the disk changes
  'lost', // a write that was flushed is not there after a restart
  'duplicated', // a write that was flushed stands in a second place, too
  'misdirected', // a write that was flushed stands in another place
  'stall', // a thread does not run for a while
  'ring', // rings so small that they fill up
  'repeat', // a client sends a request twice
  'late', // a client repeats an answered request much later
  'clock', // somebody steps the clock
  'suspend', // the machine stands still, and its steady clock with it
  'requests', // no fault, but what can be left out: providers come and go, and requests for quote with them
  'auctions', // likewise: orders that providers may fill better than the book, and what becomes of them
  'services', // likewise: what wallets do beside trading
  'safety', // likewise: wallets that end all they have, by themselves, by timers and by connections
  'caps', // likewise: wallets with as many orders as they may have, of all sizes, while indexes move by half
] as const
export type FaultKind = (typeof faultKinds)[number]

/** Several kinds at rates of their own find more than all of them always. */
const rates = [0, 0.5, 1, 1, 2] as const

/** Which faults strike when: drawn from the seed, one stream of numbers per kind. */
export class FaultPlan {
  /** Off in the liveness phase. */
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

  /** Whether this kind happens at all in this run. */
  has(kind: FaultKind): boolean {
    return this.isActive && this.#faults.get(kind)!.rate > 0
  }

  /** Draws whether the fault happens now. */
  happens(kind: FaultKind, probability: number): boolean {
    const isNow = this.strikes(kind, probability)
    if (isNow) this.count(kind)
    return isNow
  }

  /** Draws whether the fault strikes now, where it is counted by who carries it out. */
  strikes(kind: FaultKind, probability: number): boolean {
    const { random, rate } = this.#faults.get(kind)!
    return this.has(kind) && random.chance(probability * rate)
  }

  /** The stream that belongs to the kind. */
  random(kind: FaultKind): Random {
    return this.#faults.get(kind)!.random
  }

  /** The fault has happened. */
  count(kind: FaultKind): void {
    this.#statistics.add(`fault ${kind}`)
  }
}
