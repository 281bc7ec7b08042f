import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  HaltMode,
  OrderStatus,
  ProviderStatus,
  RfqKind,
  RfqStatus,
  Side,
  TradingMode,
} from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import {
  AnyEvent,
  BootstrapEvent,
  EventType,
  FillEvent,
  HaltEvent,
  InstrumentEvent,
  OutcomeEvent,
  ProviderEvent,
  RfqEvent,
  RfqQuoteEvent,
} from '../../../schemas/generated/events.js'
import { RfqChange, RfqQuoteChange } from '../../../schemas/record-values.js'
import { type RecordSink, viewsOf } from '../../../schemas/record-views.js'
import { Result } from '../../../schemas/results.js'
import { AuctionLedger, auctionMillisChoices } from './auction-ledger.js'
import { PublishedProviders } from './published-providers.js'
import { SentRows } from './sent-rows.js'

const orderId = 7
const taker = 1
const { Executed, Made, Withdrawn } = RfqQuoteChange

/** An order to buy a contract at 100, which waits for providers 2 and 3, with an empty book. */
class Events {
  readonly ledger: AuctionLedger
  readonly #providers = new PublishedProviders()
  #seq = 0
  timeMillis = 1000

  constructor() {
    this.ledger = new AuctionLedger(this.#providers, new SentRows())
    this.#emit(new BootstrapEvent(), {}, EventType.BootstrapBegin)
    this.#emit(new InstrumentEvent(), { tradingMode: TradingMode.Both, state: 1 })
    this.#emit(new BootstrapEvent(), {}, EventType.BootstrapEnd)
    for (const account of [2, 3]) {
      this.#emit(new ProviderEvent(), { account, status: ProviderStatus.Active, sessions: 1 })
    }
    this.update(OrderStatus.Acked)
    this.auction(RfqStatus.Created)
    for (const account of [2, 3]) this.quote(account, RfqQuoteChange.Invited)
    this.auction(RfqStatus.SentToQps)
  }

  update(status: OrderStatus): this {
    return this.#order(EventType.OrderUpdate, status)
  }

  answer(status: OrderStatus): this {
    return this.#order(EventType.Outcome, status)
  }

  auction(status: RfqStatus, reason: Result = Result.Accepted): this {
    const fixed = { account: taker, change: RfqChange.Status, count: 1, kind: RfqKind.Auction }
    const micros = { limitMicros: 100e6, referenceMicros: 100e6, tickMicros: 1e4 }
    const responseMillis = 1000 + auctionMillisChoices.usual
    const times = { createdMillis: 1000, responseMillis }
    return this.#emit(new RfqEvent(), { ...fixed, ...micros, ...times, orderId, reason, status })
  }

  quote(account: number, change: RfqQuoteChange, priceMicros = 0, name = account): this {
    const event = new RfqQuoteEvent()
    const count = priceMicros === 0 ? 0 : 1
    const fields = { account, change, count, expiresMillis: 1e9, taker: -1 }
    return this.#emit(event, { ...fields, netPremiumMicros: -priceMicros }, undefined, () => {
      event.u8[event.quoteIdAt] = name
      if (count === 1) event.setPricesMicros(0, priceMicros)
    })
  }

  halt(): this {
    return this.#emit(new HaltEvent(), { mode: HaltMode.Halted })
  }

  /** Fills the order in its book. */
  fill(): this {
    return this.#emit(new FillEvent(), { orderId, sizeLots: 1e8 })
  }

  #order(type: number, status: OrderStatus): this {
    const event = new OutcomeEvent()
    const published = { account: taker, command: CommandType.PlaceOrder }
    return this.#emit(event, published, type, () => {
      const fields = { orderId, priceMicros: 100e6, side: Side.Buy, sizeLots: 1e8, status }
      Object.assign(event.facts, fields)
    })
  }

  #emit<Event extends AnyEvent & { claim(sink: RecordSink, ...more: never[]): boolean }>(
    event: Event,
    fields: Partial<Event>,
    type?: number,
    fill: () => void = () => {},
  ): this {
    let recordType = 0
    const tryClaim = (_bytes: number, claimed: number) => {
      recordType = claimed
      return 0
    }
    const claim = event.claim.bind(event) as (sink: RecordSink, ...more: number[]) => boolean
    const views = viewsOf(new ArrayBuffer(1024))
    claim({ views, tryClaim }, type ?? views.u8.length)
    const isRfq = event instanceof RfqEvent
    Object.assign(event, fields)
    if (isRfq) Object.assign(event.legs(0), { sizeLots: 1e8, side: Side.Buy, instrument: 0 })
    fill()
    const { timeMillis } = this
    const header = new AnyEvent().over(views, 0)
    Object.assign(header, { recordType: type ?? recordType, seq: ++this.#seq, timeMillis })
    header.recordBytes = isRfq ? RfqEvent.bytesWith(1) : header.recordBytes
    this.#providers.take(header)
    this.ledger.take(header)
    return this
  }
}

test('the ledger accepts an order that its best quote fills and that gets one answer', () => {
  const published = new Events().quote(2, Made, 99e6).quote(3, Made, 98e6)
  published.auction(RfqStatus.QuotesReceived).quote(3, Executed, 98e6).auction(RfqStatus.Executed)
  published.update(OrderStatus.Filled).answer(OrderStatus.Filled).ledger.checkBorder()
})

test('the ledger finds a quote that wins over a better one', () => {
  const published = new Events().quote(2, Made, 99e6).quote(3, Made, 98e6)
  assert.throws(() => published.quote(2, Executed, 99e6), /not by its best quote/)
})

test('the ledger finds a later quote that wins over an equal one', () => {
  const published = new Events().quote(2, Made, 99e6).quote(3, Made, 99e6)
  assert.throws(() => published.quote(3, Executed, 99e6), /not by its best quote/)
})

test('the ledger finds a winning quote beyond the limit and accepts one at the limit', () => {
  const beyond = new Events().quote(2, Made, 100e6 + 1)
  assert.throws(() => beyond.quote(2, Executed, 100e6 + 1), /too bad/)
  new Events().quote(2, Made, 100e6).quote(2, Executed, 100e6)
})

test('the ledger finds a winning quote from before a halt, a withdrawn one and a replaced one', () => {
  const halted = new Events().quote(2, Made, 99e6).halt()
  assert.throws(() => halted.quote(2, Executed, 99e6), /of before a halt/)
  const withdrawn = new Events().quote(2, Made, 99e6).quote(2, Withdrawn, 99e6)
  assert.throws(() => withdrawn.quote(2, Executed, 99e6), /too bad/)
  const replaced = new Events().quote(2, Made, 98e6, 4).quote(2, RfqQuoteChange.Replaced, 98e6, 4)
  replaced.quote(2, Made, 99e6, 5)
  assert.throws(() => replaced.quote(2, Executed, 98e6, 4), /too bad/)
})

test('the ledger finds a quote after the deadline and a third quote', () => {
  const late = new Events()
  late.timeMillis += auctionMillisChoices.usual + 1
  assert.throws(() => late.quote(2, Made, 99e6), /behind its time/)
  const busy = new Events().quote(2, Made, 99e6, 4).quote(2, RfqQuoteChange.Replaced, 99e6, 4)
  busy.quote(2, Made, 98e6, 5).quote(2, RfqQuoteChange.Replaced, 98e6, 5)
  assert.throws(() => busy.quote(2, Made, 97e6, 6), /quotes 3 times/)
})

test('the ledger finds an order decided before its deadline and before all answers', () => {
  const published = new Events().quote(2, RfqQuoteChange.Declined)
  const end = () => published.auction(RfqStatus.NoQuotes, Result.RfqUnanswered)
  assert.throws(end, /decided before its time/)
})

test('the ledger finds a waiting order that trades in its book or changes', () => {
  assert.throws(() => new Events().fill(), /trades in its book while it waits/)
  assert.throws(() => new Events().update(OrderStatus.Open), /changes while it waits/)
})

test('the ledger finds an auction that ends twice or differently from its order', () => {
  const published = new Events().update(OrderStatus.Canceled)
  assert.throws(() => published.ledger.checkBorder(), /its auction has not/)
  published.auction(RfqStatus.Failed, Result.CanceledOnRequest)
  const again = () => published.auction(RfqStatus.Failed, Result.CanceledOnRequest)
  assert.throws(again, /published after its end/)
  const other = () => new Events().auction(RfqStatus.Failed, Result.CanceledOnRequest)
  assert.throws(other, /ends otherwise than its auction/)
})

test('the ledger finds an order answered while it waits, twice, or never', () => {
  assert.throws(() => new Events().answer(OrderStatus.Acked), /answered while it waits/)
  const published = new Events().update(OrderStatus.Canceled)
  published.auction(RfqStatus.Failed, Result.CanceledOnRequest)
  assert.throws(() => published.ledger.checkBorder(), /nobody was answered/)
  published.answer(OrderStatus.Canceled).ledger.checkBorder()
  assert.throws(() => published.answer(OrderStatus.Canceled), /answered twice/)
})
