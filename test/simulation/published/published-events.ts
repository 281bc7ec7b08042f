import { type AnyEvent, EventType } from '../../../schemas/generated/events.js'
import { mustHold } from '../run/simulation-errors.js'
import type { Trace } from '../run/trace.js'
import { addWords, digestOf } from './log-events.js'

/**
 * All published events, by sequence. An event published again after a crash must be the same, and time never goes back
 * from one event to the next.
 */
export class PublishedEvents {
  /** Highest sequence that any reader has seen. */
  seqMax = 0
  readonly #events: { readonly digest: number; readonly timeMillis: number }[] = []
  readonly #trace: Trace

  constructor(trace: Trace) {
    this.#trace = trace
  }

  /** Records one event of a bootstrap, which each life publishes anew. */
  noteBootstrap(event: AnyEvent): void {
    addWords(this.#trace.events, event)
  }

  /** Records one event of the log outside a bootstrap. */
  note(event: AnyEvent): void {
    const { seq, timeMillis, recordType } = event
    const digest = digestOf(event)
    const known = this.#events[seq]
    if (known !== undefined) {
      const what = () => `event ${seq} (type ${recordType}) was published before, differently`
      mustHold(known.digest === digest, what)
      return
    }
    const before = this.#events[seq - 1]
    const isLater = before === undefined || before.timeMillis <= timeMillis
    mustHold(isLater, () => `event ${seq} is before event ${seq - 1}`)
    this.#events[seq] = { digest, timeMillis }
    if (seq > this.seqMax) this.seqMax = seq
    this.#trace.add(digest)
    addWords(this.#trace.events, event)
  }

  /** Drops events that a crash takes back without a flush before every answer. */
  forgetAfter(seq: number): void {
    this.#events.length = Math.min(this.#events.length, seq + 1)
    this.seqMax = Math.min(this.seqMax, seq)
  }
}

/** Checks the sequence of one reader: bootstrap records use none, each other event the next. */
export class SequenceCheck {
  /** Sequence of the latest event; after -1 any may come. */
  last = -1
  readonly #who: string
  #isBootstrap = false

  constructor(who: string) {
    this.#who = who
  }

  /** Continues with a new log after this sequence. */
  goOnBehind(seq: number): void {
    this.last = seq
    this.#isBootstrap = false
  }

  /** @returns true if the event belongs to a bootstrap */
  take({ recordType, seq }: AnyEvent): boolean {
    if (recordType === EventType.BootstrapBegin) this.#isBootstrap = true
    const isBootstrap = this.#isBootstrap
    const expected = isBootstrap ? this.last : this.last + 1
    const isNext = this.last < 0 || seq === expected
    mustHold(isNext, () => `${this.#who}: event ${seq} follows ${this.last}`)
    this.last = seq
    if (recordType === EventType.BootstrapEnd) this.#isBootstrap = false
    return isBootstrap
  }
}
