import { allocateEventLog, EventLogReader, EventLogWriter } from '../engine/memory/event-log.js'
import { lotsPerContract, microsPerUsd } from '../schemas/bounds.js'
import { OrderStatus, TradingMode } from '../schemas/domain.js'
import * as layout from '../schemas/events.js'
import { EventType } from '../schemas/generated/events.js'
import { InstrumentChange } from '../schemas/record-values.js'
import { writeAddress } from '../schemas/wallet.js'

export interface MarketShape {
  readonly wallets: number
  readonly instruments: number
}

const eventLogBytes = 1 << 22
const startMillis = Date.UTC(2026, 0, 1)
const expiryMillis = Date.UTC(2030, 0, 1)
const expiryDate = 20_300_101
const cashMicros = 1_000_000 * microsPerUsd
const levelsPerSide = 40

/** Events of one order's turn: cancelled, its level, rests, its level, traded. */
export const eventsPerTurnOver = 5

/** Events of orders that come and go as the core would write them, in a log of their own. */
export class OrderEvents {
  readonly reader: EventLogReader
  readonly #log: EventLogWriter
  readonly #shape: MarketShape
  #seq = 0
  /** Orders are numbered; those of a run of numbers rest. */
  #restingFirst = 0
  #restingEnd = 0

  constructor(shape: MarketShape) {
    const memory = allocateEventLog(eventLogBytes)
    this.#log = new EventLogWriter(memory, [0])
    this.reader = new EventLogReader(memory, 0)
    this.#shape = shape
  }

  /** All wallets and instruments, in bootstrap records. */
  bootstrap(): void {
    this.#claim(layout.bootstrapBytes, EventType.BootstrapBegin)
    for (let account = 0; account < this.#shape.wallets; account++) this.#account(account)
    for (let id = 0; id < this.#shape.instruments; id++) this.#instrument(id)
    this.#claim(layout.bootstrapBytes, EventType.BootstrapEnd)
  }

  /** One more order rests. */
  rest(): void {
    const order = this.#restingEnd++
    this.#order(order, OrderStatus.Open)
    this.#level(order, lotsPerContract)
  }

  /** The oldest order is cancelled and a new one rests, so that there are as many as before; and a trade. */
  turnOver(): void {
    const oldest = this.#restingFirst++
    this.#order(oldest, OrderStatus.Canceled)
    this.#level(oldest, 0)
    this.rest()
    this.#trade(oldest)
  }

  /** Lets the reader see everything so far. */
  commit(): void {
    this.#log.storeDurable(this.#log.publish())
  }

  #account(account: number): void {
    const at = this.#claim(layout.accountBytes, EventType.Account)
    const { f64, i32, u8 } = this.#log
    f64[(at + layout.accountCashMicrosAt) >> 3] = cashMicros
    i32[(at + layout.accountIndexAt) >> 2] = account
    writeAddress(`0x${account.toString(16).padStart(40, '0')}`, u8, at + layout.accountWalletAt)
  }

  #instrument(id: number): void {
    const at = this.#claim(layout.instrumentBytes, EventType.Instrument)
    const { f64, i32, u8 } = this.#log
    i32[(at + layout.instrumentIdAt) >> 2] = id
    i32[(at + layout.instrumentChangeAt) >> 2] = InstrumentChange.Bootstrap
    i32[(at + layout.instrumentModeAt) >> 2] = TradingMode.Both
    i32[(at + layout.instrumentExpiryDateAt) >> 2] = expiryDate
    f64[(at + layout.instrumentStrikeMicrosAt) >> 3] = (1000 + id) * microsPerUsd
    f64[(at + layout.instrumentExpiryMillisAt) >> 3] = expiryMillis
    f64[(at + layout.instrumentListedMillisAt) >> 3] = startMillis
    u8.set(Buffer.from('BTC'), at + layout.instrumentNameAt)
  }

  /** Public: no wallet is told. */
  #trade(order: number): void {
    const at = this.#claim(layout.tradeBytes, EventType.Trade)
    const { f64, i32 } = this.#log
    f64[(at + layout.tradeIdAt) >> 3] = order
    f64[(at + layout.tradePriceMicrosAt) >> 3] = this.#priceMicros(order)
    f64[(at + layout.tradeSizeLotsAt) >> 3] = lotsPerContract
    i32[(at + layout.tradeInstrumentAt) >> 2] = order % this.#shape.instruments
  }

  #order(order: number, status: OrderStatus): void {
    const at = this.#claim(layout.outcomeBytes, EventType.OrderUpdate)
    const facts = at + layout.outcomeFactsAt
    const { f64, i32 } = this.#log
    i32[(at + layout.outcomeAccountAt) >> 2] = order % this.#shape.wallets
    f64[(facts + layout.factsOrderIdAt) >> 3] = (order + 1) * 1024
    f64[(facts + layout.factsPriceMicrosAt) >> 3] = this.#priceMicros(order)
    f64[(facts + layout.factsSizeLotsAt) >> 3] = lotsPerContract
    i32[(facts + layout.factsInstrumentAt) >> 2] = order % this.#shape.instruments
    i32[(facts + layout.factsSideAt) >> 2] = sideOf(order)
    i32[(facts + layout.factsStatusAt) >> 2] = status
  }

  #level(order: number, sizeLots: number): void {
    const at = this.#claim(layout.levelBytes, EventType.BookLevel)
    const { f64, i32 } = this.#log
    f64[(at + layout.levelPriceMicrosAt) >> 3] = this.#priceMicros(order)
    f64[(at + layout.levelSizeLotsAt) >> 3] = sizeLots
    i32[(at + layout.levelInstrumentAt) >> 2] = order % this.#shape.instruments
    i32[(at + layout.levelSideAt) >> 2] = sideOf(order)
  }

  #priceMicros(order: number): number {
    const level = Math.floor(order / this.#shape.instruments) % levelsPerSide
    return (100 + level) * microsPerUsd
  }

  #claim(bytes: number, type: number): number {
    const at = this.#log.tryClaim(bytes, type)
    this.#log.u8.fill(0, at + 8, at + bytes)
    this.#log.f64[(at + layout.eventSeqAt) >> 3] = ++this.#seq
    this.#log.f64[(at + layout.eventMillisAt) >> 3] = startMillis
    return at
  }
}

function sideOf(order: number): number {
  return order & 1
}
