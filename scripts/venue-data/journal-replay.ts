import { Core } from '../../engine/core/core.js'
import { engineVersions } from '../../engine/core/engine-versions.js'
import { type CoreRef, CoreReplay, linkOwnMatchers } from '../../engine/core/replica.js'
import { checkReplayable } from '../../engine/journal/engine-versions.js'
import { JournalDamage, JournalRefusal } from '../../engine/journal/journal-errors.js'
import type { Snapshot } from '../../engine/journal/snapshot-store.js'
import { loadSnapshot, replayChecked } from '../../engine/journal/snapshotter.js'
import { allocateEventLog, EventLogReader, EventLogWriter } from '../../engine/memory/event-log.js'
import { CoreState } from '../../engine/state/core-state.js'
import { engineConfigDefault } from '../../engine/state/engine-config.js'
import { EventSink } from '../../engine/state/event-sink.js'
import { eventLogBytes } from '../../schemas/bounds.js'
import { SegmentOrigin } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { batchesOf, type FoundBatch } from './journal-scan.js'
import type { VenueFolder } from './venue-folder.js'

/** Gets every event that a replay tells, where it stands; it keeps nothing of it. */
export type OnEvent = (views: RecordViews, at: number) => void

/** An engine of its own that replays what a folder keeps, each batch compared with the hash that it has recorded. */
export class JournalReplay {
  readonly state: CoreState
  readonly core: Core
  readonly #folder: VenueFolder
  readonly #replay: CoreReplay
  readonly #reader: EventLogReader
  readonly #onEvent: OnEvent

  /**
   * Begins with the state before `fromBatch`, or earlier: at the newest good snapshot before it, else with nothing.
   * @throws JournalRefusal when neither is kept.
   */
  constructor(folder: VenueFolder, fromBatch: number, onEvent: OnEvent = () => {}) {
    this.#folder = folder
    this.#onEvent = onEvent
    const log = allocateEventLog(eventLogBytes)
    this.#reader = new EventLogReader(log, 0)
    const ref: CoreRef = { core: null }
    const sink = new EventSink(new EventLogWriter(log, [0]))
    this.state = new CoreState(engineConfigDefault, sink, linkOwnMatchers(ref))
    this.core = new Core(this.state, [], null, () => this.takeEvents())
    ref.core = this.core
    this.#replay = new CoreReplay(this.core)
    this.#begin(fromBatch)
  }

  /**
   * Replays batch after batch, and stands behind the one that it has given.
   * @throws JournalDamage, JournalRefusal, ReplayDivergence
   */
  *batches(): Generator<FoundBatch> {
    for (const found of batchesOf(this.#folder, this.state.batchNumber + 1)) {
      if (found.isShutdown) continue
      checkFollows(found, this.state.batchNumber)
      checkReplayable(found.reader.header, engineVersions)
      replayChecked(this.#replay, found.batch)
      this.takeEvents()
      while (!this.core.hasRoom()) this.takeEvents()
      yield found
    }
  }

  /** Hands on what was told. */
  takeEvents(): void {
    const reader = this.#reader
    for (let at = reader.next(); at >= 0; at = reader.next()) this.#onEvent(reader, at)
    reader.release()
  }

  #begin(fromBatch: number): void {
    const { files } = this.#folder
    const snapshot = snapshotBefore(this.#folder, fromBatch)
    if (snapshot !== null) loadSnapshot(this.#replay, snapshot)
    else if (files.first() < 0) {
      throw new JournalRefusal(`nothing is kept that leads to batch ${fromBatch}`)
    }
    this.state.sink.lookForRoom()
  }
}

/** The newest good snapshot of a state before the batch; null when none is kept. */
export function snapshotBefore({ store }: VenueFolder, fromBatch: number): Snapshot | null {
  for (const batchNumber of store.list().reverse()) {
    if (batchNumber >= fromBatch) continue
    try {
      return store.readOne(batchNumber)
    } catch (error) {
      if (!(error instanceof JournalDamage)) throw error
    }
  }
  return null
}

function checkFollows({ reader, batch, offset }: FoundBatch, before: number): void {
  const { origin, firstBatchNumber } = reader.header
  const isBehindLoss = origin !== SegmentOrigin.Next && batch.batchNumber === firstBatchNumber
  if (batch.batchNumber === before + 1 || isBehindLoss) return
  throw new JournalDamage(reader.name, offset, `batch ${batch.batchNumber} after batch ${before}`)
}
