import {
  AgentEvent,
  type AnyEvent,
  EventType,
  InstrumentEvent,
  PayoutEvent,
  SettlementEvent,
} from '../../schemas/generated/events.js'
import { WatchRecord } from '../../schemas/generated/reads.js'
import { type Channel, channelRows } from '../../schemas/interface/channels.js'
import { Result } from '../../schemas/results.js'
import { formatAddress } from '../../schemas/wallet.js'
import {
  areReadsSigned,
  isSessionLive,
  type ReadSession,
  sessionOver,
} from '../admission/read-session.js'
import { engineConfigOf } from '../config/engine-config.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { PushKind } from '../link/read-protocol.js'
import type { Publication, PublicationSink } from '../link/reads.js'
import type { QuoteBoard } from '../quotes/quote-board.js'
import { LevelBooks } from '../read-model/views/level-book.js'
import type { StreamPeer, StreamSocket } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { indexPriceOf } from '../wire/market-data.js'
import { AudienceTable } from './audience-table.js'
import { BookChannel } from './book-channel.js'
import { ChainChannel } from './chain-channel.js'
import { EventChannels } from './event-channels.js'
import { type FrameParts, identify, takeFrame } from './frames.js'
import { IndexChannel } from './index-channel.js'
import { IndicativeChannel } from './indicative-channel.js'
import { encode, errorMessage, positionExpiredMessage } from './messages.js'
import { QuoteVolatility } from './quote-volatility.js'
import { Resumptions } from './resumptions.js'
import type { RfqChannel } from './rfq-channel.js'
import { Session, type StreamTotals } from './session.js'
import { type Subscription, subscribedSymbolsMax } from './subscriptions.js'
import type { UnknownSymbols } from './unknown-symbols.js'
import { WalletChannel, type WalletChannelWords } from './wallet-channel.js'
import { type ReadModelLink, WatchLink } from './watch-link.js'

// One cursor per kind of event, moved by the next event of its kind.
const agent = new AgentEvent()
const payout = new PayoutEvent()
const instrument = new InstrumentEvent()
const settlement = new SettlementEvent()

/** Options of a Subscribe in addition to its filters. */
export interface SubscribeOptions {
  /** Resumes after this sequence. */
  readonly fromSeq?: number | undefined
  /** True if the acknowledgement is to contain the first sequence. */
  readonly isSeqAsked?: boolean
  /** Names that match nothing yet, listed in the acknowledgement. */
  readonly unknown?: UnknownSymbols
}

/** Private channels fed by the read model. */
const fedChannels = {
  portfolio: {
    begin: WatchRecord.Portfolio,
    end: WatchRecord.PortfolioEnd,
    snapshotEnd: PushKind.MarginUpdate,
  },
  competition: {
    begin: WatchRecord.Competition,
    end: WatchRecord.CompetitionEnd,
    snapshotEnd: PushKind.CompetitionSummary,
  },
  competition_engagement: {
    begin: WatchRecord.Engagement,
    end: WatchRecord.EngagementEnd,
    snapshotEnd: null,
  },
} as const satisfies Partial<Record<Channel, WalletChannelWords>>
type FedChannel = keyof typeof fedChannels

/**
 * All WebSockets of one gateway thread: sessions, subscriptions and the events on their way to them. Messages are
 * queued immediately and leave with `flush`, after a frame was answered or a run of events has ended.
 */
export class StreamHub implements PublicationSink {
  readonly totals: StreamTotals = { opened: 0, slowCloses: 0, framesSent: 0, bytesSent: 0 }
  readonly #context: GatewayContext
  readonly #sessions = new Set<Session>()
  #dirty: Session[] = []
  readonly #audiences = new AudienceTable()
  readonly #books = new LevelBooks()
  readonly #bookChannel: BookChannel
  readonly #indexChannel: IndexChannel
  readonly #volatility: QuoteVolatility
  readonly #indicativeChannel: IndicativeChannel
  readonly #watches: WatchLink
  readonly #walletChannels: Readonly<Record<FedChannel, WalletChannel>>
  readonly #chainChannel: ChainChannel
  readonly #eventChannels: EventChannels
  readonly #resumptions: Resumptions

  /**
   * @param quotes Quotes known to this gateway; `onQuotes` reports their changes.
   */
  constructor(context: GatewayContext, readModel: ReadModelLink, quotes: QuoteBoard) {
    this.#context = context
    const { stream } = context.config
    const { nowMillis } = context
    const names = context.names.instruments
    this.#bookChannel = new BookChannel({
      audience: this.#audiences.ofChannel('orderbook'),
      names,
      books: this.#books,
      depth: stream.bookDepth,
      intervalMillis: stream.bookIntervalMillis,
      nowMillis,
      deliver: (session, bytes) => this.#deliver(session, 'orderbook', bytes),
      flush: () => this.flush(),
    })
    this.#indexChannel = new IndexChannel({
      audience: this.#audiences.ofChannel('index_prices'),
      names,
      intervalMillis: stream.indexIntervalMillis,
      idleMillis: stream.indexIdleIntervalMillis,
      nowMillis,
      deliver: (session, bytes) => this.#deliver(session, 'index_prices', bytes, 'index_prices'),
    })
    this.#volatility = new QuoteVolatility(engineConfigOf(context.config).pricing)
    this.#indicativeChannel = new IndicativeChannel({
      audience: this.#audiences.ofChannel('indicative_market_data'),
      names,
      board: quotes,
      volatility: this.#volatility,
      queueBytes: stream.queueBytes,
      nowMillis,
      lastSeq: () => context.lastSeq(),
      touch: (session) => this.#touch(session),
      flush: () => this.flush(),
    })
    this.#watches = new WatchLink(readModel)
    const fed = (channel: FedChannel) =>
      new WalletChannel(fedChannels[channel], this.#watches, (session, bytes, key) =>
        this.#deliver(session, channel, bytes, key === null ? null : `${channel} ${key}`),
      )
    this.#walletChannels = {
      portfolio: fed('portfolio'),
      competition: fed('competition'),
      competition_engagement: fed('competition_engagement'),
    }
    this.#chainChannel = new ChainChannel(this.#watches, (session, bytes) =>
      this.#deliver(session, 'options_chain', bytes),
    )
    const deliver = (session: Session, channel: Channel, bytes: Uint8Array) =>
      this.#deliver(session, channel, bytes)
    const audiences = this.#audiences
    this.#eventChannels = new EventChannels({ context, rfqs: context.rfqs, audiences, deliver })
    this.#resumptions = new Resumptions({
      ...{ context, deliver, reply: this.reply, flush: () => this.flush() },
      sentSeq: () => this.rfqs.sentSeq(context.lastSeq()),
      join: (session, subscription) =>
        this.#audienceOf(subscription.channel).add(session, subscription),
      leave: (session, subscription) => audiences.remove(session, subscription),
    })
  }

  /** Channel of RFQ messages to their takers. */
  get rfqs(): RfqChannel {
    return this.#eventChannels.rfqs
  }

  /** Number of open connections. */
  get count(): number {
    return this.#sessions.size
  }

  /** Number of resumes in progress; those of one connection and channel count as one. */
  get resuming(): number {
    return this.#resumptions.count
  }

  /** Adds a connection. `?wallet=` identifies it like an Authenticate, but without an answer. */
  open(socket: StreamSocket, query: string): StreamPeer {
    const { socketMillis, config, connectionEnds } = this.#context
    const number = connectionEnds.next()
    const session = new Session(socket, config.stream, this.totals, socketMillis(), number)
    this.totals.opened++
    const parts: FrameParts = { context: this.#context, hub: this, session }
    this.#sessions.add(session)
    const wallet = new URLSearchParams(query).get('wallet')
    const fault = wallet === null ? null : identify(wallet, parts)
    if (fault !== null) {
      this.reply(session, errorMessage(fault, {}))
      this.flush()
    }
    return {
      onMessage: (data, isBinary) => {
        // A command received after the close would not be cancelled by it.
        if (session.isClosed) return
        session.onReceived(socketMillis())
        this.#endRead(session)
        takeFrame(data, isBinary, parts)
        this.flush()
      },
      onPong: () => session.onPong(),
      onDrain: () => session.onDrain(socketMillis()),
      onClose: () => this.#forget(session),
    }
  }

  /** Queues a direct reply. */
  readonly reply = (session: Session, bytes: Uint8Array): void => {
    this.#queue(session, bytes, 'command_result', null)
  }

  /**
   * Identifies a session. A different wallet ends the private subscriptions. @param read Session that grants private
   * reads.
   */
  identify(session: Session, wallet: string, read: ReadSession | null = null): void {
    session.read = read
    if (session.wallet === wallet) return
    for (const subscription of [...session.subscriptions.values()]) {
      if (channelRows[subscription.channel].isPrivate) this.#end(session, subscription)
    }
    session.wallet = wallet
  }

  /**
   * Acknowledges, then sends the snapshot or the missed messages.
   * @returns `Unauthorized`, `LimitExceeded` or `EngineBusy`, without an acknowledgement.
   */
  subscribe(session: Session, wanted: Subscription, options: SubscribeOptions = {}): Fault | null {
    const { channel, key } = wanted
    const { fromSeq, isSeqAsked, unknown } = options
    const live = session.subscriptions.get(key)
    const isLive = live !== undefined
    const subscription = live ?? wanted
    const refused =
      this.#refuses(session, subscription) ??
      (fromSeq === undefined ? null : this.#resumptions.refuses(session, subscription)) ??
      (isLive ? null : this.#register(session, subscription))
    if (refused !== null) return refused
    const asOf = isSeqAsked ? { as_of_seq: this.rfqs.sentSeq(this.#context.lastSeq()) } : {}
    this.reply(session, encode({ type: 'Subscribed', channel, ...unknown, ...asOf }))
    if (fromSeq === undefined) {
      if (!isLive) this.#join(session, subscription)
    } else if (this.#resumptions.begin(session, subscription, fromSeq, isLive)) return null
    this.#sendSnapshot(session, subscription)
    return null
  }

  /** Ends a subscription, or all of the channel without filters. @returns Null: it never fails. */
  unsubscribe(session: Session, { channel, key, hasFilters }: Subscription): null {
    for (const live of [...session.subscriptions.values()]) {
      if (hasFilters ? live.key === key : live.channel === channel) this.#end(session, live)
    }
    this.reply(session, encode({ type: 'Unsubscribed', channel }))
    return null
  }

  /** Delivers messages that the read model encoded for this gateway's subscribers. */
  onPublication(publication: Publication): void {
    const channel = fedBy(publication.kind)
    if (channel === null) this.#chainChannel.onPublication(publication)
    else this.#walletChannels[channel].onPublication(publication)
  }

  /** Handles a market or order event. Reads it synchronously. */
  onEvent(event: AnyEvent): void {
    const { recordType: type } = event
    if (type === EventType.BookLevel) this.#bookChannel.onChange(this.#books.takeLevel(event))
    else if (type === EventType.BookCleared) {
      this.#bookChannel.onChange(this.#books.takeClearing(event))
    } else if (type === EventType.IndexPrice) this.#indexPrice(event)
    else if (type === EventType.Payout) this.#payout(payout.of(event))
    else if (type === EventType.Settlement) {
      this.#volatility.takeSettlement(settlement.of(event))
    } else {
      if (type === EventType.Instrument) this.#instrument(instrument.of(event))
      // Ends reads before any later event is sent.
      if (type === EventType.Agent) this.#endReadsOf(agent.of(event))
      this.#eventChannels.onEvent(event)
    }
  }

  /** Applies a record of the tables that a gateway starts from. No client is connected yet. */
  restore(event: AnyEvent): void {
    if (event.recordType === EventType.BookLevel) this.#books.takeLevel(event)
    else if (event.recordType === EventType.IndexPrice) this.#indexPrice(event)
    else if (event.recordType === EventType.Instrument) {
      this.#volatility.takeInstrument(instrument.of(event))
    }
  }

  /** Handles a change of an instrument's quotes, which leave with the next `flush`. */
  onQuotes(instrument: number): void {
    this.#indicativeChannel.onChange(instrument)
  }

  /** Handles the acknowledgement of a command of any gateway, after its requester was answered. */
  onOutcome(event: AnyEvent): void {
    this.#eventChannels.onOutcome(event)
  }

  onRunEnd(isStepComplete: boolean): void {
    this.#bookChannel.onRunEnd(isStepComplete, this.#context.lastSeq())
    this.#indexChannel.publish()
    this.rfqs.onRunEnd(isStepComplete)
    this.flush()
  }

  /** Runs all timers. Called several times a second. */
  tick(): void {
    const now = this.#context.socketMillis()
    this.#watches.flush()
    this.#indexChannel.publish()
    this.#indicativeChannel.refresh()
    this.#resumptions.tick()
    this.#endReads()
    this.flush()
    for (const session of this.#sessions) session.tick(now)
  }

  /** Writes queued messages to the sockets. */
  flush(): void {
    if (this.#dirty.length === 0) return
    const dirty = this.#dirty
    this.#dirty = []
    const now = this.#context.socketMillis()
    for (const session of dirty) {
      session.isDirty = false
      session.flush(now)
    }
  }

  /** Closes every connection. */
  close(code: number, reason: string): void {
    this.#bookChannel.close()
    for (const session of [...this.#sessions]) session.close(code, reason)
  }

  #endReads(): void {
    if (!areReadsSigned(this.#context)) return
    for (const session of this.#sessions) this.#endRead(session)
  }

  /** Agents change often, so only sessions that read as this wallet are checked. */
  #endReadsOf({ u8, walletAt }: AgentEvent): void {
    if (!areReadsSigned(this.#context)) return
    const wallet = formatAddress(u8, walletAt)
    for (const session of this.#sessions) if (session.wallet === wallet) this.#endRead(session)
  }

  /** Ends private subscriptions of an expired or revoked read session. The connection stays open. */
  #endRead(session: Session): void {
    const { read } = session
    if (read === null || !areReadsSigned(this.#context)) return
    if (isSessionLive(this.#context, read)) return
    this.identify(session, '')
    this.reply(session, errorMessage(sessionOver(), {}))
  }

  #payout(event: PayoutEvent): void {
    const wallet = formatAddress(event.u8, event.walletAt)
    const symbol = this.#symbolOf(event.instrument)
    this.#walletChannels.portfolio.tell(wallet, () => positionExpiredMessage(event, wallet, symbol))
  }

  #instrument(event: InstrumentEvent): void {
    this.#volatility.takeInstrument(event)
    this.#indicativeChannel.onListing(event.instrument)
  }

  #indexPrice(event: AnyEvent): void {
    this.#volatility.takeIndex(event)
    const price = indexPriceOf(event)
    const observedMillis = price.observedMillis()
    this.#indexChannel.onPrice(price.underlying(), price.priceMicros(), observedMillis, event.seq)
  }

  #deliver(session: Session, channel: Channel, bytes: Uint8Array, key: string | null = null): void {
    const { isPrivate, messageClass } = channelRows[channel]
    if (!isPrivate || !this.#isReadOver(session)) this.#queue(session, bytes, messageClass, key)
  }

  /** Compares with the clock, since `tick` runs a little later: nothing is sent in between. */
  #isReadOver({ read }: Session): boolean {
    if (read === null || !areReadsSigned(this.#context)) return false
    return read.expiresMillis <= this.#context.nowMillis()
  }

  #queue(
    session: Session,
    bytes: Uint8Array,
    messageClass: Parameters<Session['send']>[1],
    key: string | null,
  ): void {
    session.send(bytes, messageClass, key, this.#context.socketMillis())
    this.#touch(session)
  }

  #touch(session: Session): void {
    if (session.isDirty) return
    session.isDirty = true
    this.#dirty.push(session)
  }

  /** Returns why a subscription cannot be accepted at the moment. */
  #refuses(session: Session, { channel }: Subscription): Fault | null {
    if (channelRows[channel].isPrivate && session.wallet === '') {
      return new Fault(Result.Unauthorized, {}, 'Authentication required for this channel')
    }
    const isOfReadModel = isFed(channel) || channel === 'options_chain'
    return isOfReadModel && this.#watches.isBusy ? new Fault(Result.EngineBusy) : null
  }

  /** Registers a new subscription of the session. */
  #register(session: Session, subscription: Subscription): Fault | null {
    const { maxSubscriptions } = this.#context.config.stream
    const symbolsMax = subscribedSymbolsMax(this.#context.config)
    const { subscriptions, symbolCount } = session
    const added = subscription.symbols?.size ?? 0
    // A subscription costs some 350 bytes and a name 130, so those of a connection cost about 1 MiB at most.
    if (subscriptions.size >= maxSubscriptions) {
      const text = `Too many subscriptions: the connection has ${subscriptions.size}; at most ${maxSubscriptions} are allowed`
      return new Fault(Result.LimitExceeded, {}, text)
    }
    if (symbolCount + added > symbolsMax) {
      const count = `the subscriptions of the connection have ${symbolCount}, and this one adds ${added}`
      const text = `Too many symbols: ${count}; at most ${symbolsMax} are allowed`
      return new Fault(Result.LimitExceeded, {}, text)
    }
    subscriptions.set(subscription.key, subscription)
    session.symbolCount += added
    return null
  }

  #join(session: Session, subscription: Subscription): void {
    if (this.#resumptions.addToAddress(session, subscription)) return
    this.#audienceOf(subscription.channel).add(session, subscription)
  }

  /** Sends the current state, on channels that have one. */
  #sendSnapshot(session: Session, subscription: Subscription): void {
    const { channel, symbols } = subscription
    if (channel === 'orderbook') {
      this.#bookChannel.sendSnapshot(session, subscription, this.#context.lastSeq())
    } else if (channel === 'index_prices') this.#indexChannel.sendSnapshot(session, symbols)
    else if (channel === 'indicative_market_data') {
      this.#indicativeChannel.sendSnapshot(session, subscription)
    } else if (isFed(channel)) this.#walletChannels[channel].requestSnapshot(session)
    else if (channel === 'options_chain') this.#chainChannel.sendSnapshot(session, subscription)
  }

  /** Returns the audience of a channel. */
  #audienceOf(channel: Channel): Pick<AudienceTable, 'add' | 'remove'> {
    if (isFed(channel)) return this.#walletChannels[channel]
    return channel === 'options_chain' ? this.#chainChannel : this.#audiences
  }

  #end(session: Session, subscription: Subscription): void {
    session.subscriptions.delete(subscription.key)
    session.symbolCount -= subscription.symbols?.size ?? 0
    const isAway = this.#resumptions.remove(session, subscription)
    if (!isAway) this.#audienceOf(subscription.channel).remove(session, subscription)
    if (subscription.channel === 'indicative_market_data') this.#indicativeChannel.onEnd(session)
  }

  #forget(session: Session): void {
    if (!this.#sessions.delete(session)) return
    session.onClosed()
    const { connectionEnds } = this.#context
    for (const wallet of session.bindings.names()) connectionEnds.tell(wallet, session.number)
    for (const subscription of [...session.subscriptions.values()]) this.#end(session, subscription)
  }

  #symbolOf(instrument: number): string {
    return this.#context.names.instruments.instrument(instrument)?.symbol ?? ''
  }
}

function isFed(channel: Channel): channel is FedChannel {
  return Object.hasOwn(fedChannels, channel)
}

/** Returns the channel of a publication; null: the options chain. */
function fedBy(kind: PushKind): FedChannel | null {
  if (kind < PushKind.ChainRow) return 'portfolio'
  if (kind <= PushKind.ChainStep) return null
  return kind < PushKind.CompetitionRankChange ? 'competition' : 'competition_engagement'
}
