import { assert } from '../../schemas/assert.js'
import { ConfigureCommand, EndSessionsCommand } from '../../schemas/generated/commands.js'
import type { EngineVersions } from '../journal/engine-versions.js'
import type { JournalFiles } from '../journal/journal-files.js'
import {
  evidenceOf,
  type HistoryEnd,
  type JournalEnd,
  type LossBorder,
  type LostNonce,
  lossBorderOf,
  restoreArchive,
} from '../journal/journal-loss.js'
import {
  checkBatches,
  checkIdentity,
  findEnd,
  type RecoveredJournal,
  recoverJournal,
} from '../journal/recovery.js'
import type { BatchView } from '../journal/segment-reader.js'
import { SnapshotStore } from '../journal/snapshot-store.js'
import { checkHash, loadSnapshot, replayChecked } from '../journal/snapshotter.js'
import type { Ring } from '../memory/ring.js'
import { type EngineConfig, encodeEngineConfig } from '../state/market/engine-config.js'
import type { Core } from './core.js'
import {
  beginShellCommand,
  isBurned,
  putAcceptLoss,
  putBurnNonces,
  putVenueHalt,
} from './operator/accept-loss.js'
import { CoreReplay } from './replica.js'
import { checkUpgrade, renewSnapshot } from './upgrade.js'

export interface CoreRecovery {
  /** End of the recovered journal; the next batch is appended there. */
  readonly resume: RecoveredJournal
  /**
   * Accepted loss, or null. The next batch begins after it (`Core.beginAfterLoss`), and its first command records it.
   */
  readonly loss: AcceptedLoss | null
  /** Sentences for the log: skipped snapshots, a truncated tail. */
  readonly notes: readonly string[]
}

/** State of the engine after an accepted loss. The history store is rolled back to it. */
export interface AcceptedLoss {
  readonly border: LossBorder
  /** Recovered sequence, and the recovered number of everything with a serial number. */
  readonly seq: number
  readonly orderCount: number
  readonly tradeCount: number
  readonly payoutCount: number
  readonly instrumentCount: number
}

export interface CoreRecoveryOptions {
  readonly files: JournalFiles
  /** Versions that this release can read and replay; the last one is its own. */
  readonly versions: EngineVersions
  /** Identity that the journal must have. */
  readonly identity?: string
  /** End of the history store. */
  readonly history: HistoryEnd
  /** True if the operator accepts the loss of damaged or missing batches. */
  readonly acceptsLoss?: boolean
  /** Called after each replayed batch, when its events may be read. */
  readonly onBatch: () => void
  /** Waits briefly while the readers of the event log free room. */
  readonly pause: () => void
}

/**
 * Checks the owner of a journal. Without an accepted loss, also checks that its newest snapshot and the batches after it
 * can be replayed. Changes nothing, so that a failed start leaves the other files of the folder alone.
 * @throws JournalDamage, JournalRefusal
 */
export function checkRecoverable(
  options: Pick<CoreRecoveryOptions, 'acceptsLoss' | 'files' | 'identity' | 'versions'>,
): void {
  const { files, versions, identity = '', acceptsLoss = false } = options
  checkIdentity(files, identity)
  if (acceptsLoss) return
  const store = new SnapshotStore(files, versions, identity)
  const { snapshot } = store.readNewest()
  checkUpgrade(files, store, 0, snapshot)
  checkBatches({ files, versions, identity, fromBatch: (snapshot?.batchNumber ?? 0) + 1 })
}

/**
 * Brings an empty core to the end of the journal. Loads the newest good snapshot, then replays the batches after it,
 * and compares each with its recorded state hash. Events that the history store lacks are published again. The caller has
 * checked the owner of the journal (`checkRecoverable`).
 * @throws JournalDamage, JournalRefusal, ReplayDivergence: the venue must not start.
 */
export function recoverCore(core: Core, options: CoreRecoveryOptions): CoreRecovery {
  const { files, versions, identity = '', history, onBatch, pause } = options
  const { sink } = core.state
  const notes: string[] = []
  const store = new SnapshotStore(files, versions, identity)
  const acceptsLoss = options.acceptsLoss === true
  let border = acceptsLoss ? foreseenLoss(files, store, history) : null
  const storedSeq = history.isAbsent === true ? Number.POSITIVE_INFINITY : history.seq
  const seqMax = border === null ? storedSeq : Number.POSITIVE_INFINITY
  const { snapshot, damaged } = store.readNewest(seqMax)
  for (const sentence of damaged) notes.push(`snapshot passed over: ${sentence}`)
  checkUpgrade(files, store, history.seq, snapshot)
  sink.storedSeq = storedSeq
  const replay = new CoreReplay(core)
  if (snapshot !== null) loadSnapshot(replay, snapshot)
  const evidence = evidenceOf(files, store, history)
  const recovery = {
    files,
    fromBatch: replay.batchNumber + 1,
    versions,
    identity,
    onShutdown: (batch: BatchView) => checkHash(replay, batch),
    evidence,
    loss: border,
    seqAt: (batchNumber: number) => (batchNumber === replay.batchNumber ? sink.seq : null),
    lossAt: (end: JournalEnd) => {
      if (acceptsLoss) border = lossBorderOf(end, evidence, history)
      return border
    },
  }
  const resume = recoverJournal(recovery, (batch) => {
    replayChecked(replay, batch)
    onBatch()
    while (!core.hasRoom()) pause()
  })
  sink.storedSeq = 0
  if (resume.cutBytes > 0) {
    notes.push(`journal: ${resume.cutBytes} bytes of an unflushed tail were cut`)
  }
  const { auctions, batchNumber } = core.state
  auctions.clientsSinceBatch = batchNumber
  const renewed = renewSnapshot(replay, store, snapshot, resume)
  if (renewed !== null) notes.push(renewed)
  return { resume, notes, loss: border === null ? null : lossOf(core, border, notes) }
}

/**
 * Finds a loss from the segments alone. The replay may find an earlier end.
 * @returns null if nothing is lost; then the operator's permission is not used.
 */
function foreseenLoss(
  files: JournalFiles,
  store: SnapshotStore,
  history: HistoryEnd,
): LossBorder | null {
  restoreArchive(files)
  return lossBorderOf(findEnd(files), evidenceOf(files, store, history), history)
}

function lossOf(core: Core, border: LossBorder, notes: string[]): AcceptedLoss {
  const { state } = core
  const { orderCount, tradeCount, settlements, instruments } = state
  const seq = state.sink.seq
  const first = state.batchNumber + 1
  const lost =
    border.seq > seq ? `sequences ${seq + 1} to ${border.seq}` : `batches from ${first} on`
  notes.push(
    `journal: a loss is accepted: ${lost} are gone, numbers continue after batch ` +
      `${border.batchNumber}, order ${border.orderCount}, trade ${border.tradeCount}; all trading is halted`,
  )
  const { payoutCount } = settlements
  const instrumentCount = instruments.count
  return { border, seq, orderCount, tradeCount, payoutCount, instrumentCount }
}

/**
 * Journals an accepted loss as the first batch after it. That batch halts all trading until the operator resumes it.
 */
export function acceptLoss(
  core: Core,
  shell: Ring,
  { border }: AcceptedLoss,
  underlyings: readonly string[],
  lostNonces: readonly LostNonce[] = [],
): void {
  putAcceptLoss(shell, border, underlyings)
  putVenueHalt(shell)
  putBurnNonces(shell, lostNonces)
  // Time 0 leaves engine time where the lost part ended, without reading a clock.
  core.doWork(0)
}

/**
 * Journals the nonces that an accepted loss burned, unless the journal has them: a crash may have come in between.
 * Otherwise an action signed in the lost part could execute a second time.
 */
export function burnNonces(
  core: Core,
  shell: Ring,
  lostNonces: readonly LostNonce[],
  pause: () => void,
): void {
  for (;;) {
    const unburned = lostNonces.filter((nonce) => !isBurned(core.state, nonce))
    if (unburned.length === 0) return
    putBurnNonces(shell, unburned)
    while (core.hasCommands()) if (core.doWork(0) === 0) pause()
  }
}

/**
 * Journals this process's configuration if the engine has another one, so that a replay decides alike.
 * @param shell the producer's end of one of the core's sources, for commands without a requester.
 */
export function configureCore(
  core: Core,
  shell: Ring,
  config: EngineConfig,
  clockMillis: number,
): void {
  const values = encodeEngineConfig(config)
  const valuesBefore = encodeEngineConfig(core.state.config)
  const isSame =
    values.length === valuesBefore.length && values.every((value, i) => value === valuesBefore[i])
  if (isSame && core.state.batchNumber > 0) return
  const command = new ConfigureCommand()
  const isClaimed = command.claim(shell, ConfigureCommand.bytesWith(values.length))
  assert(isClaimed, 'shell ring: empty before the first command')
  beginShellCommand(command)
  command.count = values.length
  for (const [i, value] of values.entries()) command.setValues(i, value)
  shell.commit()
  core.doWork(clockMillis)
}

/**
 * Journals that the sessions of providers and all other connections ended with the previous process. A replay must know
 * it before any other command.
 */
export function endOldSessions(core: Core, shell: Ring, clockMillis: number): void {
  const { providers, safety } = core.state
  const isConnected = [...providers.rows].some((row) => row.isConnected)
  if (!isConnected && !safety.hasBound) return
  const command = new EndSessionsCommand()
  assert(command.claim(shell), 'shell ring: empty before the first command')
  beginShellCommand(command)
  shell.commit()
  core.doWork(clockMillis)
}
