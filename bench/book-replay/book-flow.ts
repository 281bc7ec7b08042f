import type { IncomingOrder, OrderBook } from '../../engine/matching/order-book.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import type { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'

/** Parameters of a random flow. Probabilities are from 0 to 1. */
export interface FlowShape {
  readonly seed: number
  readonly events: number
  /** Middle of the prices, and largest distance of orders from it, as price indexes. */
  readonly middleIndex: number
  readonly spreadIndexes: number
  /** Share of the orders that cross the middle. */
  readonly crossing: number
  readonly cancels: number
  readonly replaces: number
  /** Cancels and replaces name one of this many latest orders. A larger number makes a deeper book. */
  readonly reach: number
  readonly accounts: number
  /** True: only `gtc`, and each order has its own account. False: every time in force and self-trade mode. */
  readonly plain: boolean
  /** Share of reduce-only orders; default 0. */
  readonly reduceOnly?: number
}

export const FlowKind = { Place: 0, Cancel: 1, Replace: 2 } as const

/** Seeded sequence of commands in columns. The same shape gives the same flow on every machine. */
export class BookFlow {
  readonly count: number
  readonly kind: Uint8Array
  readonly handle: Int32Array
  /** Order that a cancel or replace names, which may have ended. */
  readonly oldHandle: Int32Array
  readonly account: Int32Array
  readonly side: Uint8Array
  readonly tif: Uint8Array
  readonly selfTrade: Uint8Array
  readonly isReduceOnly: Uint8Array
  readonly priceIndex: Int32Array
  readonly sizeLots: Float64Array

  constructor(count: number) {
    this.count = count
    this.kind = new Uint8Array(count)
    this.handle = new Int32Array(count)
    this.oldHandle = new Int32Array(count)
    this.account = new Int32Array(count)
    this.side = new Uint8Array(count)
    this.tif = new Uint8Array(count)
    this.selfTrade = new Uint8Array(count)
    this.isReduceOnly = new Uint8Array(count)
    this.priceIndex = new Int32Array(count)
    this.sizeLots = new Float64Array(count)
  }
}

export function makeFlow(shape: FlowShape): BookFlow {
  const random = randomFrom(shape.seed)
  const reduceOnly = shape.reduceOnly ?? 0
  const flow = new BookFlow(shape.events)
  let handle = 0
  for (let step = 0; step < flow.count; step++) {
    const kind = random()
    flow.kind[step] =
      kind < shape.cancels
        ? FlowKind.Cancel
        : kind < shape.cancels + shape.replaces
          ? FlowKind.Replace
          : FlowKind.Place
    flow.oldHandle[step] = Math.max(0, handle - 1 - Math.floor(random() * shape.reach))
    const side = random() < 0.5 ? 0 : 1
    const distance = Math.floor(random() * shape.spreadIndexes)
    const away = random() < shape.crossing ? -1 : 1
    flow.handle[step] = handle
    flow.account[step] = shape.plain ? handle : Math.floor(random() * shape.accounts)
    flow.side[step] = side
    flow.tif[step] = shape.plain ? 0 : tifOf(random())
    flow.selfTrade[step] = shape.plain ? 0 : Math.floor(random() * 3)
    flow.priceIndex[step] = shape.middleIndex + (side === 0 ? -1 : 1) * away * (1 + distance)
    const big = random() < 0.1 ? 10 : 1
    flow.sizeLots[step] = (1 + Math.floor(random() * 20)) * big * (lotsPerContract / 100)
    flow.isReduceOnly[step] = reduceOnly > 0 && random() < reduceOnly ? 1 : 0
    if (flow.kind[step] !== FlowKind.Cancel) handle++
  }
  return flow
}

/** Runs one command of a flow. @returns the result of the book. */
export function runStep(
  book: OrderBook,
  flow: BookFlow,
  step: number,
  order: IncomingOrder,
): number {
  if (flow.kind[step] === FlowKind.Cancel) return book.cancel(flow.oldHandle[step])
  readOrder(flow, step, order)
  return flow.kind[step] === FlowKind.Place
    ? book.place(order)
    : book.replace(flow.oldHandle[step], order)
}

/** Runs all commands of a flow. @param order reused for each command. */
export function runFlow(book: OrderBook, flow: BookFlow, order: IncomingOrder): void {
  for (let step = 0; step < flow.count; step++) {
    order.round = step
    runStep(book, flow, step, order)
  }
}

/** Fills the order of a place or replace. The caller sets round and position. */
export function readOrder(flow: BookFlow, step: number, order: IncomingOrder): void {
  order.handle = flow.handle[step]
  order.account = flow.account[step]
  order.side = flow.side[step] as Side
  order.tif = flow.tif[step] as Tif
  order.selfTrade = flow.selfTrade[step] as SelfTradeMode
  order.priceIndex = flow.priceIndex[step]
  order.sizeLots = flow.sizeLots[step]
  order.isReduceOnly = flow.isReduceOnly[step] === 1
}

/** Returns a generator of uniform numbers in [0, 1), deterministic by seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function tifOf(chance: number): number {
  return chance < 0.7 ? 0 : chance < 0.85 ? 1 : 2
}
