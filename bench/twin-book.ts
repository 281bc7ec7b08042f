import {
  type BookSink,
  type IncomingOrder,
  notResting,
  type OrderBook,
  type RemovedReason,
} from '../engine/matching/order-book.js'
import { priceIndexMax, priceMicrosOf } from '../engine/matching/price-grid.js'
import { SelfTradeMode, Side, Tif } from '../schemas/domain.js'
import { RemovedCause } from '../schemas/record-values.js'

interface RestingOrder {
  readonly handle: number
  readonly account: number
  readonly side: Side
  readonly priceIndex: number
  /** Time priority: each resting order gets the next rank. */
  readonly rank: number
  readonly isReduceOnly: boolean
  readonly isProtected: boolean
  openLots: number
}

/** Plain market-maker protection, as the plain book uses it. */
export interface PlainProtection {
  /**
   * Counts a fill of an account for its protection in the incoming order's underlying.
   * @param byLots above zero when the account buys.
   * @returns true if a limit is reached.
   */
  counts(account: number, order: IncomingOrder, byLots: number): boolean
  /** Cancels all protected orders of an account and underlying, in all books. */
  cancel(account: number, underlying: number): void
  /** Returns the same windows over a copy of a book. */
  copyFor(book: TwinBook): PlainProtection
}

/** Protects no account. */
const unprotected: PlainProtection = {
  counts: () => false,
  cancel() {},
  copyFor: () => unprotected,
}

const silent: BookSink = { fill() {}, removed() {}, reduced() {}, level() {} }

/**
 * Plain book: maps, arrays and a sort for every command. It defines the meaning of the fast book, and random tests compare
 * the two. Level totals are exact below 2^53.
 */
export class TwinBook implements OrderBook {
  readonly sink: BookSink
  readonly resting = new Map<number, RestingOrder>()
  /** Price levels that the current command touched, with their lots before it. */
  readonly touched = new Map<string, { side: Side; priceIndex: number; lotsBefore: number }>()
  rank = 0
  /** Positions of accounts, tracked from their first reduce-only order. */
  readonly positions = new Map<number, number>()
  /** Lots that accounts bought or sold since the positions in the commands were current. */
  readonly moves: { account: number; byLots: number }[] = []
  round = 0
  protection: PlainProtection = unprotected

  constructor(sink: BookSink) {
    this.sink = sink
  }

  place(order: IncomingOrder): number {
    const restLots = this.match(order)
    this.finish()
    return restLots
  }

  crosses(order: IncomingOrder, replacedHandle: number): boolean {
    return this.makersOf(order).some(({ handle }) => handle !== replacedHandle)
  }

  replace(oldHandle: number, order: IncomingOrder): number {
    const old = this.resting.get(oldHandle)
    if (old === undefined) return notResting
    this.remove(old, RemovedCause.Replace)
    const restLots = this.match(order)
    this.finish()
    return restLots
  }

  cancel(handle: number): number {
    const order = this.resting.get(handle)
    if (order === undefined) return notResting
    this.remove(order, RemovedCause.Cancel)
    this.finish()
    return order.openLots
  }

  setPosition(account: number, positionLots: number): void {
    const known = this.positions.get(account)
    if (known !== undefined) this.move(account, positionLots - known)
    this.moves.length = 0
    this.finish()
  }

  fillsAsQuoted(order: IncomingOrder): boolean {
    if (order.tif === Tif.Alo) return false
    const { lots, cost } = this.trial(null, (copy) => copy.match({ ...order, tif: Tif.Ioc }))
    if (lots !== order.sizeLots) return false
    const quoted = BigInt(order.quotedMicros) * BigInt(order.sizeLots)
    return order.side === Side.Buy ? cost <= quoted : cost >= quoted
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

  /** Returns the orders of one side up to a limit, best price first, then oldest first. */
  queue(side: Side, limitIndex = side === Side.Buy ? 0 : priceIndexMax): RestingOrder[] {
    const better = side === Side.Buy ? -1 : 1
    return [...this.resting.values()]
      .filter((order) => order.side === side && better * (order.priceIndex - limitIndex) <= 0)
      .sort((a, b) => better * (a.priceIndex - b.priceIndex) || a.rank - b.rank)
  }

  match(order: IncomingOrder): number {
    if (order.round !== this.round) this.moves.length = 0
    this.round = order.round
    if (order.isReduceOnly) {
      const leftLots = this.closable(order)
      if (leftLots === 0 || (leftLots < order.sizeLots && order.tif === Tif.Fok)) {
        return this.end(order, RemovedCause.ReduceOnly, order.sizeLots)
      }
      if (leftLots < order.sizeLots) this.sink.reduced(order.handle, leftLots)
      order.sizeLots = Math.min(order.sizeLots, leftLots)
    }
    if (order.tif === Tif.Fok) {
      const obstacle = this.fokObstacle(order)
      if (obstacle !== null) return this.end(order, obstacle, order.sizeLots)
    }
    return this.trade(order)
  }

  /** Returns the resting orders within an order's limit, in matching order. */
  makersOf({ side, priceIndex }: IncomingOrder): RestingOrder[] {
    return this.queue(side === Side.Buy ? Side.Sell : Side.Buy, priceIndex)
  }

  trade(order: IncomingOrder): number {
    let openLots = order.sizeLots
    for (const maker of this.makersOf(order)) {
      if (openLots === 0) break
      if (!this.resting.has(maker.handle)) continue
      if (maker.account === order.account) {
        if (order.selfTrade !== SelfTradeMode.CancelTaker) {
          this.remove(maker, RemovedCause.SelfTrade)
        }
        if (order.selfTrade !== SelfTradeMode.CancelMaker) {
          return this.end(order, RemovedCause.SelfTrade, openLots)
        }
        continue
      }
      openLots = this.fill(order, maker, openLots)
    }
    if (openLots === 0) return 0
    if (order.tif === Tif.Ioc) return this.end(order, RemovedCause.Ioc, openLots)
    this.touch(order.side, order.priceIndex)
    const { handle, account, side, priceIndex, isReduceOnly, isProtected } = order
    const rank = this.rank++
    const rests = { handle, account, side, priceIndex, rank, isReduceOnly, isProtected, openLots }
    this.resting.set(handle, rests)
    return openLots
  }

  /** Executes one trade and all its consequences. @returns open lots of the incoming order. */
  fill(order: IncomingOrder, maker: RestingOrder, openLots: number): number {
    const sizeLots = Math.min(openLots, maker.openLots)
    const makerMoves = maker.side === Side.Buy ? sizeLots : -sizeLots
    const { protection } = this
    const endsMaker = maker.isProtected && protection.counts(maker.account, order, makerMoves)
    const endsTaker = order.countsAsTaker && protection.counts(order.account, order, -makerMoves)
    this.touch(maker.side, maker.priceIndex)
    this.sink.fill(maker.handle, order.handle, maker.priceIndex, sizeLots)
    maker.openLots -= sizeLots
    let leftLots = openLots - sizeLots
    if (maker.openLots === 0) this.resting.delete(maker.handle)
    if (endsMaker) {
      if (maker.openLots > 0) this.remove(maker, RemovedCause.MmpFilled)
      protection.cancel(maker.account, order.underlying)
    }
    if (endsTaker) {
      if (leftLots > 0) leftLots = this.end(order, RemovedCause.MmpFilled, leftLots)
      protection.cancel(order.account, order.underlying)
    }
    this.move(maker.account, makerMoves)
    this.move(order.account, -makerMoves)
    return leftLots
  }

  /** Returns the lots that an incoming reduce-only order may close in addition to the resting ones. */
  closable({ account, side, positionLots }: IncomingOrder): number {
    if (!this.positions.has(account)) {
      const moved = this.moves.filter((move) => move.account === account)
      const movedLots = moved.reduce((sum, { byLots }) => sum + byLots, 0)
      this.positions.set(account, positionLots + movedLots)
    }
    return Math.max(0, -this.excess(account, side))
  }

  /** Returns the open lots of an account's reduce-only orders of a side, minus the lots that close its position. */
  excess(account: number, side: Side): number {
    const positionLots = this.positions.get(account) ?? 0
    const closingLots = Math.max(0, side === Side.Buy ? -positionLots : positionLots)
    return this.reducing(account, side).reduce((sum, order) => sum + order.openLots, -closingLots)
  }

  /** Returns the reduce-only orders of an account on a side, in matching order. */
  reducing(account: number, side: Side): RestingOrder[] {
    return this.queue(side).filter((order) => order.account === account && order.isReduceOnly)
  }

  /** Records a trade of an account, and cancels the excess of its reduce-only orders, last in priority first. */
  move(account: number, byLots: number): void {
    this.moves.push({ account, byLots })
    const positionLots = this.positions.get(account)
    if (positionLots === undefined) return
    this.positions.set(account, positionLots + byLots)
    for (const side of [Side.Buy, Side.Sell]) {
      for (const order of this.reducing(account, side).reverse()) {
        const excessLots = this.excess(account, side)
        if (excessLots <= 0) break
        if (excessLots >= order.openLots) {
          this.remove(order, RemovedCause.ReduceOnly)
          continue
        }
        this.touch(side, order.priceIndex)
        order.openLots -= excessLots
        this.sink.reduced(order.handle, order.openLots)
      }
    }
  }

  /** Returns why a fill-or-kill order cannot trade completely; null if it can. Tries it on copies of the book. */
  fokObstacle(order: IncomingOrder): RemovedReason | null {
    const takes = (strange: number | null): number =>
      this.trial(strange, (copy) => copy.trade(order)).lots
    if (takes(null) === order.sizeLots) return null
    return takes(order.account) === order.sizeLots ? RemovedCause.SelfTrade : RemovedCause.Fok
  }

  /**
   * Runs `act` on a copy of the book.
   * @param strange account whose orders count as foreign in the copy; null: none.
   * @returns the traded lots, and their total price in micros.
   */
  trial(strange: number | null, act: (copy: TwinBook) => void): { lots: number; cost: bigint } {
    const traded = { lots: 0, cost: 0n }
    const copy = new TwinBook({
      ...silent,
      fill: (_maker, _taker, priceIndex, sizeLots) => {
        traded.lots += sizeLots
        traded.cost += BigInt(priceMicrosOf(priceIndex)) * BigInt(sizeLots)
      },
    })
    copy.round = this.round
    copy.moves.push(...this.moves)
    copy.protection = this.protection.copyFor(copy)
    for (const [account, positionLots] of this.positions) copy.positions.set(account, positionLots)
    for (const resting of this.resting.values()) {
      const stranger =
        resting.account === strange
          ? { account: Number.NaN, isReduceOnly: false, isProtected: false }
          : {}
      copy.resting.set(resting.handle, { ...resting, ...stranger })
    }
    act(copy)
    return traded
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
    const name = levelName(side, priceIndex)
    if (this.touched.has(name)) return
    const lotsBefore = this.levelLotsAt(side, priceIndex)
    this.touched.set(name, { side, priceIndex, lotsBefore })
  }

  finish(): void {
    for (const name of [...this.touched.keys()]) this.finishLevel(name)
  }

  /** Reports a touched level, if it changed. */
  finishLevel(name: string): void {
    const { side, priceIndex, lotsBefore } = this.touched.get(name)!
    const sizeLots = this.levelLotsAt(side, priceIndex)
    if (sizeLots !== lotsBefore) this.sink.level(side, priceIndex, sizeLots)
    this.touched.delete(name)
  }
}

/** Key of a level in `touched`. */
export function levelName(side: Side, priceIndex: number): string {
  return `${side} ${priceIndex}`
}
