import { assert } from '../../schemas/assert.js'
import { microsPerUsd, underlyingsMax } from '../../schemas/bounds.js'
import { InstrumentState, Right } from '../../schemas/domain.js'
import { ExpiryPricing, prepareExpiry } from './expiry-pricing.js'
import type { InstrumentTable } from './instruments.js'
import { clearRow, copyRows, growColumns, MarkColumns } from './mark-columns.js'
import {
  type MarkInputs,
  markInputsNone,
  settlementEstimateOf,
  withEntry,
  withoutEntry,
} from './mark-inputs.js'
import { fillActiveRisk, fillPerpRisk, markActive, markExpired, markPerp } from './mark-row.js'
import { MarkedOption } from './marked-option.js'
import {
  type BandParameters,
  bandParametersDefault,
  CachedBands,
  fillBand,
  type PriceBand,
} from './price-bands.js'
import { isStale, type MarksOptions, type PricingParameters } from './pricing-parameters.js'
import { RiskRows } from './risk-rows.js'
import type { Surface } from './surface.js'

/** State of one underlying in a snapshot. A restored `Marks` computes the same bits from it. */
export interface UnderlyingMarks {
  readonly inputs: MarkInputs
  /** Inputs and time of the current marks; the time is NaN before the first re-mark. */
  readonly markedInputs: MarkInputs
  readonly markedMillis: number
  /** Inputs and time of a re-mark in progress; without one, `inputs` and NaN. */
  readonly pendingInputs: MarkInputs
  readonly pendingMillis: number
}

/** One re-mark of one underlying: its inputs, and the values that its instruments share. */
class Pass {
  inputs: MarkInputs = markInputsNone
  nowMillis = Number.NaN
  /** Number of the pass, stored in the rows that it has written. */
  number = 0
  readonly expiries: ExpiryPricing[] = []
  expiriesUsed = 0
}

/** Current inputs of an underlying, the pass of its marks, and the pass in progress. */
class UnderlyingState {
  inputs: MarkInputs = markInputsNone
  marked = new Pass()
  pending = new Pass()
}

/**
 * Marks, greeks and risk arrays of all instruments. Inputs arrive at any time. Results change only at a re-mark, for a
 * whole underlying at once, so that no spread is ever half re-marked.
 *
 *   beginRemark ──► remarkSlice … remarkSlice ──► publishRemark        spread between orders
 *   (keeps the       (writes rows of the           (marks the remaining rows, then copies all
 *    inputs)          shadow set)                   of them to the columns that readers see)
 *
 *   remark                                                             all of it at once
 *
 * Results depend only on inputs, times, instruments and parameters, not on the slices. Risk arrays do not depend on
 * when they were requested. Parameters are fixed; changed ones require a new object, restored from the state of the old
 * one.
 */
export class Marks extends MarkColumns {
  readonly options: MarksOptions
  /** Latest index per underlying in micros; NaN before the first. Marks may use an earlier one. */
  readonly indexMicros = new Float64Array(underlyingsMax).fill(Number.NaN)
  readonly indexAtMillis = new Float64Array(underlyingsMax).fill(Number.NEGATIVE_INFINITY)
  /** Time of the current marks per underlying; NaN before the first re-mark. */
  readonly lastMarkedMillis = new Float64Array(underlyingsMax).fill(Number.NaN)

  readonly instruments: InstrumentTable
  readonly #underlyings: UnderlyingState[] = []
  readonly #shadow = new MarkColumns(0)
  readonly #standard: RiskRows
  readonly #portfolio: RiskRows
  #rowPass = new Float64Array(0)
  #passCount = 0
  readonly #option = new MarkedOption()
  #bands = new CachedBands(bandParametersDefault, 0)

  constructor(instruments: InstrumentTable, options: MarksOptions) {
    super(instruments.underlying.length)
    this.options = options
    this.instruments = instruments
    this.#standard = new RiskRows(options.risk.standardScenarios.length)
    this.#portfolio = new RiskRows(options.portfolio ? options.risk.portfolioScenarios.length : 0)
  }

  /**
   * Stores an index observation; marks follow at the next re-mark.
   * @param priceMicros above 0.
   * @returns false, without a change, if the current observation is later.
   */
  setIndex(underlying: number, priceMicros: number, observedAtMillis: number): boolean {
    assert(priceMicros > 0, 'marks: an index price is positive')
    assert(Number.isFinite(observedAtMillis), 'marks: the observation time is finite')
    const state = this.#stateOf(underlying)
    if (observedAtMillis < state.inputs.indexAtMillis) return false
    state.inputs = { ...state.inputs, indexMicros: priceMicros, indexAtMillis: observedAtMillis }
    this.#showIndex(underlying)
    return true
  }

  /** Replaces the surface of an expiry; marks follow at the next re-mark. */
  setSurface(underlying: number, surface: Surface): void {
    const state = this.#stateOf(underlying)
    state.inputs = { ...state.inputs, surfaces: withEntry(state.inputs.surfaces, surface) }
  }

  /** Stores the mean of the settlement samples so far, in micros; NaN if there are none. */
  setSettlementEstimate(underlying: number, expiryMillis: number, priceMicros: number): void {
    assert(!(priceMicros < 0), 'marks: the estimate is not negative')
    const state = this.#stateOf(underlying)
    const estimates = withEntry(state.inputs.estimates, { expiryMillis, priceMicros })
    state.inputs = { ...state.inputs, estimates }
  }

  /**
   * Stores the settlement price of an expired expiry, or its estimate from the samples so far. Marks the instruments of
   * the expiry at once, because no other instrument depends on the price.
   */
  settleExpiry(underlying: number, expiryMillis: number, priceMicros: number): void {
    assert(priceMicros > 0, 'marks: the settlement price is positive')
    const state = this.#stateOf(underlying)
    this.setSettlementEstimate(underlying, expiryMillis, priceMicros)
    const entry = { expiryMillis, priceMicros }
    for (const pass of [state.marked, state.pending]) {
      if (Number.isNaN(pass.nowMillis)) continue
      pass.inputs = { ...pass.inputs, estimates: withEntry(pass.inputs.estimates, entry) }
      pass.expiriesUsed = 0
    }
    for (const instrument of this.instruments.ofUnderlying[underlying]) {
      if (this.instruments.expiryMillis[instrument] === expiryMillis)
        this.markInstrument(instrument)
    }
  }

  /** Removes surface and settlement estimate of a settled expiry. */
  removeExpiry(underlying: number, expiryMillis: number): void {
    const state = this.#stateOf(underlying)
    const surfaces = withoutEntry(state.inputs.surfaces, expiryMillis)
    const estimates = withoutEntry(state.inputs.estimates, expiryMillis)
    state.inputs = { ...state.inputs, surfaces, estimates }
  }

  /** Returns true if the index is missing or older than `indexMaxAgeMillis`: "No spot price available". */
  indexIsMissing(underlying: number, nowMillis: number): boolean {
    if (Number.isNaN(this.indexMicros[underlying])) return true
    const { indexMaxAgeMillis } = this.options.pricing
    return isStale(this.indexAtMillis[underlying], nowMillis, indexMaxAgeMillis)
  }

  /**
   * Writes the price band of an instrument, from the inputs and time of its current mark.
   * @returns false, leaving `out` unchanged, if there is no mark, or none with a volatility.
   */
  bandOf(instrument: number, parameters: BandParameters, out: PriceBand): boolean {
    // Also false beyond the end of the column.
    if (!(this.iv[instrument] >= 0)) return false
    const { instruments } = this
    const { marked } = this.#stateOf(instruments.underlying[instrument])
    const cached = this.#cachedBands(parameters)
    if (cached.pass[instrument] === marked.number) {
      out.markMicros = this.markMicros[instrument]
      out.lowerMicros = cached.lowerMicros[instrument]
      out.upperMicros = cached.upperMicros[instrument]
      return true
    }
    const right = instruments.right[instrument] as Right
    const strike = instruments.strikeMicros[instrument] / microsPerUsd
    const expiry = this.#expiryOf(marked, instruments.expiryMillis[instrument])
    const { indexMicros } = marked.inputs
    const option = this.#option
    option.right = right
    option.strike = strike
    option.iv = this.iv[instrument]
    out.markMicros = this.markMicros[instrument]
    fillBand(out, option, indexMicros, expiry, parameters)
    cached.pass[instrument] = marked.number
    cached.lowerMicros[instrument] = out.lowerMicros
    cached.upperMicros[instrument] = out.upperMicros
    return true
  }

  /**
   * Returns the risk arrays of the standard model, [instrument · scenarios + scenario], micros per long contract before
   * the weight; 0 without a mark. The row of `instrument` belongs to its current mark; others may be older.
   */
  standardDeltasOf(instrument: number): Float64Array {
    return this.#deltasOf(this.#standard, instrument)
  }

  /** `standardDeltasOf` for the portfolio model. */
  portfolioDeltasOf(instrument: number): Float64Array {
    return this.#deltasOf(this.#portfolio, instrument)
  }

  /** Returns the latest inputs of an underlying. */
  inputsOf(underlying: number): MarkInputs {
    return this.#stateOf(underlying).inputs
  }

  /** Re-marks all instruments of an underlying at once, and drops a sliced re-mark in progress. */
  remark(underlying: number, nowMillis: number): void {
    this.#growToInstruments()
    const state = this.#stateOf(underlying)
    assert(Number.isFinite(nowMillis), 'marks: the time is finite')
    state.pending.nowMillis = Number.NaN
    this.#begin(state.marked, state.inputs, nowMillis)
    for (const instrument of this.instruments.ofUnderlying[underlying]) {
      this.#markRow(this, state.marked, instrument)
    }
    this.lastMarkedMillis[underlying] = nowMillis
  }

  /** Starts a sliced re-mark with the current inputs, and drops one in progress. */
  beginRemark(underlying: number, nowMillis: number): void {
    assert(Number.isFinite(nowMillis), 'marks: the time is finite')
    const state = this.#stateOf(underlying)
    this.#begin(state.pending, state.inputs, nowMillis)
  }

  /**
   * Marks a part of the underlying's list of instruments in the shadow set.
   * @returns the number of marked instruments; 0 without a re-mark in progress, or if `from` is at the end of the list.
   */
  remarkSlice(underlying: number, from: number, count: number): number {
    assert(from >= 0 && count >= 0, 'marks: the slice is valid')
    this.#growToInstruments()
    const { pending } = this.#stateOf(underlying)
    if (Number.isNaN(pending.nowMillis)) return 0
    const list = this.instruments.ofUnderlying[underlying]
    const end = Math.min(list.length, from + count)
    for (let index = from; index < end; index++) this.#markShadow(pending, list[index])
    return Math.max(0, end - from)
  }

  /**
   * Publishes the re-mark in progress for the whole underlying. First marks the rows that no slice reached, including
   * newly listed instruments.
   * @returns false without a re-mark in progress.
   */
  publishRemark(underlying: number): boolean {
    this.#growToInstruments()
    const state = this.#stateOf(underlying)
    const { pending, marked } = state
    if (Number.isNaN(pending.nowMillis)) return false
    const list = this.instruments.ofUnderlying[underlying]
    for (const instrument of list) {
      if (this.#rowPass[instrument] !== pending.number) this.#markShadow(pending, instrument)
    }
    this.#publishShadow(list)
    this.#standard.show(list, pending.number)
    this.#portfolio.show(list, pending.number)
    state.marked = pending
    state.pending = marked
    marked.nowMillis = Number.NaN
    this.lastMarkedMillis[underlying] = pending.nowMillis
    return true
  }

  /**
   * Marks one instrument that was just listed or changed its state, with inputs and time of its underlying's current
   * marks. Before the first re-mark it stays missing. Its row in a re-mark in progress belongs to its earlier state,
   * and is recomputed when that re-mark is published.
   */
  markInstrument(instrument: number): void {
    assert(
      instrument >= 0 && instrument < this.instruments.count,
      'marks: the instrument is listed',
    )
    this.#growToInstruments()
    this.#rowPass[instrument] = 0
    this.#standard.forget(instrument)
    this.#portfolio.forget(instrument)
    const { marked } = this.#stateOf(this.instruments.underlying[instrument])
    if (Number.isNaN(marked.nowMillis)) clearRow(this, instrument)
    else this.#markRow(this, marked, instrument)
  }

  /** Returns the state of an underlying for a snapshot, as shared immutable objects. */
  stateOf(underlying: number): UnderlyingMarks {
    const { inputs, marked, pending } = this.#stateOf(underlying)
    return {
      inputs,
      markedInputs: marked.inputs,
      markedMillis: marked.nowMillis,
      pendingInputs: Number.isNaN(pending.nowMillis) ? inputs : pending.inputs,
      pendingMillis: pending.nowMillis,
    }
  }

  /** Restores the state of a snapshot and computes the marks. The instruments must already exist. */
  restore(underlying: number, saved: UnderlyingMarks): void {
    const state = this.#stateOf(underlying)
    assert(
      Number.isNaN(state.marked.nowMillis),
      'marks: they are restored before the first re-mark',
    )
    state.inputs = saved.markedInputs
    if (!Number.isNaN(saved.markedMillis)) this.remark(underlying, saved.markedMillis)
    state.inputs = saved.pendingInputs
    if (!Number.isNaN(saved.pendingMillis)) this.beginRemark(underlying, saved.pendingMillis)
    state.inputs = saved.inputs
    this.#showIndex(underlying)
  }

  #begin(pass: Pass, inputs: MarkInputs, nowMillis: number): void {
    pass.inputs = inputs
    pass.nowMillis = nowMillis
    pass.number = ++this.#passCount
    pass.expiriesUsed = 0
  }

  #markShadow(pass: Pass, instrument: number): void {
    this.#markRow(this.#shadow, pass, instrument)
    this.#rowPass[instrument] = pass.number
    this.#readyShadowRisk(this.#standard, pass, instrument)
    this.#readyShadowRisk(this.#portfolio, pass, instrument)
  }

  #readyShadowRisk(rows: RiskRows, pass: Pass, instrument: number): void {
    const { marked } = this.#stateOf(this.instruments.underlying[instrument])
    const isRequested = rows.isRequested(instrument, marked.number)
    if (isRequested) this.#fillRisk(rows, rows.shadowMicros, this.#shadow, pass, instrument)
    rows.noteShadow(instrument, isRequested ? pass.number : null)
  }

  #deltasOf(rows: RiskRows, instrument: number): Float64Array {
    this.#growToInstruments()
    const { marked } = this.#stateOf(this.instruments.underlying[instrument])
    if (!rows.ask(instrument, marked.number)) {
      this.#fillRisk(rows, rows.deltaMicros, this, marked, instrument)
      rows.note(instrument, marked.number)
    }
    return rows.deltaMicros
  }

  /**
   * Computes a risk array from the row of the mark, since the instrument may have changed its state without a new mark.
   */
  #fillRisk(
    rows: RiskRows,
    out: Float64Array,
    columns: MarkColumns,
    pass: Pass,
    instrument: number,
  ): void {
    const { instruments, options } = this
    const at = instrument * rows.count
    const iv = columns.iv[instrument]
    if (iv >= 0) {
      const option = this.#option
      option.right = instruments.right[instrument] as Right
      option.strike = instruments.strikeMicros[instrument] / microsPerUsd
      option.iv = iv
      const expiry = this.#expiryOf(pass, instruments.expiryMillis[instrument])
      const shocked = rows === this.#portfolio ? expiry.portfolio : expiry.standard
      fillActiveRisk(option, expiry, options, shocked, out, at)
      return
    }
    out.fill(0, at, at + rows.count)
    const isPerp = instruments.right[instrument] === Right.None
    if (rows !== this.#portfolio || !isPerp || !(columns.markMicros[instrument] >= 0)) return
    fillPerpRisk(columns.markMicros[instrument], options.risk.portfolioScenarios, out, at)
  }

  // Copies runs of consecutive rows. A chain that was listed at once has consecutive rows.
  #publishShadow(list: readonly number[]): void {
    let from = 0
    for (let end = 1; end <= list.length; end++) {
      if (end < list.length && list[end] === list[end - 1] + 1) continue
      copyRows(this.#shadow, this, list[from], end - from)
      from = end
    }
  }

  #markRow(columns: MarkColumns, pass: Pass, instrument: number): void {
    const { instruments } = this
    const state = instruments.state[instrument]
    if (state === InstrumentState.Settled || state === InstrumentState.Deleted) {
      clearRow(columns, instrument)
      return
    }
    const right = instruments.right[instrument] as Right
    if (right === Right.None) {
      const { pricing } = this.options
      const indexMicros = usableIndex(pass.inputs, pass.nowMillis, pricing) ?? Number.NaN
      markPerp(columns, instrument, indexMicros)
      return
    }
    const strike = instruments.strikeMicros[instrument] / microsPerUsd
    const expiry = this.#expiryOf(pass, instruments.expiryMillis[instrument])
    if (expiry.expired || state === InstrumentState.ExpiredPendingPrice) {
      markExpired(columns, instrument, right, strike, expiry.payoffPrice)
      return
    }
    const option = this.#option
    option.right = right
    option.strike = strike
    markActive(columns, instrument, option, expiry, this.options)
  }

  // Searches backwards: an underlying has few expiries, and neighbours in its list mostly share one.
  #expiryOf(pass: Pass, expiryMillis: number): ExpiryPricing {
    for (let index = pass.expiriesUsed - 1; index >= 0; index--) {
      if (pass.expiries[index].expiryMillis === expiryMillis) return pass.expiries[index]
    }
    const { pricing, risk, portfolio } = this.options
    if (pass.expiriesUsed === pass.expiries.length) {
      const portfolioRows = portfolio ? risk.portfolioScenarios : []
      pass.expiries.push(new ExpiryPricing(risk.standardScenarios, portfolioRows))
    }
    const expiry = pass.expiries[pass.expiriesUsed++]
    const { inputs, nowMillis } = pass
    const indexMicros = usableIndex(inputs, nowMillis, pricing) ?? Number.NaN
    const settlementEstimateMicros = settlementEstimateOf(inputs, expiryMillis)
    const { surfaces } = inputs
    const known = { expiryMillis, nowMillis, indexMicros, settlementEstimateMicros, surfaces }
    prepareExpiry(expiry, known, pricing)
    return expiry
  }

  /** Returns the cached bands, cleared if the parameters or the number of instruments have changed. */
  #cachedBands(parameters: BandParameters): CachedBands {
    const cached = this.#bands
    const length = this.markMicros.length
    if (cached.parameters === parameters && cached.pass.length === length) return cached
    this.#bands = new CachedBands(parameters, length)
    return this.#bands
  }

  #stateOf(underlying: number): UnderlyingState {
    const states = this.#underlyings
    assert(underlying >= 0 && underlying < underlyingsMax, 'marks: the underlying index is valid')
    while (states.length <= underlying) states.push(new UnderlyingState())
    return states[underlying]
  }

  #showIndex(underlying: number): void {
    const { inputs } = this.#stateOf(underlying)
    this.indexMicros[underlying] = inputs.indexMicros
    this.indexAtMillis[underlying] = inputs.indexAtMillis
  }

  #growToInstruments(): void {
    const { count } = this.instruments
    if (this.#rowPass.length >= count && this.markMicros.length >= count) return
    growColumns(this, count)
    growColumns(this.#shadow, count)
    const rowPass = new Float64Array(this.#shadow.markMicros.length)
    rowPass.set(this.#rowPass)
    this.#rowPass = rowPass
    this.#standard.growTo(rowPass.length)
    this.#portfolio.growTo(rowPass.length)
  }
}

function usableIndex(
  inputs: MarkInputs,
  nowMillis: number,
  parameters: PricingParameters,
): number | null {
  if (Number.isNaN(inputs.indexMicros)) return null
  if (isStale(inputs.indexAtMillis, nowMillis, parameters.indexMaxAgeMillis)) return null
  return inputs.indexMicros
}
