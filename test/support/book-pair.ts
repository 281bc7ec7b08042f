import { type BookFlow, FlowKind, runStep } from '../../bench/book-replay/book-flow.js'
import { type BookSink, IncomingOrder, type OrderBook } from '../../engine/matching/order-book.js'
import { Side } from '../../schemas/domain.js'

/** Sink that keeps a book's reports as numbers: cheap enough for every step of a long flow. */
export class NumberSink implements BookSink {
  readonly numbers: number[] = []

  fill(makerHandle: number, takerHandle: number, priceIndex: number, sizeLots: number): void {
    this.numbers.push(1, makerHandle, takerHandle, priceIndex, sizeLots)
  }

  removed(handle: number, cause: number, openLots: number): void {
    this.numbers.push(2, handle, cause, openLots)
  }

  reduced(handle: number, openLots: number): void {
    this.numbers.push(4, handle, openLots)
  }

  level(side: number, priceIndex: number, sizeLots: number): void {
    this.numbers.push(3, side, priceIndex, sizeLots)
  }
}

export interface BookMaker {
  make(sink: BookSink): OrderBook
  /** Walks the book and throws if it is inconsistent. */
  check(book: OrderBook): void
}

const checkEvery = 500
/** Commands per round. After the first, commands see positions that lag. */
const roundSteps = 5
/** Interval in steps, whole rounds, at which a position changes off the book. */
const movedSteps = 7 * roundSteps

/** Positions by account. The owner of the accounts learns them at the end of a round. */
class PositionLedger {
  #now = new Map<number, number>()
  #known = new Map<number, number>()
  readonly #owners = new Map<number, { account: number; sign: number }>()

  endRound(): void {
    this.#known = new Map(this.#now)
  }

  knownLots(account: number): number {
    return this.#known.get(account) ?? 0
  }

  /**
   * Moves half of the position off the book, and reports it immediately.
   * @returns the lots left
   */
  halve(account: number): number {
    const lots = Math.trunc((this.#now.get(account) ?? 0) / 2)
    this.#now.set(account, lots)
    this.#known.set(account, lots)
    return lots
  }

  own(handle: number, account: number, side: number): void {
    this.#owners.set(handle, { account, sign: side === Side.Buy ? 1 : -1 })
  }

  /** Adds the fills among the reports of a `NumberSink`. */
  take(numbers: readonly number[]): void {
    const lengths = [0, 5, 4, 4, 3]
    for (let at = 0; at < numbers.length; at += lengths[numbers[at]]) {
      if (numbers[at] !== 1) continue
      for (const handle of [numbers[at + 1], numbers[at + 2]]) {
        const owner = this.#owners.get(handle)
        if (owner === undefined) throw new Error(`order ${handle} was never sent`)
        const before = this.#now.get(owner.account) ?? 0
        this.#now.set(owner.account, before + owner.sign * numbers[at + 4])
      }
    }
  }
}

/**
 * Drives two books with the same commands.
 * @param steps the steps of the flow to run, in order
 * @returns the index in `steps` at which results, reports or books first differ (or one throws), or -1
 */
export function firstDifference(
  left: BookMaker,
  right: BookMaker,
  flow: BookFlow,
  steps: Int32Array,
): number {
  const sinks = [new NumberSink(), new NumberSink()] as const
  const books = [left.make(sinks[0]), right.make(sinks[1])] as const
  const order = new IncomingOrder()
  const ledger = new PositionLedger()
  for (let place = 0; place < steps.length; place++) {
    const step = steps[place]
    if (place % roundSteps === 0) ledger.endRound()
    order.round = Math.floor(place / roundSteps)
    if (place % movedSteps === 0) {
      const account = flow.account[step]
      const lots = ledger.halve(account)
      for (const book of books) book.setPosition(account, lots)
      if (!sameNumbers(sinks)) return place
    }
    order.positionLots = ledger.knownLots(flow.account[step])
    if (flow.kind[step] !== FlowKind.Cancel) {
      ledger.own(flow.handle[step], flow.account[step], flow.side[step])
    }
    try {
      const results = books.map((book) => runStep(book, flow, step, order))
      ledger.take(sinks[0].numbers)
      if (results[0] !== results[1] || !sameNumbers(sinks)) return place
      for (const side of [Side.Buy, Side.Sell]) {
        if (books[0].bestIndexOf(side) !== books[1].bestIndexOf(side)) return place
      }
      if (place % checkEvery === 0) {
        left.check(books[0])
        right.check(books[1])
      }
    } catch {
      return place
    }
  }
  return -1
}

/** Shrinks a failing flow: leaves out ever smaller parts while the books still differ. */
export function shrink(
  left: BookMaker,
  right: BookMaker,
  flow: BookFlow,
  failedAt: number,
): Int32Array {
  let steps = Int32Array.from({ length: failedAt + 1 }, (_, step) => step)
  for (let part = steps.length >> 1; part >= 1; part >>= 1) {
    for (let start = 0; start + part <= steps.length; ) {
      const shorter = Int32Array.from([
        ...steps.subarray(0, start),
        ...steps.subarray(start + part),
      ])
      const place = firstDifference(left, right, flow, shorter)
      if (place >= 0) steps = shorter.slice(0, place + 1)
      else start += part
    }
  }
  return steps
}

/** Returns the commands of some steps, for a failure message. */
export function emitSteps(flow: BookFlow, steps: Int32Array): string {
  const kinds = ['place', 'cancel', 'replace']
  return [...steps]
    .map((step) => {
      const old = `${kinds[flow.kind[step]]} (old ${flow.oldHandle[step]})`
      const order = `order ${flow.handle[step]} account ${flow.account[step]}`
      const terms = `side ${flow.side[step]} tif ${flow.tif[step]} stp ${flow.selfTrade[step]}`
      const reduceOnly = flow.isReduceOnly[step] === 1 ? 'reduce-only ' : ''
      return `${reduceOnly}${old} ${order} ${terms} ${flow.sizeLots[step]} at ${flow.priceIndex[step]}`
    })
    .join('\n')
}

function sameNumbers(sinks: readonly [NumberSink, NumberSink]): boolean {
  const [left, right] = [sinks[0].numbers, sinks[1].numbers]
  let same = left.length === right.length
  for (let place = 0; same && place < left.length; place++) same = left[place] === right[place]
  left.length = 0
  right.length = 0
  return same
}
