import { assert } from '../../schemas/assert.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { InstrumentState, Side, TradingMode } from '../../schemas/domain.js'
import { LiquidationChange, LiquidationMode } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { publishLiquidation } from '../publish/publish-liquidation.js'
import { atLeast } from '../risk/exact-share.js'
import { isMarked } from '../risk/mark-view.js'
import { mulDivDown, mulDivHalfEven, mulDivUp } from '../risk/money.js'
import { OrderCheck } from '../risk/order-check.js'
import type { Batch } from '../state/batch.js'
import { type Judgement, rowMillis } from '../state/judgement.js'
import { ordersOf, positionsOf } from '../state/wallet-rows.js'
import type { Liquidation } from '../tables/generated/liquidation.js'
import {
  givesAwayMicros,
  isLiquidating,
  type LiquidationOrdersState,
  sendCancel,
  sendReducing,
  ticketsLeft,
} from './liquidation-orders.js'
import { bonusBpsAfter, bonusMicros, limitMicros, reducingLots } from './partial-formulas.js'
import { isClosed, type TimersState } from './timers.js'

export interface RepriceState extends LiquidationOrdersState, TimersState {}

const order = new OrderCheck()
/** Largest number of orders at a time, those with the largest relief first. */
const ordersMax = 64

/** Position whose closing brings the account closer to its target. */
interface Candidate {
  readonly exposure: number
  readonly instrument: number
  readonly side: Side
  readonly positionLots: number
  /** Relief of maintenance margin per contract, micros. */
  readonly reliefMicros: number
  /** Cost of closing one contract, micros. */
  readonly costMicros: number
  readonly limitMicros: number
}

/** Returns true if it is time to place the orders of the partial phase, or to place them again. */
export function isRepriceDue(state: RepriceState, row: Liquidation): boolean {
  if (row.standingMillis > 0) return false
  if (row.repricedMillis === 0) return true
  const { repriceSeconds } = state.config.liquidation
  return state.nowMillis >= row.repricedMillis + repriceSeconds * 1000
}

/** Returns true if the current orders would, at current marks, take equity below 0, so that others would pay. */
export function givesTooMuch(state: RepriceState, row: Liquidation, judged: Judgement): boolean {
  let gives = 0
  for (const slot of ordersOf(state, row.account)) {
    if (isLiquidating(state, slot)) gives += givesAwayMicros(state, slot)
  }
  return gives > 0 && gives > judged.equityMicros
}

/** Returns true if closing a position helps the account, even while the market of the position is closed. */
export function isReducible(state: RepriceState, row: Liquidation, judged: Judgement): boolean {
  return candidatesOf(state, row, judged).length > 0
}

/** Cancels the previous orders and places new ones at current prices and sizes. */
export function reprice(
  state: RepriceState,
  batch: Batch,
  row: Liquidation,
  judged: Judgement,
): void {
  const { liquidations, nowMillis, config } = state
  assert(row.mode === LiquidationMode.Partial, 'reprice: only in the partial phase')
  assert(row.purging === 0, 'reprice: every order is cancelled')
  const { targetRatio } = config.liquidation
  const own = ordersOf(state, row.account).filter((slot) => isLiquidating(state, slot))
  if (ticketsLeft(batch) < own.length + ordersMax) {
    // The next round has room: an account has at most `ordersMax` of these orders.
    state.risk.changed.add(row.account)
    return
  }
  const candidates = candidatesOf(state, row, judged)
  liquidations.amend(row, (changed) => {
    changed.repricedMillis = nowMillis
    changed.bonusBps = bonusBpsAfter(config.liquidation, rowMillis(state, row) - row.enteredMillis)
    changed.targetMicros = atLeast(targetRatio, judged.requiredMicros)
  })
  for (const slot of own) sendCancel(state, batch, slot, Result.Replaced)
  place(state, batch, row, judged, candidates)
  publishLiquidation(state, row, LiquidationChange.Repriced, judged)
}

/** Places orders one after another, each for what is still missing after the fills of those before it. */
function place(
  state: RepriceState,
  batch: Batch,
  row: Liquidation,
  judged: Judgement,
  candidates: readonly Candidate[],
): void {
  const { targetRatio } = state.config.liquidation
  let { equityMicros, requiredMicros } = judged
  let count = 0
  for (const candidate of candidates) {
    const { instrument, side, positionLots, reliefMicros, costMicros } = candidate
    const sizeLots = reducingLots(
      targetRatio,
      equityMicros,
      requiredMicros,
      reliefMicros,
      costMicros,
      payableLots(positionLots, costMicros, equityMicros),
    )
    if (sizeLots === 0 || count === ordersMax) return
    if (!isTrading(state, instrument)) continue
    const terms = { account: row.account, instrument, side, sizeLots }
    sendReducing(state, batch, Object.assign(order, terms, { priceMicros: candidate.limitMicros }))
    equityMicros -= mulDivHalfEven(costMicros, sizeLots, lotsPerContract)
    requiredMicros -= mulDivDown(reliefMicros, sizeLots, lotsPerContract)
    count++
  }
}

/**
 * Returns the lots of a position that the account can pay to close from its own equity, whatever its other orders cost.
 * The whole position is tested first, since equity divided by a small cost may exceed every number of lots.
 */
export function payableLots(
  positionLots: number,
  costMicros: number,
  equityMicros: number,
): number {
  const ownMicros = Math.max(0, equityMicros)
  if (mulDivUp(costMicros, positionLots, lotsPerContract) <= ownMicros) return positionLots
  return mulDivDown(ownMicros, lotsPerContract, costMicros)
}

/** Returns the positions to reduce; the largest relief per unit of cost first, ties by instrument. */
function candidatesOf(state: RepriceState, row: Liquidation, judged: Judgement): Candidate[] {
  const { targetRatio } = state.config.liquidation
  const { equityMicros, requiredMicros } = judged
  const sinceMillis = rowMillis(state, row) - row.enteredMillis
  const bonusBps = bonusBpsAfter(state.config.liquidation, sinceMillis)
  return positionsOf(state, row.account)
    .map((exposure) => candidateOf(state, exposure, judged, bonusBps))
    .filter((candidate) => candidate !== null)
    .filter(({ reliefMicros, costMicros }) => {
      return (
        reducingLots(targetRatio, equityMicros, requiredMicros, reliefMicros, costMicros, 1) > 0
      )
    })
    .sort((one, other) => compareGains(other, one) || one.instrument - other.instrument)
}

/** Compares relief per cost without rounding. @returns below 0, 0 or above 0, as `a` gains less, as much or more. */
function compareGains(a: Candidate, b: Candidate): number {
  const gain = BigInt(a.reliefMicros) * BigInt(b.costMicros)
  const other = BigInt(b.reliefMicros) * BigInt(a.costMicros)
  return gain === other ? 0 : gain < other ? -1 : 1
}

function candidateOf(
  state: RepriceState,
  exposure: number,
  { equityMicros, requiredMicros }: Judgement,
  bonusBps: number,
): Candidate | null {
  const { risk, instruments, marks } = state
  const instrument = risk.exposures.instrument[exposure]
  if (instruments.state[instrument] !== InstrumentState.Active) return null
  if (!isMarked(marks, instrument)) return null
  const lots = risk.exposures.positionLots[exposure]
  const side = lots < 0 ? Side.Buy : Side.Sell
  const markMicros = marks.markMicros[instrument]
  const stepLots = Math.min(Math.abs(lots), lotsPerContract)
  const withoutMicros = risk.maintenanceWith(exposure, lots < 0 ? stepLots : -stepLots)
  const reliefMicros = mulDivDown(requiredMicros - withoutMicros, lotsPerContract, stepLots)
  if (reliefMicros <= 0) return null
  // At most the contract's share of the equity, in proportion to margin, so that the rest of the account stays as sound
  // as before.
  const partMicros = mulDivDown(Math.max(0, equityMicros), reliefMicros, requiredMicros)
  const costMicros = Math.min(bonusMicros(markMicros, bonusBps), partMicros)
  const limit = limitMicros(side, markMicros, costMicros)
  if (limit === 0) return null
  return {
    exposure,
    instrument,
    side,
    positionLots: Math.abs(lots),
    reliefMicros,
    costMicros,
    limitMicros: limit,
  }
}

function isTrading(state: RepriceState, instrument: number): boolean {
  const { instruments } = state
  const isOpen = !isClosed(state, instruments.underlying[instrument])
  return isOpen && (instruments.tradingMode[instrument] & TradingMode.Orderbook) !== 0
}
