import { PriceBand } from '../../../engine/pricing/price-bands.js'
import { MarginModelKind, Side, Tier } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import {
  contract,
  equityOf,
  feeOf,
  halfEven,
  lotsOf,
  million,
  type NaiveOrder,
  type NaiveWallet,
  premiumOf,
  requirementOf,
  reservesOf,
  workingOf,
} from './naive-margin.js'
import type { World } from './risk-fixture.js'

/** Result of an order's check, with the amounts of a margin rejection. */
export interface NaiveVerdict {
  readonly result: Result | 'naked'
  /** True if an accepted order was risk-reducing. */
  readonly reducesRisk?: boolean
  /** Limits of the price band, if it rejected the order. */
  readonly limits?: readonly [lower: number, upper: number]
  readonly amounts?: {
    readonly required: bigint
    readonly equity: bigint
    readonly shortfall: bigint
    readonly consumed_im: bigint
    readonly incremental_im: bigint
    readonly consumed_mm: bigint
    readonly incremental_mm: bigint
  }
}

/** Runs the checks of an order in their sequence; `replaced` is a slot of the wallet, or -1. */
export function naiveCheck(
  world: World,
  account: number,
  wallet: NaiveWallet,
  order: NaiveOrder,
  replaced: number,
): NaiveVerdict {
  const { instruments, marks, risk } = world
  const { positions } = wallet
  const kind = risk.modelKind[account]
  const cash = BigInt(wallet.cashMicros)
  const slots = new Set([...wallet.slots].filter((slot) => slot !== replaced))
  const others = workingOf(world, { ...wallet, slots })
  const riskReducing = workingOf(world, { ...wallet, slots }, true)
  const reduces =
    riskReducing.length < 3 && reducesRisk(world, kind, wallet, order, others, riskReducing)
  if (cash <= 0n && !reduces) return { result: Result.NoFunds }
  const { instrument, side, sizeLots } = order
  const long = Math.max(0, positions.get(instrument) ?? 0)
  const isPerp = instruments.isPerp(instrument)
  const working = lotsOf([...others, ...riskReducing], Side.Sell).get(instrument) ?? 0
  const isBeyond = side === Side.Sell && sizeLots > long - working
  if (risk.tier[account] === Tier.Tier1 && isBeyond) return { result: Result.TierLongOnly }
  const held = [...positions].filter(([, size]) => size !== 0).map(([id]) => id)
  const needed = [instrument, ...held].map((id) => instruments.underlying[id])
  if (needed.some((underlying) => Number.isNaN(marks.indexMicros[underlying]))) {
    return { result: Result.NoSpotPrice }
  }
  const banded = outsideBand(world, order, reduces)
  if (banded !== null) return banded
  const all = [...others, order]
  const asksForCash = side === Side.Buy && kind !== MarginModelKind.Portfolio
  if (asksForCash && cash < premiumOf(world, all) && !reduces)
    return { result: Result.InsufficientCash }
  const states = statesOf(world, wallet, riskReducing)
  const then = states.map((state) => slacksOf(world, kind, state, all))
  const isDefinedRisk = kind === MarginModelKind.DefinedRisk
  const isNaked = isDefinedRisk && then.some(({ uncovered }) => uncovered > 0)
  if (isNaked && !reduces) return { result: 'naked' }
  const weighed = { world, kind, wallet, order, others, states }
  const isBare = lacksOwnMark(weighed, working)
  if (isBare && !reduces) return { result: Result.NoMarkPrice }
  const slack = worstOf(then).im
  if (slack >= 0n && !isNaked && !isBare) return { result: Result.Accepted, reducesRisk: false }
  // A perp under portfolio passes below initial margin only if it also adds no requirement.
  const isPooled = isPerp && kind === MarginModelKind.Portfolio
  const asksMore = slacksOf(world, kind, wallet, all).im < slacksOf(world, kind, wallet, others).im
  if (reduces && !(isPooled && asksMore)) return { result: Result.Accepted, reducesRisk: true }
  return { result: Result.InsufficientMargin, amounts: amountsOf(weighed, slack) }
}

/** Order with its context. */
interface Weighed {
  readonly world: World
  readonly kind: number
  readonly wallet: NaiveWallet
  readonly order: NaiveOrder
  /** Working orders of the wallet that are not risk-reducing. */
  readonly others: readonly NaiveOrder[]
  /** The wallet with each subset of its risk-reducing orders filled. */
  readonly states: readonly NaiveWallet[]
}

/** Returns true if one of the states lacks a mark that the order, or its positions, need. */
function lacksOwnMark({ world, kind, order, others, states }: Weighed, working: number): boolean {
  const { instrument, side, sizeLots } = order
  const isUnmarked = Number.isNaN(world.marks.markMicros[instrument])
  const isPerp = world.instruments.isPerp(instrument)
  return states.some((state) => {
    const heldThen = Math.max(0, state.positions.get(instrument) ?? 0)
    const opens = side === Side.Sell && sizeLots > heldThen - working
    const asksForMark = isPerp || (opens && kind !== MarginModelKind.DefinedRisk)
    return (isUnmarked && asksForMark) || lacksMark(world, kind, state.positions, others)
  })
}

/**
 * Returns the amounts of a rejection.
 * @param slack worst equity left with the order
 */
function amountsOf(
  { world, kind, wallet, order, others, states }: Weighed,
  slack: bigint,
): NonNullable<NaiveVerdict['amounts']> {
  const equity = equityOf(world, wallet)
  const required = equity - slack
  const consumedIm =
    equity - worstOf(states.map((state) => slacksOf(world, kind, state, others))).im
  const consumedMm = requirementOf(world, kind, wallet.positions, []).mm
  const filledMm = requirementOf(world, kind, filled(wallet.positions, order), []).mm
  return {
    required,
    equity,
    shortfall: required - equity,
    consumed_im: consumedIm,
    incremental_im: required - consumedIm,
    consumed_mm: consumedMm,
    incremental_mm: filledMm - consumedMm,
  }
}

/** Checks price bands. */
function outsideBand(world: World, order: NaiveOrder, reduces: boolean): NaiveVerdict | null {
  const { bands } = world.options
  if (!bands.enabled || world.instruments.isPerp(order.instrument)) return null
  const band = new PriceBand()
  const isMarked = world.marks.bandOf(order.instrument, bands, band)
  if (!isMarked) return reduces ? null : { result: Result.NoMarkPrice }
  const far = reduces ? 2 : 1
  const lower = Math.max(0, band.markMicros - far * (band.markMicros - band.lowerMicros))
  const upper = band.markMicros + far * (band.upperMicros - band.markMicros)
  const { side, priceMicros } = order
  const isInside = side === Side.Buy ? priceMicros <= upper : priceMicros >= lower
  return isInside ? null : { result: Result.OutsidePriceBand, limits: [lower, upper] }
}

/** Minimum, over all subsets of fills of these orders, of the equity left. */
interface NaiveSlacks {
  readonly im: bigint
  readonly mm: bigint
  readonly free: bigint
}

function slacksOf(world: World, kind: number, wallet: NaiveWallet, working: readonly NaiveOrder[]) {
  const { im, mm, uncovered } = requirementOf(world, kind, wallet.positions, working)
  const equity = equityOf(world, wallet)
  const left = equity - reservesOf(world, kind, working)
  const free = equity - reservesOf(world, MarginModelKind.Standard, working)
  return { im: left - im, mm: left - mm, free, uncovered, equity }
}

function worstOf(all: readonly NaiveSlacks[]): NaiveSlacks {
  return all.reduce((one, other) => ({
    im: least(one.im, other.im),
    mm: least(one.mm, other.mm),
    free: least(one.free, other.free),
  }))
}

/** Returns the wallet with each subset of these orders filled at their limits, with fees at the higher rate. */
function statesOf(world: World, wallet: NaiveWallet, orders: readonly NaiveOrder[]): NaiveWallet[] {
  let states = [wallet]
  for (const order of orders) {
    states = states.concat(states.map((state) => afterFill(world, state, order)))
  }
  return states
}

function afterFill(world: World, wallet: NaiveWallet, order: NaiveOrder): NaiveWallet {
  const { instrument, side } = order
  const cost = fillCost(world, order)
  const isPerp = world.instruments.isPerp(instrument)
  const paid = side === Side.Buy ? cost.premium : -cost.premium
  const perpCosts = new Map(wallet.perpCosts)
  if (isPerp) perpCosts.set(instrument, (perpCosts.get(instrument) ?? 0) + paid)
  return {
    cashMicros: wallet.cashMicros - cost.fee - (isPerp ? 0 : paid),
    positions: filled(wallet.positions, order),
    perpCosts,
    slots: wallet.slots,
  }
}

function fillCost(world: World, order: NaiveOrder): { premium: number; fee: number } {
  const premium = halfEven(BigInt(order.priceMicros) * BigInt(order.sizeLots), contract)
  const fee = halfEven(feeOf(world, order), contract * million)
  return { premium: Number(premium), fee: Number(fee) }
}

/** Returns true if an order may pass below initial margin, apart from the limit on their number. */
function reducesRisk(
  world: World,
  kind: number,
  wallet: NaiveWallet,
  order: NaiveOrder,
  others: readonly NaiveOrder[],
  riskReducing: readonly NaiveOrder[],
): boolean {
  const { instrument, side, sizeLots } = order
  const position = wallet.positions.get(instrument) ?? 0
  const working = [...others, ...riskReducing].filter(
    (one) => one.instrument === instrument && one.side === side,
  )
  const lots = working.reduce((sum, one) => sum + one.sizeLots, sizeLots)
  if (lots > (side === Side.Buy ? -position : position)) return false
  const states = statesOf(world, wallet, riskReducing)
  const before = states.map((state) => slacksOf(world, kind, state, others))
  const then = states.map((state) => afterFill(world, state, order))
  const after = then.map((state) => slacksOf(world, kind, state, others))
  if (after.some(({ uncovered }, i) => uncovered > before[i]!.uncovered)) return false
  const [worst, worstThen] = [worstOf(before), worstOf(after)]
  const names = ['im', 'mm', 'free'] as const
  if (names.some((name) => worstThen[name] < least(0n, worst[name]))) return false
  if (worst.mm < 0n) {
    const required = states.map((state) => requirementOf(world, kind, state.positions, []).mm)
    const requiredThen = then.map((state) => requirementOf(world, kind, state.positions, []).mm)
    const sinks = after.some(
      ({ equity }, i) => equity * required[i]! < before[i]!.equity * requiredThen[i]!,
    )
    if (sinks) return false
  }
  const isMeasured = kind !== MarginModelKind.DefinedRisk || world.instruments.isPerp(instrument)
  if (!isMeasured || !Number.isNaN(world.marks.markMicros[instrument])) return true
  const reserved = reservesOf(world, kind, others) + costOfBuys(world, [...riskReducing, order])
  return BigInt(wallet.cashMicros) >= reserved
}

/** Returns the cost of the option buys among these orders, with the last one rounded up to the next micro. */
function costOfBuys(world: World, orders: readonly NaiveOrder[]): bigint {
  let sum = 0n
  for (const [i, order] of orders.entries()) {
    if (order.side !== Side.Buy || world.instruments.isPerp(order.instrument)) continue
    const exact = BigInt(order.priceMicros) * BigInt(order.sizeLots)
    const { premium, fee } = fillCost(world, order)
    const isUp = i === orders.length - 1 && BigInt(premium) * contract < exact
    sum += BigInt(premium + fee) + (isUp ? 1n : 0n)
  }
  return sum
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

function filled(positions: ReadonlyMap<number, number>, order: NaiveOrder): Map<number, number> {
  const { instrument, side, sizeLots } = order
  const lots = (positions.get(instrument) ?? 0) + (side === Side.Buy ? sizeLots : -sizeLots)
  return new Map([...positions, [instrument, lots]])
}

/**
 * Returns true if the wallet is short an instrument without a mark, would be with its sells filled, or has a position
 * or order in a perp without one. Under `defined_risk` only perps need a mark.
 */
function lacksMark(
  { instruments, marks }: World,
  kind: number,
  positions: ReadonlyMap<number, number>,
  working: readonly NaiveOrder[],
): boolean {
  const sells = lotsOf(working, Side.Sell)
  const orders = working.map(({ instrument }) => instrument)
  const held = [...positions.keys()].filter((id) => positions.get(id) !== 0)
  return [...held, ...orders].some((id) => {
    const lots = (positions.get(id) ?? 0) - (sells.get(id) ?? 0)
    const isShort = lots < 0 && kind !== MarginModelKind.DefinedRisk
    return (isShort || instruments.isPerp(id)) && Number.isNaN(marks.markMicros[id])
  })
}
