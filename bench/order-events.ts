import { allocateEventLog, EventLogReader, EventLogWriter } from '../engine/memory/event-log.js'
import { lotsPerContract, microsPerUsd } from '../schemas/bounds.js'
import { OrderStatus, type Side, TradingMode } from '../schemas/domain.js'
import {
  AccountEvent,
  AnyEvent,
  BookLevelEvent,
  BootstrapEvent,
  EventType,
  InstrumentEvent,
  OutcomeEvent,
  TradeEvent,
} from '../schemas/generated/events.js'
import { InstrumentChange } from '../schemas/record-values.js'
import type { RecordSink, RecordViews } from '../schemas/record-views.js'
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

/** Events of one `turnOver`: cancel, level, new order, level, trade. */
export const eventsPerTurnOver = 5

const header = new AnyEvent()
const bootstrap = new BootstrapEvent()
const wallet = new AccountEvent()
const instrument = new InstrumentEvent()
const trade = new TradeEvent()
const update = new OutcomeEvent()
const level = new BookLevelEvent()

/** Events of orders that come and go, as the core writes them, in their own log. */
export class OrderEvents implements RecordSink {
  readonly reader: EventLogReader
  readonly #log: EventLogWriter
  readonly #shape: MarketShape
  #seq = 0
  /** Orders are numbered. Those from `#restingFirst` up to `#restingEnd`, exclusive, rest. */
  #restingFirst = 0
  #restingEnd = 0

  constructor(shape: MarketShape) {
    const memory = allocateEventLog(eventLogBytes)
    this.#log = new EventLogWriter(memory, [0])
    this.reader = new EventLogReader(memory, 0)
    this.#shape = shape
  }

  /** Writes all wallets and instruments as bootstrap records. */
  bootstrap(): void {
    bootstrap.claim(this, EventType.BootstrapBegin)
    for (let account = 0; account < this.#shape.wallets; account++) this.#account(account)
    for (let id = 0; id < this.#shape.instruments; id++) this.#instrument(id)
    bootstrap.claim(this, EventType.BootstrapEnd)
  }

  /** Rests one more order. */
  rest(): void {
    const order = this.#restingEnd++
    this.#order(order, OrderStatus.Open)
    this.#level(order, lotsPerContract)
  }

  /** Cancels the oldest order, rests a new one, and writes a trade. The number of resting orders stays the same. */
  turnOver(): void {
    const oldest = this.#restingFirst++
    this.#order(oldest, OrderStatus.Canceled)
    this.#level(oldest, 0)
    this.rest()
    this.#trade(oldest)
  }

  /** Makes all events so far visible to the reader. */
  commit(): void {
    this.#log.storeDurable(this.#log.publish())
  }

  get views(): RecordViews {
    return this.#log
  }

  /** Claims the next event: a header with zeros after it. */
  tryClaim(bytes: number, type: number): number {
    const at = this.#log.tryClaim(bytes, type)
    header.over(this.#log, at).clear()
    header.seq = ++this.#seq
    header.timeMillis = startMillis
    return at
  }

  #account(account: number): void {
    wallet.claim(this)
    wallet.cashMicros = cashMicros
    wallet.account = account
    writeAddress(`0x${account.toString(16).padStart(40, '0')}`, wallet.u8, wallet.walletAt)
  }

  #instrument(id: number): void {
    instrument.claim(this)
    instrument.instrument = id
    instrument.change = InstrumentChange.Bootstrap
    instrument.tradingMode = TradingMode.Both
    instrument.expiryDate = expiryDate
    instrument.strikeMicros = (1000 + id) * microsPerUsd
    instrument.expiryMillis = expiryMillis
    instrument.listedMillis = startMillis
    instrument.nameText = 'BTC'
  }

  /** Writes a public trade, without fills. */
  #trade(order: number): void {
    trade.claim(this)
    trade.tradeId = order
    trade.priceMicros = this.#priceMicros(order)
    trade.sizeLots = lotsPerContract
    trade.instrument = order % this.#shape.instruments
  }

  #order(order: number, status: OrderStatus): void {
    update.claim(this, EventType.OrderUpdate)
    update.account = order % this.#shape.wallets
    const { facts } = update
    facts.orderId = (order + 1) * 1024
    facts.priceMicros = this.#priceMicros(order)
    facts.sizeLots = lotsPerContract
    facts.instrument = order % this.#shape.instruments
    facts.side = sideOf(order)
    facts.status = status
  }

  #level(order: number, sizeLots: number): void {
    level.claim(this)
    level.priceMicros = this.#priceMicros(order)
    level.sizeLots = sizeLots
    level.instrument = order % this.#shape.instruments
    level.side = sideOf(order)
  }

  #priceMicros(order: number): number {
    const level = Math.floor(order / this.#shape.instruments) % levelsPerSide
    return (100 + level) * microsPerUsd
  }
}

function sideOf(order: number): Side {
  return (order & 1) as Side
}
