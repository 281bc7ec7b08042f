import { Side } from '../../schemas/domain.js'
import { contractScale, exactPremium, type PricedLeg } from '../../schemas/net-premium.js'
import { halfEvenDiv } from '../risk/exact-share.js'
import { premiumMicros } from '../risk/money.js'

/** What one leg trades at, and what is paid for all of it. */
export interface LegPrice {
  readonly priceMicros: number
  readonly cashMicros: number
}

/**
 * Cash of each leg at its price, half-even to micros, so that exactly the net premium changes hands: what is missing
 * to it goes to the leg with the largest cash, the first of equals. Of a leg that would be paid for with less than
 * nothing the rest goes to one of the other side, or to the others where all are of one.
 * @param netMicros of the sign that the sides of the legs allow.
 */
export function settleLegs(legs: readonly PricedLeg[], netMicros: number): LegPrice[] {
  const cash = legs.map(({ priceMicros, sizeLots }) => premiumMicros(priceMicros, sizeLots))
  let sum = 0
  for (const [index, { side }] of legs.entries()) {
    sum += side === Side.Buy ? -cash[index] : cash[index]
  }
  const largest = cash.indexOf(Math.max(...cash))
  const { side } = legs[largest]
  const more = netMicros - sum
  cash[largest] += side === Side.Buy ? -more : more
  if (cash[largest] < 0) {
    const lacking = -cash[largest]
    cash[largest] = 0
    const other = legs.findIndex((leg) => leg.side !== side)
    if (other < 0) takeOff(cash, lacking)
    else cash[other] += lacking
  }
  return legs.map(({ priceMicros }, index) => ({ priceMicros, cashMicros: cash[index] + 0 }))
}

/** Of legs that are all of one side the first ones are paid for with less, none with less than nothing. */
function takeOff(cash: number[], micros: number): void {
  let left = micros
  for (let leg = 0; left > 0 && leg < cash.length; leg++) {
    const taken = Math.min(left, cash[leg])
    cash[leg] -= taken
    left -= taken
  }
}

/**
 * Prices of the legs where only the net premium is known: each leg's mark, moved by its share of what the net premium
 * is off the marks, a share being what the leg is worth of all that the legs are worth; half-even to micros, not below
 * 0. Where all of them are worth nothing, their prices are 0.
 * @param legs at their marks.
 */
export function priceByMarks(legs: readonly PricedLeg[], netMicros: number): PricedLeg[] {
  const cost = -exactPremium(legs)
  let whole = 0n
  for (const { priceMicros, sizeLots } of legs) whole += BigInt(priceMicros) * BigInt(sizeLots)
  if (whole === 0n) return [...legs]
  const off = -BigInt(netMicros) * contractScale - cost
  return legs.map((leg) => {
    const mark = BigInt(leg.priceMicros)
    const moved = leg.side === Side.Buy ? whole + off : whole - off
    const price = halfEvenDiv(mark * moved, whole)
    return { ...leg, priceMicros: price > 0n ? Number(price) : 0 }
  })
}
