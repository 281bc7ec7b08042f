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
  doorbellOf,
  type ExchangeMemory,
  flagWords,
  logReaders,
} from '../../../engine/memory/exchange-memory.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { errorOf } from '../../../engine/threads/error-of.js'
import { AnyEvent } from '../../../schemas/generated/events.js'
import { giveUpGap, readGapSeq } from './competition-store.js'
import { beginRebuilding, endRebuilding, isRebuilding, setAside } from './history-aside.js'
import { readHistoryEnd } from './history-end.js'
import type { HistoryRebuild } from './history-rebuild.js'
import { HistoryWriter } from './history-writer.js'
import { beginningsOf, KeptSegments, releaseNotes } from './kept-segments.js'
import { LiveLog } from './live-log.js'

export interface HistoryKeeperOptions {
  readonly memory: ExchangeMemory
  /** Folder of the store's file. */
  readonly dataDir: string
  /** What a store is filled from again, and whose it is. */
  readonly journalDirectory: string
  readonly identity: string
  /** Theoretical prices are worked out as the engine does. */
  readonly engine: EngineConfig
  /** Age of rows that go (`OldRows`); 0: all are kept. */
  readonly keepDays: number
  /** Milliseconds of any origin. */
  readonly clock: () => number
  /** Something worth a line in the log. */
  readonly onNote: (text: string) => void
}

const waitMillisFirst = 1000
const waitMillisMax = 60_000

/**
 * Keeps a history store whatever becomes of its file. A store that fails is set aside, and another one is filled from
 * journal and archive; meanwhile the core goes on, and who asks for history hears that it is not ready.
 */
export class HistoryKeeper implements Duty {
  readonly role = 'history'
  readonly #options: HistoryKeeperOptions
  readonly #counters: Counters
  readonly #flags: Int32Array
  readonly #live: LiveLog
  #writer: HistoryWriter | null = null
  #rebuild: HistoryRebuild | null = null
  #rebuildClass: typeof HistoryRebuild | null = null
  #isStarted = false
  /** The store is sound, but lacks what the event log has let go: it is filled on, not again. */
  #isBehind = false
  /** Places of the journal to begin at that turned out to lead nowhere. */
  #beginningsPassed = 0
  #waitMillis = waitMillisFirst
  #nextMillis = 0
  /** Sequence that has to be on disk before the new store counts; -1: it does. */
  #unflushedSeq = -1

  constructor(options: HistoryKeeperOptions) {
    const { memory, dataDir, clock } = options
    this.#options = options
    this.#counters = new Counters(memory.counters, doorbellOf.history)
    this.#flags = new Int32Array(memory.flags)
    this.#live = new LiveLog(memory, clock)
    if (isRebuilding(dataDir)) this.#counters.set(CounterName.HistoryDown, 1)
  }

  /** Whether a store is to be filled and what fills it, most of the engine, has not been brought: few starts need it. */
  get lacksRebuild(): boolean {
    return this.#isDown && this.#rebuildClass === null
  }

  bringRebuild(rebuild: typeof HistoryRebuild): void {
    this.#rebuildClass = rebuild
  }

  onStart(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    if (this.#isDown) {
      this.#counters.add(CounterName.HistoryRebuilds, 1)
      this.#options.onNote('history: there is no store; it is filled from journal and archive')
      return
    }
    this.#guarded(() => {
      const { memory, dataDir, engine, clock, keepDays } = this.#options
      this.#writer = new HistoryWriter(memory, dataDir, engine, clock, keepDays)
      this.#writer.onStart()
      return 0
    })
  }

  doWork(): number {
    if (this.#writer !== null) return this.#guarded(() => this.#follow(this.#writer!))
    if (this.#rebuild !== null) return this.#guarded(() => this.#goOn(this.#rebuild!))
    this.#live.letGo()
    if (this.#options.clock() < this.#nextMillis) return 0
    return this.#guarded(() => this.#begin())
  }

  onClose(): void {
    this.#guarded(() => {
      this.#closeWriter()
      this.#rebuild?.abandon()
      if (this.#unflushedSeq >= 0) endRebuilding(this.#options.dataDir)
      return 0
    })
  }

  /** What it lacks when it was lapped at the last moment, the next start tells it. */
  #closeWriter(): void {
    try {
      this.#writer?.onClose()
    } catch (error) {
      if (!this.#live.isLapped) throw error
    }
  }

  get #isDown(): boolean {
    return this.#counters.read(doorbellOf.history, CounterName.HistoryDown) === 1
  }

  #follow(writer: HistoryWriter): number {
    this.#heedFinding()
    if (this.#isFarBehind()) return this.#fallBehind(writer)
    if (writer.lacksStandings) return this.#fallBehind(writer, 'a loss has taken standings')
    const count = this.#patiently(() => this.#takeIn(writer))
    if (this.#writer === null) return count
    this.#endRebuilding()
    return count
  }

  /** The core does not wait: it may have gone round the log while a transaction was under way, which then says nothing. */
  #takeIn(writer: HistoryWriter): number {
    try {
      return writer.doWork()
    } catch (error) {
      if (!this.#live.isLapped) throw error
      return this.#fallBehind(writer)
    }
  }

  /** Somebody who holds the store locked is waited for, as long as the event log has room for what happens. */
  #patiently(work: () => number): number {
    try {
      return work()
    } catch (error) {
      const isLocked = (error as { code?: unknown }).code === 'SQLITE_BUSY'
      if (isLocked && !this.#live.isHalfFull) return 0
      throw error
    }
  }

  /** While the venue recovers, nobody trades who could be held up. */
  #isFarBehind(): boolean {
    return Atomics.load(this.#flags, flagWords.ready) === 1 && this.#live.isHalfFull
  }

  /** The core would go round the event log soon: it is let go, and what it holds is taken from the journal. */
  #fallBehind(writer: HistoryWriter, why = 'it is far behind'): number {
    this.#isBehind = true
    this.#counters.set(CounterName.HistoryDown, 1)
    this.#live.vouchFor(writer.lastSeq)
    this.#writer = null
    writer.abandon()
    this.#live.takeOver()
    this.#options.onNote(`alarm: history: ${why}; what it lacks is taken from the journal`)
    return 1
  }

  #heedFinding(): void {
    if (Atomics.exchange(this.#flags, flagWords.historyBroken, 0) === 0) return
    throw new Error('what was read from it was not sound')
  }

  #begin(): number {
    if (this.#live.durableSeq === 0) this.#peek()
    if (this.#live.durableSeq === 0 || this.#rebuildClass === null) return 0
    const { dataDir, onNote } = this.#options
    const segments = new KeptSegments(new NodeFiles(this.#options.journalDirectory))
    const store = new SnapshotStore(segments, engineVersions, this.#options.identity)
    const snapshot = this.#isBehind ? this.#lastHeld(store) : this.#beginning(segments, store)
    if (!this.#isBehind) beginRebuilding(dataDir)
    const options = { ...this.#options, segments, snapshot, live: this.#live }
    this.#rebuild = new this.#rebuildClass(options)
    const from = snapshot === null ? 'the first segment' : `batch ${snapshot.batchNumber}`
    onNote(`history: the store is filled ${this.#isBehind ? '' : 'again '}from ${from} on`)
    for (const what of releaseNotes(segments, store)) onNote(`history: ${what}`)
    return 1
  }

  /** Each event in the event log is durable. */
  #peek(): void {
    const reader = new EventLogReader(this.#options.memory.eventLog, logReaders.history)
    const at = reader.next()
    if (at < 0) return
    const { seq } = new AnyEvent().over(reader, at)
    if (!reader.lapped()) this.#live.vouchFor(seq)
  }

  /** The latest one that the store is not behind; what the store has of the events after it is passed over. */
  #lastHeld(store: SnapshotStore): Snapshot | null {
    const { dataDir, onNote } = this.#options
    const gapSeq = readGapSeq(dataDir)
    const seq = gapSeq ?? readHistoryEnd(dataDir).seq
    const { snapshot } = store.readNewest(seq)
    if (snapshot === null || snapshot.seq <= seq) return snapshot
    if (gapSeq === null) throw new JournalRefusal('no snapshot is old enough')
    onNote('alarm: history: the journal of the standings that were lost is not kept: they are gone')
    giveUpGap(dataDir)
    return this.#lastHeld(store)
  }

  /** The earliest one there is; later ones when those before lead nowhere. */
  #beginning(segments: KeptSegments, store: SnapshotStore): Snapshot | null {
    const beginnings = beginningsOf(segments, store)
    const chosen = beginnings[this.#beginningsPassed % Math.max(1, beginnings.length)]
    if (chosen === undefined) throw new JournalRefusal('there is nothing to begin with')
    return chosen === null ? null : store.readOne(chosen)
  }

  #goOn(rebuild: HistoryRebuild): number {
    const count = rebuild.doWork()
    if (rebuild.wholeWriter === null) return count
    this.#writer = rebuild.wholeWriter
    this.#rebuild = null
    this.#isBehind = false
    const { lastSeq } = this.#writer
    Atomics.store(this.#flags, flagWords.historyBroken, 0)
    this.#counters.set(CounterName.HistoryDown, 0)
    this.#unflushedSeq = lastSeq
    this.#waitMillis = waitMillisFirst
    this.#options.onNote(`history: the store is whole again, up to sequence ${lastSeq}`)
    return count
  }

  /** Until what was filled is on disk, a start fills it again. */
  #endRebuilding(): void {
    if (this.#unflushedSeq < 0) return
    const flushedSeq = this.#counters.read(doorbellOf.history, CounterName.HistorySequence)
    if (flushedSeq < this.#unflushedSeq) return
    this.#unflushedSeq = -1
    endRebuilding(this.#options.dataDir)
  }

  #guarded(work: () => number): number {
    try {
      return work()
    } catch (error) {
      this.#giveUp(errorOf(error))
      return 1
    }
  }

  #giveUp(error: Error): void {
    const { dataDir, onNote, clock } = this.#options
    if (!this.#isDown || this.#isBehind) this.#counters.add(CounterName.HistoryRebuilds, 1)
    this.#isBehind = false
    this.#counters.set(CounterName.HistoryDown, 1)
    this.#counters.set(CounterName.HistorySequence, 0)
    this.#unflushedSeq = -1
    this.#live.vouchFor(this.#writer?.lastSeq ?? 0)
    this.#writer?.abandon()
    this.#rebuild?.abandon()
    this.#writer = null
    this.#rebuild = null
    this.#live.takeOver()
    const isJournal = [JournalDamage, JournalRefusal, ReplayDivergence].some(
      (kind) => error instanceof kind,
    )
    if (isJournal) this.#beginningsPassed++
    this.#nextMillis = clock() + this.#waitMillis
    this.#waitMillis = Math.min(2 * this.#waitMillis, waitMillisMax)
    onNote(`alarm: history: the store failed: ${error.message}`)
    try {
      const aside = setAside(dataDir)
      if (aside !== null) onNote(`history: the store stands in ${aside} now`)
    } catch (problem) {
      onNote(`history: the store cannot be set aside: ${errorOf(problem).message}`)
    }
  }
}
