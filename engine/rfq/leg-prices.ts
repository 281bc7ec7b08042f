import { Side } from '../../schemas/domain.js'
import { contractScale, exactPremium, type PricedLeg } from '../../schemas/net-premium.js'
import { halfEvenDiv } from '../risk/exact-share.js'
import { premiumMicros } from '../risk/money.js'

/** Price of one leg, and the cash paid for all of it. */
export interface LegPrice {
  readonly priceMicros: number
  readonly cashMicros: number
}

/**
 * Computes the cash of each leg at its price, half-even to micros, such that exactly the net premium changes hands. The
 * difference is added to the leg with the largest cash, the first of equals. If that leg's cash became negative, the
 * rest goes to the first leg of the other side. If all legs are on one side, it reduces the cash of the first legs.
 * @param netMicros its sign must be possible with the sides of the legs.
 */
export function settleLegs(legs: readonly PricedLeg[], netMicros: number): LegPrice[] {
  const cash = legs.map(({ priceMicros, sizeLots }) => premiumMicros(priceMicros, sizeLots))
  let sum = 0
  for (const [index, { side }] of legs.entries()) {
    sum += side === Side.Buy ? -cash[index] : cash[index]
  }
  const largest = cash.indexOf(Math.max(...cash))
  const { side } = legs[largest]
  const difference = netMicros - sum
  cash[largest] += side === Side.Buy ? -difference : difference
  if (cash[largest] < 0) {
    const excess = -cash[largest]
    cash[largest] = 0
    const other = legs.findIndex((leg) => leg.side !== side)
    if (other < 0) reduceFirst(cash, excess)
    else cash[other] += excess
  }
  return legs.map(({ priceMicros }, index) => ({ priceMicros, cashMicros: cash[index] + 0 }))
}

/** Reduces the cash of the first legs, none below 0. */
function reduceFirst(cash: number[], micros: number): void {
  let left = micros
  for (let leg = 0; left > 0 && leg < cash.length; leg++) {
    const taken = Math.min(left, cash[leg])
    cash[leg] -= taken
    left -= taken
  }
}

/**
 * Prices the legs if only the net premium is known. Each mark moves by the leg's share of the difference between the
 * net premium and the marks. The share is the leg's part of the value of all legs. Prices are half-even to micros, and
 * not below 0. If all legs are worth nothing, their prices are 0.
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
