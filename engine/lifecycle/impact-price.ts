import { lotsPerContract } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import { priceIndexMax, priceIndexOf } from '../matching/price-grid.js'
import { grown } from '../memory/grown.js'
import { none } from '../memory/rows.js'
import { halfEvenDiv } from '../risk/exact-share.js'
import { valueMicros } from '../risk/money.js'
import type { OrderStore } from '../state/orders/orders.js'

/** Impact prices of both sides of a book, if its orders were hit in order. */
export interface ImpactPrices {
  /** Mean price of selling the notional; 0 if there are no bids, NaN if their size is insufficient. */
  bidMicros: number
  /** The same for buying it. */
  askMicros: number
}

/**
 * A key combines the distance of a price from the best possible one, in grid steps, with the index of its order in
 * `slots`.
 */
const ordersMax = 2 ** 32
let keys = new Float64Array(256)
/**
 * Slots of a side by age. Slot numbers are not part of the state, so they decide nothing: orders at one price are taken
 * by age.
 */
let slots = new Int32Array(256)

/**
 * Computes the mean prices of buying and selling a notional at market. One pass over the instrument's orders and one
 * sort of each side, in reused memory. A small order at the best price cannot move the result.
 */
export function impactPrices(
  orders: OrderStore,
  instrument: number,
  notionalMicros: number,
  out: ImpactPrices,
): void {
  out.bidMicros = impactOf(orders, instrument, Side.Buy, notionalMicros)
  out.askMicros = impactOf(orders, instrument, Side.Sell, notionalMicros)
}

function impactOf(
  orders: OrderStore,
  instrument: number,
  side: Side,
  notionalMicros: number,
): number {
  const count = collect(orders, instrument, side)
  if (count === 0) return 0
  keys.subarray(0, count).sort()
  let leftMicros = notionalMicros
  let lots = 0
  for (let i = 0; i < count; i++) {
    const slot = slots[keys[i]! % ordersMax]!
    const price = orders.priceMicros[slot]
    const open = orders.openLots[slot]
    const worthMicros = valueMicros(price, open)
    if (worthMicros < leftMicros) {
      leftMicros -= worthMicros
      lots += open
      continue
    }
    return lots === 0 ? price : meanMicros(notionalMicros, lots, leftMicros, price)
  }
  return Number.NaN
}

/**
 * Returns the mean price of a contract, half-even: `lots` plus, at the last price, the lots for the remaining amount.
 */
function meanMicros(amountMicros: number, lots: number, leftMicros: number, price: number): number {
  const contract = BigInt(lotsPerContract)
  const last = BigInt(price)
  const bought = BigInt(lots) * last + BigInt(leftMicros) * contract
  return Number(halfEvenDiv(BigInt(amountMicros) * contract * last, bought))
}

/** Collects the orders of a side in `keys` and `slots`. @returns their number. */
function collect(orders: OrderStore, instrument: number, side: Side): number {
  let count = 0
  let slot = orders.firstOf(instrument)
  for (; slot !== none; slot = orders.nextInInstrument[slot]) {
    if (orders.side[slot] !== side) continue
    if (count === keys.length) {
      keys = grown(keys, new Float64Array(2 * count))
      slots = grown(slots, new Int32Array(2 * count))
    }
    const index = priceIndexOf(orders.priceMicros[slot])
    // The highest bid is the best.
    keys[count] = (side === Side.Sell ? index : priceIndexMax - index) * ordersMax + count
    slots[count++] = slot
  }
  return count
}
