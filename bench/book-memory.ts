import { Book } from '../engine/matching/book.js'
import { type BookSink, IncomingOrder } from '../engine/matching/order-book.js'
import { OrderPool } from '../engine/matching/order-pool.js'
import { lotsPerContract } from '../schemas/bounds.js'
import type { Side } from '../schemas/domain.js'
import { randomFrom } from './book-replay/book-flow.js'
import { bytesInUse } from './bytes-in-use.js'
import type { BenchResult } from './measure/bench-result.js'

export interface BookMemoryOptions {
  /** Resting orders. Just above a power of two is the worst case, because the pools have just doubled. */
  readonly orders: number
  readonly instruments: number
  /** Share of reduce-only orders, from 0 to 1. */
  readonly reduceOnly: number
}

const seed = 23
const middleIndex = 150_000
const distanceMax = 60
const accounts = 10_000
const bytesMax = 128

/** Measures the memory of a matcher's books per resting order: every array of the pool, and the heap's growth. */
export function runBookMemoryBench(options: BookMemoryOptions): BenchResult[] {
  const { orders, instruments, reduceOnly } = options
  const heapBefore = bytesInUse().heap
  const { pool, books } = fillBooks(options)
  const heapBytes = Math.max(0, bytesInUse().heap - heapBefore)
  // Checked after the measurement, so that the books are still reachable during it.
  if (books.length !== instruments) throw new Error('book memory: a book is missing')
  const arrayBytes = bytesOf(pool)
  const heapBytesPerOrder = Number((heapBytes / orders).toFixed(1))
  const { count: levels } = pool.levels
  return [
    {
      name: 'book.memory-per-order',
      unit: 'bytes',
      value: Math.round((10 * (arrayBytes + heapBytes)) / orders) / 10,
      range: null,
      extra: { orders, books: instruments, levels, reduceOnlyShare: reduceOnly, heapBytesPerOrder },
      threshold: { atMost: bytesMax },
    },
  ]
}

/** Returns the total length of all arrays of a matcher's books. */
export function bytesOf(pool: OrderPool): number {
  const { orders, levels, index, watched, fills } = pool
  const arrays = [
    orders.words,
    levels.words,
    index.bitmaps,
    index.children,
    index.buckets,
    watched.watches.words,
    watched.entries.words,
    watched.watches.buckets,
    watched.trialLots,
    watched.trialOf,
    fills.words,
    fills.lots,
    pool.slotOf,
    pool.touched,
    pool.touchedLots,
  ]
  return arrays.reduce((bytes, array) => bytes + array.buffer.byteLength, 0)
}

/** Fills books with orders that do not cross: buys below the middle, sells above. */
function fillBooks({ orders, instruments, reduceOnly }: BookMemoryOptions) {
  const random = randomFrom(seed)
  const pool = new OrderPool()
  const books = Array.from({ length: instruments }, () => new Book(pool, silent))
  const order = new IncomingOrder()
  for (let handle = 0; handle < orders; handle++) {
    const side = (handle & 1) as Side
    const distance = 1 + Math.floor(random() * distanceMax)
    order.handle = handle
    order.side = side
    order.priceIndex = middleIndex + (side === 0 ? -distance : distance)
    order.sizeLots = lotsPerContract
    order.isReduceOnly = random() < reduceOnly
    // The reduce-only orders of an account are on the side that closes its position.
    order.account = 2 * Math.floor(random() * accounts) + side
    order.positionLots = (side === 0 ? -1 : 1) * orders * lotsPerContract
    books[handle % instruments].place(order)
  }
  return { pool, books }
}

const silent: BookSink = { fill() {}, removed() {}, reduced() {}, level() {} }
