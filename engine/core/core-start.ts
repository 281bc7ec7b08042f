import { assert } from '../../schemas/assert.js'
import { ConfigureCommand, EndSessionsCommand } from '../../schemas/generated/commands.js'
import type { EngineVersions } from '../journal/engine-versions.js'
import type { JournalFiles } from '../journal/journal-files.js'
import {
  type HistoryEnd,
  type JournalEnd,
  type LossBorder,
  type LostNonce,
  lossBorderOf,
  restoreArchive,
  witnessesOf,
} from '../journal/journal-loss.js'
import {
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
  askedByNobody,
  isBurned,
  putAcceptLoss,
  putBurnNonces,
  putVenueHalt,
} from './operator/accept-loss.js'
import { CoreReplay } from './replica.js'
import { checkUpgrade, renewSnapshot } from './upgrade.js'

export interface CoreRecovery {
  /** Where the journal goes on. */
  readonly resume: RecoveredJournal
  /** A loss that was accepted; the first command is about it (`beginBehindLoss`). */
  readonly loss: AcceptedLoss | null
  /** Sentences for the log: snapshots passed over, a tail that was cut. */
  readonly notes: readonly string[]
}

/** What there is behind an accepted loss: the history store goes back to it. */
export interface AcceptedLoss {
  readonly border: LossBorder
  /** Sequence that was recovered, and how many there are of what is numbered. */
  readonly seq: number
  readonly orderCount: number
  readonly tradeCount: number
  readonly payoutCount: number
  readonly instrumentCount: number
}

export interface CoreRecoveryOptions {
  readonly files: JournalFiles
  /** What can be read and replayed; the last one is the own. */
  readonly versions: EngineVersions
  /** Whose journal it is. */
  readonly identity?: string
  /** What the history store has. */
  readonly history: HistoryEnd
  /** Whether the operator gives up what is lost. */
  readonly acceptsLoss?: boolean
  /** After each batch: the events that it told may be read. */
  readonly onBatch: () => void
  /** Passes a little time while the readers of the event log make room. */
  readonly pause: () => void
}

/**
 * Brings an empty core to the end of the journal: the newest good snapshot, then the batches behind it, each
 * compared with the state hash that it recorded. Their events beyond what the history store has are told again.
 * @throws JournalDamage, JournalRefusal, ReplayDivergence: start-up is refused.
 */
export function recoverCore(core: Core, options: CoreRecoveryOptions): CoreRecovery {
  const { files, versions, identity = '', history, onBatch, pause } = options
  const { sink } = core.state
  const notes: string[] = []
  checkIdentity(files, identity)
  const store = new SnapshotStore(files, versions, identity)
  const acceptsLoss = options.acceptsLoss === true
  let border = acceptsLoss ? foreseenLoss(files, store, history) : null
  const heardFrom = history.isAbsent === true ? Number.POSITIVE_INFINITY : history.seq
  const seqMax = border === null ? heardFrom : Number.POSITIVE_INFINITY
  const { snapshot, damaged } = store.readNewest(seqMax)
  for (const sentence of damaged) notes.push(`snapshot passed over: ${sentence}`)
  checkUpgrade(files, store, history.seq, snapshot)
  sink.heardFrom = heardFrom
  const replay = new CoreReplay(core)
  if (snapshot !== null) loadSnapshot(replay, snapshot)
  const witnesses = witnessesOf(files, store, history)
  const recovery = {
    files,
    fromBatch: replay.batchNumber + 1,
    versions,
    identity,
    onShutdown: (batch: BatchView) => checkHash(replay, batch),
    witnesses,
    loss: border,
    seqAt: (batchNumber: number) => (batchNumber === replay.batchNumber ? sink.seq : null),
    lossAt: (end: JournalEnd) => {
      if (acceptsLoss) border = lossBorderOf(end, witnesses, history)
      return border
    },
  }
  const resume = recoverJournal(recovery, (batch) => {
    replayChecked(replay, batch)
    onBatch()
    while (!core.hasRoom()) pause()
  })
  sink.heardFrom = 0
  if (resume.cutBytes > 0) {
    notes.push(`journal: ${resume.cutBytes} bytes of an unflushed tail were cut`)
  }
  const { auctions, batchNumber } = core.state
  auctions.askersSinceBatch = batchNumber
  const renewed = renewSnapshot(replay, store, snapshot, resume)
  if (renewed !== null) notes.push(renewed)
  return { resume, notes, loss: border === null ? null : lossOf(core, border, notes) }
}

/**
 * Foresees a loss from the segments alone. The replay may find the end earlier.
 * @returns null when nothing is lost: the permission is not needed then.
 */
function foreseenLoss(
  files: JournalFiles,
  store: SnapshotStore,
  history: HistoryEnd,
): LossBorder | null {
  restoreArchive(files)
  return lossBorderOf(findEnd(files), witnessesOf(files, store, history), history)
}

function lossOf(core: Core, border: LossBorder, notes: string[]): AcceptedLoss {
  const { state } = core
  const { orderCount, tradeCount, settlements, instruments } = state
  const seq = state.sink.seq
  const first = state.batchNumber + 1
  const lost =
    border.seq > seq ? `sequences ${seq + 1} to ${border.seq}` : `batches from ${first} on`
  notes.push(
    `journal: a loss is accepted: ${lost} are gone, numbers go on behind batch ` +
      `${border.batchNumber}, order ${border.orderCount}, trade ${border.tradeCount}; all trading is halted`,
  )
  const { payoutCount } = settlements
  const instrumentCount = instruments.count
  return { border, seq, orderCount, tradeCount, payoutCount, instrumentCount }
}

/** Journals an accepted loss: the first batch behind it, after which nobody trades until the operator says so. */
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
  // No clock is asked: time stands where the lost part left it.
  core.doWork(0)
}

/**
 * Journals what an accepted loss has burned, unless it is there: a crash may have come between. Without this, what was
 * signed in the lost part could run a second time.
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
  const command = new ConfigureCommand()
  const isClaimed = command.claim(shell, ConfigureCommand.bytesWith(values.length))
  assert(isClaimed, 'shell ring: empty before the first command')
  askedByNobody(command)
  command.count = values.length
  for (const [i, value] of values.entries()) command.setValues(i, value)
  shell.commit()
  core.doWork(clockMillis)
}

/** Sessions of providers, and other connections, have not outlived the process that had them: a replay must know that before any command. */
export function endOldSessions(core: Core, shell: Ring, clockMillis: number): void {
  const { providers, safety } = core.state
  const isConnected = [...providers.rows].some((row) => row.isConnected)
  if (!isConnected && !safety.hasBound) return
  const command = new EndSessionsCommand()
  assert(command.claim(shell), 'shell ring: empty before the first command')
  askedByNobody(command)
  shell.commit()
  core.doWork(clockMillis)
}
