import { PriceBand } from '../../../engine/pricing/price-bands.js'
import { MarginModelKind } from '../../../engine/risk/margin-model.js'
import { Side, Tier } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import {
  bookValue,
  contract,
  feeOf,
  halfEven,
  million,
  type NaiveOrder,
  type NaiveWallet,
  premiumOf,
  requirementOf,
  reservesOf,
  sellsOf,
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

/** The checks of risk-and-pricing.md 5.7 in their order; `replaced` is a slot of the wallet, or -1. */
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
  const isBeyond = side === Side.Sell && sizeLots > long - (sellsOf(others).get(instrument) ?? 0)
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
  const then = requirementOf(world, kind, positions, sellsOf(all))
  if (kind === MarginModelKind.DefinedRisk) {
    if (then.uncovered > 0 && !reduces) return { result: 'naked' }
  } else if (!reduces) {
    const isUnpriced = Number.isNaN(marks.markMicros[instrument]) && isBeyond
    if (isUnpriced || lacksMark(world, positions, sellsOf(others))) {
      return { result: Result.NoMarkPrice }
    }
  }
  const equity = cash + bookValue(world, positions)
  const required = then.im + reservesOf(world, kind, all)
  if (equity >= required || reduces) return { result: Result.Accepted }
  const now = requirementOf(world, kind, positions, sellsOf(others))
  const consumedIm = now.im + reservesOf(world, kind, others)
  const consumedMm = requirementOf(world, kind, positions, new Map()).mm
  const filledMm = requirementOf(world, kind, filled(positions, order), new Map()).mm
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

/** Section 9. */
function outsideBand(world: World, order: NaiveOrder, reduces: boolean): NaiveVerdict | null {
  const { bands } = world.options
  if (!bands.enabled) return null
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

/** "Risk-reducing" of section 5.7. */
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
  const before = requirementOf(world, kind, positions, new Map())
  const after = requirementOf(world, kind, filled(positions, order), new Map())
  if (after.im > before.im || after.uncovered > before.uncovered) return false
  const premium = halfEven(BigInt(priceMicros) * BigInt(sizeLots), contract)
  const fee = halfEven(feeOf(world, order), contract * million)
  let gained = (isBuy ? -premium : premium) - fee
  if (!Number.isNaN(world.marks.markMicros[instrument])) {
    gained += bookValue(world, filled(positions, order)) - bookValue(world, positions)
  } else if (kind !== MarginModelKind.DefinedRisk) {
    gained = 0n // Nobody can price what is closed: it counts as worth its limit.
  }
  return gained >= after.mm - before.mm
}

function filled(positions: ReadonlyMap<number, number>, order: NaiveOrder): Map<number, number> {
  const { instrument, side, sizeLots } = order
  const lots = (positions.get(instrument) ?? 0) + (side === Side.Buy ? sizeLots : -sizeLots)
  return new Map([...positions, [instrument, lots]])
}

/** Whether the wallet is short of something without a mark, or would be with its sells filled. */
function lacksMark(
  { marks }: World,
  positions: ReadonlyMap<number, number>,
  sells: ReadonlyMap<number, number>,
): boolean {
  const ids = [...positions.keys(), ...sells.keys()]
  return ids.some((id) => {
    const lots = (positions.get(id) ?? 0) - (sells.get(id) ?? 0)
    return lots < 0 && Number.isNaN(marks.markMicros[id])
  })
}
