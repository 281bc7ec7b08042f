import type { Scenario } from '../../../engine/pricing/scenarios.js'
import { FloorNetting } from '../../../engine/pricing/scenarios.js'
import { MarginModelKind } from '../../../engine/risk/margin-model.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { OrderFlag, Right, Side } from '../../../schemas/domain.js'
import type { World } from './risk-fixture.js'

// The margin models read off risk-and-pricing.md 5 with big integers: nothing kept, nothing shared.
// Factors are those of section 11, as fractions.

/** What a wallet holds, by instrument, kept by the test itself. */
export interface NaiveWallet {
  cashMicros: number
  readonly positions: Map<number, number>
  readonly slots: Set<number>
}

/** An order that works, or would. */
export interface NaiveOrder {
  readonly instrument: number
  readonly side: number
  readonly sizeLots: number
  readonly priceMicros: number
}

export interface NaiveMargin {
  readonly equity: bigint
  readonly positionIm: bigint
  readonly positionMm: bigint
  readonly openOrdersIm: bigint
  readonly premiumReserved: bigint
  readonly scanningRisk: bigint
  readonly optionFloor: bigint
  readonly gammaOverlay: bigint
  readonly counted: number
}

export interface NaiveRequirement {
  im: bigint
  mm: bigint
  scanning: bigint
  floor: bigint
  overlay: bigint
  /** U; under defined risk what is naked. */
  uncovered: number
}

export const contract = BigInt(lotsPerContract)
export const million = 1_000_000n
const overlayMillis = 48 * 3_600_000

export function naiveMargin(world: World, account: number, wallet: NaiveWallet): NaiveMargin {
  const { orders, risk } = world
  const working = workingOf(world, wallet)
  const { positions } = wallet
  const kind = risk.modelKind(account)
  const alone = requirementOf(world, kind, positions, new Map())
  const withSells = requirementOf(world, kind, positions, sellsOf(working))
  const opening = new Set<number>()
  for (const slot of wallet.slots) {
    if ((orders.flags[slot] & OrderFlag.ReduceOnly) === 0) opening.add(orders.instrument[slot])
  }
  for (const [instrument, size] of positions) if (size !== 0) opening.add(instrument)
  return {
    equity: BigInt(wallet.cashMicros) + bookValue(world, positions),
    positionIm: alone.im,
    positionMm: alone.mm,
    openOrdersIm: reservesOf(world, kind, working) + withSells.im - alone.im,
    premiumReserved: premiumOf(world, working),
    scanningRisk: alone.scanning,
    optionFloor: alone.floor,
    gammaOverlay: alone.overlay,
    counted: opening.size,
  }
}

export function workingOf({ orders }: World, wallet: NaiveWallet): NaiveOrder[] {
  return [...wallet.slots].map((slot) => ({
    instrument: orders.instrument[slot],
    side: orders.side[slot],
    sizeLots: orders.openLots[slot],
    priceMicros: orders.priceMicros[slot],
  }))
}

/** Working sells by instrument. */
export function sellsOf(working: readonly NaiveOrder[]): Map<number, number> {
  const sells = new Map<number, number>()
  for (const { instrument, side, sizeLots } of working) {
    if (side === Side.Sell) sells.set(instrument, (sells.get(instrument) ?? 0) + sizeLots)
  }
  return sells
}

/** Section 5.2: premium of the buys, and the most of their fees. */
export function premiumOf(world: World, working: readonly NaiveOrder[]): bigint {
  const buys = working.filter(({ side }) => side === Side.Buy)
  return sumOf(buys, (buy) => {
    const premium = ceil(BigInt(buy.priceMicros) * BigInt(buy.sizeLots), contract)
    return premium + ceil(feeOf(world, buy), contract * million)
  })
}

/** Section 8: the dearer of both rates, in millionths of a micro per lot of a contract, capped. */
export function feeOf({ instruments, marks, options }: World, order: NaiveOrder): bigint {
  const spot = marks.indexMicros[instruments.underlying[order.instrument]]
  const rate = max(0n, max(BigInt(options.fees.maker), BigInt(options.fees.taker)))
  const byIndex = rate * BigInt(Number.isNaN(spot) ? 0 : spot)
  const byPrice = BigInt(options.fees.cap) * BigInt(order.priceMicros)
  return (byIndex < byPrice ? byIndex : byPrice) * BigInt(order.sizeLots)
}

/** Section 5.2: premium, and slippage but under defined risk. */
export function reservesOf(world: World, kind: number, working: readonly NaiveOrder[]): bigint {
  const premium = premiumOf(world, working)
  if (kind === MarginModelKind.DefinedRisk) return premium
  const sells = working.filter(({ side }) => side === Side.Sell)
  const slippage = sumOf(sells, ({ instrument, priceMicros, sizeLots }) => {
    const mark = world.marks.markMicros[instrument]
    if (!(mark > priceMicros)) return 0n
    return ceil((BigInt(mark) - BigInt(priceMicros)) * BigInt(sizeLots), contract)
  })
  return premium + slippage
}

/** Σ m·q, positions without a mark as 0. */
export function bookValue(world: World, positions: ReadonlyMap<number, number>): bigint {
  return sumOf([...positions], ([instrument, size]) => {
    const mark = world.marks.markMicros[instrument]
    return Number.isNaN(mark) ? 0n : halfEven(BigInt(mark) * BigInt(size), contract)
  })
}

/** Sections 5.3 to 5.5: positions, with these sells filled. */
export function requirementOf(
  world: World,
  kind: number,
  positions: ReadonlyMap<number, number>,
  sells: ReadonlyMap<number, number>,
): NaiveRequirement {
  const { instruments } = world
  const sum = { im: 0n, mm: 0n, scanning: 0n, floor: 0n, overlay: 0n, uncovered: 0 }
  const held = [...new Set([...positions.keys(), ...sells.keys()])]
  for (let underlying = 0; underlying < instruments.underlyingNames.length; underlying++) {
    const ids = held.filter((id) => instruments.underlying[id] === underlying)
    const net = new Map(ids.map((id) => [id, (positions.get(id) ?? 0) - (sells.get(id) ?? 0)]))
    if (kind === MarginModelKind.DefinedRisk) {
      const own = new Map(ids.map((id) => [id, positions.get(id) ?? 0]))
      sum.im += bookValue(world, own) + maxLoss(world, net)
      sum.mm = sum.im
      for (const group of expiriesOf(world, net)) sum.uncovered += nakedOf(world, group)
      continue
    }
    const uncovered = uncoveredOf(world, net)
    sum.uncovered += uncovered
    const spot = BigInt(spotOf(world, underlying))
    const short = spot * BigInt(uncovered)
    if (kind === MarginModelKind.Standard) {
      const losses = lossesOf(world, kind, ids, positions, sells)
      sum.im += max(worstOf(losses, 1n, 1n), ceil(short, 10n * contract))
      sum.mm += max(worstOf(losses, 4n, 5n), ceil(short * 3n, 40n * contract))
      continue
    }
    const shorts = [0, 0]
    for (const group of expiriesOf(world, net)) {
      const lots = flooredOf(world, group)
      shorts[0] += lots
      const [first] = group.keys()
      const left = instruments.expiryMillis[first!] - world.risk.ledger.nowMillis
      if (left < overlayMillis) shorts[1] += lots
    }
    sum.scanning += worstOf(lossesOf(world, kind, ids, positions, sells), 1n, 1n)
    sum.floor += ceil(spot * BigInt(shorts[0]) * 15n, 1000n * contract)
    sum.overlay += ceil(spot * BigInt(shorts[1]), 100n * contract)
  }
  if (kind === MarginModelKind.Portfolio) {
    sum.im = max(sum.scanning, sum.floor) + sum.overlay
    sum.mm = ceil(sum.im * 4n, 5n)
  }
  return sum
}

/** E + O of every scenario, in thousandths of a micro: the weight is in it. */
function lossesOf(
  { marks, parameters }: World,
  kind: number,
  ids: readonly number[],
  positions: ReadonlyMap<number, number>,
  sells: ReadonlyMap<number, number>,
): bigint[] {
  const isStandard = kind === MarginModelKind.Standard
  const scenarios: readonly Scenario[] = isStandard
    ? parameters.standardScenarios
    : parameters.portfolioScenarios
  const deltas = isStandard ? marks.standardDeltaMicros : marks.portfolioDeltaMicros
  return scenarios.map(({ weightPermille }, j) => {
    let loss = 0n
    for (const id of ids) {
      if (Number.isNaN(marks.markMicros[id])) continue
      const delta = BigInt(deltas[id * scenarios.length + j])
      loss -= halfEven(delta * BigInt(positions.get(id) ?? 0), contract)
      if (delta > 0n) loss += halfEven(delta * BigInt(sells.get(id) ?? 0), contract)
    }
    return loss * BigInt(weightPermille)
  })
}

function worstOf(losses: readonly bigint[], factor: bigint, divisor: bigint): bigint {
  return losses.map((loss) => ceil(loss * factor, 1000n * divisor)).reduce(max, 0n)
}

/** Nets by expiry, from the latest to the earliest. */
function expiriesOf({ instruments }: World, net: ReadonlyMap<number, number>) {
  const expiries = [...new Set([...net.keys()].map((id) => instruments.expiryMillis[id]))]
  expiries.sort((a, b) => b - a)
  return expiries.map(
    (expiry) => new Map([...net].filter(([id]) => instruments.expiryMillis[id] === expiry)),
  )
}

/** U of section 5.3: per right, longs go into a pool from the latest expiry on, shorts take from it. */
function uncoveredOf(world: World, net: ReadonlyMap<number, number>): number {
  let uncovered = 0
  for (const right of [Right.Call, Right.Put]) {
    let pool = 0
    for (const group of expiriesOf(world, net)) {
      const sizes = sizesOf(world, group, right)
      const shorts = sizes.reduce((sum, size) => sum + Math.max(0, -size), 0)
      pool += sizes.reduce((sum, size) => sum + Math.max(0, size), 0)
      uncovered += Math.max(0, shorts - pool)
      pool = Math.max(0, pool - shorts)
    }
  }
  return uncovered
}

/** N of section 5.4 in one expiry. */
function flooredOf(world: World, group: ReadonlyMap<number, number>): number {
  if (world.parameters.floorNetting === FloorNetting.ExpiryRight) return nakedOf(world, group)
  return [...group.values()].reduce((sum, size) => sum + Math.max(0, -size), 0)
}

/** What an expiry is short on balance, per right. */
function nakedOf(world: World, group: ReadonlyMap<number, number>): number {
  let naked = 0
  for (const right of [Right.Call, Right.Put]) {
    naked += Math.max(0, -sizesOf(world, group, right).reduce((sum, size) => sum + size, 0))
  }
  return naked
}

function sizesOf({ instruments }: World, group: ReadonlyMap<number, number>, right: number) {
  return [...group].filter(([id]) => instruments.right[id] === right).map(([, size]) => size)
}

/** Section 5.5: the worst payoff of each expiry at 0 and at the strikes held. */
function maxLoss(world: World, net: ReadonlyMap<number, number>): bigint {
  const { strikeMicros, right } = world.instruments
  return sumOf(expiriesOf(world, net), (group) => {
    const held = [...group].filter(([, size]) => size !== 0)
    const payoffs = [0, ...held.map(([id]) => strikeMicros[id])].map((x) =>
      sumOf(held, ([id, size]) => {
        const gain = right[id] === Right.Call ? x - strikeMicros[id] : strikeMicros[id] - x
        return BigInt(Math.max(0, gain)) * BigInt(size)
      }),
    )
    return ceil(payoffs.map((payoff) => -payoff).reduce(max, 0n), contract)
  })
}

function spotOf({ marks }: World, underlying: number): number {
  const spot = marks.indexMicros[underlying]
  return Number.isNaN(spot) ? 0 : spot
}

function sumOf<T>(items: readonly T[], amount: (item: T) => bigint): bigint {
  return items.reduce((sum, item) => sum + amount(item), 0n)
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function floor(a: bigint, divisor: bigint): bigint {
  return a % divisor < 0n ? a / divisor - 1n : a / divisor
}

function ceil(a: bigint, divisor: bigint): bigint {
  return -floor(-a, divisor)
}

export function halfEven(a: bigint, divisor: bigint): bigint {
  const down = floor(a, divisor)
  const twice = 2n * (a - down * divisor)
  return twice > divisor || (twice === divisor && down % 2n !== 0n) ? down + 1n : down
}
