import { lotsPerContract } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import { priceIndexMax, priceIndexOf } from '../matching/price-grid.js'
import { grown } from '../memory/grown.js'
import { none } from '../memory/rows.js'
import { halfEvenDiv } from '../risk/exact-share.js'
import { valueMicros } from '../risk/money.js'
import type { OrderStore } from '../state/orders/orders.js'

/** Both sides of a book, as its orders would be met. */
export interface ImpactPrices {
  /** Mean price at which the notional would be sold; 0: nobody bids, NaN: it is more than there is. */
  bidMicros: number
  /** The same of buying it. */
  askMicros: number
}

/** In one number: how far from the best a price could be, by its place on the grid, and an order's place in `slots`. */
const ordersMax = 2 ** 32
let keys = new Float64Array(256)
/** Slots of a side by age. They are no part of the state, so they decide nothing: orders of one price are met by age. */
let slots = new Int32Array(256)

/**
 * Works out at which mean prices an amount would be bought and sold at market. One pass over the orders of the
 * instrument and a sort of each side, in memory that is used again; a book is not moved by a lot or two at the best.
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

/** What a contract costs where so many lots and, at the last price, what is left make up the amount; half-even. */
function meanMicros(amountMicros: number, lots: number, leftMicros: number, price: number): number {
  const contract = BigInt(lotsPerContract)
  const last = BigInt(price)
  const bought = BigInt(lots) * last + BigInt(leftMicros) * contract
  return Number(halfEvenDiv(BigInt(amountMicros) * contract * last, bought))
}

/** @returns how many orders there are on the side, in `keys` and `slots` from 0 on. */
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
    // The best bid is the highest.
    keys[count] = (side === Side.Sell ? index : priceIndexMax - index) * ordersMax + count
    slots[count++] = slot
  }
  return count
}
