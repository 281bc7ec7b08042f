import { EventType } from '../../../schemas/generated/events.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { addWords, digestOf, millisOf, seqOf, typeOf } from '../log-events.js'
import { mustHold } from '../simulation-errors.js'
import type { Trace } from '../trace.js'

/**
 * Everything that anybody was told, by sequence: told again after a crash it must be the same, and
 * time never goes back from one event to the next.
 */
export class ToldEvents {
  /** Highest sequence that anybody has seen. */
  seqMax = 0
  readonly #digests: number[] = []
  readonly #millis: number[] = []
  readonly #trace: Trace

  constructor(trace: Trace) {
    this.#trace = trace
  }

  /** Notes one event of a bootstrap, which each life tells anew. */
  noteBootstrap(log: RecordViews, at: number): void {
    addWords(this.#trace.events, log, at)
  }

  /** Notes one event of the log, that of a bootstrap excepted. */
  note(log: RecordViews, at: number): void {
    const seq = seqOf(log, at)
    const digest = digestOf(log, at)
    const known = this.#digests[seq]
    if (known !== undefined) {
      const type = typeOf(log, at)
      mustHold(known === digest, () => `event ${seq} (type ${type}) was told before, differently`)
      return
    }
    const millis = millisOf(log, at)
    const before = this.#millis[seq - 1]
    mustHold(
      before === undefined || before <= millis,
      () => `event ${seq} is before event ${seq - 1}`,
    )
    this.#digests[seq] = digest
    this.#millis[seq] = millis
    if (seq > this.seqMax) this.seqMax = seq
    this.#trace.add(digest)
    addWords(this.#trace.events, log, at)
  }

  /** Without a flush before every answer a crash takes back what was told. */
  forgetAfter(seq: number): void {
    this.#digests.length = Math.min(this.#digests.length, seq + 1)
    this.#millis.length = Math.min(this.#millis.length, seq + 1)
    this.seqMax = Math.min(this.seqMax, seq)
  }
}

/** Follows the sequence of one reader: bootstrap records take none, all others the next. */
export class SequenceCheck {
  readonly #who: string
  #last = -1
  #isBootstrap = false

  constructor(who: string) {
    this.#who = who
  }

  /** @returns whether the event belongs to a bootstrap. */
  take(log: RecordViews, at: number): boolean {
    const type = typeOf(log, at)
    if (type === EventType.BootstrapBegin) this.#isBootstrap = true
    const seq = seqOf(log, at)
    const expected = this.#isBootstrap ? this.#last : this.#last + 1
    const isNext = this.#last < 0 || seq === expected
    mustHold(isNext, () => `${this.#who}: event ${seq} follows ${this.#last}`)
    this.#last = seq
    const isBootstrap = this.#isBootstrap
    if (type === EventType.BootstrapEnd) this.#isBootstrap = false
    return isBootstrap
  }
}
