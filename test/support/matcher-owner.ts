import { FlowKind } from '../../bench/book-flow.js'
import { Matcher } from '../../engine/matching/matcher.js'
import { MmpTrigger } from '../../engine/matching/mmp-window.js'
import { IncomingOrder, type RemovedReason } from '../../engine/matching/order-book.js'
import { priceIndexOf } from '../../engine/matching/price-grid.js'
import * as records from '../../engine/matching/records.js'
import { recordTypeAt } from '../../engine/memory/layout.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { lotsPerContract, microsPerUsd } from '../../schemas/bounds.js'
import { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'
import { OrderRecord } from '../../schemas/generated/orders.js'
import { ResultRecord } from '../../schemas/generated/results.js'
import { DoneOutcome, MmpAction } from '../../schemas/record-values.js'
import { RecordingSink } from './book-table.js'
import { writeIncoming } from './order-record.js'

export interface OwnedOrder {
  readonly handle: number
  readonly instrument?: number
  readonly side: keyof typeof Side
  readonly price: string
  readonly size: string
  readonly tif?: keyof typeof Tif
  /** By default each order has its own. */
  readonly account?: number
  /** Makes the order reduce-only, of an account with this position when the round began. */
  readonly reduces?: string
  /** Under protection; `taker`: its own fills count too. */
  readonly mmp?: boolean | 'taker'
  /** Greeks of the mark. */
  readonly delta?: number
  readonly vega?: number
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
 * Stands where the core does: sends orders to a matcher over real rings and reads its results as
 * words. Its own `matcher` is for calls from this thread; a matcher of another thread takes the
 * two blocks of memory instead.
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

  cancel(handle: number, instrument = 0): void {
    this.trySend(FlowKind.Cancel, handle, 0, new IncomingOrder(), instrument)
  }

  /** Sets the protection of an account in underlying 0, or carries out another action. */
  protect(account: number, terms: OwnedTerms, action: number = MmpAction.Set): void {
    const at = this.orders.tryClaim(records.mmpRecordBytes, OrderRecord.Mmp)
    const { i32, f64 } = this.orders
    i32[(at + records.mmpTicketAt) >> 2] = ++this.ticket
    i32[(at + records.mmpActionAt) >> 2] = action
    i32[(at + records.mmpAccountAt) >> 2] = account
    i32[(at + records.mmpUnderlyingAt) >> 2] = 0
    f64[(at + records.mmpIntervalMillisAt) >> 3] = terms.interval
    f64[(at + records.mmpFrozenMillisAt) >> 3] = terms.frozen
    const limits = [terms.qty, terms.delta, terms.vega].map((limit = 0) =>
      Math.round(limit * microsPerUsd),
    )
    f64.set(limits, (at + records.mmpLimitsAt) >> 3)
    f64[(at + records.mmpFrozenUntilMillisAt) >> 3] = 0
    f64[(at + records.mmpNowMillisAt) >> 3] = this.nowMillis
    this.orders.commit()
  }

  closeBook(instrument: number): void {
    const at = this.orders.tryClaim(records.orderRecordBytes, OrderRecord.CloseBook)
    this.orders.i32[(at + records.orderTicketAt) >> 2] = ++this.ticket
    this.orders.i32[(at + records.orderInstrumentAt) >> 2] = instrument
    this.orders.commit()
  }

  /** @returns false, with nothing sent, when the order ring is full. */
  trySend(
    kind: number,
    oldHandle: number,
    expectedLots: number,
    order: IncomingOrder,
    instrument = 0,
  ): boolean {
    const type = [OrderRecord.Place, OrderRecord.Cancel, OrderRecord.Replace][kind] as number
    const at = this.orders.tryClaim(records.orderRecordBytes, type)
    if (at < 0) return false
    const { i32, f64 } = this.orders
    i32[(at + records.orderTicketAt) >> 2] = ++this.ticket
    i32[(at + records.orderInstrumentAt) >> 2] = instrument
    i32[(at + records.orderHandleAt) >> 2] = kind === FlowKind.Cancel ? oldHandle : order.handle
    const { nowMillis, round } = this
    writeIncoming(this.orders, at, { ...order, underlying: 0, nowMillis, round })
    i32[(at + records.orderOldHandleAt) >> 2] = oldHandle
    f64[(at + records.orderExpectedOpenLotsAt) >> 3] = expectedLots
    this.orders.commit()
    return true
  }

  work(): number {
    return this.matcher.doWork()
  }

  /**
   * Reads every visible result: `3/0 fill 1 by 2: 1 at 100` (ticket, instrument), `3 done Rested
   * 2`.
   */
  take(): string[] {
    const { results } = this
    const { i32, f64 } = results
    const lines: string[] = []
    for (let at = results.next(); at >= 0; at = results.next()) {
      const sink = new RecordingSink()
      const ticket = i32[(at + records.fillTicketAt) >> 2]
      const int = (field: number): number => i32[(at + field) >> 2]
      const float = (field: number): number => f64[(at + field) >> 3]
      switch (i32[(at + recordTypeAt) >> 2]) {
        case ResultRecord.Fill:
          sink.fill(
            int(records.fillMakerHandleAt),
            int(records.fillTakerHandleAt),
            priceIndexOf(float(records.fillPriceMicrosAt)),
            float(records.fillSizeLotsAt),
          )
          break
        case ResultRecord.Removed:
          sink.removed(
            int(records.removedHandleAt),
            int(records.removedCauseAt) as RemovedReason,
            float(records.removedOpenLotsAt),
          )
          break
        case ResultRecord.Mmp:
          lines.push(countedLine(ticket, int(records.countedTriggersAt)))
          break
        case ResultRecord.Reduced:
          sink.reduced(int(records.reducedHandleAt), float(records.reducedOpenLotsAt))
          break
        case ResultRecord.Level:
          sink.level(
            int(records.levelSideAt) as Side,
            priceIndexOf(float(records.levelPriceMicrosAt)),
            float(records.levelSizeLotsAt),
          )
          break
        default:
          lines.push(doneLine(ticket, int(records.doneOutcomeAt), float(records.doneOpenLotsAt)))
      }
      // Fill, Removed, Reduced and Level have their instrument at the same place.
      for (const line of sink.lines) {
        lines.push(`${ticket}/${int(records.fillInstrumentAt)} ${line}`)
      }
    }
    results.release()
    return lines
  }
}

/** A Mmp record as words: `3 counted`, `3 counted, qty and delta`. */
function countedLine(ticket: number, triggers: number): string {
  const names = Object.entries(MmpTrigger).filter(([, bit]) => (triggers & bit) !== 0)
  const reached = names.map(([name]) => name.toLowerCase()).join(' and ')
  return `${ticket} counted${reached === '' ? '' : `, ${reached}`}`
}

/** A Done record as words. */
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
  incoming.isReduceOnly = order.reduces !== undefined
  incoming.positionLots = Math.round(Number(order.reduces ?? 0) * lotsPerContract)
  return incoming
}
