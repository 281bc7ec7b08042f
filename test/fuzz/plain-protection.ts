import { levelName, type PlainProtection, type TwinBook } from '../../bench/twin-book.js'
import {
  type CountedFill,
  CountedFill as Fill,
  MmpTrigger,
} from '../../engine/matching/mmp-window.js'
import type { IncomingOrder } from '../../engine/matching/order-book.js'
import type { ProtectionSink } from '../../engine/matching/protection-table.js'
import { RemovedCause } from '../../schemas/record-values.js'

/** Limits in micros; 0: none. */
export interface PlainLimits {
  readonly intervalMillis: number
  /** 0: until reset. */
  readonly frozenMillis: number
  readonly qtyMicros: number
  readonly deltaMicros: number
  readonly vegaMicros: number
}

/** One fill: lots, and lots times greeks in 1e-6. */
interface PlainFill {
  readonly millis: number
  readonly lots: bigint
  readonly delta: bigint
  readonly vega: bigint
}

interface PlainWindow {
  limits: PlainLimits
  fills: PlainFill[]
  frozenUntilMillis: number
}

type Books = () => Iterable<readonly [instrument: number, book: TwinBook]>

const lotsPerContract = 100_000_000n
const microsPerContract = 1_000_000n

/**
 * Market-maker protection as the specification words it: a list of fills per account and
 * underlying, added up anew for each, in whole numbers without a bound.
 */
export class TwinProtection implements PlainProtection {
  readonly windows = new Map<string, PlainWindow>()
  readonly #books: Books
  readonly #sink: ProtectionSink
  /** Levels of other books than the running command's, in the order in which it touched them. */
  readonly #elsewhere: { instrument: number; book: TwinBook; level: string }[] = []

  /** @param books by instrument, in that order. */
  constructor(books: Books, sink: ProtectionSink) {
    this.#books = books
    this.#sink = sink
  }

  /** Sets the limits of an account; fills that are in the window, and the freeze, stay. */
  set(account: number, underlying: number, limits: PlainLimits, nowMillis: number): void {
    const window = this.windows.get(nameOf(account, underlying))
    if (window !== undefined) {
      leave(window, nowMillis)
      window.limits = limits
    } else {
      const fresh = { limits, fills: [], frozenUntilMillis: 0 }
      this.windows.set(nameOf(account, underlying), fresh)
    }
  }

  reset(account: number, underlying: number): void {
    const window = this.windows.get(nameOf(account, underlying))!
    window.fills = []
    window.frozenUntilMillis = 0
  }

  delete(account: number, underlying: number): void {
    this.windows.delete(nameOf(account, underlying))
  }

  has(account: number, underlying: number): boolean {
    return this.windows.has(nameOf(account, underlying))
  }

  /** Until when an account is frozen; 0: it is not protected, or never was frozen. */
  frozenUntil(account: number, underlying: number): number {
    return this.windows.get(nameOf(account, underlying))?.frozenUntilMillis ?? 0
  }

  /** Returns true if a protected order is rejected. */
  refuses(order: IncomingOrder): boolean {
    const window = this.windows.get(nameOf(order.account, order.underlying))
    return order.isProtected && window !== undefined && order.nowMillis < window.frozenUntilMillis
  }

  counts(account: number, order: IncomingOrder, byLots: number): boolean {
    const window = this.windows.get(nameOf(account, order.underlying))
    if (window === undefined) return false
    const lots = BigInt(byLots)
    const { limits } = window
    const { nowMillis } = order
    window.fills.push({
      millis: nowMillis,
      lots: lots < 0n ? -lots : lots,
      delta: lots * BigInt(order.deltaMicros),
      vega: lots * BigInt(order.vegaMicros),
    })
    leave(window, nowMillis)
    const reached = (limitMicros: number, of: (fill: PlainFill) => bigint): boolean => {
      const sum = window.fills.reduce((total, fill) => total + of(fill), 0n)
      return limitMicros > 0 && (sum < 0n ? -sum : sum) >= BigInt(limitMicros) * lotsPerContract
    }
    let triggers = 0
    if (reached(limits.qtyMicros, ({ lots }) => lots * microsPerContract)) {
      triggers |= MmpTrigger.Qty
    }
    if (reached(limits.deltaMicros, ({ delta }) => delta)) triggers |= MmpTrigger.Delta
    if (reached(limits.vegaMicros, ({ vega }) => vega)) triggers |= MmpTrigger.Vega
    this.#sink.counted(countedFill(account, order, byLots, triggers))
    if (triggers === 0) return false
    window.fills = []
    window.frozenUntilMillis =
      limits.frozenMillis === 0 ? Number.POSITIVE_INFINITY : nowMillis + limits.frozenMillis
    return true
  }

  cancel(account: number, underlying: number): void {
    const { instrument: running } = this.#sink
    for (const [instrument, book] of this.#books()) {
      if (underlyingOf(instrument) !== underlying) continue
      const orders = [...book.resting.values()]
        .filter((order) => order.account === account && order.isProtected)
        .sort((a, b) => a.rank - b.rank)
      for (const order of orders) {
        const level = levelName(order.side, order.priceIndex)
        if (instrument !== running && !book.touched.has(level)) {
          this.#elsewhere.push({ instrument, book, level })
        }
        this.#sink.instrument = instrument
        book.remove(order, RemovedCause.MmpTriggered)
      }
    }
    this.#sink.instrument = running
  }

  /** Ends a command for the books that it did not name. */
  settleElsewhere(): void {
    const { instrument: running } = this.#sink
    for (const { instrument, book, level } of this.#elsewhere) {
      this.#sink.instrument = instrument
      book.finishLevel(level)
    }
    this.#elsewhere.length = 0
    this.#sink.instrument = running
  }

  copyFor(book: TwinBook): PlainProtection {
    const books: Books = () => [[0, book]]
    const copy = new CopiedProtection(books, { instrument: 0, counted() {} })
    for (const [name, window] of this.windows) {
      copy.windows.set(name, { ...window, fills: [...window.fills] })
    }
    return copy
  }
}

/** Over one book alone, whatever its underlying. */
class CopiedProtection extends TwinProtection {
  override cancel(account: number): void {
    super.cancel(account, 0)
  }
}

/** Underlying of an instrument of a run: every other one. */
export function underlyingOf(instrument: number): number {
  return instrument % 2
}

function leave(window: PlainWindow, nowMillis: number): void {
  const borderMillis = nowMillis - window.limits.intervalMillis
  window.fills = window.fills.filter(({ millis }) => millis > borderMillis)
}

function nameOf(account: number, underlying: number): string {
  return `${account} ${underlying}`
}

function countedFill(
  account: number,
  order: IncomingOrder,
  sizeLots: number,
  triggers: number,
): CountedFill {
  const { underlying, nowMillis, deltaMicros, vegaMicros } = order
  const facts = { account, underlying, nowMillis, sizeLots, deltaMicros, vegaMicros, triggers }
  return Object.assign(new Fill(), facts)
}
