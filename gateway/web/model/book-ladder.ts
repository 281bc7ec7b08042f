import { lotsToNumber, parsePriceMicros } from '../../../schemas/decimal.js'
import type { BookLevel } from '../../client/local-book.js'
import { openLots } from './order-form.js'

/** Price of a book, as a row of the ladder. */
export interface Rung {
  readonly price: string
  readonly size: string
  /** Contracts from the best price up to this one. */
  readonly total: number
  /** Length of the bar, as a share of the largest total of both sides. */
  readonly share: number
  /** Contracts of the wallet's own orders. */
  readonly own: number
}

export interface Ladder {
  /** Both sides have the best price first. */
  readonly bids: readonly Rung[]
  readonly asks: readonly Rung[]
  readonly spread: number | null
}

/** Fields of a working order that the ladder marks. */
export interface RestingOrder {
  readonly side: 'Buy' | 'Sell'
  readonly price: string
  readonly size: string
  readonly filled_size: string
}

const rungsMost = 10
const rungsLeast = 3
const rungPixels = 20
/** Height of the page above and below the ladder: top bar, ticket, heads, and a few trades. */
const otherPixels = 580

/** Returns how many prices of a side fit into a window. @param height In pixels; null: the page scrolls. */
export function rungsOf(height: number | null): number {
  if (height === null) return rungsMost
  const fitting = Math.floor((height - otherPixels) / (2 * rungPixels))
  return Math.min(rungsMost, Math.max(rungsLeast, fitting))
}

/** Returns the levels of both sides with their totals. @param rungsMax largest number of prices per side. */
export function ladderOf(
  bids: readonly BookLevel[],
  asks: readonly BookLevel[],
  rungsMax: number,
  own: readonly RestingOrder[] = [],
): Ladder {
  const shown = [bids.slice(0, rungsMax), asks.slice(0, rungsMax)] as const
  const totals = shown.map((levels) => levels.reduce((sum, { size }) => sum + Number(size), 0))
  const largest = Math.max(...totals, Number.MIN_VALUE)
  const rungsOf = (levels: readonly BookLevel[], side: RestingOrder['side']) => {
    let total = 0
    return levels.map(({ price, size }) => {
      total += Number(size)
      return { price, size, total, share: total / largest, own: ownAt(own, side, price) }
    })
  }
  const [bid, ask] = [bids[0], asks[0]]
  const spread =
    bid === undefined || ask === undefined ? null : Number(ask.price) - Number(bid.price)
  return { bids: rungsOf(shown[0], 'Buy'), asks: rungsOf(shown[1], 'Sell'), spread }
}

/** Returns true if an order rests at a price of a side. */
export function isRestingAt(
  order: RestingOrder,
  side: RestingOrder['side'],
  price: string,
): boolean {
  return order.side === side && parsePriceMicros(order.price) === parsePriceMicros(price)
}

function ownAt(own: readonly RestingOrder[], side: RestingOrder['side'], price: string): number {
  const orders = own.filter((order) => isRestingAt(order, side, price))
  return lotsToNumber(orders.reduce((lots, order) => lots + openLots(order), 0))
}

/** Ascending prices, with the size of each side at them or better; null on the other side's prices. */
export type DepthSeries = readonly [
  prices: number[],
  bids: (number | null)[],
  asks: (number | null)[],
]

const nearShare = 0.3

/** Returns the rows near the middle, because the depth chart shows what may trade soon. */
export function nearMiddle({ bids, asks }: Ladder): Pick<Ladder, 'bids' | 'asks'> {
  const middle =
    (Number(bids[0]?.price ?? asks[0]?.price) + Number(asks[0]?.price ?? bids[0]?.price)) / 2
  const isNear = ({ price }: Rung) => Math.abs(Number(price) - middle) <= middle * nearShare
  return { bids: bids.filter(isNear), asks: asks.filter(isNear) }
}

/** Extension of the curves beyond the outermost prices, as a share of the range. */
const edgeShare = 0.1

/** Converts a ladder to depth curves, which extend a little at both ends. */
export function depthSeries({ bids, asks }: Pick<Ladder, 'bids' | 'asks'>): DepthSeries {
  const left = bids.toReversed().map(pointOf)
  const right = asks.map(pointOf)
  const all = [...left, ...right]
  const edge = ((all.at(-1)?.[0] ?? 0) - (all[0]?.[0] ?? 0)) * edgeShare
  const [lowest, highest] = [left[0], right.at(-1)]
  if (lowest !== undefined) left.unshift([lowest[0] - edge, lowest[1]])
  if (highest !== undefined) right.push([highest[0] + edge, highest[1]])
  return [
    [...left, ...right].map(([price]) => price),
    [...left.map(([, total]) => total), ...right.map(() => null)],
    [...left.map(() => null), ...right.map(([, total]) => total)],
  ]
}

function pointOf({ price, total }: Rung): [price: number, total: number] {
  return [Number(price), total]
}
