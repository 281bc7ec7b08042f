import { lotsPerContract, moneyMicrosMax } from '../../schemas/bounds.js'
import { MarginModelKind, Right, Side } from '../../schemas/domain.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { Marks } from '../pricing/marks.js'
import { FloorNetting, type Scenario } from '../pricing/scenarios.js'
import {
  mulDivDown,
  mulDivRemainder,
  premiumMicros,
  premiumReserveMicros,
  slippageReserveMicros,
  valueMicros,
  valueProductMax,
} from '../risk/money.js'
import { notionalUp, Ratio, ratioUp } from '../risk/ratio.js'
import type { EngineConfig } from '../state/market/engine-config.js'

export interface NaiveMarginState {
  readonly marks: Marks
  readonly instruments: InstrumentTable
  readonly config: EngineConfig
  readonly nowMillis: number
}

// Computes margin from positions and orders alone, with no kept sums. Every position, order and requirement is rounded
// by the same rule as in the engine (engine/risk/money.ts), so the result must equal the engine's to the micro.

const millisPerHour = 3_600_000

export interface NaivePosition {
  readonly lots: number
  /** Entry cost of a perp, with the sign of the position. */
  readonly costMicros: number
}

export interface NaiveOrder {
  readonly instrument: number
  readonly side: number
  readonly lots: number
  readonly priceMicros: number
}

export interface NaiveBook {
  readonly kind: number
  readonly cashMicros: number
  readonly positions: ReadonlyMap<number, NaivePosition>
}

/** Equity less reserves and requirement, in micros, and uncovered short lots. */
export interface NaiveSlacks {
  readonly im: number
  /** The same without the gains of perps. */
  readonly backed: number
  readonly mm: number
  readonly free: number
  readonly uncovered: number
}

/** Lots by instrument. */
type NetLots = ReadonlyMap<number, number>

/** Returns the slacks of a book with these orders working. */
export function slacksOf(
  state: NaiveMarginState,
  book: NaiveBook,
  working: readonly NaiveOrder[],
): NaiveSlacks {
  const equity = equityOf(state, book)
  const premium = sum(working, (order) => premiumOf(state, order))
  const slippage = sum(working, (order) => slippageOf(state, order))
  const isDefinedRisk = book.kind === MarginModelKind.DefinedRisk
  const asked = working.filter(({ instrument }) => !isDefinedRisk || isPerp(state, instrument))
  const { im, mm, uncovered } = new Requirement(state, book, working)
  const left = equity - premium - sum(asked, (order) => slippageOf(state, order))
  const backed = left - im - gainOf(state, book)
  return { im: left - im, backed, mm: left - mm, free: equity - premium - slippage, uncovered }
}

/** Returns the book after a part of an order has filled at its limit. */
export function filled(
  state: NaiveMarginState,
  { kind, cashMicros, positions }: NaiveBook,
  { instrument, side, priceMicros }: NaiveOrder,
  lots: number,
): NaiveBook {
  const sign = side === Side.Buy ? 1 : -1
  const paid = sign * premiumMicros(priceMicros, lots)
  const perp = isPerp(state, instrument)
  const before = positions.get(instrument) ?? { lots: 0, costMicros: 0 }
  const costMicros = perp ? before.costMicros + paid : 0
  const after = new Map(positions).set(instrument, { lots: before.lots + sign * lots, costMicros })
  return { kind, cashMicros: cashMicros - (perp ? 0 : paid), positions: after }
}

function equityOf(state: NaiveMarginState, { cashMicros, positions }: NaiveBook): number {
  const { markMicros } = state.marks
  let micros = cashMicros
  for (const [id, { lots, costMicros }] of positions)
    micros += valueMicros(markMicros[id], lots) - costMicros
  return micros
}

/** Returns the sum of the gains of perps with a gain. */
function gainOf(state: NaiveMarginState, { positions }: NaiveBook): number {
  const { markMicros } = state.marks
  return sum([...positions], ([id, { lots, costMicros }]) =>
    isPerp(state, id) ? Math.max(0, valueMicros(markMicros[id], lots) - costMicros) : 0,
  )
}

/** Returns the cost of a working buy of an option, filled whole. */
export function premiumOf(
  state: NaiveMarginState,
  { instrument, side, lots, priceMicros }: NaiveOrder,
): number {
  return side === Side.Buy && !isPerp(state, instrument)
    ? premiumReserveMicros(priceMicros, lots)
    : 0
}

function slippageOf(
  state: NaiveMarginState,
  { instrument, side, lots, priceMicros }: NaiveOrder,
): number {
  if (side === Side.Buy && !isPerp(state, instrument)) return 0
  return slippageReserveMicros(side, state.marks.markMicros[instrument], priceMicros, lots)
}

/** Requirement of a book by underlying, after all working sells have filled; for perps each side separately. */
class Requirement {
  im = 0
  mm = 0
  uncovered = 0
  readonly #state: NaiveMarginState
  readonly #book: NaiveBook
  /** Working lots by instrument. */
  readonly #buys = new Map<number, number>()
  readonly #sells = new Map<number, number>()

  constructor(state: NaiveMarginState, book: NaiveBook, working: readonly NaiveOrder[]) {
    this.#state = state
    this.#book = book
    for (const { instrument, side, lots } of working) {
      const sums = side === Side.Buy ? this.#buys : this.#sells
      sums.set(instrument, (sums.get(instrument) ?? 0) + lots)
    }
    const held = [...book.positions.keys(), ...working.map(({ instrument }) => instrument)]
    const ids = [...new Set(held)]
    const { underlying } = state.instruments
    const groups = [...new Set(ids.map((id) => underlying[id]))].map((one) =>
      ids.filter((id) => underlying[id] === one),
    )
    if (book.kind === MarginModelKind.Portfolio) this.#addPortfolio(groups)
    else for (const own of groups) this.#addUnderlying(own)
  }

  #addUnderlying(ids: readonly number[]): void {
    const net = this.#netOf(ids)
    if (this.#book.kind === MarginModelKind.DefinedRisk) this.#addDefinedRisk(net)
    else this.#addStandard(net)
    for (const id of ids) if (isPerp(this.#state, id)) this.#addPerp(id)
  }

  #addPortfolio(groups: readonly (readonly number[])[]): void {
    const { config, marks, instruments } = this.#state
    const { optionFloorFactor, gammaOverlayFactor, mmRatio } = config.risk
    let [scanning, floor, overlay] = [0, 0, 0]
    for (const ids of groups) {
      const net = this.#netOf(ids)
      const spot = marks.indexMicros[instruments.underlying[ids[0]]]
      const shorts = this.#flooredShorts(net)
      this.uncovered += this.#pooledShorts(net)
      scanning += this.#scenarioMicros(ids, 1)
      floor += notionalUp(spot, shorts.all, Ratio.of(optionFloorFactor))
      overlay += notionalUp(spot, shorts.near, Ratio.of(gammaOverlayFactor))
    }
    const scanned = Math.max(scanning, floor) + overlay
    this.mm = ratioUp(scanned, Ratio.of(mmRatio))
    this.im += scanned
    for (const ids of groups) {
      for (const id of ids) if (isPerp(this.#state, id)) this.#addWidePerp(id)
    }
  }

  #addStandard(net: NetLots): void {
    const [first] = net.keys()
    if (first === undefined) return
    const { config, marks, instruments } = this.#state
    const { imFactor, mmFactor, shortMinimumIm, shortMinimumMm } = config.risk
    const shorts = this.#pooledShorts(net)
    const spot = marks.indexMicros[instruments.underlying[first]]
    const ids = [...net.keys()]
    const shortIm = notionalUp(spot, shorts, Ratio.of(shortMinimumIm))
    const shortMm = notionalUp(spot, shorts, Ratio.of(shortMinimumMm))
    this.im += Math.max(this.#scenarioMicros(ids, imFactor), shortIm)
    this.mm += Math.max(this.#scenarioMicros(ids, mmFactor), shortMm)
    this.uncovered += shorts
  }

  /** Covers the hedged part by its worst payoff, and bare shorts by `standard` alone. */
  #addDefinedRisk(net: NetLots): void {
    const { markMicros } = this.#state.marks
    const bare = this.#bareShorts(net)
    let micros = 0
    for (const id of net.keys()) {
      micros += valueMicros(markMicros[id], this.#lots(id))
      micros += valueMicros(markMicros[id], bare.get(id) ?? 0)
    }
    for (const group of this.#byExpiry(net)) {
      const covered = group.map((id) => [id, net.get(id)! + (bare.get(id) ?? 0)] as const)
      micros += this.#worstPayoff(covered)
    }
    const positions = new Map([...bare].map(([id, lots]) => [id, { lots: -lots, costMicros: 0 }]))
    const alone = { kind: MarginModelKind.Standard, cashMicros: 0, positions }
    const { im, mm, uncovered } = new Requirement(this.#state, alone, [])
    this.im += micros + im
    this.mm += micros + mm
    this.uncovered += uncovered
  }

  #addPerp(id: number): void {
    const { marks, config } = this.#state
    const { perpInitialFraction, perpMaintenanceFraction } = config.risk
    const lots = this.#largestLots(id)
    this.#addWidePerp(id)
    this.im += notionalUp(marks.markMicros[id], lots, Ratio.of(perpInitialFraction))
    this.mm += notionalUp(marks.markMicros[id], lots, Ratio.of(perpMaintenanceFraction))
  }

  /** Adds more than any wallet has if the value of a perp could leave the exact range. */
  #addWidePerp(id: number): void {
    const product = this.#state.marks.markMicros[id] * this.#largestLots(id)
    if (product > valueProductMax) this.im += moneyMicrosMax
  }

  /** Returns the lots of the larger side that a perp's position could reach. */
  #largestLots(id: number): number {
    const lots = this.#lots(id)
    const long = Math.abs(lots + this.#workingLots(id, Side.Buy))
    const short = Math.abs(lots - this.#workingLots(id, Side.Sell))
    return Math.max(Math.abs(lots), long, short)
  }

  /** Returns the net lots of the options among the instruments. */
  #netOf(ids: readonly number[]): NetLots {
    const options = ids.filter((id) => !isPerp(this.#state, id))
    return new Map(options.map((id) => [id, this.#lots(id) - this.#workingLots(id, Side.Sell)]))
  }

  /** Returns the worst scenario's loss × its weight × a factor, rounded up once. */
  #scenarioMicros(ids: readonly number[], factor: number): number {
    const scenarios = this.#scenarios()
    let [worst, worstLoss, worstWeight] = [0, 0, 0]
    for (const [j, { weightPermille }] of scenarios.entries()) {
      const loss = this.#lossIn(ids, j, scenarios.length)
      if (loss * weightPermille <= worst) continue
      worst = loss * weightPermille
      worstLoss = loss
      worstWeight = weightPermille
    }
    return ratioUp(worstLoss, Ratio.of(factor).weighted(worstWeight))
  }

  #scenarios(): readonly Scenario[] {
    const { portfolioScenarios, standardScenarios } = this.#state.config.risk
    const isPortfolio = this.#book.kind === MarginModelKind.Portfolio
    return isPortfolio ? portfolioScenarios : standardScenarios
  }

  /** Returns the loss in scenario `j`. Sells count if the instrument rises, buys of perps if it falls. */
  #lossIn(ids: readonly number[], j: number, scenarioCount: number): number {
    const { marks } = this.#state
    const isPortfolio = this.#book.kind === MarginModelKind.Portfolio
    let loss = 0
    for (const id of ids) {
      const deltas = isPortfolio ? marks.portfolioDeltasOf(id) : marks.standardDeltasOf(id)
      const delta = deltas[id * scenarioCount + j]
      loss -= valueMicros(delta, this.#lots(id))
      loss += valueMicros(Math.max(0, delta), this.#workingLots(id, Side.Sell))
      if (isPerp(this.#state, id))
        loss += valueMicros(Math.max(0, -delta), this.#workingLots(id, Side.Buy))
    }
    return loss
  }

  /**
   * Returns the unpaired short lots per instrument. Longs pair with shorts of the same right and expiry, from the most
   * in the money on.
   */
  #bareShorts(net: NetLots): Map<number, number> {
    const { right, strikeMicros } = this.#state.instruments
    const bare = new Map<number, number>()
    for (const group of this.#byExpiry(net)) {
      for (const wanted of [Right.Call, Right.Put]) {
        const sign = wanted === Right.Call ? -1 : 1
        const ids = group
          .filter((id) => right[id] === wanted)
          .sort((a, b) => sign * (strikeMicros[a] - strikeMicros[b]))
        let left = -sum(ids, (id) => net.get(id)!)
        for (const id of ids) {
          const lots = Math.min(Math.max(0, left), Math.max(0, -net.get(id)!))
          if (lots > 0) bare.set(id, lots)
          left -= lots
        }
      }
    }
    return bare
  }

  /**
   * Returns the largest cost of the payoff at expiry, at an index of 0 or of a strike, rounded up to the next micro.
   */
  #worstPayoff(held: readonly (readonly [id: number, lots: number])[]): number {
    const { right, strikeMicros } = this.#state.instruments
    let worst = 0
    for (const x of new Set([0, ...held.map(([id]) => strikeMicros[id])])) {
      let [micros, remainder] = [0, 0]
      for (const [id, lots] of held) {
        const gain = right[id] === Right.Call ? x - strikeMicros[id] : strikeMicros[id] - x
        if (gain <= 0) continue
        micros += mulDivDown(gain, lots, lotsPerContract)
        remainder += mulDivRemainder()
      }
      worst = Math.min(worst, micros + Math.floor(remainder / lotsPerContract))
    }
    return -worst + 0
  }

  /** Returns the shorts without a long of the same right that expires with them or later. */
  #pooledShorts(net: NetLots): number {
    const { right } = this.#state.instruments
    let uncovered = 0
    for (const wanted of [Right.Call, Right.Put]) {
      let pool = 0
      for (const group of this.#byExpiry(net)) {
        pool += sum(group, (id) => (right[id] === wanted ? net.get(id)! : 0))
        uncovered += Math.max(0, -pool)
        pool = Math.max(0, pool)
      }
    }
    return uncovered
  }

  /** Shorts of the option floor, and those of them that expire soon. */
  #flooredShorts(net: NetLots) {
    const { config, instruments, nowMillis } = this.#state
    const isNetted = config.risk.floorNetting === FloorNetting.ExpiryRight
    const bare = this.#bareShorts(net)
    let [all, near] = [0, 0]
    for (const group of this.#byExpiry(net)) {
      const lots = sum(group, (id) => (isNetted ? (bare.get(id) ?? 0) : Math.max(0, -net.get(id)!)))
      all += lots
      const leftMillis = instruments.expiryMillis[group[0]] - nowMillis
      if (leftMillis < config.risk.overlayHours * millisPerHour) near += lots
    }
    return { all, near }
  }

  /** Returns the instruments by expiry, the latest first. */
  #byExpiry(net: NetLots): number[][] {
    const { expiryMillis } = this.#state.instruments
    const ids = [...net.keys()]
    const expiries = [...new Set(ids.map((id) => expiryMillis[id]))].sort((a, b) => b - a)
    return expiries.map((expiry) => ids.filter((id) => expiryMillis[id] === expiry))
  }

  #workingLots(id: number, wanted: number): number {
    return (wanted === Side.Buy ? this.#buys : this.#sells).get(id) ?? 0
  }

  #lots(id: number): number {
    return this.#book.positions.get(id)?.lots ?? 0
  }
}

function isPerp(state: NaiveMarginState, id: number): boolean {
  return state.instruments.isPerp(id)
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  let total = 0
  for (const item of items) total += amount(item)
  return total
}
