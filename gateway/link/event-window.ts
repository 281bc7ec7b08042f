import type { EventLogReplay } from '../../engine/memory/event-log.js'
import { resumedAgeMillisMax, resumedEventsMax } from '../../schemas/bounds.js'

/** Run of events as the pump has published it: from the end of the previous one to `endOffset`. */
export interface EventRun {
  /** Sequence of the last event before it. */
  readonly startSeq: number
  /** Offsets in the event log. */
  readonly startOffset: number
  readonly endOffset: number
  readonly isStepComplete: boolean
}

/** Limits of the events that may be resumed from. */
export interface WindowLimits {
  /** Sequences before the latest event. */
  readonly eventsMax: number
  readonly ageMillisMax: number
}

export const windowLimits: WindowLimits = {
  eventsMax: resumedEventsMax,
  ageMillisMax: resumedAgeMillisMax,
}

//  runs, by number:     first                          next
//  +-- ... --+---------+---------+-- ... --+---------+
//  | gone    | run     | run     |         | run     |     Each stores its end, where the next one starts.
//  +-- ... --+---------+---------+-- ... --+---------+     The log itself holds the events.

/**
 * Positions of one gateway's latest events in the event log, which retains them longer than a resume may reach back.
 * Costs a few stores per run of events, and nothing per event.
 */
export class EventWindow {
  readonly limits: WindowLimits
  /** Log for replays. No reader retains a position in it between turns. */
  readonly log: EventLogReplay
  /** End of each run, by its number modulo the length. */
  readonly #seqs: Float64Array
  readonly #millis: Float64Array
  readonly #offsets: Int32Array
  readonly #stepsComplete: Uint8Array
  readonly #length: number
  /** Number of the oldest known run, of which only the end is known. */
  #first = 0
  #next = 1

  constructor(log: EventLogReplay, limits: WindowLimits = windowLimits) {
    this.log = log
    this.limits = limits
    // A run has at least one event, and the end of the run before the oldest is needed too.
    const length = limits.eventsMax + 1
    this.#seqs = new Float64Array(length)
    this.#millis = new Float64Array(length)
    this.#offsets = new Int32Array(length)
    this.#stepsComplete = new Uint8Array(length)
    this.#length = length
  }

  /** Sequence and log offset of the last published event. */
  get seq(): number {
    return this.#seqs[(this.#next - 1) % this.#length]!
  }

  get offset(): number {
    return this.#offsets[(this.#next - 1) % this.#length]!
  }

  /** Number of the next run. */
  get nextRun(): number {
    return this.#next
  }

  /** Forgets all runs: a resume can start after this event at the earliest. */
  reset(seq: number, offset: number): void {
    this.#first = 0
    this.#next = 0
    this.note(seq, offset, 0, true)
  }

  /** Notes the end of a run. @param nowMillis Monotonic time. */
  note(seq: number, offset: number, nowMillis: number, isStepComplete: boolean): void {
    const index = this.#next++ % this.#length
    if (this.#next - this.#first > this.#length) this.#first++
    this.#seqs[index] = seq
    this.#offsets[index] = offset
    this.#millis[index] = nowMillis
    this.#stepsComplete[index] = isStepComplete ? 1 : 0
  }

  /**
   * @returns Null if the run is no longer known, or not yet.
   */
  run(number: number): EventRun | null {
    if (number <= this.#first || number >= this.#next) return null
    const [before, index] = [(number - 1) % this.#length, number % this.#length]
    return {
      startSeq: this.#seqs[before]!,
      startOffset: this.#offsets[before]!,
      endOffset: this.#offsets[index]!,
      isStepComplete: this.#stepsComplete[index] === 1,
    }
  }

  /** Returns the number of the oldest run that may be replayed; `nextRun` if none may. */
  oldestRun(nowMillis: number): number {
    return this.#firstRun((number) => this.#isInside(number, nowMillis))
  }

  /**
   * Returns the number of the run with the first event after a sequence; `nextRun` if there is none yet.
   * @returns Null if not all later events may be replayed, or if the sequence is not yet published.
   */
  firstAfter(seq: number, nowMillis: number): number | null {
    const lastSeq = this.seq
    if (seq > lastSeq || lastSeq - seq > this.limits.eventsMax) return null
    const oldest = this.oldestRun(nowMillis)
    if (seq < this.#seqs[(oldest - 1) % this.#length]!) return null
    return this.#firstRun((number) => this.#seqs[number % this.#length]! > seq)
  }

  #isInside(number: number, nowMillis: number): boolean {
    const { eventsMax, ageMillisMax } = this.limits
    const index = number % this.#length
    const isRecent = nowMillis - this.#millis[index]! <= ageMillisMax
    if (!isRecent || this.#seqs[index]! <= this.seq - eventsMax) return false
    return this.log.isKept(this.#offsets[(number - 1) % this.#length]!)
  }

  /** Returns the first run that satisfies a predicate, which all later runs satisfy too. */
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
