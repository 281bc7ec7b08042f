import { PriceBand } from '../../../engine/pricing/price-bands.js'
import { MarginModelKind } from '../../../engine/risk/margin-model.js'
import { Side, Tier } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import {
  bookValue,
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

/** Result of an order's check, with the amounts of the text where margin refuses it. */
export interface NaiveVerdict {
  readonly result: Result | 'naked'
  /** Where the price band refuses it. */
  readonly limits?: readonly [lower: number, upper: number]
  readonly amounts?: {
    readonly required: bigint
    readonly equity: bigint
    readonly shortfall: bigint
    readonly consumedIm: bigint
    readonly incrementalIm: bigint
    readonly consumedMm: bigint
    readonly incrementalMm: bigint
  }
}

/** The checks of an order in their order; `replaced` is a slot of the wallet, or -1. */
export function naiveCheck(
  world: World,
  account: number,
  wallet: NaiveWallet,
  order: NaiveOrder,
  replaced: number,
): NaiveVerdict {
  const { instruments, marks, risk } = world
  const { positions } = wallet
  const kind = risk.modelKind(account)
  const cash = BigInt(wallet.cashMicros)
  const slots = new Set([...wallet.slots].filter((slot) => slot !== replaced))
  const others = workingOf(world, { ...wallet, slots })
  const reduces = reducesRisk(world, kind, positions, order, others)
  if (cash <= 0n && !reduces) return { result: Result.NoFunds }
  const { instrument, side, sizeLots } = order
  const long = Math.max(0, positions.get(instrument) ?? 0)
  const isPerp = instruments.isPerp(instrument)
  const working = lotsOf(others, Side.Sell).get(instrument) ?? 0
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
  const then = requirementOf(world, kind, positions, all)
  const isDefinedRisk = kind === MarginModelKind.DefinedRisk
  if (isDefinedRisk && then.uncovered > 0 && !reduces) return { result: 'naked' }
  if (!reduces) {
    const asksForMark = isPerp || (isBeyond && !isDefinedRisk)
    const isUnpriced = Number.isNaN(marks.markMicros[instrument]) && asksForMark
    if (isUnpriced || lacksMark(world, kind, positions, others)) {
      return { result: Result.NoMarkPrice }
    }
  }
  const equity = equityOf(world, wallet)
  const required = then.im + reservesOf(world, kind, all)
  const now = requirementOf(world, kind, positions, others)
  const consumedIm = now.im + reservesOf(world, kind, others)
  // A perp under portfolio passes below IM when it asks for no more.
  const isPooled = isPerp && kind === MarginModelKind.Portfolio
  const mayPass = isPooled ? required <= consumedIm : reduces
  if (equity >= required || mayPass) return { result: Result.Accepted }
  const consumedMm = requirementOf(world, kind, positions, []).mm
  const filledMm = requirementOf(world, kind, filled(positions, order), []).mm
  const amounts = {
    required,
    equity,
    shortfall: required - equity,
    consumedIm,
    incrementalIm: required - consumedIm,
    consumedMm,
    incrementalMm: filledMm - consumedMm,
  }
  return { result: Result.InsufficientMargin, amounts }
}

/** Price bands. */
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

/** Whether an order reduces risk. */
function reducesRisk(
  world: World,
  kind: number,
  positions: ReadonlyMap<number, number>,
  order: NaiveOrder,
  others: readonly NaiveOrder[],
): boolean {
  const { instrument, side, sizeLots, priceMicros } = order
  const isBuy = side === Side.Buy
  const position = positions.get(instrument) ?? 0
  const beside = others.filter((one) => one.instrument === instrument && one.side === side)
  const lots = beside.reduce((sum, one) => sum + one.sizeLots, sizeLots)
  if (lots > (isBuy ? -position : position)) return false
  const before = requirementOf(world, kind, positions, [])
  const after = requirementOf(world, kind, filled(positions, order), [])
  if (after.im > before.im || after.uncovered > before.uncovered) return false
  const premium = halfEven(BigInt(priceMicros) * BigInt(sizeLots), contract)
  const fee = halfEven(feeOf(world, order), contract * million)
  let gained = (isBuy ? -premium : premium) - fee
  if (!Number.isNaN(world.marks.markMicros[instrument])) {
    gained += bookValue(world, filled(positions, order)) - bookValue(world, positions)
  } else if (kind !== MarginModelKind.DefinedRisk || world.instruments.isPerp(instrument)) {
    gained = 0n // Nobody can price what is closed: it counts as worth its limit.
  }
  return gained >= after.mm - before.mm
}

function filled(positions: ReadonlyMap<number, number>, order: NaiveOrder): Map<number, number> {
  const { instrument, side, sizeLots } = order
  const lots = (positions.get(instrument) ?? 0) + (side === Side.Buy ? sizeLots : -sizeLots)
  return new Map([...positions, [instrument, lots]])
}

/**
 * Whether the wallet is short of something without a mark, or would be with its sells filled, or has anything to do
 * with a perp without one. Under `defined_risk` only perps need one.
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
