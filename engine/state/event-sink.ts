import { assert } from '../../schemas/assert.js'
import { eventBytesMax } from '../../schemas/bounds.js'
import { AnyEvent } from '../../schemas/generated/events.js'
import { noViews, type RecordSink, type RecordViews } from '../../schemas/record-views.js'
import type { EventLogWriter } from '../memory/event-log.js'

/** In place of an offset: the event is counted, but nobody is there to be told. */
export const unheard = -1

/**
 * Where the core's events go: each gets the next sequence number whether anybody listens or not, so that a
 * replay counts as the live run did. Without a log (a background replica) nothing is written; while a replay
 * is behind `heardFrom` neither, because the history store has those events already.
 */
export class EventSink implements RecordSink {
  /** Sequence of the latest event. */
  seq = 0
  /** Engine time of the batch, written into every event. */
  timeMillis = 0
  /** Events up to this sequence are counted only. */
  heardFrom = 0
  /** A bootstrap record repeats state under the sequence already reached and takes none of its own. */
  bootstrapping = false
  /**
   * Bytes that may still be written before the slowest holding reader would be overrun, as last looked at; without
   * a log there is always room.
   */
  roomBytes: number
  /** Asked when there are fewer bytes of room than this: waits for the readers as long as that can help. */
  makeRoom: (bytes: number) => void = nothingToDo
  readonly log: EventLogWriter | null
  readonly views: RecordViews
  readonly #event = new AnyEvent()

  constructor(log: EventLogWriter | null) {
    this.log = log
    this.roomBytes = log === null ? Number.POSITIVE_INFINITY : 0
    this.views = log ?? noViews
  }

  /** Looks again how far the holding readers have come. @returns `roomBytes`. */
  lookForRoom(): number {
    if (this.log !== null) this.roomBytes = this.log.freeBytes()
    return this.roomBytes
  }

  /** @returns the offset of a record with its header written, or `unheard`. */
  tryClaim(bytes: number, type: number): number {
    if (!this.bootstrapping) {
      this.seq++
      if (this.seq <= this.heardFrom) return unheard
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
   * A holding reader that is overrun would miss an event for good: better no venue than that. One largest record
   * is spared, for the padding at the log's end and the reader's own caution.
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
