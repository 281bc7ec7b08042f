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

/** Gets every event that an engine tells, where it stands; it keeps nothing of it. */
export type OnEvent = (views: RecordViews, at: number) => void

/** An engine of its own over what a folder keeps, with its matcher in this thread; it hands on what it tells. */
export class FolderEngine {
  readonly state: CoreState
  protected readonly folder: VenueFolder
  protected readonly core: Core
  protected readonly replay: CoreReplay
  readonly #reader: EventLogReader
  readonly #onEvent: OnEvent

  /**
   * Begins with the state before `fromBatch`, or earlier: at the newest good snapshot before it, else with nothing.
   * @param commands what it decides, beside what it replays.
   * @throws JournalRefusal when neither is kept.
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
      throw new JournalRefusal(`nothing is kept that leads to batch ${fromBatch}`)
    }
    sink.lookForRoom()
  }

  /** Hands on what was told, until there is room for what the next batch tells. */
  protected tell(): void {
    do this.#take()
    while (!this.core.hasRoom())
  }

  /** Hears of an event before whoever asked for them. */
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

/** The newest good snapshot of a state before the batch; null when none is kept. */
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
