import { assert } from '../../schemas/assert.js'
import { eventBytesMax } from '../../schemas/bounds.js'
import { AnyEvent } from '../../schemas/generated/events.js'
import { noViews, type RecordSink, type RecordViews } from '../../schemas/record-views.js'
import type { EventLogWriter } from '../memory/event-log.js'

/** Returned instead of an offset: the event is counted, but not written. */
export const unheard = -1

/**
 * Sink for the core's events. Each event gets the next sequence with or without readers, so that a replay counts as the
 * live run did. A background replica has no log and writes nothing. A replay writes no events up to `storedSeq`,
 * because the history store has them.
 */
export class EventSink implements RecordSink {
  /** Sequence of the latest event. */
  seq = 0
  /** Engine time of the batch, written into every event. */
  timeMillis = 0
  /** Events up to this sequence are only counted. */
  storedSeq = 0
  /** True during a bootstrap: its records repeat state under the current sequence, and take none of their own. */
  bootstrapping = false
  /**
   * Bytes that may be written before the slowest holding reader would be overrun, as of the latest check. Without a log
   * there is always room.
   */
  roomBytes: number
  /** Called if fewer than this number of bytes are free; waits for the readers while that can help. */
  makeRoom: (bytes: number) => void = nothingToDo
  readonly log: EventLogWriter | null
  readonly views: RecordViews
  readonly #event = new AnyEvent()

  constructor(log: EventLogWriter | null) {
    this.log = log
    this.roomBytes = log === null ? Number.POSITIVE_INFINITY : 0
    this.views = log ?? noViews
  }

  /**
   * Reads again the positions of the holding readers.
   * @returns `roomBytes`.
   */
  lookForRoom(): number {
    if (this.log !== null) this.roomBytes = this.log.freeBytes()
    return this.roomBytes
  }

  /** @returns the offset of a record with its header written, or `unheard`. */
  tryClaim(bytes: number, type: number): number {
    if (!this.bootstrapping) {
      this.seq++
      if (this.seq <= this.storedSeq) return unheard
    }
    const log = this.log
    if (log === null) return unheard
    this.roomBytes -= bytes
    if (this.roomBytes < eventBytesMax) this.#findRoom(log, bytes)
    const at = log.tryClaim(bytes, type)
    const event = this.#event.over(log, at)
    event.seq = this.seq
    event.timeMillis = this.timeMillis
    return at
  }

  /**
   * Ensures room for a record. A holding reader that is overrun would miss an event for good, so the venue stops
   * instead. One largest record stays free, for the padding at the log's end and the reader's own margin.
   */
  #findRoom(log: EventLogWriter, bytes: number): void {
    if (this.lookForRoom() - bytes < eventBytesMax) this.makeRoom(bytes + eventBytesMax)
    this.roomBytes = log.freeBytes() - bytes
    assert(
      this.roomBytes >= eventBytesMax,
      'event log: a reader that must not miss anything would be overrun',
    )
  }
}

function nothingToDo(): void {}
