import { assert, verify } from '../../schemas/assert.js'
import { commandsPerBatchMax } from '../../schemas/bounds.js'
import { OrderFlag, Side, Tif } from '../../schemas/domain.js'
import {
  MatcherMmp,
  MatcherMmpEntry,
  MatcherOrder,
  OrderRecord,
} from '../../schemas/generated/orders.js'
import {
  countsAsTakerFlag,
  DoneOutcome,
  MmpAction,
  RemovedCause,
  unbookedFlag,
} from '../../schemas/record-values.js'
import type { Ring } from '../memory/ring.js'
import { Book } from './book.js'
import { assertBookConsistent } from './book-check.js'
import { resetWindow, restoreEntry, setLimits } from './mmp-window.js'
import { IncomingOrder, notResting } from './order-book.js'
import { OrderPool } from './order-pool.js'
import { noPriceIndex, priceIndexOf } from './price-grid.js'
import { isRejected } from './protection.js'
import { dropWindow, findGroup, type ProtectionTable, windowFor } from './protection-table.js'
import { ResultWriter } from './result-writer.js'

/** A command starts only if this share of the result ring (1/8) is free, so most commands never fill the ring. */
const freeShare = 8

/**
 * Owns the books of a set of underlyings: reads orders from the core and answers with results. A duty that runs in its
 * own thread or is called by the core's thread; the results are the same.
 *
 * A book is created by its first order and exists until `CloseBook`. Recovery needs no special path: the core places
 * the resting orders by age, and none of them cross.
 */
export class Matcher {
  readonly role = 'matcher'
  readonly orders: Ring
  readonly writer: ResultWriter
  readonly pool: OrderPool
  /** By instrument. */
  readonly books: (Book | undefined)[] = []
  readonly incoming = new IncomingOrder()
  /** View of the current record. */
  readonly order = new MatcherOrder()
  readonly mmp = new MatcherMmp()
  readonly mmpEntry = new MatcherMmpEntry()
  readonly roomBytes: number

  /**
   * @param orders the order ring, consumer's end.
   * @param results the result ring, producer's end.
   * @param onFull called repeatedly while the result ring is full in the middle of a command, after all results so far
   * are committed. In the core's thread it must drain results. In its own thread it may sleep, wake the core, or do
   * nothing; the matcher then spins.
   * @param ordersOpen initial capacity for resting orders.
   */
  constructor(orders: Ring, results: Ring, onFull: () => void = spin, ordersOpen = 1024) {
    this.orders = orders
    this.writer = new ResultWriter(results, onFull)
    this.pool = new OrderPool(ordersOpen)
    this.pool.protections.sink = this.writer
    this.roomBytes = results.capacityBytes / freeShare
  }

  onStart(): void {}

  /**
   * Runs up to `limit` commands, then commits their results and releases their records, once per batch. Stops early if
   * the result ring runs out of space; the remaining commands wait for the next call.
   * @returns the number of commands; 0 lets the idle strategy wait.
   */
  doWork(limit: number = commandsPerBatchMax): number {
    const { orders, writer } = this
    let count = 0
    while (count < limit && writer.views.freeBytes() >= this.roomBytes) {
      const at = orders.next()
      if (at < 0) break
      runCommand(this, at)
      count++
    }
    if (count > 0) {
      writer.views.commit()
      orders.release()
    }
    return count
  }

  onClose(): void {}
}

function runCommand(matcher: Matcher, at: number): void {
  const { orders, pool, writer } = matcher
  const order = matcher.order.over(orders, at)
  const { instrument } = order
  const book = matcher.books[instrument]
  writer.ticket = order.ticket
  writer.instrument = instrument
  switch (order.recordType) {
    case OrderRecord.Place:
      place(matcher, order)
      break
    case OrderRecord.DecideAuction:
      decideAuction(matcher, order, book)
      break
    case OrderRecord.Replace:
      replace(matcher, order, book)
      break
    case OrderRecord.Cancel:
      cancel(matcher, order.handle, book)
      break
    case OrderRecord.Position:
      book?.setPosition(order.account, order.positionLots)
      writer.done(DoneOutcome.Finished, 0)
      break
    case OrderRecord.CloseBook:
      closeBook(matcher, instrument)
      break
    case OrderRecord.Mmp:
      commandMmp(pool.protections, matcher.mmp.over(orders, at))
      writer.done(DoneOutcome.Finished, 0)
      break
    case OrderRecord.MmpEntry:
      restoreMmpEntry(pool.protections, matcher.mmpEntry.over(orders, at))
      writer.done(DoneOutcome.Finished, 0)
      break
    default:
      assert(false, 'matcher: a record of the order ring')
  }
  if (verify) verifyBook(matcher, instrument)
}

function place(matcher: Matcher, order: MatcherOrder): void {
  const { books, incoming, writer } = matcher
  readIncoming(incoming, order)
  const book = books[order.instrument]
  const rejection = rejectionOf(matcher, book, notResting)
  if (rejection !== null) writer.done(rejection, 0)
  else if (order.quotedMicros !== 0 && asksAuction(matcher, order, book)) {
    writer.done(DoneOutcome.AsksAuction, 0)
  } else finish(writer, bookOf(matcher, order.instrument).place(incoming))
}

/**
 * Returns true if the incoming order could trade now, with the book or at `quotedMicros`. The best prices of the book
 * are then reported.
 */
function asksAuction(matcher: Matcher, order: MatcherOrder, book: Book | undefined): boolean {
  const { incoming, writer } = matcher
  const { priceMicros, quotedMicros, side } = order
  const reachesQuoted =
    side === Side.Buy ? quotedMicros <= priceMicros : quotedMicros >= priceMicros
  if (!reachesQuoted && book?.crosses(incoming, notResting) !== true) return false
  writer.top(book?.bestIndexOf(Side.Buy) ?? 0, book?.bestIndexOf(Side.Sell) ?? 0)
  return true
}

/** Executes an order after its auction, if its book fills it at least as well as the best quote. */
function decideAuction(matcher: Matcher, order: MatcherOrder, book: Book | undefined): void {
  const { incoming, pool, writer } = matcher
  readIncoming(incoming, order)
  incoming.quotedMicros = order.quotedMicros
  if (isRejected(pool.protections, incoming)) writer.done(DoneOutcome.Frozen, 0)
  else if (book?.fillsAsQuoted(incoming) !== true) writer.done(DoneOutcome.QuoteWins, 0)
  else finish(writer, book.place(incoming))
}

function replace(matcher: Matcher, order: MatcherOrder, book: Book | undefined): void {
  const { incoming, writer } = matcher
  const { flags, oldHandle } = order
  if ((flags & unbookedFlag) !== 0) {
    replaceUnbooked(matcher, order, book)
    return
  }
  const openLots = book === undefined ? notResting : book.openLotsOf(oldHandle)
  if (book === undefined || openLots === notResting) {
    writer.done(DoneOutcome.NotResting, 0)
  } else if (openLots !== order.expectedOpenLots) {
    writer.done(DoneOutcome.OpenDiffers, openLots)
  } else {
    readIncoming(incoming, order)
    const rejection = rejectionOf(matcher, book, oldHandle)
    if (rejection !== null) writer.done(rejection, 0)
    else finish(writer, book.replace(oldHandle, incoming))
  }
}

/** Executes a Replace whose old order is in an auction, and therefore in no book. */
function replaceUnbooked(matcher: Matcher, order: MatcherOrder, book: Book | undefined): void {
  const { incoming, writer } = matcher
  readIncoming(incoming, order)
  const rejection = rejectionOf(matcher, book, notResting)
  if (rejection !== null) {
    writer.done(rejection, 0)
    return
  }
  writer.removed(order.oldHandle, RemovedCause.Replace, order.expectedOpenLots)
  finish(writer, bookOf(matcher, order.instrument).place(incoming))
}

/** Returns the result of an incoming order that is rejected before it enters its book, or null. */
function rejectionOf(
  matcher: Matcher,
  book: Book | undefined,
  replaced: number,
): DoneOutcome | null {
  const { incoming, pool } = matcher
  if (isRejected(pool.protections, incoming)) return DoneOutcome.Frozen
  const wouldTrade = incoming.tif === Tif.Alo && book?.crosses(incoming, replaced) === true
  return wouldTrade ? DoneOutcome.WouldTrade : null
}

function cancel({ writer }: Matcher, handle: number, book: Book | undefined): void {
  const openLots = book === undefined ? notResting : book.cancel(handle)
  writer.done(openLots === notResting ? DoneOutcome.NotResting : DoneOutcome.Finished, 0)
}

function closeBook(matcher: Matcher, instrument: number): void {
  const book = matcher.books[instrument]
  if (book !== undefined) {
    book.close()
    matcher.books[instrument] = undefined
  }
  matcher.writer.done(DoneOutcome.Finished, 0)
}

/** Sets, resets or deletes the protection of an account in an underlying. */
function commandMmp(protections: ProtectionTable, mmp: MatcherMmp): void {
  const { account, action, underlying } = mmp
  if (action === MmpAction.Delete) {
    dropWindow(protections, account, underlying)
    return
  }
  assert(
    action === MmpAction.Set || findGroup(protections, account, underlying) !== 0,
    'mmp: the protection to reset or delete exists',
  )
  const window = windowFor(protections, account, underlying)
  if (action === MmpAction.Reset) {
    resetWindow(window)
    return
  }
  setLimits(window, mmp.nowMillis, mmp.intervalMillis, mmp.frozenMillis, mmp.limitsView())
  window.frozenUntilMillis = mmp.frozenUntilMillis
}

/** Restores a saved entry of a protection window. */
function restoreMmpEntry(protections: ProtectionTable, entry: MatcherMmpEntry): void {
  const window = windowFor(protections, entry.account, entry.underlying)
  restoreEntry(window, entry.entryMillis, entry.amountsView(), 0)
}

function finish(writer: ResultWriter, restLots: number): void {
  assert(restLots >= 0, 'matcher: the replaced order is resting')
  writer.done(restLots > 0 ? DoneOutcome.Rested : DoneOutcome.Finished, restLots)
}

function readIncoming(incoming: IncomingOrder, order: MatcherOrder): void {
  const { flags } = order
  incoming.handle = order.handle
  incoming.account = order.account
  incoming.side = order.side
  incoming.tif = order.tif
  incoming.selfTrade = order.selfTrade
  incoming.priceIndex = priceIndexOf(order.priceMicros)
  incoming.sizeLots = order.sizeLots
  incoming.isReduceOnly = (flags & OrderFlag.ReduceOnly) !== 0
  incoming.isProtected = (flags & OrderFlag.MmpEnabled) !== 0
  incoming.countsAsTaker = (flags & countsAsTakerFlag) !== 0
  incoming.underlying = order.underlying
  incoming.nowMillis = order.nowMillis
  incoming.deltaMicros = order.deltaMicros
  incoming.vegaMicros = order.vegaMicros
  incoming.positionLots = order.positionLots
  incoming.round = order.round
  assert(incoming.priceIndex !== noPriceIndex, 'matcher: the price is legal')
}

/**
 * Returns the book of an instrument, created if missing. The core numbers instruments densely, so the books are an
 * array.
 */
function bookOf(matcher: Matcher, instrument: number): Book {
  const { books } = matcher
  while (books.length <= instrument) books.push(undefined)
  return (books[instrument] ??= new Book(matcher.pool, matcher.writer, instrument))
}

function verifyBook(matcher: Matcher, instrument: number): void {
  const book = matcher.books[instrument]
  if (book !== undefined) assertBookConsistent(book)
}

/** Default action on a full result ring: `tryClaim` rereads the core's cursor at once. */
function spin(): void {}
