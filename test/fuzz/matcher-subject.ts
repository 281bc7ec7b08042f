import type { Book } from '../../engine/matching/book.js'
import { Matcher } from '../../engine/matching/matcher.js'
import type { BookSink, IncomingOrder } from '../../engine/matching/order-book.js'
import * as records from '../../engine/matching/records.js'
import { ringHeadAt, ringTailAt } from '../../engine/memory/layout.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { OrderRecord } from '../../schemas/generated/orders.js'
import { writeIncoming } from '../support/order-record.js'
import type { PlainLimits } from './plain-protection.js'
import type { ResultStream } from './result-stream.js'

/** Makes a book instead of the matcher, to put a fault into it. */
export type BookMaker = (pool: Matcher['pool'], sink: BookSink, instrument: number) => Book

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
    if (this.#makeBook !== undefined) books[instrument] ??= this.#makeBook(pool, writer, instrument)
    const at = this.#claim(OrderRecord.Place, ticket, instrument, order.handle)
    writeIncoming(this.#orders, at, order)
  }

  replace(
    ticket: number,
    instrument: number,
    order: IncomingOrder,
    old: { handle: number; expectedLots: number },
  ): void {
    const at = this.#claim(OrderRecord.Replace, ticket, instrument, order.handle)
    writeIncoming(this.#orders, at, order)
    this.#orders.i32[(at + records.orderOldHandleAt) >> 2] = old.handle
    this.#orders.f64[(at + records.orderExpectedOpenLotsAt) >> 3] = old.expectedLots
  }

  cancel(ticket: number, instrument: number, handle: number): void {
    this.#claim(OrderRecord.Cancel, ticket, instrument, handle)
  }

  close(ticket: number, instrument: number): void {
    this.#claim(OrderRecord.CloseBook, ticket, instrument, 0)
  }

  /** Sets, resets or ends the protection of an account. @param terms of a Set. */
  protect(
    ticket: number,
    action: number,
    account: number,
    underlying: number,
    terms: PlainLimits & { readonly frozenUntilMillis: number; readonly nowMillis: number },
  ): void {
    const at = this.#claimBytes(OrderRecord.Mmp, records.mmpRecordBytes)
    const { i32, f64 } = this.#orders
    i32[(at + records.mmpTicketAt) >> 2] = ticket
    i32[(at + records.mmpActionAt) >> 2] = action
    i32[(at + records.mmpAccountAt) >> 2] = account
    i32[(at + records.mmpUnderlyingAt) >> 2] = underlying
    f64[(at + records.mmpIntervalMillisAt) >> 3] = terms.intervalMillis
    f64[(at + records.mmpFrozenMillisAt) >> 3] = terms.frozenMillis
    const limits = [terms.qtyMicros, terms.deltaMicros, terms.vegaMicros]
    f64.set(limits, (at + records.mmpLimitsAt) >> 3)
    f64[(at + records.mmpFrozenUntilMillisAt) >> 3] = terms.frozenUntilMillis
    f64[(at + records.mmpNowMillisAt) >> 3] = terms.nowMillis
  }

  /** Runs everything sent. */
  flush(): void {
    this.#orders.commit()
    do this.results.drain(this.#resultRing)
    while (this.matcher.doWork() > 0)
    this.results.drain(this.#resultRing)
  }

  #claimBytes(type: number, bytes: number): number {
    const at = this.#orders.tryClaim(bytes, type)
    if (at >= 0) return at
    this.flush()
    return this.#orders.tryClaim(bytes, type)
  }

  #claim(type: number, ticket: number, instrument: number, handle: number): number {
    const at = this.#claimBytes(type, records.orderRecordBytes)
    const { i32 } = this.#orders
    i32[(at + records.orderTicketAt) >> 2] = ticket
    i32[(at + records.orderInstrumentAt) >> 2] = instrument
    i32[(at + records.orderHandleAt) >> 2] = handle
    return at
  }
}

function agedRing(bytes: number): SharedArrayBuffer {
  const memory = allocateRing(bytes)
  new Int32Array(memory, ringHeadAt, 1)[0] = cursorStart
  new Int32Array(memory, ringTailAt, 1)[0] = cursorStart
  return memory
}
