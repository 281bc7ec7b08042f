import { assert } from '../../schemas/assert.js'
import { InstrumentState } from '../../schemas/domain.js'
import { PriceSource, SettlementPhase } from '../../schemas/record-values.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import { settlementEstimateOf } from '../pricing/mark-inputs.js'
import type { Marks } from '../pricing/marks.js'
import { type PublishSettlementState, publishSettlement } from '../publish/publish-settlement.js'
import type { RiskEngine } from '../risk/risk-engine.js'
import type { EngineConfig } from '../state/market/engine-config.js'
import type { ExpiryQueue } from '../state/market/expiry-queue.js'
import { secondMillis } from '../state/market/index-samples.js'
import { isEnough } from '../state/market/settlement-parameters.js'
import { isPriced, type SettlementTable } from '../state/market/settlement-table.js'
import type { StateCells } from '../state/state-cells.js'
import type { Settlement } from '../tables/generated/settlement.js'
import { estimatePrice, meanMicros } from './estimators.js'

export interface SettlementState extends PublishSettlementState {
  readonly instruments: InstrumentTable
  readonly settlements: SettlementTable
  readonly marks: Marks
  readonly config: EngineConfig
  readonly clockAlarm: boolean
  readonly expiries: ExpiryQueue
  readonly nowMillis: number
  readonly cells: StateCells
  readonly risk: RiskEngine
}

//   Active ──expiry──► expired, pending its price ──price──► positions are paid out ──► settled
//              │                                      ▲        (payouts.ts)
//              └── the window's samples are enough ───┤
//                        the operator gives a price ──┘
//
// All steps run when a batch starts, by the batch's time, or by an operator's command. Both are in the journal, so a
// replay takes the same steps in the same batches, and a crash between two steps repeats none. The window's price is
// computed once, in the batch that processes the expiry, from the observations taken before.

/** Samples of one window; reused. */
let samples = new Float64Array(0)

/** Registers the settlement of an instrument that has expired, or was listed after its expiry. */
export function expectSettlement(state: SettlementState, instrument: number): void {
  const { instruments, settlements } = state
  const underlying = instruments.underlying[instrument]
  const expiryMillis = instruments.expiryMillis[instrument]
  const hasExpired = instruments.state[instrument] === InstrumentState.ExpiredPendingPrice
  assert(hasExpired, 'settlement: the instrument has expired')
  const known = settlements.find(underlying, expiryMillis)
  if (known === null) settlements.expire(underlying, expiryMillis)
  else if (known.phase === SettlementPhase.Settled) startPaying(state, known)
}

/** Adds an index observation that is now the underlying's latest to its samples. */
export function observeIndex(state: SettlementState, underlying: number): void {
  const { indexMicros, indexAtMillis } = state.marks.inputsOf(underlying)
  const { settlementWindowSeconds, settlementBlend } = state.config.pricing
  // An expiry that is due during a clock alarm settles afterwards, by the window that it had.
  const dueMillis = state.clockAlarm ? state.expiries.nextMillis : Number.POSITIVE_INFINITY
  const endMillis = Math.min(state.nowMillis, dueMillis)
  const beginMillis = endMillis - settlementWindowSeconds * secondMillis
  const keptMax = 2 * (settlementWindowSeconds + 1)
  const kept = state.settlements.samplesOf(underlying)
  kept.take(indexAtMillis, indexMicros, beginMillis, keptMax)
  if (settlementBlend) showEstimates(state, underlying)
}

/** Returns true if the next batch must price or pay out an expiry. Payouts wait until a clock alarm has ended. */
export function hasSettlementWork({ settlements: { busy }, clockAlarm }: SettlementState): boolean {
  if (!clockAlarm) return busy.length > 0
  for (let place = 0; place < busy.length; place++) if (busy[place].isNew) return true
  return false
}

/** Prices the expiries that are new since the last batch; a price starts the payouts. */
export function priceDue(state: SettlementState): void {
  const { busy } = state.settlements
  for (let place = 0; place < busy.length; ) {
    const row = busy[place]
    if (row.isNew) price(state, row)
    // An expiry that waits for the operator was removed, and the next one is now at this index.
    if (busy[place] === row) place++
  }
}

/** Updates the settlement estimates of all underlyings once per second, if marks use them. */
export function estimateDue(state: SettlementState, beforeMillis: number): void {
  if (!state.config.pricing.settlementBlend) return
  const isSecond =
    Math.floor(state.nowMillis / secondMillis) !== Math.floor(beforeMillis / secondMillis)
  if (!isSecond) return
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) showEstimates(state, underlying)
}

/** Publishes every expiry that has passed, for readers without state. */
export function publishSettlements(state: SettlementState): void {
  for (const row of state.settlements.rows) publishSettlement(state, row)
}

/** Publishes a price that marks of an expiry use: the mean of its samples so far, or the settlement price. */
export function publishEstimate(
  state: SettlementState,
  underlying: number,
  expiryMillis: number,
  priceMicros: number,
  validCount = 0,
): void {
  const terms = { underlying, expiryMillis, priceMicros, validCount }
  const phase = SettlementPhase.Window
  publishSettlement(state, { ...terms, phase, source: PriceSource.Window })
}

function price(state: SettlementState, row: Settlement): void {
  const { settlements, config } = state
  const { underlying, expiryMillis } = row
  assert(expiryMillis <= state.nowMillis, 'settlement: the expiry has passed')
  const count = readWindow(state, underlying, expiryMillis, expiryMillis)
  row.isNew = false
  row.validCount = count
  settlements.changed(row)
  if (isPriced(row)) return
  const { settlementWindowSeconds } = config.pricing
  if (isEnough(count, settlementWindowSeconds, config.settlement.minValidShare)) {
    const priceMicros = estimatePrice(samples, count, config.settlement)
    setPrice(state, row, priceMicros, PriceSource.Window)
    return
  }
  settlements.dequeue(row)
  const estimateMicros = count === 0 ? Number.NaN : meanMicros(samples, 0, count)
  if (count > 0) showPrice(state, row, estimateMicros)
  const { phase, source, validCount } = row
  const terms = { underlying, expiryMillis, phase, source, validCount }
  publishSettlement(state, { ...terms, priceMicros: estimateMicros })
}

/** Sets the price of an expiry, which starts its payouts. */
export function setPrice(
  state: SettlementState,
  row: Settlement,
  priceMicros: number,
  source: PriceSource,
): void {
  assert(!isPriced(row), 'settlement: a price is set once')
  assert(priceMicros > 0, 'settlement: the price is positive')
  row.priceMicros = priceMicros
  row.source = source
  state.settlements.changed(row)
  startPaying(state, row)
}

function startPaying(state: SettlementState, row: Settlement): void {
  assert(isPriced(row), 'settlement: payouts start with a price')
  state.settlements.startPaying(row)
  showPrice(state, row, row.priceMicros)
  publishSettlement(state, row)
}

/** Marks the expiry's instruments at this price from now on, so that a payout changes no wallet's equity. */
function showPrice(
  state: SettlementState,
  { underlying, expiryMillis }: Settlement,
  micros: number,
): void {
  state.marks.settleExpiry(underlying, expiryMillis, micros)
  state.cells.noteMarks(underlying)
  state.risk.newMarks(underlying)
}

/** Publishes the means of the open windows if they have changed. */
function showEstimates(state: SettlementState, underlying: number): void {
  const { instruments, marks, config, nowMillis } = state
  const windowMillis = config.pricing.settlementWindowSeconds * secondMillis
  const shown = new Set<number>()
  for (const instrument of instruments.ofUnderlying[underlying]) {
    const expiryMillis = instruments.expiryMillis[instrument]
    const isOpen = expiryMillis > nowMillis && expiryMillis - windowMillis <= nowMillis
    if (!isOpen || shown.has(expiryMillis)) continue
    shown.add(expiryMillis)
    const count = readWindow(state, underlying, expiryMillis, nowMillis)
    if (count === 0) continue
    const priceMicros = meanMicros(samples, 0, count)
    const before = settlementEstimateOf(marks.inputsOf(underlying), expiryMillis)
    if (priceMicros === before) continue
    marks.setSettlementEstimate(underlying, expiryMillis, priceMicros)
    state.cells.noteMarks(underlying)
    publishEstimate(state, underlying, expiryMillis, priceMicros, count)
  }
}

/** Reads the valid samples up to a time into `samples`. @returns their number. */
function readWindow(
  state: SettlementState,
  underlying: number,
  expiryMillis: number,
  untilMillis: number,
): number {
  const windowSeconds = state.config.pricing.settlementWindowSeconds
  const { maxCarryMillis } = state.config.settlement
  if (samples.length < windowSeconds) samples = new Float64Array(windowSeconds)
  const window = { expiryMillis, windowSeconds, untilMillis, maxCarryMillis }
  return state.settlements.samplesOf(underlying).read(window, samples)
}
