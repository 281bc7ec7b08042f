import { lotsPerContract } from '../../../schemas/bounds.js'
import { Right, Side } from '../../../schemas/domain.js'
import { FloorNetting, type Scenario } from '../../pricing/scenarios.js'
import { MarginModelKind } from '../../risk/margin-model.js'
import type { CoreState } from '../../state/core-state.js'

// Margin read off positions and orders once more, in plain doubles and with nothing kept or shared: what the engine's
// sums are held against, to within some micros.

const millisPerHour = 3_600_000

export interface NaivePosition {
  readonly lots: number
  /** Of perps: what the position was entered for, signed like it. */
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

/** What equity leaves behind reserves and a requirement, micros, and the lots short without cover. */
export interface NaiveSlacks {
  readonly im: number
  readonly mm: number
  readonly free: number
  readonly uncovered: number
}

interface Requirement {
  im: number
  mm: number
  uncovered: number
}

/** Slacks of a book with these orders working. */
export function slacksOf(
  state: CoreState,
  book: NaiveBook,
  working: readonly NaiveOrder[],
): NaiveSlacks {
  const equity = equityOf(state, book)
  const premium = sum(working, (order) => premiumOf(state, order))
  const slippage = sum(working, (order) => slippageOf(state, order))
  const isDefinedRisk = book.kind === MarginModelKind.DefinedRisk
  const asked = working.filter(({ instrument }) => !isDefinedRisk || isPerp(state, instrument))
  const { im, mm, uncovered } = requirementOf(state, book, working)
  const left = equity - premium - sum(asked, (order) => slippageOf(state, order))
  return { im: left - im, mm: left - mm, free: equity - premium - slippage, uncovered }
}

/** The book with a part of an order filled at its limit. */
export function filled(
  state: CoreState,
  book: NaiveBook,
  { instrument, side, priceMicros }: NaiveOrder,
  lots: number,
): NaiveBook {
  const sign = side === Side.Buy ? 1 : -1
  const paid = sign * worth(priceMicros, lots)
  const before = book.positions.get(instrument) ?? { lots: 0, costMicros: 0 }
  const perp = isPerp(state, instrument)
  const after = { lots: before.lots + sign * lots, costMicros: before.costMicros + paid }
  const positions = new Map(book.positions).set(
    instrument,
    perp ? after : { ...after, costMicros: 0 },
  )
  return { kind: book.kind, cashMicros: book.cashMicros - (perp ? 0 : paid), positions }
}

function equityOf(state: CoreState, { cashMicros, positions }: NaiveBook): number {
  const { markMicros } = state.marks
  let micros = cashMicros
  for (const [id, { lots, costMicros }] of positions)
    micros += worth(markMicros[id], lots) - costMicros
  return micros
}

function premiumOf(state: CoreState, { instrument, side, lots, priceMicros }: NaiveOrder): number {
  return side === Side.Buy && !isPerp(state, instrument) ? worth(priceMicros, lots) : 0
}

function slippageOf(state: CoreState, { instrument, side, lots, priceMicros }: NaiveOrder): number {
  if (side === Side.Buy && !isPerp(state, instrument)) return 0
  const markMicros = state.marks.markMicros[instrument]
  return worth(
    Math.max(0, side === Side.Buy ? priceMicros - markMicros : markMicros - priceMicros),
    lots,
  )
}

/** By underlying: positions with all working sells filled, of perps either side for itself. */
function requirementOf(
  state: CoreState,
  book: NaiveBook,
  working: readonly NaiveOrder[],
): Requirement {
  const { instruments, config } = state
  const total: Requirement = { im: 0, mm: 0, uncovered: 0 }
  const ids = new Set([...book.positions.keys(), ...working.map(({ instrument }) => instrument)])
  let scanning = 0
  let floor = 0
  let overlay = 0
  for (const underlying of new Set([...ids].map((id) => instruments.underlying[id]))) {
    const own = [...ids].filter((id) => instruments.underlying[id] === underlying)
    const options = own.filter((id) => !isPerp(state, id))
    const net = new Map(
      options.map((id) => [id, lotsOf(book, id) - workingLots(working, id, Side.Sell)]),
    )
    if (book.kind === MarginModelKind.DefinedRisk) {
      addDefinedRisk(state, book, net, total)
    } else if (book.kind === MarginModelKind.Standard) {
      const losses = lossesOf(state, book, options, working)
      addStandard(state, underlying, losses, pooledShorts(state, net), total)
    } else {
      total.uncovered += pooledShorts(state, net)
      const shorts = flooredShorts(state, net)
      const spot = state.marks.indexMicros[underlying]
      scanning += Math.max(0, ...lossesOf(state, book, own, working))
      floor += config.risk.optionFloorFactor * worth(spot, shorts.all)
      overlay += config.risk.gammaOverlayFactor * worth(spot, shorts.near)
    }
    if (book.kind === MarginModelKind.Portfolio) continue
    for (const id of own.filter((one) => isPerp(state, one)))
      addPerp(state, book, working, id, total)
  }
  if (book.kind === MarginModelKind.Portfolio) {
    total.im = Math.max(scanning, floor) + overlay
    total.mm = config.risk.mmRatio * total.im
  }
  return total
}

function addStandard(
  state: CoreState,
  underlying: number,
  losses: readonly number[],
  shorts: number,
  total: Requirement,
): void {
  const { imFactor, mmFactor, shortMinimumIm, shortMinimumMm } = state.config.risk
  const short = worth(state.marks.indexMicros[underlying], shorts)
  const loss = Math.max(0, ...losses)
  total.im += Math.max(imFactor * loss, shortMinimumIm * short)
  total.mm += Math.max(mmFactor * loss, shortMinimumMm * short)
  total.uncovered += shorts
}

/** Weighted loss in each scenario; sells count where the instrument rises, buys of perps where it falls. */
function lossesOf(
  state: CoreState,
  book: NaiveBook,
  ids: readonly number[],
  working: readonly NaiveOrder[],
): number[] {
  const { marks, config } = state
  const isPortfolio = book.kind === MarginModelKind.Portfolio
  const scenarios: readonly Scenario[] = isPortfolio
    ? config.risk.portfolioScenarios
    : config.risk.standardScenarios
  const deltas = isPortfolio ? marks.portfolioDeltaMicros : marks.standardDeltaMicros
  return scenarios.map(({ weightPermille }, j) => {
    let loss = 0
    for (const id of ids) {
      const delta = deltas[id * scenarios.length + j]
      loss -= worth(delta, lotsOf(book, id))
      loss += worth(Math.max(0, delta), workingLots(working, id, Side.Sell))
      if (isPerp(state, id)) loss += worth(Math.max(0, -delta), workingLots(working, id, Side.Buy))
    }
    return (loss * weightPermille) / 1000
  })
}

function addPerp(
  { marks, config }: CoreState,
  book: NaiveBook,
  working: readonly NaiveOrder[],
  id: number,
  total: Requirement,
): void {
  const lots = lotsOf(book, id)
  const long = Math.abs(lots + workingLots(working, id, Side.Buy))
  const short = Math.abs(lots - workingLots(working, id, Side.Sell))
  const notional = worth(marks.markMicros[id], Math.max(Math.abs(lots), long, short))
  total.im += config.risk.perpInitialFraction * notional
  total.mm += config.risk.perpMaintenanceFraction * notional
}

/** The covered part by its worst payoff, bare shorts by `standard`, as if they were all there is. */
function addDefinedRisk(
  state: CoreState,
  book: NaiveBook,
  net: ReadonlyMap<number, number>,
  total: Requirement,
): void {
  const bare = bareShorts(state, net)
  const { markMicros } = state.marks
  let micros = 0
  for (const id of net.keys()) {
    micros += worth(markMicros[id], lotsOf(book, id) + (bare.get(id) ?? 0))
  }
  for (const group of byExpiry(state, net)) {
    const covered = group.map((id) => [id, net.get(id)! + (bare.get(id) ?? 0)] as const)
    micros += worstPayoff(state, covered)
  }
  total.im += micros
  total.mm += micros
  const [first] = bare.keys()
  if (first === undefined) return
  const positions = new Map([...bare].map(([id, lots]) => [id, { lots: -lots, costMicros: 0 }]))
  const alone = { kind: MarginModelKind.Standard, cashMicros: 0, positions }
  const losses = lossesOf(state, alone, [...bare.keys()], [])
  const shorts = sum([...bare.values()], (lots) => lots)
  addStandard(state, state.instruments.underlying[first], losses, shorts, total)
}

/** Lots per instrument that no long of their right and expiry is paired with, from the most in the money on. */
function bareShorts(state: CoreState, net: ReadonlyMap<number, number>): Map<number, number> {
  const { right, strikeMicros } = state.instruments
  const bare = new Map<number, number>()
  for (const group of byExpiry(state, net)) {
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

/** What the payoff at expiry costs at worst: at 0 or at a strike. */
function worstPayoff(
  { instruments }: CoreState,
  held: readonly (readonly [id: number, lots: number])[],
): number {
  const { right, strikeMicros } = instruments
  const payoffs = [0, ...held.map(([id]) => strikeMicros[id])].map((x) =>
    sum(held, ([id, lots]) => {
      const gain = right[id] === Right.Call ? x - strikeMicros[id] : strikeMicros[id] - x
      return worth(Math.max(0, gain), lots)
    }),
  )
  return Math.max(0, -Math.min(...payoffs))
}

/** Shorts that no long of their right covers that expires with them or later. */
function pooledShorts(state: CoreState, net: ReadonlyMap<number, number>): number {
  let uncovered = 0
  for (const wanted of [Right.Call, Right.Put]) {
    let pool = 0
    for (const group of byExpiry(state, net)) {
      const ids = group.filter((id) => state.instruments.right[id] === wanted)
      pool += sum(ids, (id) => net.get(id)!)
      uncovered += Math.max(0, -pool)
      pool = Math.max(0, pool)
    }
  }
  return uncovered
}

/** Shorts of the option floor, and those of them that expire soon. */
function flooredShorts(state: CoreState, net: ReadonlyMap<number, number>) {
  const { config, instruments, nowMillis } = state
  const isNetted = config.risk.floorNetting === FloorNetting.ExpiryRight
  let [all, near] = [0, 0]
  for (const group of byExpiry(state, net)) {
    const lots = isNetted
      ? sum(
          [...bareShorts(state, new Map(group.map((id) => [id, net.get(id)!]))).values()],
          (one) => one,
        )
      : sum(group, (id) => Math.max(0, -net.get(id)!))
    all += lots
    const leftMillis = instruments.expiryMillis[group[0]] - nowMillis
    if (leftMillis < config.risk.overlayHours * millisPerHour) near += lots
  }
  return { all, near }
}

/** Instruments by expiry, the latest first. */
function byExpiry({ instruments }: CoreState, net: ReadonlyMap<number, number>): number[][] {
  const ids = [...net.keys()]
  const expiries = [...new Set(ids.map((id) => instruments.expiryMillis[id]))].sort((a, b) => b - a)
  return expiries.map((expiry) => ids.filter((id) => instruments.expiryMillis[id] === expiry))
}

function workingLots(working: readonly NaiveOrder[], id: number, wanted: number): number {
  return sum(
    working.filter(({ instrument, side }) => instrument === id && side === wanted),
    ({ lots }) => lots,
  )
}

function lotsOf({ positions }: NaiveBook, id: number): number {
  return positions.get(id)?.lots ?? 0
}

function isPerp(state: CoreState, id: number): boolean {
  return state.instruments.isPerp(id)
}

function worth(micros: number, lots: number): number {
  return (micros * lots) / lotsPerContract
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  let total = 0
  for (const item of items) total += amount(item)
  return total
}
