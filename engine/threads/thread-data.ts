import type { ClockAlarm } from '../../schemas/domain.js'
import type { AcceptedLoss } from '../core/core-start.js'
import type { ClockBounds } from '../core/engine-clock.js'
import type { Breach } from '../invariants/breach.js'
import type { SlowFlush } from '../journal/flush-watch.js'
import type { HistoryEnd, LostNonce } from '../journal/journal-loss.js'
import type { Durability } from '../journal/journal-writer.js'
import type { RecoveredJournal } from '../journal/recovery.js'
import type { SnapshotRules } from '../journal/snapshotter.js'
import type { IdleStrategy } from '../memory/doorbell.js'
import type { ExchangeMemory } from '../memory/exchange-memory.js'
import type { EngineConfig } from '../state/market/engine-config.js'

/** Schedule of snapshots within a segment, and size of their archive. */
export interface SnapshotOptions extends SnapshotRules {
  /** Largest number of superseded snapshots in the archive. */
  readonly archivedMax: number
}

/** Where the engine keeps its files, and how its threads run. */
export interface EngineOptions {
  readonly engine: EngineConfig
  /** How far the wall clock is believed. */
  readonly clock: ClockBounds
  /** Folder of segments and snapshots. */
  readonly journalDirectory: string
  /** Whose journal it is, in words: another's is refused. */
  readonly identity: string
  /** Whether the operator gives up what the journal has lost. */
  readonly acceptsLoss: boolean
  readonly durability: Durability
  readonly idle: IdleStrategy
  readonly segmentBytes: number
  readonly snapshots: SnapshotOptions
  /** A group that takes longer to be durable is worth a line in the log. */
  readonly slowFlushMillis: number
  /** Between two looks at what must always hold, by the thread of the snapshots; 0: none. */
  readonly invariantMillis: number
  /** Whether what fills up by and by is taken from the kernel at the start. */
  readonly takesMemory: boolean
  /** Core that each role is pinned to; nothing is pinned when the role is missing. */
  readonly pinning: Readonly<Record<string, number>>
}

/** `workerData` of the engine's threads. */
export interface EngineThreadData {
  readonly memory: ExchangeMemory
  readonly options: EngineOptions
  /** Matcher threads: which one. */
  readonly index: number
  /** Core: what the history store has. */
  readonly history: HistoryEnd
  /** Journal: where recovery found the end. */
  readonly resume: RecoveredJournal | null
}

/** The clock was stepped, or what was said of it holds no more. */
export interface ClockMessage {
  readonly type: 'clock'
  readonly alarm: ClockAlarm
  readonly engineMillis: number
  /** What the wall clock says beyond engine time. */
  readonly aheadMillis: number
}

/** The wallets that are stopped now. */
export interface StoppedMessage {
  readonly type: 'stopped'
  readonly wallets: readonly string[]
}

/** An invariant does not hold: its wallet is stopped, or the market is halted. */
export interface BreachMessage {
  readonly type: 'breach'
  readonly breach: Breach
  /** Batch behind which it was found. */
  readonly batchNumber: number
}

/** What the core waits for with `flagWords.historyWentBack`: it burns these nonces. */
export type LossMessage = readonly LostNonce[]

/** What engine threads tell the thread that started them; never on the path of an order. */
export type EngineMessage =
  | {
      readonly type: 'recovered'
      readonly resume: RecoveredJournal
      readonly notes: readonly string[]
      /** The core waits for `flagWords.historyWentBack` then. */
      readonly loss: AcceptedLoss | null
    }
  | { readonly type: 'started' }
  | { readonly type: 'note'; readonly text: string }
  | ClockMessage
  | { readonly type: 'slow-flush'; readonly slow: SlowFlush }
  | BreachMessage
  | StoppedMessage
