import { FlowKind } from '../../bench/book-replay/book-flow.js'
import { Matcher } from '../../engine/matching/matcher.js'
import { MmpTrigger } from '../../engine/matching/mmp-window.js'
import { IncomingOrder } from '../../engine/matching/order-book.js'
import { priceIndexOf } from '../../engine/matching/price-grid.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { lotsPerContract, microsPerUsd } from '../../schemas/bounds.js'
import { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'
import { MatcherMmp, MatcherOrder, OrderRecord } from '../../schemas/generated/orders.js'
import {
  AnyResult,
  BookTop,
  ChangedLevel,
  CountedFill,
  DoneCommand,
  MatchedFill,
  ReducedOrder,
  RemovedOrder,
  ResultRecord,
} from '../../schemas/generated/results.js'
import { DoneOutcome, MmpAction, unbookedFlag } from '../../schemas/record-values.js'
import { RecordingSink } from './book-table.js'
import { writeIncoming } from './order-record.js'

type OrderType = Parameters<MatcherOrder['claim']>[1]

/** Record types of the orders of a flow. */
const typeOf: Readonly<Record<number, OrderType>> = {
  [FlowKind.Place]: OrderRecord.Place,
  [FlowKind.Cancel]: OrderRecord.Cancel,
  [FlowKind.Replace]: OrderRecord.Replace,
}

const record = new MatcherOrder()
const mmp = new MatcherMmp()
const result = new AnyResult()
const fill = new MatchedFill()
const removed = new RemovedOrder()
const reduced = new ReducedOrder()
const level = new ChangedLevel()
const counted = new CountedFill()
const top = new BookTop()
const done = new DoneCommand()

export interface OwnedOrder {
  readonly handle: number
  readonly instrument?: number
  readonly side: keyof typeof Side
  readonly price: string
  readonly size: string
  readonly tif?: keyof typeof Tif
  /** By default each order has its own account. */
  readonly account?: number
  /** Makes the order reduce-only, for an account with this position at the start of the round. */
  readonly reduces?: string
  /** Makes the order protected; with `taker` its own fills count too. */
  readonly mmp?: boolean | 'taker'
  /** Greeks of the mark. */
  readonly delta?: number
  readonly vega?: number
  /** Price that a provider shows or quotes for the order, in USD. */
  readonly quoted?: string
}

/** Terms of a protection; limits in contracts, deltas, USD per volatility point. */
export interface OwnedTerms {
  readonly interval: number
  readonly frozen: number
  readonly qty?: number
  readonly delta?: number
  readonly vega?: number
}

/**
 * Replaces the core: sends orders to a matcher over real rings and reads its results as text. Its own `matcher` is for
 * calls from this thread; a matcher of another thread gets the two blocks of memory instead.
 */
export class MatcherOwner {
  readonly matcher: Matcher
  /** Results that came while the ring was full. */
  readonly drained: string[] = []
  readonly orderMemory: SharedArrayBuffer
  readonly resultMemory: SharedArrayBuffer
  readonly orders: Ring
  readonly results: Ring
  ticket = 0
  round = 0
  nowMillis = 0

  constructor(options: { orderBytes?: number; resultBytes?: number } = {}) {
    this.orderMemory = allocateRing(options.orderBytes ?? 1 << 16)
    this.resultMemory = allocateRing(options.resultBytes ?? 1 << 16)
    this.orders = new Ring(this.orderMemory, 'producer')
    this.results = new Ring(this.resultMemory, 'consumer')
    this.matcher = new Matcher(
      new Ring(this.orderMemory, 'consumer'),
      new Ring(this.resultMemory, 'producer'),
      () => {
        this.drained.push(...this.take())
      },
    )
  }

  place(order: OwnedOrder): void {
    this.trySend(FlowKind.Place, 0, 0, incomingOf(order), order.instrument)
  }

  replace(oldHandle: number, expected: string, order: OwnedOrder): void {
    const expectedLots = Math.round(Number(expected) * lotsPerContract)
    this.trySend(FlowKind.Replace, oldHandle, expectedLots, incomingOf(order), order.instrument)
  }

  /** Asks whether the book does as well as the quote for an order that is in no book. */
  decide(order: OwnedOrder): void {
    this.#claim(OrderRecord.DecideAuction, incomingOf(order), order.instrument ?? 0)
    this.orders.commit()
  }

  /** Replaces an order that is in no book. */
  replaceUnbooked(oldHandle: number, open: string, order: OwnedOrder): void {
    this.#claim(OrderRecord.Replace, incomingOf(order), order.instrument ?? 0)
    record.flags |= unbookedFlag
    record.oldHandle = oldHandle
    record.expectedOpenLots = Math.round(Number(open) * lotsPerContract)
    this.orders.commit()
  }

  cancel(handle: number, instrument = 0): void {
    this.trySend(FlowKind.Cancel, handle, 0, new IncomingOrder(), instrument)
  }

  /** Sets the protection of an account in underlying 0, or does another action. */
  protect(account: number, terms: OwnedTerms, action: MmpAction = MmpAction.Set): void {
    mmp.claim(this.orders)
    mmp.ticket = ++this.ticket
    mmp.action = action
    mmp.account = account
    mmp.underlying = 0
    mmp.intervalMillis = terms.interval
    mmp.frozenMillis = terms.frozen
    const limits = [terms.qty, terms.delta, terms.vega]
    for (const [i, limit = 0] of limits.entries())
      mmp.setLimits(i, Math.round(limit * microsPerUsd))
    mmp.frozenUntilMillis = 0
    mmp.nowMillis = this.nowMillis
    this.orders.commit()
  }

  closeBook(instrument: number): void {
    record.claim(this.orders, OrderRecord.CloseBook)
    record.ticket = ++this.ticket
    record.instrument = instrument
    this.orders.commit()
  }

  /** @returns false, with nothing sent, when the order ring is full */
  trySend(
    kind: number,
    oldHandle: number,
    expectedLots: number,
    order: IncomingOrder,
    instrument = 0,
  ): boolean {
    if (!this.#claim(typeOf[kind]!, order, instrument)) return false
    if (kind === FlowKind.Cancel) record.handle = oldHandle
    record.oldHandle = oldHandle
    record.expectedOpenLots = expectedLots
    this.orders.commit()
    return true
  }

  #claim(type: OrderType, order: IncomingOrder, instrument: number): boolean {
    if (!record.claim(this.orders, type)) return false
    record.ticket = ++this.ticket
    record.instrument = instrument
    record.handle = order.handle
    const { nowMillis, round } = this
    writeIncoming(record, { ...order, underlying: 0, nowMillis, round })
    return true
  }

  work(): number {
    return this.matcher.doWork()
  }

  /** Reads every visible result: `3/0 fill 1 by 2: 1 at 100` (ticket, instrument), `3 done Rested 2`. */
  take(): string[] {
    const { results } = this
    const lines: string[] = []
    for (let at = results.next(); at >= 0; at = results.next()) lines.push(lineOf(results, at))
    results.release()
    return lines
  }
}

function lineOf(results: Ring, at: number): string {
  const { ticket, recordType } = result.over(results, at)
  if (recordType === ResultRecord.Mmp) return countedLine(counted.over(results, at))
  if (recordType === ResultRecord.Done) {
    const { outcome, openLots } = done.over(results, at)
    return doneLine(ticket, outcome, openLots)
  }
  if (recordType === ResultRecord.BookTop) return topLine(top.over(results, at))
  const sink = new RecordingSink()
  const instrument = emitBook(results, at, recordType, sink)
  return `${ticket}/${instrument} ${sink.lines[0]}`
}

/**
 * Passes a book's report on to the sink.
 * @returns the book's instrument
 */
function emitBook(results: Ring, at: number, type: number, sink: RecordingSink): number {
  switch (type) {
    case ResultRecord.Fill: {
      fill.over(results, at)
      const priceIndex = priceIndexOf(fill.priceMicros)
      sink.fill(fill.makerHandle, fill.takerHandle, priceIndex, fill.sizeLots)
      return fill.instrument
    }
    case ResultRecord.Removed:
      removed.over(results, at)
      sink.removed(removed.handle, removed.cause, removed.openLots)
      return removed.instrument
    case ResultRecord.Reduced:
      reduced.over(results, at)
      sink.reduced(reduced.handle, reduced.openLots)
      return reduced.instrument
    case ResultRecord.Level:
      level.over(results, at)
      sink.level(level.side, priceIndexOf(level.priceMicros), level.sizeLots)
      return level.instrument
    default:
      throw new Error(`no result of a matcher: ${type}`)
  }
}

/** Returns a BookTop record as text: `3/0 top 99.5 101`, 0 for a side without orders. */
function topLine({ ticket, instrument, bidMicros, askMicros }: BookTop): string {
  return `${ticket}/${instrument} top ${bidMicros / microsPerUsd} ${askMicros / microsPerUsd}`
}

/** Returns a Mmp record as text: `3 counted`, `3 counted, qty and delta`. */
function countedLine({ ticket, triggers }: CountedFill): string {
  const names = Object.entries(MmpTrigger).filter(([, bit]) => (triggers & bit) !== 0)
  const reached = names.map(([name]) => name.toLowerCase()).join(' and ')
  return `${ticket} counted${reached === '' ? '' : `, ${reached}`}`
}

/** Returns a Done record as text. */
export function doneLine(ticket: number, outcome: number, openLots: number): string {
  const names = Object.entries(DoneOutcome)
  const name = names.find(([, value]) => value === outcome)?.[0]
  return `${ticket} done ${name} ${openLots / lotsPerContract}`
}

function incomingOf(order: OwnedOrder): IncomingOrder {
  const incoming = new IncomingOrder()
  incoming.handle = order.handle
  incoming.account = order.account ?? order.handle
  incoming.side = Side[order.side]
  incoming.tif = Tif[order.tif ?? 'Gtc']
  incoming.selfTrade = SelfTradeMode.CancelTaker
  incoming.priceIndex = priceIndexOf(Math.round(Number(order.price) * microsPerUsd))
  incoming.sizeLots = Math.round(Number(order.size) * lotsPerContract)
  incoming.isProtected = order.mmp !== undefined && order.mmp !== false
  incoming.countsAsTaker = order.mmp === 'taker'
  incoming.deltaMicros = Math.round((order.delta ?? 0) * microsPerUsd)
  incoming.vegaMicros = Math.round((order.vega ?? 0) * microsPerUsd)
  incoming.quotedMicros = Math.round(Number(order.quoted ?? 0) * microsPerUsd)
  incoming.isReduceOnly = order.reduces !== undefined
  incoming.positionLots = Math.round(Number(order.reduces ?? 0) * lotsPerContract)
  return incoming
}
