import { allocateEventLog, EventLogWriter } from '../engine/memory/event-log.js'
import {
  allocateExchangeMemory,
  type ExchangeMemory,
  holdingLogReaders,
} from '../engine/memory/exchange-memory.js'
import { allocateOrderTimestamps } from '../engine/memory/order-timestamps.js'
import { allocateRing } from '../engine/memory/ring.js'
import { quoteLogBytes, quoteRecordBytesMax } from '../schemas/bounds.js'
import { InstrumentState, OrderStatus, Right, Side, TradingMode } from '../schemas/domain.js'
import { CommandType } from '../schemas/generated/commands.js'
import {
  AccountEvent,
  AgentEvent,
  AnyEvent,
  ApiWalletEvent,
  BookClearedEvent,
  BookLevelEvent,
  BootstrapEvent,
  EventType,
  FillEvent,
  HaltEvent,
  IndexPriceEvent,
  InstrumentEvent,
  MaxIndexEvent,
  OutcomeEvent,
  PayoutEvent,
  PayoutsSeenEvent,
  PositionEvent,
  RemarkedEvent,
  SurfaceEvent,
  TradeEvent,
} from '../schemas/generated/events.js'
import type { AgentChange, Signer } from '../schemas/record-values.js'
import {
  AccountChange,
  InstrumentChange,
  OutcomeFlag,
  RemarkPhase,
  SurfaceKind,
} from '../schemas/record-values.js'
import type { RecordPlace, RecordSink } from '../schemas/record-views.js'
import { parseSymbol } from '../schemas/symbol.js'
import { writeAddress } from '../schemas/wallet.js'

/** Allocates the memory of an exchange for one test: real layouts, small rings. */
export function smallMemory(gateways = 1, eventLogBytes = 1 << 20): ExchangeMemory {
  const times = (bytes: number) => Array.from({ length: gateways }, () => allocateRing(bytes))
  return {
    ...allocateExchangeMemory(0, 0),
    gateways,
    orderTimestamps: Array.from({ length: 1 + gateways }, () => allocateOrderTimestamps(1 << 10)),
    eventLog: allocateEventLog(eventLogBytes),
    readRings: times(1 << 16),
    replyRings: times(1 << 18),
    lookupRings: times(1 << 12),
    foundRings: times(1 << 12),
    quoteLogs: Array.from({ length: gateways }, () =>
      allocateEventLog(quoteLogBytes, quoteRecordBytesMax),
    ),
    quoteWords: new SharedArrayBuffer(4 * (1 + gateways)),
    wakeups: new SharedArrayBuffer(128 * (7 + gateways)),
  }
}

/** Returns the address of a test wallet. */
export function walletOf(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`
}

export interface OrderFacts {
  readonly orderId: number
  readonly wallet: string
  readonly account: number
  readonly instrument: number
  readonly side?: number
  readonly tif?: number
  readonly flags?: number
  readonly status?: number
  readonly priceMicros?: number
  readonly sizeLots?: number
  readonly filledLots?: number
  readonly filledMicros?: number
  readonly clientId?: string
  readonly builder?: string
  readonly result?: number
  readonly createdMillis?: number
  /** Command that the event acknowledges; absent: the event is an OrderUpdate. */
  readonly requester?: {
    readonly gateway: number
    readonly request: number
    readonly command: number
  }
  readonly outcomeFlags?: number
  readonly details?: readonly number[]
}

export interface ActionFacts {
  readonly wallet: string
  readonly account: number
  readonly nonce: bigint
  readonly signer: Signer
  readonly isRepeat?: boolean
}

export interface FillFacts {
  readonly fillId: number
  readonly tradeId: number
  readonly orderId: number
  readonly wallet: string
  readonly account: number
  readonly instrument: number
  readonly side?: number
  readonly priceMicros?: number
  readonly sizeLots?: number
  readonly feeMicros?: number
  readonly realizedMicros?: number
  readonly positionLots?: number
  readonly costMicros?: number
  readonly cashMicros?: number
  readonly positionRealizedMicros?: number
  readonly cumFilledLots?: number
  readonly isTaker?: boolean
  readonly flags?: number
  readonly builder?: string
  readonly builderFeeMicros?: number
  readonly marginMicros?: number
  readonly indexMicros?: number
  readonly bandLowerMicros?: number
  readonly bandUpperMicros?: number
  readonly notionalMicros?: number
}

export interface TradeTerms {
  readonly priceMicros?: number
  readonly sizeLots?: number
  readonly takerSide?: Side
}

export interface PayoutEventFacts {
  readonly id: number
  readonly wallet: string
  readonly account?: number
  readonly instrument: number
  readonly positionLots: number
  readonly payoffMicros: number
  readonly valueMicros: number
  readonly costMicros: number
  readonly cashMicros?: number
  readonly priceMicros: number
}

export interface AccountFacts {
  readonly account: number
  readonly wallet: string
  readonly cashMicros: number
  readonly deltaMicros?: number
  readonly change?: number
  readonly tier?: number
  readonly marginMode?: number
  readonly selfTrade?: number
  readonly depositId?: string
  readonly stopped?: number
}

/**
 * Writes events as the core does. Each takes the next sequence, except between `bootstrapBegin` and `bootstrapEnd`.
 * Nothing is visible before `commit`.
 */
export class EventScript implements RecordSink {
  seq = 0
  timeMillis: number
  readonly views: EventLogWriter
  readonly #header = new AnyEvent()
  #isBootstrap = false

  constructor(memory: ExchangeMemory, timeMillis: number) {
    this.views = new EventLogWriter(memory.eventLog, holdingLogReaders)
    this.timeMillis = timeMillis
  }

  /** Makes all events so far visible and durable. @returns the position after them. */
  commit(): number {
    const position = this.views.publish()
    this.views.storeDurable(position)
    return position
  }

  /** Claims an event with a header, sequence and time, and zeros after them. */
  tryClaim(bytes: number, type: number): number {
    if (!this.#isBootstrap) this.seq++
    const header = this.#header.over(this.views, this.views.tryClaim(bytes, type)).clear()
    header.seq = this.seq
    header.timeMillis = this.timeMillis
    return header.at
  }

  bootstrapBegin(): void {
    this.#isBootstrap = true
    new BootstrapEvent().claim(this, EventType.BootstrapBegin)
  }

  bootstrapEnd(): void {
    new BootstrapEvent().claim(this, EventType.BootstrapEnd)
    this.#isBootstrap = false
  }

  /** Writes an empty bootstrap. */
  bootstrap(): void {
    this.bootstrapBegin()
    this.bootstrapEnd()
  }

  account({ wallet, depositId = '', ...facts }: AccountFacts): void {
    const event = new AccountEvent()
    event.claim(this)
    Object.assign(event, { change: AccountChange.Bootstrap, depositIdText: depositId, ...facts })
    writeWallet(event, event.walletAt, wallet)
  }

  agent(change: AgentChange, account: number, wallet: string, agent: string): void {
    const event = new AgentEvent()
    event.claim(this)
    Object.assign(event, { change, account })
    writeWallet(event, event.walletAt, wallet)
    writeWallet(event, event.agentAt, agent)
  }

  /** @param name stored in the first byte of the name. */
  apiWallet(change: AgentChange, wallet: string, key: string, name: number): void {
    const event = new ApiWalletEvent()
    event.claim(this)
    event.change = change
    writeWallet(event, event.walletAt, wallet)
    writeWallet(event, event.apiWalletAt, key)
    event.u8.fill(0, event.nameAt, event.nameAt + 32)
    event.u8[event.nameAt] = name
  }

  instrument(
    id: number,
    symbol: string,
    underlying: number,
    expiryMillis: number,
    change: number = InstrumentChange.Created,
    state: number = InstrumentState.Active,
  ): void {
    const terms = parseSymbol(symbol)
    if (typeof terms === 'string') throw new Error(`${symbol}: ${terms}`)
    const { underlying: nameText, right, expiryDate, strikeMicros } = terms
    const tradingMode = right === Right.None ? TradingMode.Orderbook : TradingMode.Both
    const listedMillis = this.timeMillis
    const event = new InstrumentEvent()
    event.claim(this)
    Object.assign(event, { instrument: id, underlying, change, state, tradingMode, right })
    Object.assign(event, { nameText, expiryDate, strikeMicros, expiryMillis, listedMillis })
  }

  /** @param points pairs of strike (USD) and volatility (fraction). */
  surface(underlying: number, expiryMillis: number, points: readonly number[]): void {
    const event = new SurfaceEvent()
    event.claim(this, SurfaceEvent.bytesWith(points.length))
    Object.assign(event, { underlying, surfaceKind: SurfaceKind.Points, expiryMillis })
    Object.assign(event, { takenMillis: this.timeMillis, indexMicros: Number.NaN })
    event.count = points.length
    event.valuesView(points.length).set(points)
  }

  indexPrice(underlying: number, priceMicros: number): void {
    const event = new IndexPriceEvent()
    event.claim(this)
    Object.assign(event, { underlying, priceMicros, observedMillis: this.timeMillis })
  }

  remarked(underlying: number, phase: RemarkPhase = RemarkPhase.Whole): void {
    const event = new RemarkedEvent()
    event.claim(this)
    Object.assign(event, { underlying, phase })
  }

  halt(underlying: number, mode: number): void {
    const event = new HaltEvent()
    event.claim(this)
    Object.assign(event, { underlying, mode })
  }

  maxIndex(underlying: number, maxIndexMicros: number): void {
    const event = new MaxIndexEvent()
    event.claim(this)
    Object.assign(event, { underlying, maxIndexMicros })
  }

  position(account: number, wallet: string, instrument: number, lots: number, cost: number): void {
    const event = new PositionEvent()
    event.claim(this)
    Object.assign(event, { account, instrument, lots, costMicros: cost })
    writeWallet(event, event.walletAt, wallet)
  }

  order({
    requester,
    account,
    outcomeFlags = 0,
    details = [],
    result = 0,
    ...order
  }: OrderFacts): void {
    const event = new OutcomeEvent()
    event.claim(this, requester ? EventType.Outcome : EventType.OrderUpdate)
    Object.assign(event, { gateway: -1, account, result, flags: outcomeFlags, ...requester })
    for (const [index, value] of details.entries()) event.setDetails(index, value)
    const { clientId = '', wallet, builder, ...facts } = order
    const usual = { priceMicros: 100_000_000, sizeLots: 100_000_000, status: OrderStatus.Open }
    const createdMillis = this.timeMillis
    Object.assign(event.facts, { ...usual, createdMillis, ...facts, clientIdText: clientId })
    writeWallet(event, event.facts.walletAt, wallet)
    if (builder !== undefined) writeWallet(event, event.facts.builderAt, builder)
  }

  /** Writes the acknowledgement of an accepted signed action, a change of the wallet's self-trade mode. */
  accepted({ account, nonce, signer, wallet, isRepeat = false }: ActionFacts): void {
    const event = new OutcomeEvent()
    event.claim(this, EventType.Outcome)
    const flags = isRepeat ? OutcomeFlag.Repeat : 0
    const [nonceHigh, nonceLow] = [Number(nonce >> 32n), Number(nonce & 0xffffffffn)]
    Object.assign(event, { gateway: -1, command: CommandType.SetSelfTrade, flags, account })
    Object.assign(event, { nonceHigh, nonceLow, signer })
    writeWallet(event, event.facts.walletAt, wallet)
  }

  fill({ wallet, builder, isTaker = false, ...fill }: FillFacts): void {
    const event = new FillEvent()
    event.claim(this)
    const usual = { priceMicros: 100_000_000, sizeLots: 100_000_000 }
    const untold = { marginMicros: Number.NaN, bandLowerMicros: Number.NaN }
    Object.assign(event, { ...usual, ...untold, ...fill, isTaker: isTaker ? 1 : 0 })
    writeWallet(event, event.walletAt, wallet)
    if (builder !== undefined) writeWallet(event, event.builderAt, builder)
  }

  trade(
    tradeId: number,
    instrument: number,
    maker: string,
    taker: string,
    terms: TradeTerms = {},
  ): void {
    const event = new TradeEvent()
    event.claim(this)
    const usual = { priceMicros: 100_000_000, sizeLots: 100_000_000, takerSide: Side.Buy }
    Object.assign(event, { ...usual, tradeId, instrument, ...terms })
    writeWallet(event, event.makerAt, maker)
    writeWallet(event, event.takerAt, taker)
  }

  payout({ id, wallet, ...facts }: PayoutEventFacts): void {
    const event = new PayoutEvent()
    event.claim(this)
    Object.assign(event, { payoutId: id, ...facts })
    writeWallet(event, event.walletAt, wallet)
  }

  payoutsSeen(wallet: string, ids: readonly number[], isSeen = true): void {
    const event = new PayoutsSeenEvent()
    event.claim(this, PayoutsSeenEvent.bytesWith(ids.length))
    Object.assign(event, { seen: isSeen ? 1 : 0, count: ids.length })
    event.idsView(ids.length).set(ids)
    writeWallet(event, event.walletAt, wallet)
  }

  level(instrument: number, side: number, priceMicros: number, sizeLots: number): void {
    const event = new BookLevelEvent()
    event.claim(this)
    Object.assign(event, { instrument, side, priceMicros, sizeLots })
  }

  cleared(instrument: number): void {
    const event = new BookClearedEvent()
    event.claim(this)
    event.instrument = instrument
  }
}

function writeWallet({ views }: RecordPlace, at: number, text: string): void {
  if (!writeAddress(text, views.u8, at)) throw new Error(`${text} is no address`)
}
