import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CommandType,
  DepositCommand,
  IndexPricesCommand,
  PlaceOrderCommand,
  SettlementPriceCommand,
} from '../../../schemas/generated/commands.js'
import {
  AccountEvent,
  EventType,
  HaltEvent,
  InstrumentEvent,
  OutcomeEvent,
  RefusalEvent,
} from '../../../schemas/generated/events.js'
import { decodeRecord } from '../../../schemas/record-rules/decode-record.js'
import { type RecordSink, viewsOf } from '../../../schemas/record-views.js'
import { commands } from '../../../schemas/records/commands.js'
import { events } from '../../../schemas/records/events.js'

/** Room for one record, which begins with its length and type. */
function sinkAt(at: number): RecordSink {
  const views = viewsOf(new ArrayBuffer(4096))
  const tryClaim = (bytes: number, type: number) => {
    views.i32[at >> 2] = bytes
    views.i32[(at + 4) >> 2] = type
    return at
  }
  return { views, tryClaim }
}

test('a command is decoded with its type, its numbers, its bytes and its blocks', () => {
  const sink = sinkAt(128)
  const place = new PlaceOrderCommand()
  assert.ok(place.claim(sink, CommandType.ReplaceOrder))
  place.priceMicros = 1_500_000
  place.key.strikeMicros = 60_000_000_000
  sink.views.u8.set([1, 2, 3], place.walletAt)
  const shown = decodeRecord(commands, sink.views, 128)
  assert.equal(shown['type'], 'ReplaceOrder')
  assert.equal(shown['priceMicros'], 1_500_000)
  assert.equal((shown['key'] as { strikeMicros: number }).strikeMicros, 60_000_000_000)
  assert.equal(shown['wallet'], `010203${'0'.repeat(34)}`)
})

test('rows are decoded to the end of the record', () => {
  const sink = sinkAt(0)
  const prices = new IndexPricesCommand()
  assert.ok(prices.claim(sink, IndexPricesCommand.bytesWith(2)))
  prices.count = 2
  prices.entries(1).priceMicros = 7
  const entries = decodeRecord(commands, sink.views, 0)['entries'] as { priceMicros: number }[]
  assert.deepEqual(
    entries.map(({ priceMicros }) => priceMicros),
    [0, 7],
  )
})

test('an update of a rejected action is recognized by its length', () => {
  const outcome = sinkAt(0)
  new OutcomeEvent().claim(outcome, EventType.OrderUpdate)
  assert.equal('refusedOrderId' in decodeRecord(events, outcome.views, 0), false)
  const refusal = sinkAt(0)
  const cursor = new RefusalEvent()
  cursor.claim(refusal)
  cursor.refusedOrderId = 5
  assert.equal(decodeRecord(events, refusal.views, 0)['refusedOrderId'], 5)
})

test('a new record has zeros where its fields mean nothing, and keeps the other bytes', () => {
  const sink = sinkAt(0)
  sink.views.u8.fill(9)
  const halt = new HaltEvent()
  const instrument = new InstrumentEvent()
  assert.ok(halt.claim(sink))
  assert.equal(halt.underlying, 0x09090909)
  assert.ok(instrument.claim(sink))
  assert.equal(sink.views.i32[52 >> 2], 0)
  assert.equal(instrument.expiryDate, 0x09090909)
})

test('an event is cleared after the part that its sink wrote', () => {
  const sink = sinkAt(0)
  const event = new AccountEvent()
  assert.ok(event.claim(sink))
  Object.assign(event, { seq: 7, timeMillis: 8, cashMicros: 9 })
  event.clear()
  assert.deepEqual([event.seq, event.timeMillis, event.cashMicros], [7, 8, 0])
})

test('texts are padded with NULs, or have the length in the record', () => {
  const sink = sinkAt(0)
  sink.views.u8.fill(9)
  const deposit = new DepositCommand()
  assert.ok(deposit.claim(sink, CommandType.Deposit))
  deposit.depositIdText = 'wire-17'
  assert.equal(deposit.depositIdBytes, 7)
  assert.equal(sink.views.u8[deposit.depositIdAt + 7], 0)
  deposit.depositIdBytes = 4
  assert.equal(deposit.depositIdText, 'wire')
  const price = new SettlementPriceCommand()
  assert.ok(price.claim(sink))
  price.underlyingText = 'BTC'
  assert.equal(price.underlyingText, 'BTC')
  assert.equal(sink.views.u8[price.underlyingAt + 15], 0)
})

test('a sink without room gives no record, and nothing else is read', () => {
  const full: RecordSink = { views: viewsOf(new ArrayBuffer(8)), tryClaim: () => -1 }
  assert.equal(new PlaceOrderCommand().claim(full, CommandType.PlaceOrder), false)
})

test('an unknown record type fails', () => {
  const sink = sinkAt(0)
  sink.tryClaim(96, 999)
  assert.throws(() => decodeRecord(commands, sink.views, 0), /type 999/)
})
