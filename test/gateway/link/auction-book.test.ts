import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuctionBook } from '../../../gateway/link/auction-book.js'
import { AuctionEvent } from '../../../schemas/generated/events.js'
import { AuctionChange } from '../../../schemas/record-values.js'
import { viewsOf } from '../../../schemas/record-views.js'

test('terms are known by auction and version, until the auction ends', () => {
  const book = new AuctionBook()
  book.take(auctionEvent(AuctionChange.Begun, 4, 1, 500, 1000))
  book.take(auctionEvent(AuctionChange.Valued, 4, 2, 400, 2000))
  book.take(auctionEvent(AuctionChange.Begun, 5, 1, 7, 3000))
  assert.deepEqual(book.termsOf(4, 2), { requiredMicros: 400, valuationMillis: 2000 })
  assert.deepEqual(book.termsOf(4, 1), { requiredMicros: 500, valuationMillis: 1000 })
  assert.equal(book.termsOf(4, 3), undefined)
  book.take(auctionEvent(AuctionChange.Ended, 4, 3, 0, 4000))
  assert.equal(book.termsOf(4, 2), undefined)
  assert.deepEqual(book.termsOf(5, 1), { requiredMicros: 7, valuationMillis: 3000 })
})

test('the latest versions of a long auction are stored', () => {
  const book = new AuctionBook()
  for (let version = 1; version <= 1000; version++) {
    book.take(auctionEvent(AuctionChange.Valued, 1, version, version, version))
  }
  assert.equal(book.termsOf(1, 700), undefined)
  assert.equal(book.termsOf(1, 1000)?.requiredMicros, 1000)
  assert.equal(book.termsOf(1, 800)?.requiredMicros, 800)
})

function auctionEvent(
  change: AuctionChange,
  number: number,
  version: number,
  requiredMicros: number,
  timeMillis: number,
): AuctionEvent {
  const event = new AuctionEvent().over(viewsOf(new ArrayBuffer(AuctionEvent.bytes)), 0)
  return Object.assign(event, { change, number, version, requiredMicros, timeMillis })
}
