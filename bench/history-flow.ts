import { EventLogWriter } from '../engine/memory/event-log.js'
import { type ExchangeMemory, holdingLogReaders } from '../engine/memory/exchange-memory.js'
import { lotsPerContract, microsPerUsd, underlyingsMax } from '../schemas/bounds.js'
import { OrderStatus, Side, TradingMode } from '../schemas/domain.js'
import { CommandType } from '../schemas/generated/commands.js'
import {
  AccountEvent,
  AnyEvent,
  BookLevelEvent,
  BootstrapEvent,
  EventType,
  FillEvent,
  IndexPriceEvent,
  InstrumentEvent,
  OutcomeEvent,
  TradeEvent,
} from '../schemas/generated/events.js'
import { AccountChange, InstrumentChange } from '../schemas/record-values.js'
import type { RecordSink, RecordViews } from '../schemas/record-views.js'
import { randomFrom } from './book-replay/book-flow.js'

export interface HistoryShape {
  readonly wallets: number
  readonly instruments: number
  /** Number of resting orders. An order rests until this many newer ones rest, so its rows are that far apart. */
  readonly resting: number
}

export const flowStartMillis = Date.UTC(2026, 0, 1)
const expiryMillis = Date.UTC(2030, 0, 1)
const clientIdBytes = 16
const perUnderlying = 100
/** Share of the resting orders that belong to the first wallet. */
const busyShare = 0.5

const header = new AnyEvent()
const bootstrap = new BootstrapEvent()
const instrument = new InstrumentEvent()
const index = new IndexPriceEvent()
const deposit = new AccountEvent()
const outcome = new OutcomeEvent()
const level = new BookLevelEvent()
const trade = new TradeEvent()
const fill = new FillEvent()

/** Orders per step: one that rests, and one that takes the oldest. */
export const ordersPerStep = 2
/**
 * Events of orders and fills, as the core writes them. In each step an order rests, and another one takes the oldest
 * resting order. A seed chooses the wallets.
 */
export class HistoryFlow implements RecordSink {
  nowMillis = flowStartMillis
  readonly views: RecordViews
  readonly #log: EventLogWriter
  readonly #shape: HistoryShape
  readonly #random = randomFrom(7)
  #seq = 0
  #orders = 0
  #trades = 0
  /** Wallets of the resting orders, by count of rested orders modulo `resting`. */
  readonly #makers: Int32Array
  #rested = 0

  constructor(memory: ExchangeMemory, shape: HistoryShape) {
    this.#log = new EventLogWriter(memory.eventLog, holdingLogReaders)
    this.views = this.#log
    this.#shape = shape
    this.#makers = new Int32Array(shape.resting)
  }

  get tradeCount(): number {
    return this.#trades
  }

  get orderCount(): number {
    return this.#orders
  }

  /** Lists all instruments, sets their index prices, and credits every wallet. */
  open(): void {
    bootstrap.claim(this, EventType.BootstrapBegin)
    const { instruments } = this.#shape
    for (let underlying = 0; underlying * perUnderlying < instruments; underlying++) {
      index.claim(this)
      index.underlying = underlying
      index.priceMicros = 100_000 * microsPerUsd
    }
    for (let id = 0; id < instruments; id++) this.#list(id)
    bootstrap.claim(this, EventType.BootstrapEnd)
    for (let wallet = 0; wallet < this.#shape.wallets; wallet++) {
      deposit.claim(this)
      deposit.change = AccountChange.Deposit
      deposit.deltaMicros = deposit.cashMicros = depositMicros
      deposit.account = wallet
      writeWallet(deposit.u8, deposit.walletAt, wallet)
    }
  }

  /** Rests one order. Once enough orders rest, a new order first takes the oldest. */
  step(): void {
    const place = this.#rested % this.#shape.resting
    if (this.#rested >= this.#shape.resting) this.#take(this.#makers[place])
    const isBusy = this.#random() < busyShare
    const maker = isBusy ? 0 : this.#below(this.#shape.wallets)
    this.#makers[place] = maker
    this.#rested++
    this.#accept(maker, Side.Sell)
    this.#update(this.#orders, maker, Side.Sell, OrderStatus.Open)
    level.claim(this)
  }

  /** Makes all events so far visible to readers. */
  commit(): void {
    this.#log.storeDurable(this.#log.publish())
  }

  tryClaim(bytes: number, type: number): number {
    const at = this.#log.tryClaim(bytes, type)
    header.over(this.#log, at).clear()
    header.seq = ++this.#seq
    header.timeMillis = this.nowMillis
    return at
  }

  /** Fills the oldest resting order by a new one. */
  #take(maker: number): void {
    const makerOrder = this.#orderNumberOf(this.#rested - this.#shape.resting)
    const taker = (maker + 1 + this.#below(this.#shape.wallets - 1)) % this.#shape.wallets
    this.#accept(taker, Side.Buy)
    this.#trades++
    trade.claim(this)
    trade.tradeId = this.#trades
    trade.priceMicros = priceMicros
    trade.sizeLots = lotsPerContract
    trade.instrument = this.#instrumentOf(makerOrder)
    trade.takerSide = Side.Buy
    writeWallet(trade.u8, trade.makerAt, maker)
    writeWallet(trade.u8, trade.takerAt, taker)
    this.#fill(0, makerOrder, maker, Side.Sell)
    this.#fill(1, this.#orders, taker, Side.Buy)
    level.claim(this)
    this.#update(makerOrder, maker, Side.Sell, OrderStatus.Filled)
    this.#update(this.#orders, taker, Side.Buy, OrderStatus.Filled)
  }

  /** Returns the number of the nth rested order. From the first take on, each step has two orders. */
  #orderNumberOf(rested: number): number {
    const { resting } = this.#shape
    return rested < resting ? rested + 1 : resting + 2 * (rested - resting + 1)
  }

  #accept(wallet: number, side: Side): void {
    const number = ++this.#orders
    outcome.claim(this, EventType.Outcome)
    outcome.gateway = 0
    outcome.command = CommandType.PlaceOrder
    outcome.account = wallet
    outcome.nonceHigh = Math.floor(this.nowMillis / 2 ** 32)
    outcome.nonceLow = number
    this.#facts(number, wallet, side, OrderStatus.Acked)
    this.#update(number, wallet, side, OrderStatus.Acked)
  }

  #update(number: number, wallet: number, side: Side, status: OrderStatus): void {
    outcome.claim(this, EventType.OrderUpdate)
    outcome.gateway = -1
    outcome.account = wallet
    this.#facts(number, wallet, side, status)
  }

  #facts(number: number, wallet: number, side: Side, status: OrderStatus): void {
    const { facts } = outcome
    facts.orderId = number * underlyingsMax
    facts.priceMicros = priceMicros
    facts.sizeLots = lotsPerContract
    facts.filledLots = status === OrderStatus.Filled ? lotsPerContract : 0
    facts.filledMicros = status === OrderStatus.Filled ? priceMicros : 0
    facts.instrument = this.#instrumentOf(number)
    facts.side = side
    facts.status = status
    facts.createdMillis = this.nowMillis
    writeWallet(facts.u8, facts.walletAt, wallet)
    if (number % 3 === 0) facts.clientIdText = `c${number}`.padStart(clientIdBytes, '0')
  }

  #fill(isTaker: number, order: number, wallet: number, side: Side): void {
    fill.claim(this)
    fill.fillId = this.#trades * 2 + isTaker
    fill.tradeId = this.#trades
    fill.orderId = order * underlyingsMax
    fill.priceMicros = priceMicros
    fill.sizeLots = lotsPerContract
    fill.instrument = this.#instrumentOf(order)
    fill.side = side
    fill.isTaker = isTaker
    fill.account = wallet
    writeWallet(fill.u8, fill.walletAt, wallet)
  }

  #list(id: number): void {
    instrument.claim(this)
    instrument.instrument = id
    instrument.underlying = Math.floor(id / perUnderlying)
    instrument.change = InstrumentChange.Bootstrap
    instrument.tradingMode = TradingMode.Both
    instrument.expiryDate = 20_300_101
    instrument.strikeMicros = (1000 + id) * microsPerUsd
    instrument.expiryMillis = expiryMillis
    instrument.listedMillis = flowStartMillis
    instrument.nameText = `U${instrument.underlying}`
  }

  #instrumentOf(order: number): number {
    return order % this.#shape.instruments
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }
}

const priceMicros = 100 * microsPerUsd
const depositMicros = 1_000_000 * microsPerUsd

/** Writes an address. Addresses are spread like hashes. */
function writeWallet(u8: Uint8Array, at: number, wallet: number): void {
  const spread = Math.imul(wallet + 1, 0x9e3779b1) >>> 0
  for (let i = 0; i < 20; i++) u8[at + i] = (spread >>> (8 * (i & 3))) ^ i
}

/** Returns the address text of a wallet of the flow, for queries. */
export function flowWallet(wallet: number): string {
  const bytes = new Uint8Array(20)
  writeWallet(bytes, 0, wallet)
  return `0x${Buffer.from(bytes).toString('hex')}`
}
