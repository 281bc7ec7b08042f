import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InstrumentState, OrderStatus, RfqStatus } from '../../../schemas/domain.js'
import { CancelAllCommand, CommandType } from '../../../schemas/generated/commands.js'
import {
  AnyEvent,
  BootstrapEvent,
  ComboFillEvent,
  EventType,
  FillEvent,
  InstrumentEvent,
  OutcomeEvent,
  RfqEvent,
  RfqQuoteEvent,
} from '../../../schemas/generated/events.js'
import { CancelScope, RfqQuoteChange } from '../../../schemas/record-values.js'
import { type RecordSink, viewsOf } from '../../../schemas/record-views.js'
import { Result } from '../../../schemas/results.js'
import { PurgeLedger } from './purge-ledger.js'
import { SentScopes } from './sent-scopes.js'

/** A wallet with an order in each of two underlyings; wallets and ids are single bytes. */
class Events {
  readonly #sent = new SentScopes()
  readonly ledger: PurgeLedger
  #seq = 0

  constructor() {
    this.ledger = new PurgeLedger(this.#sent)
    this.#emit(new BootstrapEvent(), {}, EventType.BootstrapBegin)
    for (const [instrument, nameText] of ['BTC', 'ETH'].entries()) {
      this.#emit(new InstrumentEvent(), { instrument, nameText, state: InstrumentState.Active })
    }
    this.#emit(new BootstrapEvent(), {}, EventType.BootstrapEnd)
    for (const order of [0, 1]) this.update(order, OrderStatus.Open)
  }

  /** Publishes an update of order 0 in BTC, or 1 in ETH. */
  update(order: number, status: OrderStatus, result: Result = Result.Accepted): this {
    const event = new OutcomeEvent()
    return this.#emit(event, { result }, EventType.OrderUpdate, () => {
      Object.assign(event.facts, { orderId: 100 + order, instrument: order, status })
      event.u8[event.facts.walletAt] = 1
    })
  }

  fill(order: number): this {
    return this.#emit(new FillEvent(), { orderId: 100 + order })
  }

  cancelAll(scope: CancelScope, canceledCount: number, underlyingText = 'BTC'): this {
    const command = new CancelAllCommand()
    command.claim({ views: viewsOf(new ArrayBuffer(512)), tryClaim: () => 0 })
    command.recordType = CommandType.CancelAll
    command.nonceLow = this.#seq
    command.scope = scope
    command.key.underlyingText = underlyingText
    command.u8[command.walletAt] = 1
    this.#sent.note(command)
    const event = new OutcomeEvent()
    const fields = { command: CommandType.CancelAll, result: Result.Accepted }
    return this.#emit(event, fields, EventType.Outcome, () => {
      event.nonceLow = command.nonceLow
      event.facts.canceledCount = canceledCount
      event.u8[event.facts.walletAt] = 1
    })
  }

  disconnect(): this {
    const event = new OutcomeEvent()
    const fields = { command: CommandType.EndConnection, result: Result.Accepted }
    return this.#emit(event, fields, EventType.Outcome, () => {
      event.u8[event.facts.walletAt] = 1
    })
  }

  request(status: RfqStatus): this {
    const event = new RfqEvent()
    // Its one leg is in the first instrument: zeros.
    return this.#emit(event, { count: 1, status }, undefined, () => {
      event.u8[event.walletAt] = 1
    })
  }

  /** Publishes a quote of the same wallet for another wallet's request. */
  quote(): this {
    const event = new RfqQuoteEvent()
    return this.#emit(event, { change: RfqQuoteChange.Made }, undefined, () => {
      event.u8[event.walletAt] = 1
      event.u8[event.rfqIdAt] = 9
      event.u8[event.quoteIdAt] = 9
    })
  }

  fillOfQuote(): this {
    const event = new ComboFillEvent()
    return this.#emit(event, {}, EventType.Fill, () => {
      event.u8[event.rfqIdAt] = 9
      event.u8[event.quoteIdAt] = 9
    })
  }

  #emit<Event extends AnyEvent & { claim(sink: RecordSink, ...more: never[]): boolean }>(
    event: Event,
    fields: Partial<Event>,
    type?: number,
    fill: () => void = () => {},
  ): this {
    let recordType = 0
    let recordBytes = 0
    const views = viewsOf(new ArrayBuffer(1024))
    const tryClaim = (bytes: number, claimed: number) => {
      recordBytes = bytes
      recordType = claimed
      return 0
    }
    const claim = event.claim.bind(event) as (sink: RecordSink, ...more: number[]) => boolean
    claim({ views, tryClaim }, type ?? views.u8.length)
    Object.assign(event, fields)
    fill()
    const header = new AnyEvent().over(views, 0)
    Object.assign(header, { recordBytes, recordType: type ?? recordType, seq: ++this.#seq })
    this.ledger.take(header)
    return this
  }
}

test('the ledger accepts orders that a cancel-all cancels without a trade', () => {
  const published = new Events().cancelAll(CancelScope.All, 2)
  for (const order of [0, 1]) published.update(order, OrderStatus.Canceled, Result.CanceledWithAll)
  published.ledger.checkBorder()
})

test('the ledger finds a fill after a cancel-all and after the end of a connection', () => {
  assert.throws(
    () => new Events().cancelAll(CancelScope.All, 2).fill(1),
    /ended at \d+ and is filled/,
  )
  assert.throws(() => new Events().disconnect().fill(0), /ended at \d+ and is filled/)
})

test('the ledger ignores orders outside the scope', () => {
  const published = new Events().cancelAll(CancelScope.Underlying, 1, 'ETH').fill(0)
  assert.throws(() => published.fill(1), /is filled/)
})

test('the ledger finds a count that differs from the number of orders', () => {
  assert.throws(() => new Events().cancelAll(CancelScope.All, 1), /says 1, 2 orders were working/)
})

test('the ledger finds an order that keeps working', () => {
  const published = new Events().cancelAll(CancelScope.Underlying, 1)
  assert.throws(() => published.ledger.checkBorder(), /order 100 was ended at \d+ and works/)
})

test("the first order that a timer ends makes the ledger expect the end of all its wallet's orders", () => {
  const published = new Events().update(0, OrderStatus.Canceled, Result.DeadManFired)
  assert.throws(() => published.fill(1), /is filled/)
})

test("the ledger finds trades of the wallet's ended requests, and of its ended quotes for others", () => {
  const asked = () => new Events().request(RfqStatus.SentToQps).disconnect()
  assert.throws(() => asked().request(RfqStatus.Accepted), /was ended at \d+, and trades/)
  const published = asked().request(RfqStatus.Failed)
  for (const order of [0, 1]) published.update(order, OrderStatus.Canceled, Result.Disconnected)
  published.ledger.checkBorder()
  assert.throws(() => new Events().quote().disconnect().fillOfQuote(), /quote .* is filled/)
})
