import { askedByNobody, lossBorderOf } from '../../engine/core/accept-loss.js'
import { Core } from '../../engine/core/core.js'
import { type CoreRef, CoreReplay, linkOwnMatchers } from '../../engine/core/replica.js'
import { loadSnapshot } from '../../engine/journal/snapshotter.js'
import { allocateEventLog, EventLogReader, EventLogWriter } from '../../engine/memory/event-log.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { hashText } from '../../engine/memory/state-hash.js'
import { CoreState } from '../../engine/state/core-state.js'
import {
  decodeEngineConfig,
  type EngineConfig,
  encodeEngineConfig,
  engineConfigDefault,
} from '../../engine/state/engine-config.js'
import { EventSink } from '../../engine/state/event-sink.js'
import { eventLogBytes } from '../../schemas/bounds.js'
import { AnyCommand, CommandType, ConfigureCommand } from '../../schemas/generated/commands.js'
import { EventType, OutcomeEvent } from '../../schemas/generated/events.js'
import { type OnEvent, snapshotBefore } from './journal-replay.js'
import { batchesOf, type FoundBatch } from './journal-scan.js'
import { OrderIds } from './order-ids.js'
import { commandPlaces } from './story.js'
import type { VenueFolder } from './venue-folder.js'

/** What is otherwise than it was. */
export interface Change {
  /** First batch that is otherwise. */
  readonly fromBatch: number
  /** Parameters from there on; null: as they were. */
  readonly configure: ((config: EngineConfig) => EngineConfig) | null
  /** Writes commands that come before those of the first batch. */
  readonly insert: ((ring: Ring, timeMillis: number) => void) | null
}

/** Where a run ends: behind the last batch that is not beyond either. */
export interface RunEnd {
  readonly seq: number
  readonly timeMillis: number
}

const ringBytes = 1 << 22
const configure = new ConfigureCommand()
const copied = new AnyCommand()
const outcome = new OutcomeEvent()

/**
 * An engine that decides the journal's commands anew, batch by batch as they came, instead of replaying what was
 * decided: so something can be otherwise.
 */
export class WhatIf {
  readonly state: CoreState
  readonly ids = new OrderIds()
  readonly #folder: VenueFolder
  readonly #core: Core
  readonly #commands: Ring
  readonly #reader: EventLogReader
  readonly #onEvent: OnEvent
  #isChanged = false

  constructor(folder: VenueFolder, fromBatch: number, onEvent: OnEvent) {
    this.#folder = folder
    this.#onEvent = onEvent
    const log = allocateEventLog(eventLogBytes)
    this.#reader = new EventLogReader(log, 0)
    const ring = allocateRing(ringBytes)
    this.#commands = new Ring(ring, 'producer')
    const ref: CoreRef = { core: null }
    const sink = new EventSink(new EventLogWriter(log, [0]))
    this.state = new CoreState(engineConfigDefault, sink, linkOwnMatchers(ref))
    this.#core = new Core(this.state, [new Ring(ring, 'consumer')], null, () => this.#take())
    ref.core = this.#core
    const snapshot = snapshotBefore(folder, fromBatch)
    if (snapshot !== null) loadSnapshot(new CoreReplay(this.#core), snapshot)
  }

  /**
   * Runs to the end.
   * @param change null: nothing is otherwise, and every hash is compared with what was recorded.
   * @param recorded ids of the orders as they were; those of the journal's commands.
   * @throws Error when an unchanged run comes to another state than the journal has.
   */
  run(end: RunEnd, change: Change | null, recorded: OrderIds | null): void {
    for (const found of batchesOf(this.#folder, this.state.batchNumber + 1)) {
      const { batch, isShutdown } = found
      if (isShutdown) continue
      if (batch.seqAfter > end.seq || batch.timeMillis > end.timeMillis) return
      if (!this.#isChanged) this.#compare(found)
      if (change !== null && !this.#isChanged && batch.batchNumber >= change.fromBatch) {
        this.#begin(change, batch.timeMillis)
      }
      this.#decide(batch, change, recorded)
    }
  }

  #compare({ batch }: FoundBatch): void {
    const { batchNumber, hash } = this.state
    if (!batch.isCompared) return
    if (
      batchNumber + 1 === batch.batchNumber &&
      hash.low === batch.hashLow &&
      hash.high === batch.hashHigh
    )
      return
    const was = hashText(batch.hashLow, batch.hashHigh)
    throw new Error(
      `what was recorded before batch ${batch.batchNumber} is not come to anew: ${was}, ` +
        `now ${hashText(hash.low, hash.high)} behind batch ${batchNumber}`,
    )
  }

  #begin({ configure: changed, insert }: Change, timeMillis: number): void {
    this.#isChanged = true
    if (changed !== null && this.state.isConfigured) {
      putConfigure(this.#commands, changed(this.state.config))
    }
    insert?.(this.#commands, timeMillis)
    this.#commands.commit()
    this.#work(timeMillis)
  }

  #decide(batch: FoundBatch['batch'], change: Change | null, recorded: OrderIds | null): void {
    this.ids.batchNumber = batch.batchNumber
    const command = new AnyCommand()
    for (const at of commandPlaces(batch)) {
      command.over(batch, at)
      const loss = lossBorderOf(command)
      if (loss !== null) this.#core.beginBehind(loss)
      const isConfigure = command.recordType === CommandType.Configure
      if (isConfigure && change?.configure) {
        const { valuesAt, count } = configure.of(command)
        const first = valuesAt >> 3
        const values = batch.f64.slice(first, first + count)
        putConfigure(this.#commands, change.configure(decodeEngineConfig(values)))
      } else copyCommand(this.#commands, command, this.ids, recorded)
    }
    this.#commands.commit()
    this.#work(batch.timeMillis)
  }

  /** A changed batch may be closed earlier than it was: what is left is decided next, at the same time. */
  #work(timeMillis: number): void {
    do {
      this.#core.doWork(timeMillis)
      this.#take()
      while (!this.#core.hasRoom()) this.#take()
    } while (this.#core.hasCommands())
  }

  #take(): void {
    const reader = this.#reader
    for (let at = reader.next(); at >= 0; at = reader.next()) {
      if (reader.i32[(at + 4) >> 2] === EventType.Outcome) this.ids.note(outcome.over(reader, at))
      this.#onEvent(reader, at)
    }
    reader.release()
  }
}

function copyCommand(
  ring: Ring,
  { at, recordBytes, recordType, u8 }: AnyCommand,
  ids: OrderIds,
  recorded: OrderIds | null,
): void {
  const to = ring.tryClaim(recordBytes, recordType)
  if (to < 0) throw new Error('a batch that no ring holds')
  ring.u8.set(u8.subarray(at + 8, at + recordBytes), to + 8)
  if (recorded !== null) ids.translate(copied.over(ring, to), recorded)
}

function putConfigure(ring: Ring, config: EngineConfig): void {
  const values = encodeEngineConfig(config)
  if (!configure.claim(ring, ConfigureCommand.bytesWith(values.length))) {
    throw new Error('a configuration that no ring holds')
  }
  askedByNobody(configure)
  configure.count = values.length
  for (const [i, value] of values.entries()) configure.setValues(i, value)
}
