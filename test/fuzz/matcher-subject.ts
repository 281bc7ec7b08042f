import type { Book } from '../../engine/matching/book.js'
import { Matcher } from '../../engine/matching/matcher.js'
import type { BookSink, IncomingOrder } from '../../engine/matching/order-book.js'
import { ringHeadAt, ringTailAt } from '../../engine/memory/layout.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { MatcherMmp, MatcherOrder, OrderRecord } from '../../schemas/generated/orders.js'
import { type MmpAction, unbookedFlag } from '../../schemas/record-values.js'
import type { RecordSink } from '../../schemas/record-views.js'
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

type OrderType = Parameters<MatcherOrder['claim']>[1]

const order = new MatcherOrder()
const mmp = new MatcherMmp()

/** The matcher under test, driven over its rings as the core drives it. */
export class MatcherSubject implements RecordSink {
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
    writeIncoming(this.#claim(OrderRecord.Place, ticket, instrument, order.handle), order)
  }

  decide(ticket: number, instrument: number, order: IncomingOrder): void {
    writeIncoming(this.#claim(OrderRecord.DecideAuction, ticket, instrument, order.handle), order)
  }

  replace(
    ticket: number,
    instrument: number,
    order: IncomingOrder,
    old: { handle: number; expectedLots: number; isUnbooked: boolean },
  ): void {
    const record = this.#claim(OrderRecord.Replace, ticket, instrument, order.handle)
    writeIncoming(record, order)
    record.oldHandle = old.handle
    record.expectedOpenLots = old.expectedLots
    if (old.isUnbooked) record.flags |= unbookedFlag
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
    action: MmpAction,
    account: number,
    underlying: number,
    terms: PlainLimits & { readonly frozenUntilMillis: number; readonly nowMillis: number },
  ): void {
    mmp.claim(this)
    mmp.ticket = ticket
    mmp.action = action
    mmp.account = account
    mmp.underlying = underlying
    mmp.intervalMillis = terms.intervalMillis
    mmp.frozenMillis = terms.frozenMillis
    mmp.setLimits(0, terms.qtyMicros)
    mmp.setLimits(1, terms.deltaMicros)
    mmp.setLimits(2, terms.vegaMicros)
    mmp.frozenUntilMillis = terms.frozenUntilMillis
    mmp.nowMillis = terms.nowMillis
  }

  /** Runs everything sent. */
  flush(): void {
    this.#orders.commit()
    do this.results.drain(this.#resultRing)
    while (this.matcher.doWork() > 0)
    this.results.drain(this.#resultRing)
  }

  get views(): Ring {
    return this.#orders
  }

  /** Room for a record; for one that finds none, everything before it runs. */
  tryClaim(bytes: number, type: number): number {
    const at = this.#orders.tryClaim(bytes, type)
    if (at >= 0) return at
    this.flush()
    return this.#orders.tryClaim(bytes, type)
  }

  #claim(type: OrderType, ticket: number, instrument: number, handle: number): MatcherOrder {
    order.claim(this, type)
    order.ticket = ticket
    order.instrument = instrument
    order.handle = handle
    return order
  }
}

function agedRing(bytes: number): SharedArrayBuffer {
  const memory = allocateRing(bytes)
  new Int32Array(memory, ringHeadAt, 1)[0] = cursorStart
  new Int32Array(memory, ringTailAt, 1)[0] = cursorStart
  return memory
}
