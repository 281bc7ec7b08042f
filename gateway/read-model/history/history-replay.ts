import { publishBootstrap } from '../../../engine/core/bootstrap.js'
import { Core } from '../../../engine/core/core.js'
import { engineVersions } from '../../../engine/core/engine-versions.js'
import { type CoreRef, CoreReplay, linkOwnMatchers } from '../../../engine/core/replica.js'
import { checkReplayable } from '../../../engine/journal/engine-versions.js'
import { JournalDamage, JournalRefusal } from '../../../engine/journal/journal-errors.js'
import {
  decodeSegmentHeader,
  segmentHeaderBytes,
  segmentName,
} from '../../../engine/journal/segment-format.js'
import { Found, SegmentReader } from '../../../engine/journal/segment-reader.js'
import type { Snapshot } from '../../../engine/journal/snapshot-store.js'
import { loadSnapshot, replayChecked } from '../../../engine/journal/snapshotter.js'
import type { EventLogWriter } from '../../../engine/memory/event-log.js'
import { CoreState } from '../../../engine/state/core-state.js'
import type { EngineConfig } from '../../../engine/state/engine-config.js'
import { EventSink } from '../../../engine/state/event-sink.js'
import { SegmentOrigin } from '../../../schemas/record-values.js'
import type { KeptSegments } from './kept-segments.js'

const windowBytes = 1 << 21

/**
 * Tells the events of the journal again, from its first segment or from a snapshot on, into a log of its own, while
 * the journal goes on being written.
 */
export class HistoryReplay {
  readonly #segments: KeptSegments
  readonly #core: Core
  readonly #replay: CoreReplay
  readonly #window = new ArrayBuffer(windowBytes)
  #reader: SegmentReader | null = null
  #segmentNumber: number
  #stuckAt = ''

  /**
   * @param snapshot to begin with; null: with nothing, from the first segment on.
   * @param pause lets the reader of the log make room.
   */
  constructor(
    segments: KeptSegments,
    engine: EngineConfig,
    log: EventLogWriter,
    snapshot: Snapshot | null,
    pause: () => void,
  ) {
    this.#segments = segments
    const ref: CoreRef = { core: null }
    const state = new CoreState(engine, new EventSink(log), linkOwnMatchers(ref))
    this.#core = new Core(state, [], null, pause)
    ref.core = this.#core
    this.#replay = new CoreReplay(this.#core)
    this.#segmentNumber = segments.first()
    if (snapshot === null) return
    loadSnapshot(this.#replay, snapshot)
    this.#segmentNumber = segments.numberOf(snapshot.batchNumber + 1)
    state.sink.lookForRoom()
    publishBootstrap(state, pause)
  }

  /** Sequence of the last event told. */
  get seq(): number {
    return this.#core.state.sink.seq
  }

  get hasRoom(): boolean {
    return this.#core.hasRoom()
  }

  /**
   * Replays the next batch, which the caller knows to be durable.
   * @returns false when it cannot be read yet.
   * @throws JournalDamage, JournalRefusal, ReplayDivergence
   */
  step(): boolean {
    this.#reader ??= new SegmentReader(this.#segments, this.#segmentNumber, this.#window)
    const reader = this.#reader
    const found = reader.next()
    if (found === Found.Shutdown) return true
    if (found === Found.Batch) {
      this.#take(reader)
      return true
    }
    return this.#goOn(reader)
  }

  #take(reader: SegmentReader): void {
    const { batch } = reader
    const { state } = this.#core
    if (batch.batchNumber <= state.batchNumber) return
    const { origin, firstBatchNumber } = reader.header
    const isBehindLoss = origin !== SegmentOrigin.Next && batch.batchNumber === firstBatchNumber
    if (batch.batchNumber !== state.batchNumber + 1 && !isBehindLoss) {
      throw new JournalDamage(reader.name, reader.offset, 'batches are missing before it')
    }
    checkReplayable(reader.header, engineVersions)
    replayChecked(this.#replay, batch)
  }

  /** At the end of what can be read: the next segment, or the same one again once more is written. */
  #goOn(reader: SegmentReader): boolean {
    const next = segmentName(this.#segmentNumber + 1)
    const header = this.#segments.has(next)
      ? decodeSegmentHeader(this.#segments.read(next, segmentHeaderBytes))
      : null
    if (header === null && this.#segments.numbers().at(-1)! > this.#segmentNumber + 1) {
      throw new JournalRefusal(`${next} is not kept`)
    }
    if (header?.previousBytes === reader.offset) {
      this.#segmentNumber++
      this.#reader = null
      return true
    }
    // What is there has grown since it was opened, or there is more of it to come.
    const again = new SegmentReader(this.#segments, this.#segmentNumber, this.#window)
    again.offset = reader.offset
    this.#reader = again
    if (header === null || !this.#isStuck(reader)) return false
    throw new JournalDamage(reader.name, reader.offset, 'no sound record in a finished segment')
  }

  /** Whether this place of a finished segment was looked at before. */
  #isStuck(reader: SegmentReader): boolean {
    const place = `${reader.name} ${reader.offset}`
    const isStuck = this.#stuckAt === place
    this.#stuckAt = place
    return isStuck
  }
}
