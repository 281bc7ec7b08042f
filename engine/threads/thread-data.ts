import type { ClockAlarm } from '../../schemas/domain.js'
import type { AcceptedLoss } from '../core/core-start.js'
import type { ClockBounds } from '../core/engine-clock.js'
import type { Breach } from '../invariants/breach.js'
import type { SlowFlush } from '../journal/flush-watch.js'
import type { HistoryEnd, LostNonce } from '../journal/journal-loss.js'
import type { Durability } from '../journal/journal-writer.js'
import type { RecoveredJournal } from '../journal/recovery.js'
import type { SnapshotRules } from '../journal/snapshotter.js'
import type { ExchangeMemory } from '../memory/exchange-memory.js'
import type { IdleStrategy } from '../memory/wakeup.js'
import type { EngineConfig } from '../state/market/engine-config.js'

/** Schedule of snapshots within a segment, and size of their archive. */
export interface SnapshotOptions extends SnapshotRules {
  /** Largest number of superseded snapshots in the archive. */
  readonly archivedMax: number
}

/** Files of the engine, and options of its threads. */
export interface EngineOptions {
  readonly engine: EngineConfig
  /** Limits within which the wall clock is trusted. */
  readonly clock: ClockBounds
  /** Folder of segments and snapshots. */
  readonly journalDirectory: string
  /** Identity of the venue as text; the journal of another venue is refused. */
  readonly identity: string
  /** True if the operator accepts the loss of missing journal data. */
  readonly acceptsLoss: boolean
  readonly durability: Durability
  readonly idle: IdleStrategy
  readonly segmentBytes: number
  readonly snapshots: SnapshotOptions
  /** Flushes that take longer are logged. */
  readonly slowFlushMillis: number
  /** Minimum time between two invariant checks by the snapshot thread; 0 for none. */
  readonly invariantMillis: number
  /** True to commit all memory at the start that fills up gradually. */
  readonly takesMemory: boolean
  /** Core that each role is pinned to; missing roles are not pinned. */
  readonly pinning: Readonly<Record<string, number>>
}

/** `workerData` of the engine's threads. */
export interface EngineThreadData {
  readonly memory: ExchangeMemory
  readonly options: EngineOptions
  /** Index of a matcher thread. */
  readonly index: number
  /** End of the history store, for the core. */
  readonly history: HistoryEnd
  /** End of the journal that recovery found, for the journal thread. */
  readonly resume: RecoveredJournal | null
}

/** The clock was stepped, or its alarm has ended. */
export interface ClockMessage {
  readonly type: 'clock'
  readonly alarm: ClockAlarm
  readonly engineMillis: number
  /** Wall clock time minus engine time. */
  readonly aheadMillis: number
}

/** The currently stopped wallets. */
export interface StoppedMessage {
  readonly type: 'stopped'
  readonly wallets: readonly string[]
}

/** An invariant is violated: its wallet is stopped, or the market is halted. */
export interface BreachMessage {
  readonly type: 'breach'
  readonly breach: Breach
  /** Batch after which it was found. */
  readonly batchNumber: number
}

/** Sent to the core together with `flagWords.historyWentBack`: nonces to burn. */
export type LossMessage = readonly LostNonce[]

/** Messages of engine threads to the thread that started them; never on the order path. */
export type EngineMessage =
  | {
      readonly type: 'recovered'
      readonly resume: RecoveredJournal
      readonly notes: readonly string[]
      /** Accepted loss, for which the core waits until `flagWords.historyWentBack`; null: none. */
      readonly loss: AcceptedLoss | null
    }
  | { readonly type: 'started' }
  | { readonly type: 'note'; readonly text: string }
  | ClockMessage
  | { readonly type: 'slow-flush'; readonly slow: SlowFlush }
  | BreachMessage
  | StoppedMessage
