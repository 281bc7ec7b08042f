import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../bench/event-script.js'
import { followEvents } from '../../../bench/follow-events.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { logReaders } from '../../../engine/memory/exchange-memory.js'
import { liveQuotes, RfqBook } from '../../../gateway/link/rfq-book.js'
import { RfqKind, RfqStatus } from '../../../schemas/domain.js'
import { RfqQuoteChange } from '../../../schemas/record-values.js'
import { emitQuote, emitRfq, rfqUuid } from '../../support/rfq-script.js'

const wallet = walletOf(1)
const rfqId = rfqUuid(1)

function rig(eventLogBytes?: number) {
  const memory = smallMemory(1, eventLogBytes)
  const script = new EventScript(memory, 1000)
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const book = new RfqBook()
  const read = () => {
    script.commit()
    followEvents(log, (event) => book.take(event))
  }
  return { script, book, read }
}

test('live quotes are in the best order for the taker, and by arrival', () => {
  const { script, book, read } = rig()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.SentToQps })
  for (const [number, netPremiumMicros] of [-5, -3, -3, -4].entries()) {
    emitQuote(script, { rfqId, quoteId: rfqUuid(10 + number), netPremiumMicros })
  }
  read()
  const ids = liveQuotes(book.find(rfqId)!).map(({ id }) => id)
  assert.deepEqual(ids, [rfqUuid(11), rfqUuid(12), rfqUuid(13), rfqUuid(10)])
})

test('a quote that is no longer live is still known, for its signed content', () => {
  const { script, book, read } = rig()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.SentToQps })
  emitQuote(script, { rfqId, quoteId: rfqUuid(10) })
  emitQuote(script, { rfqId, quoteId: rfqUuid(10), change: RfqQuoteChange.Expired })
  read()
  const rfq = book.find(rfqId)!
  assert.deepEqual(liveQuotes(rfq), [])
  assert.equal(rfq.quotes.get(rfqUuid(10))?.netPremiumMicros, 3_000_000)
})

test('a quote that failed at once never existed', () => {
  const { script, book, read } = rig()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.SentToQps })
  emitQuote(script, { rfqId, quoteId: rfqUuid(10), change: RfqQuoteChange.MarginRejected })
  read()
  assert.equal(book.find(rfqId)!.quotes.size, 0)
})

test('an ended request has no live quotes, and the oldest of many are dropped', () => {
  const { script, book, read } = rig()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.SentToQps })
  emitQuote(script, { rfqId, quoteId: rfqUuid(10) })
  emitRfq(script, { rfqId, wallet, status: RfqStatus.Expired })
  read()
  assert.deepEqual(liveQuotes(book.find(rfqId)!), [])
  assert.equal(book.find(rfqId)!.status, RfqStatus.Expired)
  for (let number = 100; number < 100 + 4096; number++) {
    emitRfq(script, { rfqId: rfqUuid(number), wallet, status: RfqStatus.NoQuotes })
    read()
  }
  assert.equal(book.find(rfqId), undefined)
  assert.notEqual(book.find(rfqUuid(100)), undefined)
})

test('a reused id names only the new request', () => {
  const { script, book, read } = rig()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.Expired })
  script.timeMillis += 60_000
  emitRfq(script, { rfqId, wallet: walletOf(2), status: RfqStatus.Created })
  read()
  const { wallet: taker, status } = book.find(rfqId)!
  assert.deepEqual([taker, status], [walletOf(2), RfqStatus.Created])
})

test('takers find no auction, only invited providers do; ended auctions do not evict requests', () => {
  const { script, book, read } = rig()
  emitRfq(script, { rfqId, wallet, status: RfqStatus.Expired })
  const auction = { wallet, kind: RfqKind.Auction, referenceMicros: 5, tickMicros: 2 }
  const auctionId = rfqUuid(50)
  emitRfq(script, { ...auction, rfqId: auctionId, status: RfqStatus.Created, mustImprove: 1 })
  read()
  assert.equal(book.find(auctionId), undefined)
  const measure = { referenceMicros: 5, tickMicros: 2, mustImprove: true }
  assert.deepEqual(book.findRequested(auctionId)!.auction, measure)
  assert.equal(book.findRequested(rfqId)!.auction, null)
  for (let number = 100; number < 100 + 4096; number++) {
    emitRfq(script, { ...auction, rfqId: rfqUuid(number), status: RfqStatus.NoQuotes })
    read()
  }
  assert.notEqual(book.find(rfqId), undefined)
  assert.notEqual(book.findRequested(auctionId), undefined)
  assert.equal(book.findRequested(rfqUuid(100)), undefined)
})
