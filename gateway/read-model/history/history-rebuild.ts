import type { Snapshot } from '../../../engine/journal/snapshot-store.js'
import {
  allocateEventLog,
  EventLogReader,
  EventLogWriter,
} from '../../../engine/memory/event-log.js'
import { type ExchangeMemory, logReaders } from '../../../engine/memory/exchange-memory.js'
import type { EngineConfig } from '../../../engine/state/engine-config.js'
import { eventLogBytes } from '../../../schemas/bounds.js'
import { AnyEvent } from '../../../schemas/generated/events.js'
import { letGo } from './history-keeper.js'
import { HistoryReplay } from './history-replay.js'
import { eventsPerCommitMax, HistoryWriter } from './history-writer.js'
import type { KeptSegments } from './kept-segments.js'

export interface RebuildOptions {
  readonly memory: ExchangeMemory
  readonly dataDir: string
  readonly engine: EngineConfig
  readonly clock: () => number
  readonly segments: KeptSegments
  /** Where the replay begins; null: at segment 0. */
  readonly snapshot: Snapshot | null
}

/** Batches of one turn: between two the thread looks at its stop flag and says that it lives. */
const batchesPerTurn = 8

/**
 * Fills an empty store from the journal, and from there on follows the event log.
 *
 * A log of its own carries the events to the store's writer: first those that the replay tells, then copies of what
 * comes in the event log, so that to the writer they are one stream. The event log is let go on meanwhile: the core
 * never waits for a rebuild. Only what is known durable is replayed, or the store could be ahead of the journal.
 */
export class HistoryRebuild {
  readonly #live: EventLogReader
  readonly #event = new AnyEvent()
  readonly #own: EventLogWriter
  readonly #writer: HistoryWriter
  /** Null once the store has what the event log has let go. */
  #replay: HistoryReplay | null
  /** Sequence up to which the journal has everything durable, and the event log has let it go. */
  #durableSeq: number
  #replayedSeq = 0

  /** @param durableSeq of an event that was read from the event log. */
  constructor(options: RebuildOptions, durableSeq: number) {
    const { memory, dataDir, engine, clock, segments, snapshot } = options
    this.#durableSeq = durableSeq
    const eventLog = allocateEventLog(eventLogBytes)
    this.#live = new EventLogReader(memory.eventLog, logReaders.history)
    this.#own = new EventLogWriter(eventLog, [logReaders.history])
    this.#writer = new HistoryWriter({ ...memory, eventLog }, dataDir, engine, clock)
    try {
      const pause = () => void this.#writer.doWork()
      this.#replay = new HistoryReplay(segments, engine, this.#own, snapshot, pause)
    } catch (error) {
      this.#writer.abandon()
      throw error
    }
  }

  /** Whether the store has everything. */
  get isWhole(): boolean {
    return this.#replay === null
  }

  /** Sequence up to which events were known durable. */
  get durableSeq(): number {
    return Math.max(this.#durableSeq, this.#writer.lastSeq)
  }

  doWork(): number {
    return this.#replay === null ? this.#relay() : this.#catchUp(this.#replay)
  }

  onClose(): void {
    while (this.#replay === null && this.#live.hasNext()) this.#relay()
    this.#writer.onClose()
  }

  abandon(): void {
    this.#writer.abandon()
  }

  #catchUp(replay: HistoryReplay): number {
    this.#durableSeq = Math.max(this.#durableSeq, letGo(this.#live))
    for (let i = 0; i < batchesPerTurn && replay.seq < this.#durableSeq; i++) {
      while (!replay.hasRoom) this.#writer.doWork()
      if (!replay.step()) return this.#writer.doWork()
    }
    this.#writer.doWork()
    if (replay.seq >= this.#durableSeq) {
      this.#replayedSeq = replay.seq
      this.#replay = null
    }
    return eventsPerCommitMax
  }

  #relay(): number {
    const live = this.#live
    let count = 0
    for (let at = live.next(); at >= 0; at = live.next()) {
      const event = this.#event.over(live, at)
      if (event.seq > this.#replayedSeq) this.#copy(event)
      if (++count === eventsPerCommitMax) break
    }
    this.#own.storeDurable(this.#own.publish())
    // Also without an event: its flush has a rhythm.
    while (this.#writer.doWork() > 0);
    live.release()
    return count
  }

  #copy({ u8, at, recordBytes, recordType }: AnyEvent): void {
    if (this.#own.freeBytes() < 2 * recordBytes + roomKeptBytes) {
      this.#own.storeDurable(this.#own.publish())
      while (this.#writer.doWork() > 0);
    }
    const to = this.#own.tryClaim(recordBytes, recordType)
    this.#own.u8.set(u8.subarray(at, at + recordBytes), to)
  }
}

const roomKeptBytes = 1 << 16
