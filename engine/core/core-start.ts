import { assert } from '../../schemas/assert.js'
import {
  CommandType,
  commandGatewayAt,
  configCountAt,
  configValuesAt,
} from '../../schemas/commands.js'
import type { JournalFiles } from '../journal/journal-files.js'
import { type RecoveredJournal, recoverJournal } from '../journal/recovery.js'
import { SnapshotStore } from '../journal/snapshot-store.js'
import { checkHash, loadSnapshot } from '../journal/snapshotter.js'
import { recordPayloadAt } from '../memory/layout.js'
import type { Ring } from '../memory/ring.js'
import type { Core } from './core.js'
import { type EngineConfig, encodeEngineConfig } from './engine-config.js'
import { nobody } from './publish-orders.js'
import { replayBatch } from './replica.js'
import { StateReader } from './state-codec.js'
import { loadState } from './state-snapshot.js'

export interface CoreRecovery {
  /** Where the journal goes on. */
  readonly resume: RecoveredJournal
  /** Sentences for the log: snapshots passed over, a tail that was cut. */
  readonly notes: readonly string[]
}

export interface CoreRecoveryOptions {
  readonly files: JournalFiles
  readonly engineVersion: number
  /** Sequence up to which the history store has everything. */
  readonly historySeq: number
  /** After each batch: the events that it told may be read. */
  readonly onBatch: () => void
  /** Passes a little time while the readers of the event log make room. */
  readonly pause: () => void
}

/**
 * Brings an empty core to the end of the journal: the newest good snapshot, then the batches behind it, each
 * compared with the state hash that it recorded. Their events beyond `historySeq` are told again.
 * @throws JournalDamage, JournalRefusal, ReplayDivergence: start-up is refused.
 */
export function recoverCore(core: Core, options: CoreRecoveryOptions): CoreRecovery {
  const { files, engineVersion, historySeq, onBatch, pause } = options
  const { state } = core
  const notes: string[] = []
  const { snapshot, damaged } = new SnapshotStore(files, [engineVersion]).readNewest(historySeq)
  for (const sentence of damaged) notes.push(`snapshot passed over: ${sentence}`)
  state.sink.heardFrom = historySeq
  const replica = {
    load: (bytes: Uint8Array) => loadState(state, new StateReader(bytes)),
    stateHash: () => state.hash,
  }
  if (snapshot !== null) loadSnapshot(replica, snapshot)
  const fromBatch = state.batchNumber + 1
  const resume = recoverJournal({ files, fromBatch, engineVersion }, (batch) => {
    checkHash(replica, batch)
    replayBatch(core, batch)
    onBatch()
    while (!core.hasRoom()) pause()
  })
  state.sink.heardFrom = 0
  if (resume.cutBytes > 0) {
    notes.push(`journal: ${resume.cutBytes} bytes of an unflushed tail were cut`)
  }
  return { resume, notes }
}

/**
 * Journals this process's configuration when the engine has another: a replay must decide alike.
 * @param shell the producer's end of one of the core's sources, for commands that no gateway asked for.
 */
export function configureCore(
  core: Core,
  shell: Ring,
  config: EngineConfig,
  clockMillis: number,
): void {
  const values = encodeEngineConfig(config)
  const before = encodeEngineConfig(core.state.config)
  const same = values.length === before.length && values.every((value, i) => value === before[i])
  if (same && core.state.batchNumber > 0) return
  const at = shell.tryClaim(configValuesAt + values.length * 8, CommandType.Configure)
  assert(at >= 0, 'shell ring: empty before the first command')
  shell.u8.fill(0, at + recordPayloadAt, at + configValuesAt)
  shell.i32[(at + commandGatewayAt) >> 2] = nobody
  shell.i32[(at + configCountAt) >> 2] = values.length
  shell.f64.set(values, (at + configValuesAt) >> 3)
  shell.commit()
  core.doWork(clockMillis)
}
