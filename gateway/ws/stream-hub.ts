import type { EventLogReader } from '../../engine/memory/event-log.js'
import {
  clearedInstrumentAt,
  eventMillisAt,
  eventSeqAt,
  factsInstrumentAt,
  factsWalletAt,
  fillInstrumentAt,
  fillWalletAt,
  indexObservedMillisAt,
  indexPriceMicrosAt,
  indexUnderlyingAt,
  instrumentChangeAt,
  levelInstrumentAt,
  levelPriceMicrosAt,
  levelSideAt,
  levelSizeLotsAt,
  outcomeFactsAt,
  tradeInstrumentAt,
} from '../../schemas/events.js'
import { EventType } from '../../schemas/generated/events.js'
import { liquidationChangeAt } from '../../schemas/liquidation.js'
import { InstrumentChange, LiquidationChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { payoutInstrumentAt, payoutWalletAt } from '../../schemas/settlement.js'
import { formatAddress } from '../../schemas/wallet.js'
import { engineConfigOf } from '../config/engine-config.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import type { Publication, PublicationSink } from '../http/reads.js'
import { readRejection } from '../outcome.js'
import type { EventRecords } from '../read-model/event-text.js'
import { liquidationFacts } from '../read-model/liquidation-facts.js'
import { PushKind } from '../read-model/read-protocol.js'
import { LevelBooks } from '../read-model/views/level-book.js'
import type { StreamPeer, StreamSocket } from '../transport.js'
import { Audiences } from './audiences.js'
import { BookChannel } from './book-channel.js'
import { ChainChannel } from './chain-channel.js'
import { type Channel, channelRows } from './channels.js'
import { type FrameParts, identify, takeFrame } from './frames.js'
import { IndexChannel } from './index-channel.js'
import { liquidationMessage } from './liquidation-message.js'
import {
  encode,
  errorMessage,
  fillMessage,
  marketUpdateMessage,
  orderUpdateMessage,
  positionExpiredMessage,
  tradeMessage,
} from './messages.js'
import { PortfolioChannel } from './portfolio-channel.js'
import { Session, type SessionLimits, type StreamTotals } from './session.js'
import type { Subscription } from './subscriptions.js'
import { type ReadModelLink, WatchLink } from './watch-link.js'

// Bounds one connection's filters as a whole: frames times names would be millions.
const symbolsPerSessionMax = 65_536

/**
 * All WebSockets of one gateway thread: who is there, who hears what, and the events on their way to them.
 * Messages are queued at once and leave with `flush`, after a frame was answered or a run of events is over.
 */
export class StreamHub implements PublicationSink {
  readonly totals: StreamTotals = { opened: 0, slowCloses: 0, framesSent: 0, bytesSent: 0 }
  readonly #context: GatewayContext
  readonly #log: EventLogReader
  readonly #limits: SessionLimits
  readonly #sessions = new Set<Session>()
  #dirty: Session[] = []
  readonly #audiences = new Audiences()
  readonly #books = new LevelBooks()
  readonly #bookChannel: BookChannel
  readonly #indexChannel: IndexChannel
  readonly #watches: WatchLink
  readonly #portfolioChannel: PortfolioChannel
  readonly #chainChannel: ChainChannel

  constructor(context: GatewayContext, log: EventLogReader, readModel: ReadModelLink) {
    this.#context = context
    this.#log = log
    const { stream } = context.config
    const { nowMillis } = context
    const names = context.names.instruments
    this.#limits = sessionLimits(context)
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
    this.#watches = new WatchLink(readModel)
    this.#portfolioChannel = new PortfolioChannel(this.#watches, (session, bytes, key) =>
      this.#deliver(session, 'portfolio', bytes, key === null ? null : `portfolio ${key}`),
    )
    this.#chainChannel = new ChainChannel(this.#watches, (session, bytes) =>
      this.#deliver(session, 'options_chain', bytes),
    )
  }

  /** Connections open just now. */
  get count(): number {
    return this.#sessions.size
  }

  /** Takes a new connection; `?wallet=` identifies it as an Authenticate would, without an answer. */
  open(socket: StreamSocket, query: string): StreamPeer {
    const { nowMillis } = this.#context
    const session = new Session(socket, this.#limits, this.totals, nowMillis())
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
        session.onHeard(nowMillis())
        takeFrame(data, isBinary, parts)
        this.flush()
      },
      onPong: () => session.onPong(),
      onDrain: () => session.onDrain(nowMillis()),
      onClose: () => this.#forget(session),
    }
  }

  /** Queues a direct reply. */
  readonly reply = (session: Session, bytes: Uint8Array): void => {
    this.#queue(session, bytes, 'command_result', null)
  }

  /** Another wallet ends the subscriptions that were the former one's. */
  identify(session: Session, wallet: string): void {
    if (session.wallet === wallet) return
    for (const subscription of [...session.subscriptions.values()]) {
      if (channelRows[subscription.channel].isPrivate) this.#end(session, subscription)
    }
    session.wallet = wallet
  }

  /**
   * Acknowledges, then sends the snapshot.
   * @returns `Unauthorized`, `LimitExceeded` or `EngineBusy`, unacknowledged.
   */
  subscribe(session: Session, subscription: Subscription): Fault | null {
    const { channel, key, symbols } = subscription
    if (channelRows[channel].isPrivate && session.wallet === '') {
      return new Fault(Result.Unauthorized, {}, 'Authentication required for this channel')
    }
    const isOfReadModel = channel === 'portfolio' || channel === 'options_chain'
    if (isOfReadModel && this.#watches.isBusy) return new Fault(Result.EngineBusy)
    if (!session.subscriptions.has(key)) {
      const symbolCount = session.symbolCount + (symbols?.size ?? 0)
      const isFull = session.subscriptions.size >= this.#context.config.stream.maxSubscriptions
      if (isFull || symbolCount > symbolsPerSessionMax) {
        return new Fault(Result.LimitExceeded, {}, 'Too many subscriptions')
      }
      session.subscriptions.set(key, subscription)
      session.symbolCount = symbolCount
      this.#begin(session, subscription)
    }
    this.reply(session, encode({ type: 'Subscribed', channel }))
    if (channel === 'orderbook') {
      this.#bookChannel.sendSnapshot(session, subscription, this.#context.lastSeq())
    } else if (channel === 'index_prices') this.#indexChannel.sendSnapshot(session, symbols)
    else if (channel === 'portfolio') this.#portfolioChannel.askSnapshot(session)
    else if (channel === 'options_chain') this.#chainChannel.sendSnapshot(session, subscription)
    return null
  }

  /** Without filters it ends every subscription of the channel. */
  unsubscribe(session: Session, { channel, key, hasFilters }: Subscription): void {
    for (const live of [...session.subscriptions.values()]) {
      if (hasFilters ? live.key === key : live.channel === channel) this.#end(session, live)
    }
    this.reply(session, encode({ type: 'Unsubscribed', channel }))
  }

  /** Something that the read model encoded for this gateway's subscribers. */
  onPublication(publication: Publication): void {
    if (publication.kind >= PushKind.ChainRow) this.#chainChannel.onPublication(publication)
    else this.#portfolioChannel.onPublication(publication)
  }

  /** An event that concerns the market or an order. The record is read at once. */
  onEvent(type: EventType, at: number): void {
    const { i32, f64 } = this.#log
    if (type === EventType.OrderUpdate) this.#orderUpdate(at)
    else if (type === EventType.Fill) this.#fill(at)
    else if (type === EventType.Trade) this.#trade(at)
    else if (type === EventType.Payout) this.#payout(at)
    else if (type === EventType.Liquidation) this.#liquidation(at)
    else if (type === EventType.Instrument) this.#instrument(at)
    else if (type === EventType.BookLevel) this.#bookChannel.onChange(this.#setLevel(this.#log, at))
    else if (type === EventType.BookCleared) {
      const instrument = i32[(at + clearedInstrumentAt) >> 2]
      const book = this.#books.of(instrument)
      book.clear(f64[(at + eventSeqAt) >> 3], f64[(at + eventMillisAt) >> 3])
      this.#bookChannel.onChange(instrument)
    } else if (type === EventType.IndexPrice) this.#setPrice(this.#log, at)
  }

  /** Takes in a record of the tables from which a gateway goes on; nobody is connected who could hear of it. */
  restore(type: EventType, records: EventRecords, at: number): void {
    if (type === EventType.BookLevel) this.#setLevel(records, at)
    else if (type === EventType.IndexPrice) this.#setPrice(records, at)
  }

  onRunEnd(isStepComplete: boolean): void {
    this.#bookChannel.onRunEnd(isStepComplete, this.#context.lastSeq())
    this.#indexChannel.publish()
    this.flush()
  }

  /** Looks at the clock for every connection; called several times a second. */
  tick(): void {
    const now = this.#context.nowMillis()
    this.#watches.flush()
    this.#indexChannel.publish()
    this.flush()
    for (const session of this.#sessions) session.tick(now)
  }

  /** Hands what was queued to the sockets. */
  flush(): void {
    if (this.#dirty.length === 0) return
    const dirty = this.#dirty
    this.#dirty = []
    const now = this.#context.nowMillis()
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

  #orderUpdate(at: number): void {
    if (!this.#audiences.isHeard('order_updates')) return
    const facts = at + outcomeFactsAt
    const wallet = formatAddress(this.#log.u8, facts + factsWalletAt)
    const instrument = this.#log.i32[(facts + factsInstrumentAt) >> 2]
    const symbol =
      instrument < 0 ? (readRejection(this.#log, at)?.symbol ?? '') : this.#symbolOf(instrument)
    this.#tell('order_updates', wallet, symbol, () =>
      orderUpdateMessage(this.#log, at, this.#context.names),
    )
  }

  #fill(at: number): void {
    if (!this.#audiences.isHeard('fills')) return
    const wallet = formatAddress(this.#log.u8, at + fillWalletAt)
    const symbol = this.#symbolOf(this.#log.i32[(at + fillInstrumentAt) >> 2])
    this.#tell('fills', wallet, symbol, () => fillMessage(this.#log, at, wallet, symbol))
  }

  #payout(at: number): void {
    const wallet = formatAddress(this.#log.u8, at + payoutWalletAt)
    const symbol = this.#symbolOf(this.#log.i32[(at + payoutInstrumentAt) >> 2])
    this.#portfolioChannel.tell(wallet, () => positionExpiredMessage(this.#log, at, wallet, symbol))
  }

  #liquidation(at: number): void {
    const isTransition = this.#log.i32[(at + liquidationChangeAt) >> 2] === LiquidationChange.State
    if (!isTransition || !this.#audiences.isHeard('liquidation')) return
    const facts = liquidationFacts(this.#log, at)
    const { config, names } = this.#context
    const { liquidation } = engineConfigOf(config)
    this.#tell('liquidation', facts.wallet, '', () =>
      liquidationMessage(facts, liquidation, names.instruments),
    )
  }

  #trade(at: number): void {
    const symbol = this.#symbolOf(this.#log.i32[(at + tradeInstrumentAt) >> 2])
    this.#tell('trades', '', symbol, () => tradeMessage(this.#log, at, symbol))
  }

  #instrument(at: number): void {
    const instrument = this.#context.names.instruments.take(this.#log, at)
    const change = this.#log.i32[(at + instrumentChangeAt) >> 2]
    // The market knows no message of a settled listing: it left the lists when it expired.
    if (change === InstrumentChange.Bootstrap || change === InstrumentChange.Settled) return
    this.#tell('market_updates', '', instrument.symbol, () =>
      marketUpdateMessage(this.#log, at, change, instrument),
    )
  }

  /** @returns the instrument. */
  #setLevel({ i32, f64 }: EventRecords, at: number): number {
    const instrument = i32[(at + levelInstrumentAt) >> 2]
    this.#books
      .of(instrument)
      .set(
        i32[(at + levelSideAt) >> 2],
        f64[(at + levelPriceMicrosAt) >> 3],
        f64[(at + levelSizeLotsAt) >> 3],
        f64[(at + eventSeqAt) >> 3],
        f64[(at + eventMillisAt) >> 3],
      )
    return instrument
  }

  #setPrice({ i32, f64 }: EventRecords, at: number): void {
    this.#indexChannel.onPrice(
      i32[(at + indexUnderlyingAt) >> 2],
      f64[(at + indexPriceMicrosAt) >> 3],
      f64[(at + indexObservedMillisAt) >> 3],
      f64[(at + eventSeqAt) >> 3],
    )
  }

  #tell(channel: Channel, wallet: string, symbol: string, encodeOnce: () => Uint8Array): void {
    this.#audiences.tell(channel, wallet, symbol, encodeOnce, (session, bytes) =>
      this.#deliver(session, channel, bytes),
    )
  }

  #deliver(session: Session, channel: Channel, bytes: Uint8Array, key: string | null = null): void {
    this.#queue(session, bytes, channelRows[channel].messageClass, key)
  }

  #queue(
    session: Session,
    bytes: Uint8Array,
    messageClass: Parameters<Session['send']>[1],
    key: string | null,
  ): void {
    session.send(bytes, messageClass, key, this.#context.nowMillis())
    if (session.isDirty) return
    session.isDirty = true
    this.#dirty.push(session)
  }

  #begin(session: Session, subscription: Subscription): void {
    const { channel } = subscription
    if (channel === 'portfolio') this.#portfolioChannel.add(session)
    else if (channel === 'options_chain') this.#chainChannel.add(session, subscription)
    else this.#audiences.add(session, subscription)
  }

  #end(session: Session, subscription: Subscription): void {
    const { channel } = subscription
    session.subscriptions.delete(subscription.key)
    session.symbolCount -= subscription.symbols?.size ?? 0
    if (channel === 'portfolio') this.#portfolioChannel.remove(session)
    else if (channel === 'options_chain') this.#chainChannel.remove(session, subscription)
    else this.#audiences.remove(session, subscription)
  }

  #forget(session: Session): void {
    session.onClosed()
    for (const subscription of [...session.subscriptions.values()]) this.#end(session, subscription)
    this.#sessions.delete(session)
  }

  #symbolOf(instrument: number): string {
    return this.#context.names.instruments.instrument(instrument)?.symbol ?? ''
  }
}

function sessionLimits({ config }: GatewayContext): SessionLimits {
  const { stream } = config
  return {
    messagesMax: stream.queueMessages,
    bytesMax: stream.queueBytes,
    queueAgeMillis: stream.queueAgeMillis,
    writeTimeoutMillis: stream.writeTimeoutMillis,
    pingMillis: stream.pingMillis,
    pongMillis: stream.pongTimeoutMillis,
    idleMillis: stream.idleMillis,
  }
}
