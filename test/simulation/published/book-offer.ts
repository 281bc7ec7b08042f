import { OrderFlag, Side, Tif } from '../../../schemas/domain.js'
import type { PublishedOrder } from './published-orders.js'

/** Fill that a book would give an order now. */
export interface BookOffer {
  /** False if a protection, an own order or a reduce-only order may change the fill, or if the order is post-only. */
  readonly isSure: boolean
  /** True if it fills the whole order within its limit. */
  readonly isWhole: boolean
  /** Value of the fills: micros of a contract times lots. */
  readonly value: bigint
}

/**
 * Walks a book, order by order.
 * @param resting orders of the other side, the best first
 * @param isProtected true for an account with protection
 */
export function bookOffer(
  order: PublishedOrder,
  resting: readonly PublishedOrder[],
  isProtected: (account: number) => boolean,
): BookOffer {
  // A post-only order never takes from the book, so a quote may fill it at a worse price than the book's.
  let isSure = (order.flags & OrderFlag.ReduceOnly) === 0 && order.tif !== Tif.Alo
  let missingLots = order.sizeLots
  let value = 0n
  for (const other of resting) {
    if (missingLots === 0 || !isWithin(order.side, order.priceMicros, other.priceMicros)) break
    const { account, flags } = other
    const isGuarded = (flags & OrderFlag.MmpEnabled) !== 0 && isProtected(account)
    const isCut = (flags & OrderFlag.ReduceOnly) !== 0
    if (isGuarded || isCut || account === order.account) isSure = false
    const lots = Math.min(missingLots, other.sizeLots - other.filledLots)
    value += BigInt(lots) * BigInt(other.priceMicros)
    missingLots -= lots
  }
  return { isSure, isWhole: missingLots === 0, value }
}

/** Returns true if a price is at least as good as a limit. */
export function isWithin(side: Side, limitMicros: number, priceMicros: number): boolean {
  return side === Side.Buy ? priceMicros <= limitMicros : priceMicros >= limitMicros
}

/** Returns true if a book fills an order whole for a contract price or better. */
export function isAsGood(
  { isWhole, value }: BookOffer,
  { side, sizeLots }: Pick<PublishedOrder, 'side' | 'sizeLots'>,
  priceMicros: number,
): boolean {
  const quoted = BigInt(priceMicros) * BigInt(sizeLots)
  return isWhole && (side === Side.Buy ? value <= quoted : value >= quoted)
}
