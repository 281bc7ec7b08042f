import { CounterName, Counters } from '../../../engine/memory/counters.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import {
  doorbellOf,
  type ExchangeMemory,
  logReaders,
} from '../../../engine/memory/exchange-memory.js'
import { AnyEvent } from '../../../schemas/generated/events.js'

/** Nothing was told for so long: by then the core shows the sequence of the last event. */
const quietMillis = 1000

/**
 * The event log as a history has it that does not follow it: what nobody takes up is let go, and what is known of it is
 * how far it was durable. The core does not wait, so this reader can be lapped. Then it goes on behind what it missed, and
 * `durableSeq` is not up to its place until the next event says which one it is, or there is none for a while.
 */
export class LiveLog {
  /** Its reader, for whoever goes on with it. */
  readonly reader: EventLogReader
  readonly #counters: Counters
  readonly #clock: () => number
  readonly #event = new AnyEvent()
  #durableSeq = 0
  /** When it was seen first that nothing follows on what was missed; -1: nothing is missing. */
  #gapMillis = -1

  /** @param clock milliseconds of any origin. */
  constructor(memory: ExchangeMemory, clock: () => number) {
    this.reader = new EventLogReader(memory.eventLog, logReaders.history)
    this.#counters = new Counters(memory.counters, doorbellOf.history)
    this.#clock = clock
  }

  /** Sequence up to which events are known durable; 0: of none. */
  get durableSeq(): number {
    return this.#durableSeq
  }

  /** Whether every event before the reader's place is one up to `durableSeq`. */
  get isKnown(): boolean {
    return this.#gapMillis < 0
  }

  get isLapped(): boolean {
    return this.reader.lapped()
  }

  /** Whether half of the log is what was not taken up. */
  get isHalfFull(): boolean {
    return this.reader.bytesBehind() >= this.reader.capacityBytes / 2
  }

  /** @param seq of an event that was read from a log, and so was durable. */
  vouchFor(seq: number): void {
    this.#durableSeq = Math.max(this.#durableSeq, seq)
  }

  /** Begins where whoever followed the log has released it. */
  takeOver(): void {
    this.reader.skipToReleased()
    this.#gapMillis = -1
    this.letGo()
  }

  /** Looks what the log holds, and lets go of it when that is half of it or something was missed. */
  letGo(): void {
    if (this.isLapped) this.#passGap()
    if (!this.isKnown) this.#lookBehindGap()
    else if (this.isHalfFull) this.#takeAll()
  }

  #takeAll(): void {
    const { reader } = this
    let seq = 0
    for (let at = reader.next(); at >= 0; at = reader.next()) seq = this.#seqAt(at)
    if (this.isLapped) {
      this.#passGap()
      return
    }
    reader.release()
    this.vouchFor(seq)
  }

  #passGap(): void {
    this.reader.skipToDurable()
    this.#gapMillis = this.#clock()
  }

  #lookBehindGap(): void {
    const { reader } = this
    const seqShown = this.#counters.read(doorbellOf.core, CounterName.Sequence)
    const at = reader.next()
    if (at >= 0) this.#closeGap(this.#seqAt(at))
    else if (reader.headOffset() !== reader.offset()) this.#gapMillis = this.#clock()
    else if (this.#clock() - this.#gapMillis >= quietMillis) this.#closeGap(seqShown)
  }

  #closeGap(seq: number): void {
    if (this.isLapped) {
      this.#passGap()
      return
    }
    this.reader.release()
    this.vouchFor(seq)
    this.#gapMillis = -1
  }

  #seqAt(at: number): number {
    return this.#event.over(this.reader, at).seq
  }
}
