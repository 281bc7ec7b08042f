import { CounterName, Counters } from '../../../engine/memory/counters.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import {
  type ExchangeMemory,
  logReaders,
  wakeupOf,
} from '../../../engine/memory/exchange-memory.js'
import { AnyEvent } from '../../../schemas/generated/events.js'

/** After this long without an event, the counter of the core has the sequence of the last event. */
const quietMillis = 1000

/**
 * Reader of the event log while no writer follows it. It discards events, and only notes the last durable sequence. The
 * core does not wait, so this reader can be lapped. It then skips the lost events, and `durableSeq` does not cover its
 * position until the next event arrives, or none arrives for a while.
 */
export class LiveLog {
  /** Reader of the log, for the writer that continues with it. */
  readonly reader: EventLogReader
  readonly #counters: Counters
  readonly #clock: () => number
  readonly #event = new AnyEvent()
  #durableSeq = 0
  /** Time since when no event has arrived after a gap; -1: there is no gap. */
  #gapMillis = -1

  /** @param clock milliseconds of any origin. */
  constructor(memory: ExchangeMemory, clock: () => number) {
    this.reader = new EventLogReader(memory.eventLog, logReaders.history)
    this.#counters = new Counters(memory.counters, wakeupOf.history)
    this.#clock = clock
  }

  /** Last sequence known to be durable; 0: none. */
  get durableSeq(): number {
    return this.#durableSeq
  }

  /** True if `durableSeq` covers every event before the position of the reader. */
  get isKnown(): boolean {
    return this.#gapMillis < 0
  }

  get isLapped(): boolean {
    return this.reader.lapped()
  }

  /** True if half of the log is unread. */
  get isHalfFull(): boolean {
    return this.reader.bytesBehind() >= this.reader.capacityBytes / 2
  }

  /** Notes a durable sequence. @param seq sequence of an event read from a log, so it is durable. */
  noteDurable(seq: number): void {
    this.#durableSeq = Math.max(this.#durableSeq, seq)
  }

  /** Continues at the position that the previous reader released. */
  takeOver(): void {
    this.reader.skipToReleased()
    this.#gapMillis = -1
    this.discard()
  }

  /** Discards unread events if they fill half of the log, or after a gap. */
  discard(): void {
    if (this.isLapped) this.#skipGap()
    if (!this.isKnown) this.#readAfterGap()
    else if (this.isHalfFull) this.#discardAll()
  }

  #discardAll(): void {
    const { reader } = this
    let seq = 0
    for (let at = reader.next(); at >= 0; at = reader.next()) seq = this.#seqAt(at)
    if (this.isLapped) {
      this.#skipGap()
      return
    }
    reader.release()
    this.noteDurable(seq)
  }

  #skipGap(): void {
    this.reader.skipToDurable()
    this.#gapMillis = this.#clock()
  }

  #readAfterGap(): void {
    const { reader } = this
    const seqShown = this.#counters.read(wakeupOf.core, CounterName.Sequence)
    const at = reader.next()
    if (at >= 0) this.#closeGap(this.#seqAt(at))
    else if (reader.headOffset() !== reader.offset()) this.#gapMillis = this.#clock()
    else if (this.#clock() - this.#gapMillis >= quietMillis) this.#closeGap(seqShown)
  }

  #closeGap(seq: number): void {
    if (this.isLapped) {
      this.#skipGap()
      return
    }
    this.reader.release()
    this.noteDurable(seq)
    this.#gapMillis = -1
  }

  #seqAt(at: number): number {
    return this.#event.over(this.reader, at).seq
  }
}
