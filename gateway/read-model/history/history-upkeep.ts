import { engineVersions } from '../../../engine/core/engine-versions.js'
import {
  JournalDamage,
  JournalRefusal,
  ReplayDivergence,
} from '../../../engine/journal/journal-errors.js'
import { NodeFiles } from '../../../engine/journal/node-files.js'
import { type Snapshot, SnapshotStore } from '../../../engine/journal/snapshot-store.js'
import { CounterName, Counters } from '../../../engine/memory/counters.js'
import type { Duty } from '../../../engine/memory/duty.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import {
  type ExchangeMemory,
  flagWords,
  logReaders,
  wakeupOf,
} from '../../../engine/memory/exchange-memory.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { errorOf } from '../../../engine/threads/error-of.js'
import { AnyEvent } from '../../../schemas/generated/events.js'
import { giveUpGap, readGapSeq } from './competition-store.js'
import { beginRebuilding, endRebuilding, isRebuilding, quarantineStore } from './history-aside.js'
import { readHistoryEnd } from './history-end.js'
import type { HistoryRebuild } from './history-rebuild.js'
import { HistoryWriter } from './history-writer.js'
import { KeptSegments, releaseNotes, startingPointsOf } from './kept-segments.js'
import { LiveLog } from './live-log.js'

export interface HistoryUpkeepOptions {
  readonly memory: ExchangeMemory
  /** Folder of the store's file. */
  readonly dataDir: string
  /** Journal from which a store is rebuilt, and the identity that its snapshots must have. */
  readonly journalDirectory: string
  readonly identity: string
  /** Configuration for the computation of theoretical prices. */
  readonly engine: EngineConfig
  /** Retention in days (`OldRows`); 0: unlimited. */
  readonly keepDays: number
  /** Milliseconds of any origin. */
  readonly clock: () => number
  /** Receives lines for the log. */
  readonly onNote: (text: string) => void
}

const waitMillisFirst = 1000
const waitMillisMax = 60_000

/**
 * Maintains the history store, and replaces it if it fails. A failed store is quarantined, and a new one is filled from
 * journal and archive. During the rebuild, the core continues, and
 * history queries fail with `not_ready`.
 */
export class HistoryUpkeep implements Duty {
  readonly role = 'history'
  readonly #options: HistoryUpkeepOptions
  readonly #counters: Counters
  readonly #flags: Int32Array
  readonly #live: LiveLog
  #writer: HistoryWriter | null = null
  #rebuild: HistoryRebuild | null = null
  #rebuildClass: typeof HistoryRebuild | null = null
  #isStarted = false
  /** True if the store is sound but lacks events that the log no longer has: it is extended, not rebuilt. */
  #isLagging = false
  /** Number of failed attempts; selects the starting point in the journal. */
  #startsFailed = 0
  #waitMillis = waitMillisFirst
  #nextMillis = 0
  /** Sequence that must be on disk before a rebuild is complete; -1: no rebuild is pending. */
  #unflushedSeq = -1

  constructor(options: HistoryUpkeepOptions) {
    const { memory, dataDir, clock } = options
    this.#options = options
    this.#counters = new Counters(memory.counters, wakeupOf.history)
    this.#flags = new Int32Array(memory.flags)
    this.#live = new LiveLog(memory, clock)
    if (isRebuilding(dataDir)) this.#counters.set(CounterName.HistoryDown, 1)
  }

  /**
   * True if a store must be filled but `HistoryRebuild` is not loaded. It imports most of the engine; few starts need
   * it.
   */
  get lacksRebuild(): boolean {
    return this.#isDown && this.#rebuildClass === null
  }

  provideRebuild(rebuild: typeof HistoryRebuild): void {
    this.#rebuildClass = rebuild
  }

  onStart(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    if (this.#isDown) {
      this.#counters.add(CounterName.HistoryRebuilds, 1)
      this.#options.onNote('history: no store found; rebuilding it from journal and archive')
      return
    }
    this.#guard(() => {
      const { memory, dataDir, engine, clock, keepDays } = this.#options
      this.#writer = new HistoryWriter(memory, dataDir, engine, clock, keepDays)
      this.#writer.onStart()
      return 0
    })
  }

  doWork(): number {
    if (this.#writer !== null) return this.#guard(() => this.#follow(this.#writer!))
    if (this.#rebuild !== null) return this.#guard(() => this.#continueRebuild(this.#rebuild!))
    this.#live.discard()
    if (this.#options.clock() < this.#nextMillis) return 0
    return this.#guard(() => this.#begin())
  }

  onClose(): void {
    this.#guard(() => {
      this.#closeWriter()
      this.#rebuild?.abandon()
      if (this.#unflushedSeq >= 0) endRebuilding(this.#options.dataDir)
      return 0
    })
  }

  /** Closes the writer. If it was lapped at the last moment, the next start supplies the missing events. */
  #closeWriter(): void {
    try {
      this.#writer?.onClose()
    } catch (error) {
      if (!this.#live.isLapped) throw error
    }
  }

  get #isDown(): boolean {
    return this.#counters.read(wakeupOf.history, CounterName.HistoryDown) === 1
  }

  #follow(writer: HistoryWriter): number {
    this.#failIfReportedBroken()
    if (this.#isTooFarBehind()) return this.#catchUpFromJournal(writer)
    if (writer.lacksStandings) return this.#catchUpFromJournal(writer, 'a loss has taken standings')
    const count = this.#toleratingLocks(() => this.#runWriter(writer))
    if (this.#writer === null) return count
    this.#endRebuilding()
    return count
  }

  /** Runs the writer. The core does not wait, and may lap the log during a transaction, which then fails. */
  #runWriter(writer: HistoryWriter): number {
    try {
      return writer.doWork()
    } catch (error) {
      if (!this.#live.isLapped) throw error
      return this.#catchUpFromJournal(writer)
    }
  }

  /** Ignores a lock of another process while at most half of the event log is unread. */
  #toleratingLocks(work: () => number): number {
    try {
      return work()
    } catch (error) {
      const isLocked = (error as { code?: unknown }).code === 'SQLITE_BUSY'
      if (isLocked && !this.#live.isHalfFull) return 0
      throw error
    }
  }

  /** Returns true if half of the log is unread. Until the venue is ready, the core waits for this reader instead. */
  #isTooFarBehind(): boolean {
    return Atomics.load(this.#flags, flagWords.ready) === 1 && this.#live.isHalfFull
  }

  /** Stops reading the event log, which the core would soon lap, and fills the gap from the journal. */
  #catchUpFromJournal(writer: HistoryWriter, why = 'the store lags too far'): number {
    this.#isLagging = true
    this.#counters.set(CounterName.HistoryDown, 1)
    this.#live.noteDurable(writer.lastSeq)
    this.#writer = null
    writer.abandon()
    this.#live.takeOver()
    this.#options.onNote(`alarm: history: ${why}; it catches up from the journal`)
    return 1
  }

  #failIfReportedBroken(): void {
    if (Atomics.exchange(this.#flags, flagWords.historyBroken, 0) === 0) return
    throw new Error('a read returned damaged data')
  }

  #begin(): number {
    if (this.#live.durableSeq === 0) this.#readDurableSeq()
    if (this.#live.durableSeq === 0 || this.#rebuildClass === null) return 0
    const { dataDir, onNote } = this.#options
    const segments = new KeptSegments(new NodeFiles(this.#options.journalDirectory))
    const store = new SnapshotStore(segments, engineVersions, this.#options.identity)
    const snapshot = this.#isLagging
      ? this.#startOfCatchUp(store)
      : this.#startOfRebuild(segments, store)
    if (!this.#isLagging) beginRebuilding(dataDir)
    const options = { ...this.#options, segments, snapshot, live: this.#live }
    this.#rebuild = new this.#rebuildClass(options)
    const from = snapshot === null ? 'the first segment' : `batch ${snapshot.batchNumber}`
    onNote(`history: ${this.#isLagging ? 'catching up' : 'rebuilding the store'} from ${from}`)
    for (const what of releaseNotes(segments, store)) onNote(`history: ${what}`)
    return 1
  }

  /** Reads the sequence of the next event, since each event in the event log is durable. */
  #readDurableSeq(): void {
    const reader = new EventLogReader(this.#options.memory.eventLog, logReaders.history)
    const at = reader.next()
    if (at < 0) return
    const { seq } = new AnyEvent().over(reader, at)
    if (!reader.lapped()) this.#live.noteDurable(seq)
  }

  /** Returns the latest snapshot at or before the end of the store. The writer skips events that the store has. */
  #startOfCatchUp(store: SnapshotStore): Snapshot | null {
    const { dataDir, onNote } = this.#options
    const gapSeq = readGapSeq(dataDir)
    const seq = gapSeq ?? readHistoryEnd(dataDir).seq
    const { snapshot } = store.readNewest(seq)
    if (snapshot === null || snapshot.seq <= seq) return snapshot
    if (gapSeq === null) throw new JournalRefusal('no snapshot is old enough')
    onNote(
      'alarm: history: the journal no longer has the lost competition standings; they cannot be restored',
    )
    giveUpGap(dataDir)
    return this.#startOfCatchUp(store)
  }

  /** Returns the earliest starting point, and after failures the next ones in turn; null: the first segment. */
  #startOfRebuild(segments: KeptSegments, store: SnapshotStore): Snapshot | null {
    const points = startingPointsOf(segments, store)
    const chosen = points[this.#startsFailed % Math.max(1, points.length)]
    if (chosen === undefined) throw new JournalRefusal('journal and archive have no starting point')
    return chosen === null ? null : store.readOne(chosen)
  }

  #continueRebuild(rebuild: HistoryRebuild): number {
    const count = rebuild.doWork()
    if (rebuild.finishedWriter === null) return count
    this.#writer = rebuild.finishedWriter
    this.#rebuild = null
    this.#isLagging = false
    const { lastSeq } = this.#writer
    Atomics.store(this.#flags, flagWords.historyBroken, 0)
    this.#counters.set(CounterName.HistoryDown, 0)
    this.#unflushedSeq = lastSeq
    this.#waitMillis = waitMillisFirst
    this.#options.onNote(`history: the store is complete again, up to sequence ${lastSeq}`)
    return count
  }

  /** Marks the rebuild as complete once it is on disk. Until then, a start would rebuild the store again. */
  #endRebuilding(): void {
    if (this.#unflushedSeq < 0) return
    const flushedSeq = this.#counters.read(wakeupOf.history, CounterName.HistorySequence)
    if (flushedSeq < this.#unflushedSeq) return
    this.#unflushedSeq = -1
    endRebuilding(this.#options.dataDir)
  }

  #guard(work: () => number): number {
    try {
      return work()
    } catch (error) {
      this.#discardStore(errorOf(error))
      return 1
    }
  }

  #discardStore(error: Error): void {
    const { dataDir, onNote, clock } = this.#options
    if (!this.#isDown || this.#isLagging) this.#counters.add(CounterName.HistoryRebuilds, 1)
    this.#isLagging = false
    this.#counters.set(CounterName.HistoryDown, 1)
    this.#counters.set(CounterName.HistorySequence, 0)
    this.#unflushedSeq = -1
    this.#live.noteDurable(this.#writer?.lastSeq ?? 0)
    this.#writer?.abandon()
    this.#rebuild?.abandon()
    this.#writer = null
    this.#rebuild = null
    this.#live.takeOver()
    const isJournal = [JournalDamage, JournalRefusal, ReplayDivergence].some(
      (kind) => error instanceof kind,
    )
    if (isJournal) this.#startsFailed++
    this.#nextMillis = clock() + this.#waitMillis
    this.#waitMillis = Math.min(2 * this.#waitMillis, waitMillisMax)
    onNote(`alarm: history: the store failed: ${error.message}`)
    try {
      const aside = quarantineStore(dataDir)
      if (aside !== null) onNote(`history: moved the failed store to ${aside}`)
    } catch (problem) {
      onNote(`history: the failed store cannot be moved: ${errorOf(problem).message}`)
    }
  }
}
