import { ByteBuffer } from 'flatbuffers'
import type { EventLogReader } from '../../../engine/memory/event-log.js'
import { recordTypeAt } from '../../../engine/memory/layout.js'
import type { EngineConfig } from '../../../engine/state/engine-config.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import {
  eventBodyAt,
  eventMillisAt,
  eventSeqAt,
  fillAccountAt,
  fillInstrumentAt,
  instrumentIdAt,
} from '../../../schemas/events.js'
import { EventType } from '../../../schemas/generated/events.js'
import { Trade } from '../../../schemas/generated/market-data/trade.js'
import { transferAccountAt, transferInstrumentAt } from '../../../schemas/liquidation.js'
import { payoutAccountAt, payoutInstrumentAt } from '../../../schemas/settlement.js'
import { AccountViews } from './account-views.js'
import { LiquidationViews } from './liquidation-views.js'
import { MarketViews } from './market-views.js'
import { MmpViews } from './mmp-views.js'
import { seedStatistics, type TradeSeed, TradeStatistics } from './trade-statistics.js'
import { VenueViews } from './venue-views.js'

/** Hears what changed in the views, at the event that changed it; what it tells others, it reads later. */
export interface ViewsObserver {
  /** Size, cost or profit of a position; `realizedMicros` of it so far, also when it is closed now. */
  onPosition(account: number, instrument: number, realizedMicros: number): void
  /** Cash, working orders, tier or mode. */
  onAccount(account: number): void
  /** Marks or index. */
  onMarks(underlying: number, isRemark: boolean): void
  onBook(instrument: number): void
  /** Listed, expired, settled or deleted. */
  onListing(instrument: number): void
  /** Everything begins anew. */
  onBegin(): void
}

export const silentObserver: ViewsObserver = {
  onPosition() {},
  onAccount() {},
  onMarks() {},
  onBook() {},
  onListing() {},
  onBegin() {},
}

/**
 * The state that events add up to. BootstrapBegin empties everything that the records up to
 * BootstrapEnd tell again; before the first one the log holds what recovery replays, of which only
 * trades are counted.
 */
export class EventViews {
  /** Sequence and engine time of the last event. */
  seq = 0
  timeMillis = 0
  /** Whether a bootstrap was seen to its end. */
  isReady = false
  /** Whether the engine's clock was stepped: asked of the core, where there is one. */
  isClockDoubted: () => boolean = () => false
  market: MarketViews
  accounts: AccountViews
  mmp: MmpViews
  liquidations: LiquidationViews
  venue: VenueViews
  /** Rises with whatever `venueGaugesOf` tells. */
  venueVersion = 0
  readonly statistics = new TradeStatistics()
  observer: ViewsObserver = silentObserver
  readonly #config: EngineConfig
  readonly #log: EventLogReader
  readonly #bytes: ByteBuffer
  readonly #trade = new Trade()
  #hasBegun = false
  /** Trades up to this sequence are in the statistics already. */
  #countedSeq = 0

  constructor(config: EngineConfig, log: EventLogReader) {
    this.#config = config
    this.#log = log
    this.#bytes = new ByteBuffer(log.u8)
    this.market = new MarketViews(config, log, this.statistics)
    this.accounts = new AccountViews(config, log, this.market)
    this.mmp = new MmpViews(log)
    this.liquidations = new LiquidationViews(log)
    this.venue = new VenueViews(log)
  }

  /** Statistics of earlier processes; to be called before the first event. */
  seed(seed: TradeSeed): void {
    seedStatistics(this.statistics, seed)
    this.#countedSeq = seed.seq
  }

  /** Takes in the event at `at` of the log's views. */
  apply(at: number): void {
    const type = this.#log.i32[(at + recordTypeAt) >> 2]
    if (type === EventType.BootstrapBegin) this.#begin()
    if (type === EventType.Trade) this.#countTrade(at)
    if (!this.#hasBegun) return
    this.seq = this.#log.f64[(at + eventSeqAt) >> 3]
    this.timeMillis = this.#log.f64[(at + eventMillisAt) >> 3]
    if (type === EventType.BootstrapEnd) this.isReady = true
    this.#applyToMarket(type, at)
    this.#applyToAccounts(type, at)
    this.#applyToVenue(type, at)
  }

  #begin(): void {
    this.#hasBegun = true
    this.isReady = false
    this.market = new MarketViews(this.#config, this.#log, this.statistics)
    this.accounts = new AccountViews(this.#config, this.#log, this.market)
    this.mmp = new MmpViews(this.#log)
    this.liquidations = new LiquidationViews(this.#log)
    this.venue = new VenueViews(this.#log)
    this.venueVersion++
    this.observer.onBegin()
  }

  #applyToMarket(type: number, at: number): void {
    const { market, observer } = this
    if (type === EventType.BookLevel) observer.onBook(market.bookLevel(at))
    else if (type === EventType.BookCleared) observer.onBook(market.bookCleared(at))
    else if (type === EventType.IndexPrice) observer.onMarks(market.indexPrice(at), false)
    else if (type === EventType.Remarked) this.#remarked(at)
    else if (type === EventType.Surface) market.surface(at)
    else if (type === EventType.Instrument) {
      this.#marksMoved(market.instrument(at))
      observer.onListing(this.#log.i32[(at + instrumentIdAt) >> 2])
    } else if (type === EventType.Settlement) this.#marksMoved(market.settlement(at))
    else if (type === EventType.Halt) market.halt(at)
    else if (type === EventType.Funding) market.funding(at)
    else if (type === EventType.MaxIndex) market.maxIndex(at)
  }

  #remarked(at: number): void {
    const underlying = this.market.remarked(at)
    if (underlying !== null) this.#marksMoved(underlying)
  }

  #marksMoved(underlying: number): void {
    this.accounts.risk.remarked(underlying)
    this.observer.onMarks(underlying, true)
  }

  #applyToAccounts(type: number, at: number): void {
    const { accounts, observer } = this
    if (type === EventType.OrderUpdate) observer.onAccount(accounts.order(at))
    else if (type === EventType.Fill) this.#fill(at)
    else if (type === EventType.Payout) this.#payout(at)
    else if (type === EventType.Account) observer.onAccount(accounts.account(at))
    else if (type === EventType.Agent) accounts.agent(at)
    else if (type === EventType.Mmp) this.mmp.apply(at)
    else if (type === EventType.Position) accounts.position(at)
    else if (type === EventType.Transfer) this.#transfer(at)
    else if (type === EventType.Liquidation) {
      observer.onAccount(this.liquidations.liquidation(at))
    } else if (type === EventType.Auction) this.liquidations.auction(at)
  }

  #applyToVenue(type: number, at: number): void {
    if (type === EventType.Funds) this.venue.applyFunds(at)
    else if (type === EventType.Settlement) this.venue.applySettlement(at)
    else if (type !== EventType.Liquidation) return
    this.venueVersion++
  }

  #fill(at: number): void {
    const { i32 } = this.#log
    const account = i32[(at + fillAccountAt) >> 2]
    const instrument = i32[(at + fillInstrumentAt) >> 2]
    const realizedMicros = this.accounts.fill(at)
    this.observer.onAccount(account)
    this.observer.onPosition(account, instrument, realizedMicros)
  }

  #payout(at: number): void {
    const { i32 } = this.#log
    const account = i32[(at + payoutAccountAt) >> 2]
    const realizedMicros = this.accounts.payout(at)
    this.observer.onAccount(account)
    this.observer.onPosition(account, i32[(at + payoutInstrumentAt) >> 2], realizedMicros)
  }

  #transfer(at: number): void {
    const { i32 } = this.#log
    const account = i32[(at + transferAccountAt) >> 2]
    const realizedMicros = this.accounts.transfer(at)
    this.observer.onAccount(account)
    this.observer.onPosition(account, i32[(at + transferInstrumentAt) >> 2], realizedMicros)
  }

  #countTrade(at: number): void {
    const seq = this.#log.f64[(at + eventSeqAt) >> 3]
    if (seq <= this.#countedSeq) return
    const trade = this.#trade.__init(at + eventBodyAt, this.#bytes)
    const instrument = trade.instrument()
    const sizeLots = trade.sizeLots()
    const { instruments, marks } = this.market
    const isKnown = instrument < instruments.count
    const indexMicros = isKnown ? marks.indexMicros[instruments.underlying[instrument]] : 0
    // Volume is a statistic: the nearest micro of a double, and 0 where the index is not known.
    const notionalMicros = Math.round(((indexMicros || 0) / lotsPerContract) * sizeLots)
    const timeMillis = this.#log.f64[(at + eventMillisAt) >> 3]
    this.statistics.of(instrument).add(timeMillis, trade.priceMicros(), sizeLots, notionalMicros)
    this.market.version++
  }
}
