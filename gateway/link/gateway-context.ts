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

/** What GET /version says. */
export interface BuildInfo {
  readonly version: string
  readonly commit: string
  readonly ref: string
  readonly buildTime: string
}

/** Asks the history store, as it is once it holds everything that clients may have been told. */
export type AskHistory = (path: string, queryText: string) => Promise<Answer>

/** What the handlers of one gateway thread share. */
export interface GatewayContext {
  readonly config: Config
  readonly build: BuildInfo
  /** Limits by `Tier`. */
  readonly tiers: readonly TierLimits[]
  readonly port: CommandPort
  /** Tells the engine of connections that have ended. */
  readonly connectionEnds: ConnectionEnds
  readonly signing: Signing
  readonly limits: RequestLimits
  /** New orders ask it before any work is spent on them. */
  readonly turn: TurnBudget
  /** Gives credit to the current connection for a command of a known signer. */
  readonly arrivals: Pick<Arrivals, 'earn' | 'spare'>
  /** Closes streams that send too much. */
  readonly floods: FloodCloses
  readonly names: OutcomeNames
  /** Listed perps by asset number. */
  readonly perps: PerpList
  /** Terms of liquidation auctions that this gateway has heard of. */
  readonly auctions: AuctionBook
  /** Requests for quote that this gateway has heard of. */
  readonly rfqs: RfqBook
  /** Fills of orders that are waited for. */
  readonly stepFills: StepFills
  /** What providers show against new orders. */
  readonly shown: RowsAgainst
  /** The latest events, as far as they may be told again. */
  readonly eventWindow: EventWindow
  /** Sequence of the latest event this gateway has passed on: the `seq` of what it decides alone. */
  lastSeq(): number
  /** Whether this gateway has read every event that anybody has been told of: then it knows all accounts and agents. */
  isCaughtUp(): boolean
  /** Reads every event that anybody has been told of by now. */
  catchUp(): void
  readonly askHistory: AskHistory
  /** Whether a wallet can send something to an address just now, both in lower case: `Accepted`, or why not. */
  readonly preflight: (destination: string, wallet: string) => Promise<Result>
  /** Asks the core what signed actions have come to. */
  readonly lookups: OutcomeLookups
  /** Time of day; the engine's own events carry theirs. */
  nowMillis(): number
  /** Time by which connections live, which goes on by itself. */
  socketMillis(): number
  /** What recent commands and batches went through, by every thread. */
  readonly stamps: Pick<ExchangeMemory, 'batchStamps' | 'counters' | 'orderStamps' | 'virtualTime'>
  /** When the frame that is being read came in, in microseconds that go round. */
  frameMicros(): number
  /** What came in then over a stream is answered. @param isCounted whether it was a PlaceOrder. */
  onStreamed(arrivedMicros: number, isCounted: boolean): void
  /** Why signed writes are not taken just now (`NotReady`, `SigningDisabled`), or null. */
  refusesWrites(): Fault | null
}
