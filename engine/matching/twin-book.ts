import { SelfTradeMode, Side, Tif } from '../../schemas/domain.js'
import {
  type BookSink,
  type IncomingOrder,
  notResting,
  type OrderBook,
  type RemovedReason,
} from './order-book.js'
import { RemovedCause } from './records.js'

interface RestingOrder {
  readonly handle: number
  readonly account: number
  readonly side: Side
  readonly priceIndex: number
  /** Rises with every order that rests: the age. */
  readonly rank: number
  openLots: number
}

/**
 * The plain book: maps, arrays and a sort for every command. It says what the fast one means;
 * random tests hold the two together. Level totals add up exactly as long as they stay below
 * 2^53.
 */
export class TwinBook implements OrderBook {
  readonly sink: BookSink
  readonly resting = new Map<number, RestingOrder>()
  /** Price levels that the running command touched, and what they held before it. */
  readonly touched = new Map<string, { side: Side; priceIndex: number; lotsBefore: number }>()
  rank = 0

  constructor(sink: BookSink) {
    this.sink = sink
  }

  place(order: IncomingOrder): number {
    const restLots = this.match(order)
    this.settle()
    return restLots
  }

  replace(oldHandle: number, order: IncomingOrder): number {
    const old = this.resting.get(oldHandle)
    if (old === undefined) return notResting
    this.remove(old, RemovedCause.Replace)
    const restLots = this.match(order)
    this.settle()
    return restLots
  }

  cancel(handle: number): number {
    const order = this.resting.get(handle)
    if (order === undefined) return notResting
    this.remove(order, RemovedCause.Cancel)
    this.settle()
    return order.openLots
  }

  openLotsOf(handle: number): number {
    return this.resting.get(handle)?.openLots ?? notResting
  }

  bestIndexOf(side: Side): number {
    return this.queue(side)[0]?.priceIndex ?? 0
  }

  levelLotsAt(side: Side, priceIndex: number): number {
    let totalLots = 0
    for (const order of this.resting.values()) {
      if (order.side === side && order.priceIndex === priceIndex) totalLots += order.openLots
    }
    return totalLots
  }

  close(): void {
    this.resting.clear()
  }

  /** Orders of one side, best price first, then oldest first. */
  queue(side: Side): RestingOrder[] {
    const better = side === Side.Buy ? -1 : 1
    return [...this.resting.values()]
      .filter((order) => order.side === side)
      .sort((a, b) => better * (a.priceIndex - b.priceIndex) || a.rank - b.rank)
  }

  match(order: IncomingOrder): number {
    const makers = this.queue(order.side === Side.Buy ? Side.Sell : Side.Buy).filter((maker) =>
      order.side === Side.Buy
        ? maker.priceIndex <= order.priceIndex
        : maker.priceIndex >= order.priceIndex,
    )
    if (order.tif === Tif.Fok) {
      const obstacle = fokObstacle(order, makers)
      if (obstacle !== null) return this.end(order, obstacle, order.sizeLots)
    }
    let openLots = order.sizeLots
    for (const maker of makers) {
      if (openLots === 0) break
      if (maker.account === order.account) {
        if (order.selfTrade !== SelfTradeMode.CancelTaker) {
          this.remove(maker, RemovedCause.SelfTrade)
        }
        if (order.selfTrade !== SelfTradeMode.CancelMaker) {
          return this.end(order, RemovedCause.SelfTrade, openLots)
        }
        continue
      }
      const sizeLots = Math.min(openLots, maker.openLots)
      this.touch(maker.side, maker.priceIndex)
      this.sink.fill(maker.handle, order.handle, maker.priceIndex, sizeLots)
      maker.openLots -= sizeLots
      openLots -= sizeLots
      if (maker.openLots === 0) this.resting.delete(maker.handle)
    }
    if (openLots === 0) return 0
    if (order.tif === Tif.Ioc) return this.end(order, RemovedCause.Ioc, openLots)
    this.touch(order.side, order.priceIndex)
    const { handle, account, side, priceIndex } = order
    this.resting.set(handle, { handle, account, side, priceIndex, rank: this.rank++, openLots })
    return openLots
  }

  end(order: IncomingOrder, cause: RemovedReason, openLots: number): number {
    this.sink.removed(order.handle, cause, openLots)
    return 0
  }

  remove(order: RestingOrder, cause: RemovedReason): void {
    this.touch(order.side, order.priceIndex)
    this.resting.delete(order.handle)
    this.sink.removed(order.handle, cause, order.openLots)
  }

  touch(side: Side, priceIndex: number): void {
    const name = `${side} ${priceIndex}`
    if (this.touched.has(name)) return
    const lotsBefore = this.levelLotsAt(side, priceIndex)
    this.touched.set(name, { side, priceIndex, lotsBefore })
  }

  settle(): void {
    for (const { side, priceIndex, lotsBefore } of this.touched.values()) {
      const sizeLots = this.levelLotsAt(side, priceIndex)
      if (sizeLots !== lotsBefore) this.sink.level(side, priceIndex, sizeLots)
    }
    this.touched.clear()
  }
}

/** Why a fok cannot trade whole with these makers, best first; null when it can. */
function fokObstacle(order: IncomingOrder, makers: RestingOrder[]): RemovedReason | null {
  const depthLots = makers.reduce((sum, maker) => sum + maker.openLots, 0)
  if (depthLots < order.sizeLots) return RemovedCause.Fok
  let takeableLots = 0
  for (const maker of makers) {
    if (takeableLots >= order.sizeLots) break
    if (maker.account !== order.account) takeableLots += maker.openLots
    else if (order.selfTrade !== SelfTradeMode.CancelMaker) break
  }
  return takeableLots >= order.sizeLots ? null : RemovedCause.SelfTrade
}
