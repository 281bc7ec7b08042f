import type { IncomingOrder, OrderBook } from '../../engine/matching/order-book.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import type { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'

/** How a random flow looks; probabilities are parts of one. */
export interface FlowShape {
  readonly seed: number
  readonly events: number
  /** Middle of the prices, and how far orders stand from it, as places on the price grid. */
  readonly middleIndex: number
  readonly spreadIndexes: number
  /** Part of the orders that aim across the middle. */
  readonly crossing: number
  readonly cancels: number
  readonly replaces: number
  /** Cancels and replaces name one of this many latest orders; more of them means a deeper book. */
  readonly reach: number
  readonly accounts: number
  /** Only `gtc` and no own orders met, or every time in force and self-trade mode. */
  readonly plain: boolean
  /** Part of the orders that are reduce-only; none when left out. */
  readonly reduceOnly?: number
}

export const FlowKind = { Place: 0, Cancel: 1, Replace: 2 } as const

/** A seeded sequence of commands in columns; the same shape gives the same flow everywhere. */
export class BookFlow {
  readonly count: number
  readonly kind: Uint8Array
  readonly handle: Int32Array
  /** The order that a cancel or replace names; it may rest or not. */
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

/** Runs one command of a flow. @returns what the book returned. */
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

/** Runs all commands of a flow. @param order whose fields each of them fills. */
export function runFlow(book: OrderBook, flow: BookFlow, order: IncomingOrder): void {
  for (let step = 0; step < flow.count; step++) {
    order.round = step
    runStep(book, flow, step, order)
  }
}

/** The order of a step, for a Place or Replace; round and position are the caller's to set. */
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

/** Uniform numbers in [0, 1), the same for the same seed everywhere (mulberry32). */
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
