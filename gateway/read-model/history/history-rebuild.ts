import type { Snapshot } from '../../../engine/journal/snapshot-store.js'
import {
  allocateEventLog,
  EventLogReader,
  EventLogWriter,
} from '../../../engine/memory/event-log.js'
import { logReaders } from '../../../engine/memory/exchange-memory.js'
import { eventLogBytes } from '../../../schemas/bounds.js'
import { type HistoryKeeperOptions, letGo } from './history-keeper.js'
import { HistoryReplay } from './history-replay.js'
import { eventsPerCommitMax, HistoryWriter } from './history-writer.js'
import type { KeptSegments } from './kept-segments.js'

interface RebuildOptions
  extends Pick<HistoryKeeperOptions, 'memory' | 'dataDir' | 'engine' | 'clock'> {
  readonly segments: KeptSegments
  /** Where the replay begins; null: at segment 0. */
  readonly snapshot: Snapshot | null
}

/** Batches of one turn: between two the thread looks at its stop flag and says that it lives. */
const batchesPerTurn = 8

/**
 * Fills an empty store from the journal: a log of its own carries what the replay tells to the store's writer, who
 * goes on with the event log from there. The event log is let go on meanwhile: the core never waits for a rebuild. Only
 * what is known durable is replayed, or the store could be ahead of the journal.
 */
export class HistoryRebuild {
  readonly #live: EventLogReader
  readonly #writer: HistoryWriter
  readonly #replay: HistoryReplay
  /** Sequence up to which the journal has everything durable, and the event log has let it go. */
  #durableSeq: number
  #isWhole = false

  /** @param durableSeq of an event that was read from the event log. */
  constructor(options: RebuildOptions, durableSeq: number) {
    const { memory, dataDir, engine, clock, segments, snapshot } = options
    this.#durableSeq = durableSeq
    const eventLog = allocateEventLog(eventLogBytes)
    this.#live = new EventLogReader(memory.eventLog, logReaders.history)
    const own = new EventLogWriter(eventLog, [logReaders.history])
    this.#writer = new HistoryWriter({ ...memory, eventLog }, dataDir, engine, clock)
    try {
      const pause = () => void this.#writer.doWork()
      this.#replay = new HistoryReplay(segments, engine, own, snapshot, pause)
    } catch (error) {
      this.#writer.abandon()
      throw error
    }
  }

  /** Sequence up to which events were known durable. */
  get durableSeq(): number {
    return this.#durableSeq
  }

  /** The store's writer once the store has what the event log has let go: it follows that log now. */
  get wholeWriter(): HistoryWriter | null {
    return this.#isWhole ? this.#writer : null
  }

  doWork(): number {
    const replay = this.#replay
    this.#durableSeq = Math.max(this.#durableSeq, letGo(this.#live))
    for (let i = 0; i < batchesPerTurn && replay.seq < this.#durableSeq; i++) {
      while (!replay.hasRoom) this.#writer.doWork()
      if (!replay.step()) return this.#writer.doWork()
    }
    this.#writer.doWork()
    if (replay.seq >= this.#durableSeq) this.#handOver()
    return eventsPerCommitMax
  }

  abandon(): void {
    this.#writer.abandon()
  }

  #handOver(): void {
    while (this.#writer.doWork() > 0);
    this.#writer.follow(this.#live)
    this.#isWhole = true
  }
}
