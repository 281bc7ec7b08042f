import { lotsPerContract } from '../../../schemas/bounds.js'
import { OrderFlag, Right, Side } from '../../../schemas/domain.js'
import type { World } from './risk-fixture.js'

/** What a wallet holds, by instrument, kept by the test itself. */
export interface NaiveWallet {
  cashMicros: number
  readonly positions: Map<number, number>
  readonly slots: Set<number>
}

export interface NaiveMargin {
  readonly equity: bigint
  readonly positionIm: bigint
  readonly positionMm: bigint
  readonly openOrdersIm: bigint
  readonly premiumReserved: bigint
  readonly counted: number
}

const contract = BigInt(lotsPerContract)

/**
 * The standard model read off the specification with big integers: nothing kept, nothing shared.
 * Factors are those of section 11, as fractions.
 */
export function naiveStandard(world: World, wallet: NaiveWallet): NaiveMargin {
  const { instruments, marks, orders } = world
  const sells = new Map<number, number>()
  const opening = new Set<number>()
  let premium = 0n
  let slippage = 0n
  for (const slot of wallet.slots) {
    const instrument = orders.instrument[slot]
    const price = BigInt(orders.priceMicros[slot])
    const open = BigInt(orders.openLots[slot])
    if ((orders.flags[slot] & OrderFlag.ReduceOnly) === 0) opening.add(instrument)
    if (orders.side[slot] === Side.Buy) {
      premium += ceil(price * open, contract)
      continue
    }
    sells.set(instrument, (sells.get(instrument) ?? 0) + orders.openLots[slot])
    const mark = marks.markMicros[instrument]
    if (mark > orders.priceMicros[slot]) slippage += ceil((BigInt(mark) - price) * open, contract)
  }
  let value = 0n
  for (const [instrument, size] of wallet.positions) {
    if (size !== 0) opening.add(instrument)
    const mark = marks.markMicros[instrument]
    if (!Number.isNaN(mark)) value += halfEven(BigInt(mark) * BigInt(size), contract)
  }
  const held = [...new Set([...wallet.positions.keys(), ...sells.keys()])]
  let im = 0n
  let mm = 0n
  let imWithSells = 0n
  for (let underlying = 0; underlying < instruments.underlyingNames.length; underlying++) {
    const ids = held.filter((id) => instruments.underlying[id] === underlying)
    im += requirement(world, wallet, sells, ids, underlying, false, 1n, 1n, 1n, 10n)
    mm += requirement(world, wallet, sells, ids, underlying, false, 4n, 5n, 3n, 40n)
    imWithSells += requirement(world, wallet, sells, ids, underlying, true, 1n, 1n, 1n, 10n)
  }
  return {
    equity: BigInt(wallet.cashMicros) + value,
    positionIm: im,
    positionMm: mm,
    openOrdersIm: premium + slippage + imWithSells - im,
    premiumReserved: premium,
    counted: opening.size,
  }
}

function requirement(
  world: World,
  wallet: NaiveWallet,
  sells: ReadonlyMap<number, number>,
  ids: readonly number[],
  underlying: number,
  withSells: boolean,
  factor: bigint,
  factorDivisor: bigint,
  minimum: bigint,
  minimumDivisor: bigint,
): bigint {
  const { marks, parameters } = world
  const scenarios = parameters.standardScenarios
  let worst = 0n
  for (const [j, scenario] of scenarios.entries()) {
    let loss = 0n
    for (const id of ids) {
      if (Number.isNaN(marks.markMicros[id])) continue
      const delta = BigInt(marks.standardDeltaMicros[id * scenarios.length + j])
      loss -= halfEven(delta * BigInt(wallet.positions.get(id) ?? 0), contract)
      if (withSells && delta > 0n) loss += halfEven(delta * BigInt(sells.get(id) ?? 0), contract)
    }
    const weighted = ceil(loss * BigInt(scenario.weightPermille) * factor, 1000n * factorDivisor)
    if (weighted > worst) worst = weighted
  }
  const spot = marks.indexMicros[underlying]
  if (Number.isNaN(spot)) return worst
  const uncovered =
    uncoveredOf(world, wallet, sells, ids, withSells, Right.Call) +
    uncoveredOf(world, wallet, sells, ids, withSells, Right.Put)
  const short = ceil(BigInt(spot) * BigInt(uncovered) * minimum, contract * minimumDivisor)
  return short > worst ? short : worst
}

function uncoveredOf(
  world: World,
  wallet: NaiveWallet,
  sells: ReadonlyMap<number, number>,
  ids: readonly number[],
  withSells: boolean,
  right: number,
): number {
  const { instruments } = world
  const rights = ids.filter((id) => instruments.right[id] === right)
  const expiries = [...new Set(rights.map((id) => instruments.expiryMillis[id]))]
  expiries.sort((a, b) => b - a)
  let pool = 0
  let uncovered = 0
  for (const expiry of expiries) {
    let shorts = 0
    for (const id of rights.filter((one) => instruments.expiryMillis[one] === expiry)) {
      const net = (wallet.positions.get(id) ?? 0) - (withSells ? (sells.get(id) ?? 0) : 0)
      if (net > 0) pool += net
      else shorts -= net
    }
    uncovered += Math.max(0, shorts - pool)
    pool = Math.max(0, pool - shorts)
  }
  return uncovered
}

function floor(a: bigint, divisor: bigint): bigint {
  return a % divisor < 0n ? a / divisor - 1n : a / divisor
}

function ceil(a: bigint, divisor: bigint): bigint {
  return -floor(-a, divisor)
}

function halfEven(a: bigint, divisor: bigint): bigint {
  const down = floor(a, divisor)
  const twice = 2n * (a - down * divisor)
  return twice > divisor || (twice === divisor && down % 2n !== 0n) ? down + 1n : down
}
