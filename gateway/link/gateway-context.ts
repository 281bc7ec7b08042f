import type { ExchangeMemory } from '../../engine/memory/exchange-memory.js'
import type { TierLimits } from '../../engine/state/market/engine-config.js'
import type { Result } from '../../schemas/results.js'
import type { Signing } from '../actions/signing.js'
import type { Config } from '../config/config-schema.js'
import type { Arrivals } from '../limits/arrivals.js'
import type { FloodCloses } from '../limits/flood-close.js'
import type { RequestLimits } from '../limits/request-limits.js'
import type { TurnBudget } from '../limits/turn-budget.js'
import type { RowsAgainst } from '../quotes/rows-against.js'
import type { Answer } from '../wire/answers.js'
import type { Fault } from '../wire/fault.js'
import type { AuctionBook } from './auction-book.js'
import type { CommandPort } from './command-port.js'
import type { ConnectionEnds } from './connection-ends.js'
import type { EventWindow } from './event-window.js'
import type { OutcomeNames } from './outcome.js'
import type { OutcomeLookups } from './outcome-lookups.js'
import type { PerpList } from './perp-list.js'
import type { RfqBook } from './rfq-book.js'
import type { StepFills } from './step-fills.js'

/** Answer of GET /version. */
export interface BuildInfo {
  readonly version: string
  readonly commit: string
  readonly ref: string
  readonly buildTime: string
}

/** Queries the history store once it holds everything that clients may have been sent. */
export type QueryHistory = (path: string, queryText: string) => Promise<Answer>

/** Dependencies shared by the handlers of one gateway thread. */
export interface GatewayContext {
  readonly config: Config
  readonly build: BuildInfo
  /** Limits by `Tier`. */
  readonly tiers: readonly TierLimits[]
  readonly port: CommandPort
  /** Reports closed connections to the engine. */
  readonly connectionEnds: ConnectionEnds
  readonly signing: Signing
  readonly limits: RequestLimits
  /** Budget of new orders per turn, checked before any work is spent on them. */
  readonly turn: TurnBudget
  /** Credits the current connection for a command of a known signer. */
  readonly arrivals: Pick<Arrivals, 'earn' | 'spare'>
  /** Closes streams that send too much. */
  readonly floods: FloodCloses
  readonly names: OutcomeNames
  /** Listed perps by asset number. */
  readonly perps: PerpList
  /** Terms of liquidation auctions known to this gateway. */
  readonly auctions: AuctionBook
  /** RFQs known to this gateway. */
  readonly rfqs: RfqBook
  /** Fills of orders that requests wait for. */
  readonly stepFills: StepFills
  /** Providers' quotes that new orders may trade against. */
  readonly shown: RowsAgainst
  /** Latest events that may be resumed from. */
  readonly eventWindow: EventWindow
  /** Returns the sequence of the latest event this gateway has published: the `seq` of its own decisions. */
  lastSeq(): number
  /** True if this gateway has read every published event, and so knows all accounts and agents. */
  isCaughtUp(): boolean
  /** Reads every event published so far by any thread. */
  catchUp(): void
  readonly queryHistory: QueryHistory
  /** Checks whether a wallet can send to an address now, both in lower case. Returns `Accepted` or the reason. */
  readonly preflight: (destination: string, wallet: string) => Promise<Result>
  /** Queries the core for the results of signed actions. */
  readonly lookups: OutcomeLookups
  /** Returns the wall-clock time. The engine's events carry their own. */
  nowMillis(): number
  /** Returns the time for connection timeouts, from a monotonic clock. */
  socketMillis(): number
  /** Timestamps of recent commands and batches, from every thread. */
  readonly timestamps: Pick<
    ExchangeMemory,
    'batchTimestamps' | 'counters' | 'orderTimestamps' | 'virtualTime'
  >
  /** Returns the arrival time of the current frame, in microseconds that wrap around. */
  frameMicros(): number
  /** Notes that a frame of a stream was answered. @param isCounted True for a PlaceOrder. */
  onStreamed(arrivedMicros: number, isCounted: boolean): void
  /** Returns why signed writes are not accepted now (`NotReady`, `SigningDisabled`), or null. */
  refusesWrites(): Fault | null
}
