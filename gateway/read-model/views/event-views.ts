import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { DirectiveAction, ProviderStatus } from '../../../schemas/domain.js'
import {
  AccountEvent,
  AgentEvent,
  type AnyEvent,
  ApiWalletEvent,
  AuctionEvent,
  CompetitionEvent,
  DirectiveEvent,
  EventType,
  FillEvent,
  FundingEvent,
  FundsEvent,
  HaltEvent,
  InstrumentEvent,
  LiquidationEvent,
  MaxIndexEvent,
  MmpEvent,
  OutcomeEvent,
  PayoutEvent,
  PositionEvent,
  ProviderEvent,
  RemarkedEvent,
  SettlementEvent,
  SurfaceEvent,
  TransferEvent,
  UsernameEvent,
} from '../../../schemas/generated/events.js'
import { CompetitionChange } from '../../../schemas/record-values.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { formatAddress } from '../../../schemas/wallet.js'
import type { LiquidationEntry } from '../../wire/liquidation-entry.js'
import { tradeOf } from '../../wire/market-data.js'
import type { NameEntry } from '../../wire/name-entry.js'
import type { ProviderEntry } from '../../wire/provider-entry.js'
import type { WithdrawalEntry } from '../../wire/withdrawal-entry.js'
import { AccountViews } from './account-views.js'
import { CompetitionViews } from './competition-views.js'
import { LiquidationViews } from './liquidation-views.js'
import { MarketViews } from './market-views.js'
import { MmpViews } from './mmp-views.js'
import { seedStatistics, type TradeSeed, TradeStatistics } from './trade-statistics.js'
import { UsernameViews } from './username-views.js'
import { VenueViews } from './venue-views.js'

/** Receives change notifications from the views, during the event; it reads the changes later. */
export interface ViewsObserver {
  /** Size, cost or profit of a position. `realizedMicros` is its profit so far, also if it is now closed. */
  onPosition(account: number, instrument: number, realizedMicros: number): void
  /** Cash, working orders, tier or mode. */
  onAccount(account: number): void
  /** Marks or index. */
  onMarks(underlying: number, isRemark: boolean): void
  onBook(instrument: number): void
  /** Listed, expired, settled or deleted. */
  onListing(instrument: number): void
  /** A bootstrap begins, which replaces everything. */
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

// One cursor per kind of event, moved by the next event of its kind.
const update = new OutcomeEvent()
const fill = new FillEvent()
const payout = new PayoutEvent()
const account = new AccountEvent()
const agent = new AgentEvent()
const apiWallet = new ApiWalletEvent()
const mmp = new MmpEvent()
const position = new PositionEvent()
const transfer = new TransferEvent()
const username = new UsernameEvent()
const provider = new ProviderEvent()
const liquidation = new LiquidationEvent()
const auction = new AuctionEvent()
const instrument = new InstrumentEvent()
const remarked = new RemarkedEvent()
const surface = new SurfaceEvent()
const settlement = new SettlementEvent()
const halt = new HaltEvent()
const funding = new FundingEvent()
const maxIndex = new MaxIndexEvent()
const funds = new FundsEvent()
const directive = new DirectiveEvent()
const competition = new CompetitionEvent()

/**
 * State that results from the events. BootstrapBegin clears everything that the records up to BootstrapEnd repeat.
 * Before the first BootstrapBegin the log holds what recovery replays, of which only trades are counted.
 */
export class EventViews {
  /** Sequence and engine time of the last event. */
  seq = 0
  timeMillis = 0
  /** True after a complete bootstrap. */
  isReady = false
  /** Returns true if the engine's clock was stepped, as the core reports it. */
  isClockDoubted: () => boolean = () => false
  /** Receives each change of a withdrawal, and at a bootstrap those in progress. */
  onWithdrawal: (entry: WithdrawalEntry) => void = () => {}
  /** Receives usernames; at a bootstrap those that wait for the operator's verdict. */
  onName: (entry: NameEntry) => void = () => {}
  /** Receives each quote provider when it connects, disconnects or changes status. */
  onProvider: (entry: ProviderEntry) => void = () => {}
  /** Receives each wallet's liquidation state; null: all are about to be repeated. */
  onLiquidation: (entry: LiquidationEntry | null) => void = () => {}
  market: MarketViews
  accounts: AccountViews
  mmp = new MmpViews()
  usernames = new UsernameViews()
  liquidations = new LiquidationViews()
  competitions = new CompetitionViews()
  venue = new VenueViews()
  /** Incremented when the result of `venueGaugesOf` changes. */
  venueVersion = 0
  /** Incremented when the result of `haltBoardOf` may change. */
  haltVersion = 0
  readonly statistics = new TradeStatistics()
  observer: ViewsObserver = silentObserver
  readonly #config: EngineConfig
  #hasBegun = false
  /** Trades up to this sequence are already in the statistics. */
  #countedSeq = 0

  constructor(config: EngineConfig) {
    this.#config = config
    this.market = new MarketViews(config, this.statistics)
    this.accounts = new AccountViews(config, this.market)
  }

  /** Loads statistics of earlier processes. Call before the first event. */
  seed(seed: TradeSeed): void {
    seedStatistics(this.statistics, seed)
    this.#countedSeq = seed.seq
  }

  apply(event: AnyEvent): void {
    const { recordType: type } = event
    if (type === EventType.BootstrapBegin) this.#begin()
    if (type === EventType.Trade) this.#countTrade(event)
    if (!this.#hasBegun) return
    this.seq = event.seq
    this.timeMillis = event.timeMillis
    if (type === EventType.BootstrapEnd) this.isReady = true
    this.#applyToMarket(type, event)
    this.#applyToAccounts(type, event)
    this.#applyToVenue(type, event)
  }

  #begin(): void {
    this.#hasBegun = true
    this.isReady = false
    this.market = new MarketViews(this.#config, this.statistics)
    this.accounts = new AccountViews(this.#config, this.market)
    this.mmp = new MmpViews()
    this.usernames = new UsernameViews()
    this.liquidations = new LiquidationViews()
    this.onLiquidation(null)
    this.competitions = new CompetitionViews()
    this.venue = new VenueViews()
    this.venueVersion++
    this.haltVersion++
    this.observer.onBegin()
  }

  #applyToMarket(type: number, event: AnyEvent): void {
    const { market, observer } = this
    if (type === EventType.BookLevel) observer.onBook(market.books.takeLevel(event))
    else if (type === EventType.BookCleared) observer.onBook(market.books.takeClearing(event))
    else if (type === EventType.IndexPrice) observer.onMarks(market.indexPrice(event), false)
    else if (type === EventType.Remarked) this.#remarked(remarked.of(event))
    else if (type === EventType.Surface) market.surface(surface.of(event))
    else if (type === EventType.Instrument) {
      this.#onRemarked(market.instrument(instrument.of(event)))
      this.haltVersion++
      observer.onListing(instrument.instrument)
    } else if (type === EventType.Settlement) {
      this.#onRemarked(market.settlement(settlement.of(event)))
    } else if (type === EventType.Halt) {
      market.halt(halt.of(event))
      this.haltVersion++
    } else if (type === EventType.Funding) market.funding(funding.of(event))
    else if (type === EventType.MaxIndex) market.maxIndex(maxIndex.of(event))
  }

  #remarked(event: RemarkedEvent): void {
    const underlying = this.market.remarked(event)
    if (underlying !== null) this.#onRemarked(underlying)
  }

  #onRemarked(underlying: number): void {
    this.accounts.risk.newMarks(underlying)
    this.observer.onMarks(underlying, true)
  }

  #applyToAccounts(type: number, event: AnyEvent): void {
    const { accounts, observer } = this
    if (type === EventType.OrderUpdate) observer.onAccount(accounts.order(update.of(event)))
    else if (type === EventType.Fill) {
      this.#onPositionChanged(fill.of(event), accounts.fill(fill))
    } else if (type === EventType.Payout) {
      this.#onPositionChanged(payout.of(event), accounts.payout(payout))
    } else if (type === EventType.Account) this.#account(account.of(event))
    else if (type === EventType.Agent) accounts.agent(agent.of(event))
    else if (type === EventType.ApiWallet) accounts.apiWallet(apiWallet.of(event))
    else if (type === EventType.Mmp) this.mmp.apply(mmp.of(event))
    else if (type === EventType.Username) this.#username(username.of(event))
    else if (type === EventType.Competition) this.#competition(competition.of(event))
    else if (type === EventType.Position) accounts.position(position.of(event))
    else if (type === EventType.Transfer) {
      this.#onPositionChanged(transfer.of(event), accounts.transfer(transfer))
    } else if (type === EventType.Liquidation) {
      this.#liquidation(liquidation.of(event))
      observer.onAccount(liquidation.account)
    } else if (type === EventType.Auction) this.liquidations.auction(auction.of(event))
  }

  #applyToVenue(type: number, event: AnyEvent): void {
    if (type === EventType.Provider) this.#provider(provider.of(event))
    if (type === EventType.Funds) this.venue.applyFunds(funds.of(event))
    else if (type === EventType.Directive) this.#directive(directive.of(event))
    else if (type === EventType.Settlement) this.venue.applySettlement(settlement.of(event))
    else if (type !== EventType.Liquidation) return
    this.venueVersion++
  }

  #account(event: AccountEvent): void {
    const stoppedCount = this.accounts.stopped.size
    this.observer.onAccount(this.accounts.account(event))
    if (this.accounts.stopped.size !== stoppedCount) this.haltVersion++
  }

  #liquidation(event: LiquidationEvent): void {
    this.liquidations.liquidation(event)
    const { u8, walletAt, state, mode, isWaiting, isStanding } = event
    const { enteredMillis, deadlineMillis, equityMicros, mmMicros } = event
    this.onLiquidation({
      ...{ wallet: formatAddress(u8, walletAt), state, mode },
      ...{ isWaiting: isWaiting === 1, isStanding: isStanding === 1 },
      ...{ enteredMillis, deadlineMillis, equityMicros, mmMicros },
    })
  }

  #username(event: UsernameEvent): void {
    this.usernames.apply(event)
    const { pendingText: pending, u8, usernameText, walletAt } = event
    if (!this.isReady && pending === '') return
    this.onName({ wallet: formatAddress(u8, walletAt), username: usernameText, pending })
  }

  #provider({ u8, walletAt, status, sessions }: ProviderEvent): void {
    const isActive = status === ProviderStatus.Active
    this.onProvider({ wallet: formatAddress(u8, walletAt), isActive, sessions })
  }

  #competition(event: CompetitionEvent): void {
    if (event.change !== CompetitionChange.Marks) this.competitions.apply(event)
  }

  #directive(event: DirectiveEvent): void {
    this.venue.applyDirective(event)
    const { action, u8, directiveIdAt, walletAt, destinationAt } = event
    if (action !== DirectiveAction.SendAsset) return
    const { amountMicros, createdMillis, domain, delivery, seq } = event
    this.onWithdrawal({
      directiveId: formatUuid(u8, directiveIdAt),
      wallet: formatAddress(u8, walletAt),
      destination: formatAddress(u8, destinationAt),
      ...{ amountMicros, createdMillis, domain, delivery, seq },
    })
  }

  #onPositionChanged(event: FillEvent | PayoutEvent | TransferEvent, realizedMicros: number): void {
    this.observer.onAccount(event.account)
    this.observer.onPosition(event.account, event.instrument, realizedMicros)
  }

  #countTrade(event: AnyEvent): void {
    if (event.seq <= this.#countedSeq) return
    const trade = tradeOf(event)
    const id = trade.instrument()
    const sizeLots = trade.sizeLots()
    const { instruments, marks } = this.market
    const isKnown = id < instruments.count
    const indexMicros = isKnown ? marks.indexMicros[instruments.underlying[id]] : 0
    // Volume is a statistic: the nearest micro of a double, and 0 if the index is unknown.
    const notionalMicros = Math.round(((indexMicros || 0) / lotsPerContract) * sizeLots)
    const priceMicros = trade.priceMicros()
    this.statistics.of(id).add(event.timeMillis, priceMicros, sizeLots, notionalMicros)
    this.market.version++
  }
}
