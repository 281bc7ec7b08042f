import { InstrumentState, type Side } from '../../schemas/domain.js'
import { indexOfKey, noLevel } from '../matching/level-index.js'
import type { Matcher } from '../matching/matcher.js'
import { levelField, orderField, sideOfLevel, slotOfHandle } from '../matching/order-pool.js'
import { priceIndexOf } from '../matching/price-grid.js'
import { slotShape } from '../matching/slot-pool.js'
import { none } from '../memory/rows.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { MatcherLinks } from '../state/matcher-links.js'
import { type OrderStore, slotOf } from '../state/orders/orders.js'
import type { AuctionTable } from '../state/rfq/auction-table.js'

export interface BookDigestState {
  readonly auctions: AuctionTable
  readonly instruments: InstrumentTable
  readonly matchers: MatcherLinks
  readonly orders: OrderStore
}

/** Range of orders of one matcher, by their numbers in the matcher. */
export interface BookSlice {
  readonly matcher: number
  readonly firstHandle: number
  readonly handles: number
}

/** Digest of the resting orders of a slice: equal for equal orders, and almost never for others. */
export class BookDigest {
  count = 0
  low = 0
  high = 0

  clear(): void {
    this.count = 0
    this.low = 0
    this.high = 0
  }

  /** Adds an order; the digest does not depend on the sequence of orders. */
  add(handle: number, side: Side, priceIndex: number, openLots: number): void {
    const highLots = Math.floor(openLots / 2 ** 32)
    let word = Math.imul(handle ^ 0x9e3779b9, 0x85ebca6b) ^ (openLots >>> 0)
    word = Math.imul(word ^ (word >>> 15), 0xc2b2ae35) ^ ((priceIndex << 1) | (side & 1))
    word = Math.imul(word ^ (word >>> 13), 0x27d4eb2f) ^ highLots
    word = Math.imul(word ^ (word >>> 16), 0x165667b1)
    this.count++
    this.low = (this.low + word) | 0
    this.high = (this.high + Math.imul(word ^ (word >>> 14), 0x2545f491)) | 0
  }

  isSame({ count, low, high }: BookDigest): boolean {
    return this.count === count && this.low === low && this.high === high
  }
}

/**
 * Digests the resting orders of a slice in the core. Orders in auction are in no book yet.
 * @returns false if the slice cannot be compared, because the core removes the orders of an ended instrument one by
 * one.
 */
export function digestOfCore(state: BookDigestState, slice: BookSlice, out: BookDigest): boolean {
  const { auctions, instruments, matchers, orders } = state
  const end = Math.min(slice.firstHandle + slice.handles, orders.high)
  out.clear()
  for (let handle = slice.firstHandle; handle < end; handle++) {
    const slot = slotOf(handle)
    if (orders.orderId[slot] === 0 || orders.exposure[slot] === none) continue
    const instrument = orders.instrument[slot]
    if (matchers.of(instruments.underlying[instrument]) !== slice.matcher) continue
    if (instruments.state[instrument] !== InstrumentState.Active) return false
    if (auctions.has(slot)) continue
    const priceIndex = priceIndexOf(orders.priceMicros[slot])
    out.add(handle, orders.side[slot] as Side, priceIndex, orders.openLots[slot])
  }
  return true
}

/** Digests the orders of a slice that rest in a matcher. */
export function digestOfMatcher(
  { pool }: Pick<Matcher, 'pool'>,
  { firstHandle, handles }: Omit<BookSlice, 'matcher'>,
  out: BookDigest,
): void {
  const { levels, orders } = pool
  out.clear()
  for (let handle = firstHandle; handle < firstHandle + handles; handle++) {
    const slot = slotOfHandle(pool, handle)
    if (slot === noLevel) continue
    const level = orders.words[(slot << slotShape.shift) | orderField.level]
    const side = sideOfLevel(pool, level)
    const key = levels.words[(level << slotShape.shift) | levelField.key]
    const openLots = orders.lots[(slot << slotShape.lotsShift) | slotShape.lots]
    out.add(handle, side, indexOfKey(side, key), openLots)
  }
}
