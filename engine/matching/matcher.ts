import { assert, verify } from '../../schemas/assert.js'
import { commandsPerBatchMax } from '../../schemas/bounds.js'
import { OrderFlag, type SelfTradeMode, type Side, Tif } from '../../schemas/domain.js'
import { OrderRecord } from '../../schemas/generated/orders.js'
import { DoneOutcome } from '../../schemas/record-values.js'
import { recordTypeAt } from '../memory/layout.js'
import type { Ring } from '../memory/ring.js'
import { Book } from './book.js'
import { assertBookConsistent } from './book-check.js'
import { BookPool } from './book-pool.js'
import { IncomingOrder, notResting } from './order-book.js'
import { noPriceIndex, priceIndexOf } from './price-grid.js'
import { isRefused } from './protection.js'
import { commandMmp, restoreMmpEntry } from './protection-commands.js'
import {
  countsAsTakerFlag,
  orderAccountAt,
  orderDeltaMicrosAt,
  orderExpectedOpenLotsAt,
  orderFlagsAt,
  orderHandleAt,
  orderInstrumentAt,
  orderNowMillisAt,
  orderOldHandleAt,
  orderPositionLotsAt,
  orderPriceMicrosAt,
  orderRoundAt,
  orderSelfTradeAt,
  orderSideAt,
  orderSizeLotsAt,
  orderTicketAt,
  orderTifAt,
  orderUnderlyingAt,
  orderVegaMicrosAt,
} from './records.js'
import { ResultWriter } from './result-writer.js'

/**
 * A command is begun only when this part of the result ring is free; most then never meet a full
 * ring.
 */
const roomShare = 8
/** In the place of an outcome: the order is not refused. */
const accepted = 0

/**
 * Owns the books of a set of underlyings: takes orders from the core, answers with results
 * (records.ts). A duty, for a thread of its own or for calls from the core's thread: the rings
 * and the outcome are the same.
 *
 * Books appear with their first order and live until `CloseBook`. There is no special way to
 * restore one: the core places its orders by age and they rest, since nothing crosses.
 */
export class Matcher {
  readonly role = 'matcher'
  readonly orders: Ring
  readonly writer: ResultWriter
  readonly pool: BookPool
  /** By instrument. */
  readonly books: (Book | undefined)[]
  readonly incoming = new IncomingOrder()
  readonly roomBytes: number

  /**
   * @param orders the order ring, consumer's end.
   * @param results the result ring, producer's end.
   * @param onFull called again and again while the result ring is full in the middle of a
   * command, with everything so far committed. In the core's thread it must drain results; in a
   * thread of its own it may rest or wake the core, or do nothing: the matcher then spins.
   * @param ordersOpen resting orders to have room for at first.
   */
  constructor(orders: Ring, results: Ring, onFull: () => void = spin, ordersOpen = 1024) {
    this.orders = orders
    this.writer = new ResultWriter(results, onFull)
    this.pool = new BookPool(ordersOpen)
    this.pool.protections.sink = this.writer
    this.books = this.pool.books
    this.roomBytes = results.capacityBytes / roomShare
  }

  onStart(): void {}

  /**
   * Runs up to `limit` commands, then makes their results visible and gives their records back,
   * once for all. Stops early when the result ring runs short of room; the rest waits for the
   * next call.
   * @returns the commands run; 0 lets the idle strategy rest.
   */
  doWork(limit: number = commandsPerBatchMax): number {
    const { orders, writer } = this
    let count = 0
    while (count < limit && writer.ring.freeBytes() >= this.roomBytes) {
      const at = orders.next()
      if (at < 0) break
      runCommand(this, at)
      count++
    }
    if (count > 0) {
      writer.ring.commit()
      orders.release()
    }
    return count
  }

  onClose(): void {}
}

function runCommand(matcher: Matcher, at: number): void {
  const { i32 } = matcher.orders
  const { writer } = matcher
  const instrument = i32[(at + orderInstrumentAt) >> 2]
  writer.ticket = i32[(at + orderTicketAt) >> 2]
  writer.instrument = instrument
  switch (i32[(at + recordTypeAt) >> 2]) {
    case OrderRecord.Place:
      place(matcher, at, instrument)
      break
    case OrderRecord.Replace:
      replace(matcher, at, matcher.books[instrument])
      break
    case OrderRecord.Cancel:
      cancel(matcher, at, matcher.books[instrument])
      break
    case OrderRecord.Position:
      position(matcher, at, matcher.books[instrument])
      break
    case OrderRecord.CloseBook:
      closeBook(matcher, instrument)
      break
    case OrderRecord.Mmp:
      commandMmp(matcher.pool.protections, matcher.orders, at)
      writer.done(DoneOutcome.Finished, 0)
      break
    case OrderRecord.MmpEntry:
      restoreMmpEntry(matcher.pool.protections, matcher.orders, at)
      writer.done(DoneOutcome.Finished, 0)
      break
    default:
      assert(false, 'matcher: a record of records.ts')
  }
  if (verify) verifyBook(matcher, instrument)
}

function place(matcher: Matcher, at: number, instrument: number): void {
  readIncoming(matcher, at)
  const refusal = refusalOf(matcher, matcher.books[instrument], notResting)
  if (refusal !== accepted) matcher.writer.done(refusal, 0)
  else finish(matcher.writer, bookOf(matcher, instrument).place(matcher.incoming))
}

function replace(matcher: Matcher, at: number, book: Book | undefined): void {
  const { i32, f64 } = matcher.orders
  const oldHandle = i32[(at + orderOldHandleAt) >> 2]
  const openLots = book === undefined ? notResting : book.openLotsOf(oldHandle)
  if (book === undefined || openLots === notResting) {
    matcher.writer.done(DoneOutcome.NotResting, 0)
  } else if (openLots !== f64[(at + orderExpectedOpenLotsAt) >> 3]) {
    matcher.writer.done(DoneOutcome.OpenDiffers, openLots)
  } else {
    readIncoming(matcher, at)
    const refusal = refusalOf(matcher, book, oldHandle)
    if (refusal !== accepted) matcher.writer.done(refusal, 0)
    else finish(matcher.writer, book.replace(oldHandle, matcher.incoming))
  }
}

/** Outcome of an incoming order that is refused before it enters its book, or `accepted`. */
function refusalOf(matcher: Matcher, book: Book | undefined, replaced: number): number {
  const { incoming, pool } = matcher
  if (isRefused(pool.protections, incoming)) return DoneOutcome.Frozen
  const wouldTrade = incoming.tif === Tif.Alo && book?.crosses(incoming, replaced) === true
  return wouldTrade ? DoneOutcome.WouldTrade : accepted
}

function cancel(matcher: Matcher, at: number, book: Book | undefined): void {
  const handle = matcher.orders.i32[(at + orderHandleAt) >> 2]
  const openLots = book === undefined ? notResting : book.cancel(handle)
  matcher.writer.done(openLots === notResting ? DoneOutcome.NotResting : DoneOutcome.Finished, 0)
}

function position(matcher: Matcher, at: number, book: Book | undefined): void {
  const { i32, f64 } = matcher.orders
  book?.setPosition(i32[(at + orderAccountAt) >> 2], f64[(at + orderPositionLotsAt) >> 3])
  matcher.writer.done(DoneOutcome.Finished, 0)
}

function closeBook(matcher: Matcher, instrument: number): void {
  const book = matcher.books[instrument]
  if (book !== undefined) {
    book.close()
    matcher.books[instrument] = undefined
  }
  matcher.writer.done(DoneOutcome.Finished, 0)
}

function finish(writer: ResultWriter, restLots: number): void {
  writer.done(restLots > 0 ? DoneOutcome.Rested : DoneOutcome.Finished, restLots)
}

function readIncoming(matcher: Matcher, at: number): void {
  const { i32, f64 } = matcher.orders
  const order = matcher.incoming
  order.handle = i32[(at + orderHandleAt) >> 2]
  order.account = i32[(at + orderAccountAt) >> 2]
  order.side = i32[(at + orderSideAt) >> 2] as Side
  order.tif = i32[(at + orderTifAt) >> 2] as Tif
  order.selfTrade = i32[(at + orderSelfTradeAt) >> 2] as SelfTradeMode
  order.priceIndex = priceIndexOf(f64[(at + orderPriceMicrosAt) >> 3])
  order.sizeLots = f64[(at + orderSizeLotsAt) >> 3]
  const flags = i32[(at + orderFlagsAt) >> 2]
  order.isReduceOnly = (flags & OrderFlag.ReduceOnly) !== 0
  order.isProtected = (flags & OrderFlag.MmpEnabled) !== 0
  order.countsAsTaker = (flags & countsAsTakerFlag) !== 0
  order.underlying = i32[(at + orderUnderlyingAt) >> 2]
  order.nowMillis = f64[(at + orderNowMillisAt) >> 3]
  order.deltaMicros = f64[(at + orderDeltaMicrosAt) >> 3]
  order.vegaMicros = f64[(at + orderVegaMicrosAt) >> 3]
  order.positionLots = f64[(at + orderPositionLotsAt) >> 3]
  order.round = i32[(at + orderRoundAt) >> 2]
  assert(order.priceIndex !== noPriceIndex, 'matcher: the price is legal')
}

/** Instruments are numbered densely by the core, so the books stand in an array. */
function bookOf(matcher: Matcher, instrument: number): Book {
  let book = matcher.books[instrument]
  if (book === undefined) book = new Book(matcher.pool, matcher.writer, instrument)
  return book
}

function verifyBook(matcher: Matcher, instrument: number): void {
  const book = matcher.books[instrument]
  if (book !== undefined) assertBookConsistent(book)
}

/** The default when the result ring is full: `tryClaim` reads the core's cursor again at once. */
function spin(): void {}
