import { beginShellCommand, lossBorderOf } from '../../engine/core/operator/accept-loss.js'
import { checkHash } from '../../engine/journal/snapshotter.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import type { CoreState } from '../../engine/state/core-state.js'
import {
  decodeEngineConfig,
  type EngineConfig,
  encodeEngineConfig,
} from '../../engine/state/market/engine-config.js'
import { AnyCommand, CommandType, ConfigureCommand } from '../../schemas/generated/commands.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { FolderEngine, type OnEvent } from './folder-engine.js'
import { batchesOf, type FoundBatch } from './journal-scan.js'
import { RunIds } from './run-ids.js'
import { commandPlaces } from './story.js'
import type { VenueFolder } from './venue-folder.js'

/** Change to a recorded run. */
export interface Change {
  /** First batch with the change. */
  readonly fromBatch: number
  /** Returns the parameters from that batch on; null: unchanged. */
  readonly configure: ((config: EngineConfig) => EngineConfig) | null
  /** Writes commands that are decided before those of the first batch. */
  readonly insert: (ring: Ring, state: CoreState, timeMillis: number) => void
}

const ringBytes = 1 << 22
const configure = new ConfigureCommand()
const copied = new AnyCommand()

/** Engine that decides the journal's commands again, batch by batch, instead of replaying the recorded decisions. */
export class WhatIf extends FolderEngine {
  readonly ids = new RunIds()
  readonly #commands: Ring
  #isChanged = false

  constructor(folder: VenueFolder, fromBatch: number, onEvent: OnEvent) {
    const ring = allocateRing(ringBytes)
    super(folder, fromBatch, onEvent, [new Ring(ring, 'consumer')])
    this.#commands = new Ring(ring, 'producer')
  }

  /**
   * Runs to the end of a batch.
   * @param change null: an unchanged run, which compares every hash with the recorded one.
   * @param recorded ids of the unchanged run, which the journal's commands name.
   * @throws ReplayDivergence if an unchanged run reaches another state than the journal recorded.
   */
  run(lastBatch: number, change: Change | null, recorded: RunIds | null): void {
    for (const { batch, isShutdown } of batchesOf(this.folder, this.state.batchNumber + 1)) {
      if (isShutdown) continue
      if (batch.batchNumber > lastBatch) return
      if (!this.#isChanged) checkHash(this.replay, batch)
      if (change !== null && !this.#isChanged && batch.batchNumber >= change.fromBatch) {
        this.#begin(change, batch.timeMillis)
      }
      this.#decide(batch, change, recorded)
    }
  }

  protected override note(views: RecordViews, at: number): void {
    this.ids.take(views, at)
  }

  #begin({ configure: changed, insert }: Change, timeMillis: number): void {
    this.#isChanged = true
    if (changed !== null && this.state.isConfigured) {
      putConfigure(this.#commands, changed(this.state.config))
    }
    insert(this.#commands, this.state, timeMillis)
    this.#commands.commit()
    this.#work(timeMillis)
  }

  #decide(batch: FoundBatch['batch'], change: Change | null, recorded: RunIds | null): void {
    this.ids.batchNumber = batch.batchNumber
    const command = new AnyCommand()
    for (const at of commandPlaces(batch)) {
      command.over(batch, at)
      const loss = lossBorderOf(command)
      if (loss !== null) this.core.beginAfterLoss(loss)
      const isConfigure = command.recordType === CommandType.Configure
      if (isConfigure && this.#isChanged && change?.configure) {
        const { valuesAt, count } = configure.of(command)
        const first = valuesAt >> 3
        const values = batch.f64.slice(first, first + count)
        putConfigure(this.#commands, change.configure(decodeEngineConfig(values)))
      } else copyCommand(this.#commands, command, this.ids, recorded)
    }
    this.#commands.commit()
    this.#work(batch.timeMillis)
  }

  /** Decides all commands in the ring. A changed batch may close early; the rest is decided next, at the same time. */
  #work(timeMillis: number): void {
    do {
      this.core.doWork(timeMillis)
      this.tell()
    } while (this.core.hasCommands())
  }
}

function copyCommand(
  ring: Ring,
  { at, recordBytes, recordType, u8 }: AnyCommand,
  ids: RunIds,
  recorded: RunIds | null,
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
  beginShellCommand(configure)
  configure.count = values.length
  for (const [i, value] of values.entries()) configure.setValues(i, value)
}
