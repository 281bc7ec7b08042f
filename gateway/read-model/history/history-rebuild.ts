import { Core } from '../../../engine/core/core.js'
import { engineVersions } from '../../../engine/core/engine-versions.js'
import { publishBootstrap } from '../../../engine/core/operator/bootstrap.js'
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
import { allocateEventLog, EventLogWriter } from '../../../engine/memory/event-log.js'
import { logReaders } from '../../../engine/memory/exchange-memory.js'
import { CoreState } from '../../../engine/state/core-state.js'
import { EventSink } from '../../../engine/state/event-sink.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { eventLogBytes } from '../../../schemas/bounds.js'
import { SegmentOrigin } from '../../../schemas/record-values.js'
import type { HistoryUpkeepOptions } from './history-upkeep.js'
import { eventsPerCommitMax, HistoryWriter } from './history-writer.js'
import type { KeptSegments } from './kept-segments.js'
import type { LiveLog } from './live-log.js'

interface RebuildOptions
  extends Pick<HistoryUpkeepOptions, 'memory' | 'dataDir' | 'engine' | 'clock' | 'keepDays'> {
  readonly segments: KeptSegments
  /** Event log with the last durable sequence, from which at least one event was read. */
  readonly live: LiveLog
  /** Beginning of the replay; null: segment 0. */
  readonly snapshot: Snapshot | null
}

const windowBytes = 1 << 21
/** Batches per call of `doWork`. Between calls the thread checks its stop flag and updates its heartbeat. */
const batchesPerTurn = 8

/**
 * Fills a store from the journal. A private event log carries the events of the replay to the writer of the store,
 * which then continues with the shared event log. Until then, events of the shared log are discarded, so the core never
 * waits for a rebuild. The replay stops at the last durable sequence, so that the store is never ahead of the journal.
 */
export class HistoryRebuild {
  readonly #live: LiveLog
  readonly #writer: HistoryWriter
  readonly #replay: HistoryReplay
  #isFinished = false

  constructor(options: RebuildOptions) {
    const { memory, dataDir, engine, clock, keepDays, segments, snapshot } = options
    this.#live = options.live
    const eventLog = allocateEventLog(eventLogBytes)
    const own = new EventLogWriter(eventLog, [logReaders.history])
    this.#writer = new HistoryWriter({ ...memory, eventLog }, dataDir, engine, clock, keepDays)
    try {
      const pause = () => void this.#writer.doWork()
      this.#replay = new HistoryReplay(segments, engine, own, snapshot, pause)
    } catch (error) {
      this.#writer.abandon()
      throw error
    }
  }

  /** Writer of the store after it has caught up and follows the event log; null before. */
  get finishedWriter(): HistoryWriter | null {
    return this.#isFinished ? this.#writer : null
  }

  doWork(): number {
    const replay = this.#replay
    const live = this.#live
    live.discard()
    for (let i = 0; i < batchesPerTurn && replay.seq < live.durableSeq; i++) {
      while (!replay.hasRoom) this.#writer.doWork()
      if (!replay.step()) return this.#writer.doWork()
    }
    this.#writer.doWork()
    if (replay.seq < live.durableSeq) return eventsPerCommitMax
    if (live.isKnown) this.#handOver()
    return live.isKnown ? eventsPerCommitMax : 0
  }

  abandon(): void {
    this.#writer.abandon()
  }

  #handOver(): void {
    while (this.#writer.doWork() > 0);
    this.#writer.follow(this.#live.reader)
    this.#isFinished = true
  }
}

/**
 * Replays the journal into a private event log, from its first segment or from a snapshot, while the journal is still
 * being written.
 */
class HistoryReplay {
  readonly #segments: KeptSegments
  readonly #core: Core
  readonly #replay: CoreReplay
  readonly #window = new ArrayBuffer(windowBytes)
  #reader: SegmentReader | null = null
  #segmentNumber: number
  #stuckAt = ''

  /**
   * @param snapshot state to start from; null: an empty state and the first segment.
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

  /** Sequence of the last event published. */
  get seq(): number {
    return this.#core.state.sink.seq
  }

  get hasRoom(): boolean {
    return this.#core.hasRoom()
  }

  /**
   * Replays the next batch, which must be durable.
   * @returns false if it cannot be read yet.
   * @throws JournalDamage, JournalRefusal, ReplayDivergence
   */
  step(): boolean {
    this.#reader ??= new SegmentReader(this.#segments, this.#segmentNumber, this.#window)
    const reader = this.#reader
    const found = reader.next()
    if (found === Found.Shutdown) return true
    if (found === Found.Batch) {
      this.#replayBatch(reader)
      return true
    }
    return this.#continueAtEnd(reader)
  }

  #replayBatch(reader: SegmentReader): void {
    const { batch } = reader
    const { state } = this.#core
    if (batch.batchNumber <= state.batchNumber) return
    const { origin, firstBatchNumber } = reader.header
    const isAfterLoss = origin !== SegmentOrigin.Next && batch.batchNumber === firstBatchNumber
    if (batch.batchNumber !== state.batchNumber + 1 && !isAfterLoss) {
      throw new JournalDamage(reader.name, reader.offset, 'batches are missing before it')
    }
    checkReplayable(reader.header, engineVersions)
    replayChecked(this.#replay, batch)
  }

  /** Continues with the next segment, or opens the same one again to read what was written since. */
  #continueAtEnd(reader: SegmentReader): boolean {
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
    // The segment has grown since it was opened, or is still being written.
    const again = new SegmentReader(this.#segments, this.#segmentNumber, this.#window)
    again.offset = reader.offset
    this.#reader = again
    if (header === null || !this.#isStuck(reader)) return false
    throw new JournalDamage(reader.name, reader.offset, 'no sound record in a finished segment')
  }

  /** Returns true if the previous attempt stopped at the same offset of a finished segment. */
  #isStuck(reader: SegmentReader): boolean {
    const place = `${reader.name} ${reader.offset}`
    const isStuck = this.#stuckAt === place
    this.#stuckAt = place
    return isStuck
  }
}
