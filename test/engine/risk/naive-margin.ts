import type { Scenario } from '../../../engine/pricing/scenarios.js'
import { FloorNetting } from '../../../engine/pricing/scenarios.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { MarginModelKind, OrderFlag, Right, Side } from '../../../schemas/domain.js'
import type { World } from './risk-fixture.js'

// Margin models computed from their formulas with big integers: nothing kept, nothing shared. Factors are the
// configuration's defaults, as fractions.

/** Wallet's holdings by instrument, kept by the test itself. */
export interface NaiveWallet {
  cashMicros: number
  readonly positions: Map<number, number>
  /** Entry cost of the perp positions, with their sign. */
  readonly perpCosts: Map<number, number>
  readonly slots: Set<number>
}

/** Working order, or a possible one. */
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
  readonly perpIm: bigint
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
  /** Part of `im` due to perps. */
  perpIm: bigint
  /** U; under defined risk the naked lots. */
  uncovered: number
}

export const contract = BigInt(lotsPerContract)
export const million = 1_000_000n
const overlayMillis = 48 * 3_600_000

export function naiveMargin(world: World, account: number, wallet: NaiveWallet): NaiveMargin {
  const { orders, risk } = world
  const working = workingOf(world, wallet)
  const { positions } = wallet
  const kind = risk.modelKind[account]
  const alone = requirementOf(world, kind, positions, [])
  const withOrders = requirementOf(world, kind, positions, working)
  const opening = new Set<number>()
  for (const slot of wallet.slots) {
    if ((orders.flags[slot] & OrderFlag.ReduceOnly) === 0) opening.add(orders.instrument[slot])
  }
  for (const [instrument, size] of positions) if (size !== 0) opening.add(instrument)
  return {
    equity: equityOf(world, wallet),
    positionIm: alone.im,
    positionMm: alone.mm,
    openOrdersIm: reservesOf(world, kind, working) + withOrders.im - alone.im,
    perpIm: alone.perpIm,
    premiumReserved: premiumOf(world, working),
    scanningRisk: alone.scanning,
    optionFloor: alone.floor,
    gammaOverlay: alone.overlay,
    counted: opening.size,
  }
}

/** Returns the wallet's working orders, either without the risk-reducing ones or only those. */
export function workingOf(
  { orders }: World,
  wallet: NaiveWallet,
  riskReducing = false,
): NaiveOrder[] {
  const slots = [...wallet.slots].filter(
    (slot) => ((orders.flags[slot] & OrderFlag.Exempt) !== 0) === riskReducing,
  )
  return slots.map((slot) => ({
    instrument: orders.instrument[slot],
    side: orders.side[slot],
    sizeLots: orders.openLots[slot],
    priceMicros: orders.priceMicros[slot],
  }))
}

/** Returns the working lots of a side, by instrument. */
export function lotsOf(working: readonly NaiveOrder[], wanted: number): Map<number, number> {
  const sizes = new Map<number, number>()
  for (const { instrument, side, sizeLots } of working) {
    if (side === wanted) sizes.set(instrument, (sizes.get(instrument) ?? 0) + sizeLots)
  }
  return sizes
}

/** Returns equity; a perp without a mark counts as having gained nothing. */
export function equityOf(world: World, { cashMicros, positions, perpCosts }: NaiveWallet): bigint {
  const priced = [...perpCosts].filter(([id]) => !Number.isNaN(world.marks.markMicros[id]))
  const entered = sumOf(priced, ([, cost]) => BigInt(cost))
  return BigInt(cashMicros) + bookValue(world, positions) - entered
}

/** Returns the premium of the option buys, and their maximum fees. */
export function premiumOf(world: World, working: readonly NaiveOrder[]): bigint {
  const { instruments } = world
  const buys = working.filter(
    ({ instrument, side }) => side === Side.Buy && !instruments.isPerp(instrument),
  )
  return sumOf(buys, (buy) => {
    const premium = ceil(BigInt(buy.priceMicros) * BigInt(buy.sizeLots), contract)
    return premium + ceil(feeOf(world, buy), contract * million)
  })
}

/** Returns the higher rate's fee, in millionths of a micro per lot of a contract, capped. */
export function feeOf({ instruments, marks, options }: World, order: NaiveOrder): bigint {
  if (instruments.isPerp(order.instrument)) {
    const rate = BigInt(Math.max(options.fees.perpMaker, options.fees.perpTaker))
    return rate * BigInt(order.priceMicros) * BigInt(order.sizeLots)
  }
  const spot = marks.indexMicros[instruments.underlying[order.instrument]]
  const rate = max(0n, max(BigInt(options.fees.maker), BigInt(options.fees.taker)))
  const byIndex = rate * BigInt(Number.isNaN(spot) ? 0 : spot)
  const byPrice = BigInt(options.fees.cap) * BigInt(order.priceMicros)
  return (byIndex < byPrice ? byIndex : byPrice) * BigInt(order.sizeLots)
}

/** Returns premium and slippage. Among options only sells have slippage, and none under defined risk. */
export function reservesOf(world: World, kind: number, working: readonly NaiveOrder[]): bigint {
  const premium = premiumOf(world, working)
  const slipping = working.filter(({ instrument, side }) => {
    if (world.instruments.isPerp(instrument)) return true
    return side === Side.Sell && kind !== MarginModelKind.DefinedRisk
  })
  const slippage = sumOf(slipping, ({ instrument, side, priceMicros, sizeLots }) => {
    const mark = world.marks.markMicros[instrument]
    if (Number.isNaN(mark)) return 0n
    const given = side === Side.Sell ? mark - priceMicros : priceMicros - mark
    return ceil(BigInt(Math.max(0, given)) * BigInt(sizeLots), contract)
  })
  return premium + slippage
}

/** Returns Σ m·q, with positions without a mark as 0. */
export function bookValue(world: World, positions: ReadonlyMap<number, number>): bigint {
  return sumOf([...positions], ([instrument, size]) => {
    const mark = world.marks.markMicros[instrument]
    return Number.isNaN(mark) ? 0n : halfEven(BigInt(mark) * BigInt(size), contract)
  })
}

/** Returns the requirement of the positions with these sells filled, and with perp buys separately. */
export function requirementOf(
  world: World,
  kind: number,
  positions: ReadonlyMap<number, number>,
  working: readonly NaiveOrder[],
): NaiveRequirement {
  const { instruments } = world
  const sum = { im: 0n, mm: 0n, scanning: 0n, floor: 0n, overlay: 0n, perpIm: 0n, uncovered: 0 }
  const sells = lotsOf(working, Side.Sell)
  const all = [...new Set([...positions.keys(), ...working.map(({ instrument }) => instrument)])]
  const held = all.filter((id) => !instruments.isPerp(id))
  for (let underlying = 0; underlying < instruments.underlyingNames.length; underlying++) {
    const ids = held.filter((id) => instruments.underlying[id] === underlying)
    const net = new Map(ids.map((id) => [id, (positions.get(id) ?? 0) - (sells.get(id) ?? 0)]))
    if (kind === MarginModelKind.DefinedRisk) {
      const own = new Map(ids.map((id) => [id, positions.get(id) ?? 0]))
      addDefinedRisk(world, own, net, sum)
      continue
    }
    const uncovered = uncoveredOf(world, net)
    sum.uncovered += uncovered
    const spot = BigInt(spotOf(world, underlying))
    const short = spot * BigInt(uncovered)
    if (kind === MarginModelKind.Standard) {
      const losses = lossesOf(world, kind, ids, positions, working)
      sum.im += max(worstOf(losses, 1n, 1n), ceil(short, 10n * contract))
      sum.mm += max(worstOf(losses, 4n, 5n), ceil(short * 3n, 40n * contract))
      continue
    }
    const shorts = [0, 0]
    for (const group of expiriesOf(world, net)) {
      const lots = flooredOf(world, group)
      shorts[0] += lots
      const [first] = group.keys()
      const left = instruments.expiryMillis[first!] - world.risk.nowMillis
      if (left < overlayMillis) shorts[1] += lots
    }
    const withPerps = all.filter((id) => instruments.underlying[id] === underlying)
    sum.scanning += worstOf(lossesOf(world, kind, withPerps, positions, working), 1n, 1n)
    sum.floor += ceil(spot * BigInt(shorts[0]) * 15n, 1000n * contract)
    sum.overlay += ceil(spot * BigInt(shorts[1]), 100n * contract)
  }
  if (kind === MarginModelKind.Portfolio) {
    sum.im = max(sum.scanning, sum.floor) + sum.overlay
    sum.mm = ceil(sum.im * 4n, 5n)
    return sum
  }
  for (const id of all.filter((one) => instruments.isPerp(one))) {
    const notional = perpNotional(world, positions.get(id) ?? 0, working, id)
    sum.perpIm += ceil(notional, 10n * contract)
    sum.mm += ceil(notional, 20n * contract)
  }
  sum.im += sum.perpIm
  return sum
}

/** Adds the covered part by its worst payoff, and `standard` margin of the uncovered shorts as if they were the whole book. */
function addDefinedRisk(
  world: World,
  own: ReadonlyMap<number, number>,
  net: ReadonlyMap<number, number>,
  sum: NaiveRequirement,
): void {
  const { strikeMicros, right } = world.instruments
  const naked = new Map<number, number>()
  for (const group of expiriesOf(world, net)) {
    for (const wanted of [Right.Call, Right.Put]) {
      const ids = [...group.keys()].filter((id) => right[id] === wanted)
      // The furthest out of the money first.
      const sign = wanted === Right.Call ? -1 : 1
      ids.sort((a, b) => sign * (strikeMicros[a] - strikeMicros[b]) || b - a)
      let left = -ids.reduce((lots, id) => lots + net.get(id)!, 0)
      for (const id of ids) {
        const lots = Math.min(Math.max(0, left), Math.max(0, -net.get(id)!))
        if (lots > 0) naked.set(id, -lots)
        left -= lots
      }
    }
  }
  const covered = new Map([...net].map(([id, lots]) => [id, lots - (naked.get(id) ?? 0)]))
  const alone = requirementOf(world, MarginModelKind.Standard, naked, [])
  const micros = bookValue(world, own) - bookValue(world, naked) + maxLoss(world, covered)
  sum.im += micros + alone.im
  sum.mm += micros + alone.mm
  for (const lots of naked.values()) sum.uncovered -= lots
}

/** Returns mark × the larger side that a position could reach. */
function perpNotional(
  { marks }: World,
  position: number,
  working: readonly NaiveOrder[],
  id: number,
): bigint {
  const mark = marks.markMicros[id]
  if (Number.isNaN(mark)) return 0n
  const long = position + (lotsOf(working, Side.Buy).get(id) ?? 0)
  const short = position - (lotsOf(working, Side.Sell).get(id) ?? 0)
  const lots = Math.max(Math.abs(position), Math.abs(long), Math.abs(short))
  return BigInt(mark) * BigInt(lots)
}

/** Returns E + O of every scenario, in thousandths of a micro, including the weight. */
function lossesOf(
  { instruments, marks, parameters }: World,
  kind: number,
  ids: readonly number[],
  positions: ReadonlyMap<number, number>,
  working: readonly NaiveOrder[],
): bigint[] {
  const [buys, sells] = [lotsOf(working, Side.Buy), lotsOf(working, Side.Sell)]
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
      else if (instruments.isPerp(id))
        loss += halfEven(-delta * BigInt(buys.get(id) ?? 0), contract)
    }
    return loss * BigInt(weightPermille)
  })
}

function worstOf(losses: readonly bigint[], factor: bigint, divisor: bigint): bigint {
  return losses.map((loss) => ceil(loss * factor, 1000n * divisor)).reduce(max, 0n)
}

/** Returns the net positions by expiry, from the latest to the earliest. */
function expiriesOf({ instruments }: World, net: ReadonlyMap<number, number>) {
  const expiries = [...new Set([...net.keys()].map((id) => instruments.expiryMillis[id]))]
  expiries.sort((a, b) => b - a)
  return expiries.map(
    (expiry) => new Map([...net].filter(([id]) => instruments.expiryMillis[id] === expiry)),
  )
}

/** Returns uncovered shorts: for each right, longs enter a pool from the latest expiry on, and shorts take from it. */
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

/** Returns the shorts that the option floor counts in one expiry. */
function flooredOf(world: World, group: ReadonlyMap<number, number>): number {
  if (world.parameters.floorNetting === FloorNetting.ExpiryRight) return nakedOf(world, group)
  return [...group.values()].reduce((sum, size) => sum + Math.max(0, -size), 0)
}

/** Returns the net short of an expiry, per right. */
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

/** Returns the worst payoff of each expiry at 0 and at the held strikes. */
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
