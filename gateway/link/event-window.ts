import type { EventLogReplay } from '../../engine/memory/event-log.js'
import { resumedAgeMillisMax, resumedEventsMax } from '../../schemas/bounds.js'

/** A run of events as the pump has passed it on: from the end of the one before it to `endOffset`. */
export interface EventRun {
  /** Sequence of the last event before it. */
  readonly startSeq: number
  /** Offsets in the event log. */
  readonly startOffset: number
  readonly endOffset: number
  readonly isStepComplete: boolean
}

/** How far back events may be told again. */
export interface WindowLimits {
  /** Sequences behind the latest event. */
  readonly eventsMax: number
  readonly ageMillisMax: number
}

export const windowLimits: WindowLimits = {
  eventsMax: resumedEventsMax,
  ageMillisMax: resumedAgeMillisMax,
}

//  runs, by number:     first                          next
//  +-- ... --+---------+---------+-- ... --+---------+
//  | gone    | run     | run     |         | run     |     each keeps where it ends; it begins where the one
//  +-- ... --+---------+---------+-- ... --+---------+     before it ends. The log itself keeps the events.

/**
 * Where the latest events of one gateway lie in the event log, which holds them longer than they may be told again. A run
 * of events costs a few stores, an event nothing.
 */
export class EventWindow {
  readonly limits: WindowLimits
  /** For whoever reads again; nobody keeps a place in it from one turn to the next. */
  readonly log: EventLogReplay
  /** Of each run its end, by number modulo the length. */
  readonly #seqs: Float64Array
  readonly #millis: Float64Array
  readonly #offsets: Int32Array
  readonly #stepsComplete: Uint8Array
  readonly #length: number
  /** Number of the first run that is known, which nothing is known before of but its end. */
  #first = 0
  #next = 1

  constructor(log: EventLogReplay, limits: WindowLimits = windowLimits) {
    this.log = log
    this.limits = limits
    // A run has an event at least, and the end of the one before the oldest is known too.
    const length = limits.eventsMax + 1
    this.#seqs = new Float64Array(length)
    this.#millis = new Float64Array(length)
    this.#offsets = new Int32Array(length)
    this.#stepsComplete = new Uint8Array(length)
    this.#length = length
  }

  /** Sequence and place in the log of what was passed on last. */
  get seq(): number {
    return this.#seqs[(this.#next - 1) % this.#length]!
  }

  get offset(): number {
    return this.#offsets[(this.#next - 1) % this.#length]!
  }

  /** Number that the next run will have. */
  get nextRun(): number {
    return this.#next
  }

  /** Forgets all: what is told again begins behind this event. */
  reset(seq: number, offset: number): void {
    this.#first = 0
    this.#next = 0
    this.note(seq, offset, 0, true)
  }

  /** A run of events is over. @param nowMillis of a clock that does not go back. */
  note(seq: number, offset: number, nowMillis: number, isStepComplete: boolean): void {
    const place = this.#next++ % this.#length
    if (this.#next - this.#first > this.#length) this.#first++
    this.#seqs[place] = seq
    this.#offsets[place] = offset
    this.#millis[place] = nowMillis
    this.#stepsComplete[place] = isStepComplete ? 1 : 0
  }

  /** @returns null for a run that is no longer known, or not yet. */
  run(number: number): EventRun | null {
    if (number <= this.#first || number >= this.#next) return null
    const [before, place] = [(number - 1) % this.#length, number % this.#length]
    return {
      startSeq: this.#seqs[before]!,
      startOffset: this.#offsets[before]!,
      endOffset: this.#offsets[place]!,
      isStepComplete: this.#stepsComplete[place] === 1,
    }
  }

  /** Number of the oldest run that may be told again; `nextRun` when none may. */
  oldestRun(nowMillis: number): number {
    return this.#firstRun((number) => this.#isInside(number, nowMillis))
  }

  /**
   * Number of the run that has the first event behind a sequence; `nextRun` when there is none yet.
   * @returns null when not all that came behind it may be told again, or when nobody was told of it yet.
   */
  runBehind(seq: number, nowMillis: number): number | null {
    const lastSeq = this.seq
    if (seq > lastSeq || lastSeq - seq > this.limits.eventsMax) return null
    const oldest = this.oldestRun(nowMillis)
    if (seq < this.#seqs[(oldest - 1) % this.#length]!) return null
    return this.#firstRun((number) => this.#seqs[number % this.#length]! > seq)
  }

  #isInside(number: number, nowMillis: number): boolean {
    const { eventsMax, ageMillisMax } = this.limits
    const place = number % this.#length
    const isRecent = nowMillis - this.#millis[place]! <= ageMillisMax
    if (!isRecent || this.#seqs[place]! <= this.seq - eventsMax) return false
    return this.log.isKept(this.#offsets[(number - 1) % this.#length]!)
  }

  /** The first of the runs for which it holds; it holds for all behind that one. */
  #firstRun(holds: (number: number) => boolean): number {
    let low = this.#first + 1
    let high = this.#next
    while (low < high) {
      const middle = (low + high) >>> 1
      if (holds(middle)) high = middle
      else low = middle + 1
    }
    return low
  }
}
