import type { Book } from '../../engine/matching/book.js'
import { Matcher } from '../../engine/matching/matcher.js'
import type { BookSink, IncomingOrder } from '../../engine/matching/order-book.js'
import { priceMicrosOf } from '../../engine/matching/price-grid.js'
import * as records from '../../engine/matching/records.js'
import { ringHeadAt, ringTailAt } from '../../engine/memory/layout.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { OrderFlag } from '../../schemas/domain.js'
import type { ResultStream } from './result-stream.js'

/** Makes a book instead of the matcher, to put a fault into it. */
export type BookMaker = (pool: Matcher['pool'], sink: BookSink) => Book

// Small, so that a sweep fills them and every episode wraps them many times; and begun just before
// the cursors, which are 32 bits wide, turn negative.
const orderRingBytes = 2048
const resultRingBytes = 4096
const cursorStart = 0x7ffff000

/** The matcher under test, driven over its rings as the core drives it. */
export class MatcherSubject {
  readonly results: ResultStream
  readonly matcher: Matcher
  readonly #orders: Ring
  readonly #resultRing: Ring
  readonly #makeBook: BookMaker | undefined

  /** @param results receives what the matcher answers. */
  constructor(results: ResultStream, makeBook?: BookMaker) {
    this.results = results
    this.#makeBook = makeBook
    const orders = agedRing(orderRingBytes)
    const answers = agedRing(resultRingBytes)
    this.#orders = new Ring(orders, 'producer')
    this.#resultRing = new Ring(answers, 'consumer')
    const drain = (): void => results.drain(this.#resultRing)
    this.matcher = new Matcher(
      new Ring(orders, 'consumer'),
      new Ring(answers, 'producer'),
      drain,
      1,
    )
  }

  place(ticket: number, instrument: number, order: IncomingOrder): void {
    const { books, pool, writer } = this.matcher
    if (this.#makeBook !== undefined) books[instrument] ??= this.#makeBook(pool, writer)
    const at = this.#claim(records.OrderRecord.Place, ticket, instrument, order.handle)
    this.#writeOrder(at, order)
  }

  replace(
    ticket: number,
    instrument: number,
    order: IncomingOrder,
    old: { handle: number; expectedLots: number },
  ): void {
    const at = this.#claim(records.OrderRecord.Replace, ticket, instrument, order.handle)
    this.#writeOrder(at, order)
    this.#orders.i32[(at + records.orderOldHandleAt) >> 2] = old.handle
    this.#orders.f64[(at + records.orderExpectedOpenLotsAt) >> 3] = old.expectedLots
  }

  cancel(ticket: number, instrument: number, handle: number): void {
    this.#claim(records.OrderRecord.Cancel, ticket, instrument, handle)
  }

  close(ticket: number, instrument: number): void {
    this.#claim(records.OrderRecord.CloseBook, ticket, instrument, 0)
  }

  /** Runs everything sent. */
  flush(): void {
    this.#orders.commit()
    do this.results.drain(this.#resultRing)
    while (this.matcher.doWork() > 0)
    this.results.drain(this.#resultRing)
  }

  #claim(type: number, ticket: number, instrument: number, handle: number): number {
    let at = this.#orders.tryClaim(records.orderRecordBytes, type)
    if (at < 0) {
      this.flush()
      at = this.#orders.tryClaim(records.orderRecordBytes, type)
    }
    const { i32 } = this.#orders
    i32[(at + records.orderTicketAt) >> 2] = ticket
    i32[(at + records.orderInstrumentAt) >> 2] = instrument
    i32[(at + records.orderHandleAt) >> 2] = handle
    return at
  }

  #writeOrder(at: number, order: IncomingOrder): void {
    const { i32, f64 } = this.#orders
    i32[(at + records.orderAccountAt) >> 2] = order.account
    i32[(at + records.orderSideAt) >> 2] = order.side
    i32[(at + records.orderTifAt) >> 2] = order.tif
    i32[(at + records.orderFlagsAt) >> 2] = order.isReduceOnly ? OrderFlag.ReduceOnly : 0
    i32[(at + records.orderSelfTradeAt) >> 2] = order.selfTrade
    i32[(at + records.orderRoundAt) >> 2] = order.round
    f64[(at + records.orderPriceMicrosAt) >> 3] = priceMicrosOf(order.priceIndex)
    f64[(at + records.orderSizeLotsAt) >> 3] = order.sizeLots
    f64[(at + records.orderPositionLotsAt) >> 3] = order.positionLots
  }
}

function agedRing(bytes: number): SharedArrayBuffer {
  const memory = allocateRing(bytes)
  new Int32Array(memory, ringHeadAt, 1)[0] = cursorStart
  new Int32Array(memory, ringTailAt, 1)[0] = cursorStart
  return memory
}
