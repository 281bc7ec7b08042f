import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuctionBook } from '../../gateway/auction-book.js'
import { eventMillisAt } from '../../schemas/events.js'
import {
  auctionBytes,
  auctionChangeAt,
  auctionNumberAt,
  auctionRequiredMicrosAt,
  auctionVersionAt,
} from '../../schemas/liquidation.js'
import { AuctionChange } from '../../schemas/record-values.js'

test('terms are known by auction and version, until the auction ends', () => {
  const book = new AuctionBook()
  book.take(auctionEvent(AuctionChange.Begun, 4, 1, 500, 1000), 0)
  book.take(auctionEvent(AuctionChange.Valued, 4, 2, 400, 2000), 0)
  book.take(auctionEvent(AuctionChange.Begun, 5, 1, 7, 3000), 0)
  assert.deepEqual(book.termsOf(4, 2), { requiredMicros: 400, valuationMillis: 2000 })
  assert.deepEqual(book.termsOf(4, 1), { requiredMicros: 500, valuationMillis: 1000 })
  assert.equal(book.termsOf(4, 3), undefined)
  book.take(auctionEvent(AuctionChange.Ended, 4, 3, 0, 4000), 0)
  assert.equal(book.termsOf(4, 2), undefined)
  assert.deepEqual(book.termsOf(5, 1), { requiredMicros: 7, valuationMillis: 3000 })
})

test('of a long auction the latest versions are kept', () => {
  const book = new AuctionBook()
  for (let version = 1; version <= 1000; version++) {
    book.take(auctionEvent(AuctionChange.Valued, 1, version, version, version), 0)
  }
  assert.equal(book.termsOf(1, 700), undefined)
  assert.equal(book.termsOf(1, 1000)?.requiredMicros, 1000)
  assert.equal(book.termsOf(1, 800)?.requiredMicros, 800)
})

function auctionEvent(
  change: number,
  auction: number,
  version: number,
  requiredMicros: number,
  millis: number,
) {
  const u8 = new Uint8Array(auctionBytes)
  const f64 = new Float64Array(u8.buffer)
  const i32 = new Int32Array(u8.buffer)
  i32[auctionChangeAt >> 2] = change
  f64[auctionNumberAt >> 3] = auction
  f64[auctionVersionAt >> 3] = version
  f64[auctionRequiredMicrosAt >> 3] = requiredMicros
  f64[eventMillisAt >> 3] = millis
  return { u8, f64, i32 }
}
