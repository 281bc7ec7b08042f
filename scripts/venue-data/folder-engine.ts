import { Core } from '../../engine/core/core.js'
import { type CoreRef, CoreReplay, linkOwnMatchers } from '../../engine/core/replica.js'
import { JournalDamage, JournalRefusal } from '../../engine/journal/journal-errors.js'
import type { Snapshot } from '../../engine/journal/snapshot-store.js'
import { loadSnapshot } from '../../engine/journal/snapshotter.js'
import { allocateEventLog, EventLogReader, EventLogWriter } from '../../engine/memory/event-log.js'
import type { Ring } from '../../engine/memory/ring.js'
import { CoreState } from '../../engine/state/core-state.js'
import { EventSink } from '../../engine/state/event-sink.js'
import { engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { eventLogBytes } from '../../schemas/bounds.js'
import type { RecordViews } from '../../schemas/record-views.js'
import type { VenueFolder } from './venue-folder.js'

/** Receives each event of an engine in place. The views are valid only during the call. */
export type OnEvent = (views: RecordViews, at: number) => void

/** Engine over the data of a folder, with its matcher in this thread. Passes its events to a callback. */
export class FolderEngine {
  readonly state: CoreState
  protected readonly folder: VenueFolder
  protected readonly core: Core
  protected readonly replay: CoreReplay
  readonly #reader: EventLogReader
  readonly #onEvent: OnEvent

  /**
   * Starts from the newest valid snapshot before `fromBatch`, or from the empty state.
   * @param commands rings of commands that it decides, in addition to replayed ones.
   * @throws JournalRefusal if there is no such snapshot and the first segment is missing.
   */
  constructor(
    folder: VenueFolder,
    fromBatch: number,
    onEvent: OnEvent = () => {},
    commands: readonly Ring[] = [],
  ) {
    this.folder = folder
    this.#onEvent = onEvent
    const log = allocateEventLog(eventLogBytes)
    this.#reader = new EventLogReader(log, 0)
    const ref: CoreRef = { core: null }
    const sink = new EventSink(new EventLogWriter(log, [0]))
    this.state = new CoreState(engineConfigDefault, sink, linkOwnMatchers(ref))
    this.core = new Core(this.state, commands, null, () => this.#take())
    ref.core = this.core
    this.replay = new CoreReplay(this.core)
    const snapshot = snapshotBefore(folder, fromBatch)
    if (snapshot !== null) loadSnapshot(this.replay, snapshot)
    else if (folder.files.first() < 0) {
      throw new JournalRefusal(`no stored snapshot or segment leads to batch ${fromBatch}`)
    }
    sink.lookForRoom()
  }

  /** Delivers events until the event log has room for the next batch. */
  protected tell(): void {
    do this.#take()
    while (!this.core.hasRoom())
  }

  /** Receives each event before the callback does. */
  protected note(_views: RecordViews, _at: number): void {}

  #take(): void {
    const reader = this.#reader
    for (let at = reader.next(); at >= 0; at = reader.next()) {
      this.note(reader, at)
      this.#onEvent(reader, at)
    }
    reader.release()
  }
}

/** Returns the newest valid snapshot before the batch; null if there is none. */
function snapshotBefore({ store }: VenueFolder, fromBatch: number): Snapshot | null {
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
