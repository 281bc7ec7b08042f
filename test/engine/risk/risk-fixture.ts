import { StateHash } from '../../../engine/memory/state-hash.js'
import { ln } from '../../../engine/pricing/exact.js'
import { InstrumentTable } from '../../../engine/pricing/instruments.js'
import {
  type BandParameters,
  bandParametersDefault,
  type PriceBand,
} from '../../../engine/pricing/price-bands.js'
import type { Scenario } from '../../../engine/pricing/scenarios.js'
import { type RiskParameters, riskParametersDefault } from '../../../engine/pricing/scenarios.js'
import type { MarkView } from '../../../engine/risk/mark-view.js'
import { premiumMicros } from '../../../engine/risk/money.js'
import {
  FillEffect,
  fillTerms,
  MarginVerdict,
  OrderCheck,
} from '../../../engine/risk/order-check.js'
import { RiskEngine } from '../../../engine/risk/risk-engine.js'
import { type FeeParameters, FeeSchedule, noFees } from '../../../engine/risk/trading-fees.js'
import { OrderStore } from '../../../engine/state/orders/orders.js'
import { lotsPerContract, microsPerUsd } from '../../../schemas/bounds.js'
import { neverMillis, OrderStatus, Right, Side } from '../../../schemas/domain.js'
import { Result, resultRows } from '../../../schemas/results.js'
import { optionPriceOf } from '../../support/option-price.js'

/** Option as the vectors describe one; an omitted `atm_iv` equals `iv`. */
export interface OptionTerms {
  readonly underlying?: string
  readonly right: string
  readonly strike: number
  readonly days: number
  readonly iv: number
  readonly atm_iv?: number
}

export const startMillis = 1_790_000_000_000
const millisPerDay = 86_400_000
const instrumentsMax = 512

/** Marks from the formulas of risk arrays, written again without any sharing. */
export class TestMarks implements MarkView {
  readonly markMicros = new Float64Array(instrumentsMax).fill(Number.NaN)
  readonly standardDeltaMicros: Float64Array
  readonly portfolioDeltaMicros: Float64Array
  readonly indexMicros = new Float64Array(64).fill(Number.NaN)
  readonly #parameters: RiskParameters
  /** Inputs of each mark. */
  readonly #terms = new Map<number, { readonly spot: number; readonly terms: OptionTerms }>()

  constructor(parameters: RiskParameters) {
    this.#parameters = parameters
    const { standardScenarios, portfolioScenarios } = parameters
    this.standardDeltaMicros = new Float64Array(instrumentsMax * standardScenarios.length)
    this.portfolioDeltaMicros = new Float64Array(instrumentsMax * portfolioScenarios.length)
  }

  standardDeltasOf(): Float64Array {
    return this.standardDeltaMicros
  }

  portfolioDeltasOf(): Float64Array {
    return this.portfolioDeltaMicros
  }

  indexIsMissing(underlying: number): boolean {
    return Number.isNaN(this.indexMicros[underlying])
  }

  /** Computes the nine prices of a band, one by one. */
  bandOf(instrument: number, parameters: BandParameters, out: PriceBand): boolean {
    const of = this.#terms.get(instrument)
    const mark = this.markMicros[instrument]
    if (of === undefined || Number.isNaN(mark)) return false
    const { right, strike, iv, days } = of.terms
    const { spotShift, volShift, ticks, minHalfWidth } = parameters
    const prices = [-1, 0, 1].flatMap((move) =>
      [-1, 0, 1].map((bump) => {
        const kind = right === 'call' ? Right.Call : Right.Put
        const [spot, moved] = [of.spot * (1 + move * spotShift), iv * (1 + bump * volShift)]
        return micros(optionPriceOf(kind, spot, strike, moved, days / 365, 1))
      }),
    )
    const halfWidth = micros(minHalfWidth * of.spot)
    out.markMicros = mark
    out.lowerMicros = Math.max(0, Math.min(Math.min(...prices) - 100 * ticks, mark - halfWidth))
    out.upperMicros = Math.max(Math.max(...prices) + 100 * ticks, mark + halfWidth)
    return true
  }

  mark(instrument: number, spot: number, terms: OptionTerms): void {
    this.#terms.set(instrument, { spot, terms })
    const right = terms.right === 'call' ? Right.Call : Right.Put
    const mark = optionPriceOf(right, spot, terms.strike, terms.iv, terms.days / 365, 1)
    this.markMicros[instrument] = micros(mark)
    const rows: [readonly Scenario[], Float64Array][] = [
      [this.#parameters.standardScenarios, this.standardDeltaMicros],
      [this.#parameters.portfolioScenarios, this.portfolioDeltaMicros],
    ]
    for (const [scenarios, deltas] of rows) {
      for (const [j, scenario] of scenarios.entries()) {
        const shocked = this.#shocked(right, spot, terms, scenario)
        deltas[instrument * scenarios.length + j] = micros(shocked - mark)
      }
    }
  }

  markPerp(instrument: number, spot: number): void {
    this.markMicros[instrument] = micros(spot)
    const { portfolioScenarios } = this.#parameters
    for (const [j, { spotShift }] of portfolioScenarios.entries()) {
      const at = instrument * portfolioScenarios.length + j
      this.portfolioDeltaMicros[at] = micros(spot * spotShift)
    }
  }

  unmark(instrument: number): void {
    this.markMicros[instrument] = Number.NaN
  }

  #shocked(right: Right, spot: number, terms: OptionTerms, scenario: Scenario): number {
    const years = terms.days / 365
    const { volFloor, zClip } = this.#parameters
    const raw = ln(terms.strike / spot) / ((terms.atm_iv ?? terms.iv) * Math.sqrt(years))
    const z = Math.max(-zClip, Math.min(zClip, raw))
    const shape = (1 + scenario.skew * z) * (1 + scenario.kurtosis * Math.abs(z))
    const iv = Math.max(volFloor, terms.iv * (1 + scenario.volShift) * shape)
    return optionPriceOf(right, spot * (1 + scenario.spotShift), terms.strike, iv, years, 1)
  }
}

export interface WorldOptions {
  readonly standardIsDefinedRisk?: boolean
  readonly parameters?: Partial<RiskParameters>
  readonly bands?: Partial<BandParameters>
  readonly fees?: FeeParameters
}

/** Risk engine with its tables, and methods in contracts and USD. */
export class World {
  readonly parameters: RiskParameters
  readonly instruments = new InstrumentTable()
  readonly orders = new OrderStore(64)
  readonly hash = new StateHash()
  readonly marks: TestMarks
  readonly risk: RiskEngine
  readonly request = new OrderCheck()
  readonly verdict = new MarginVerdict()
  #result: Result = Result.Accepted
  readonly effect = new FillEffect()
  readonly options: {
    readonly standardIsDefinedRisk: boolean
    readonly bands: BandParameters
    readonly fees: FeeSchedule
  }
  #orderCount = 0

  constructor(options: WorldOptions = {}) {
    this.parameters = { ...riskParametersDefault, ...options.parameters }
    const { standardIsDefinedRisk = false, bands } = options
    this.options = {
      standardIsDefinedRisk,
      bands: { ...bandParametersDefault, ...bands },
      fees: options.fees === undefined ? noFees : new FeeSchedule(options.fees),
    }
    this.marks = new TestMarks(this.parameters)
    this.risk = this.newEngine(this.hash)
    this.risk.setTime(startMillis)
  }

  /** Returns another engine over the same tables. */
  newEngine(hash: StateHash): RiskEngine {
    const { instruments, orders, marks, parameters, options } = this
    return new RiskEngine(instruments, orders, marks, parameters, options, hash)
  }

  spot(name: string, price: number): number {
    const underlying = this.instruments.addUnderlying(name)
    this.marks.indexMicros[underlying] = micros(price)
    return underlying
  }

  /** Lists and marks an option; later calls only find it. */
  list(terms: OptionTerms): number {
    const name = terms.underlying ?? 'BTC'
    const right = terms.right === 'call' ? Right.Call : Right.Put
    const expiryMillis = startMillis + terms.days * millisPerDay
    const expiryDate = 20_260_000 + Math.floor(terms.days)
    const strikeMicros = micros(terms.strike)
    const known = this.instruments.find(name, expiryDate, strikeMicros, right)
    if (known >= 0) return known
    const instrument = this.instruments.add({
      underlyingName: name,
      expiryDate,
      expiryMillis,
      strikeMicros,
      right,
      tradingMode: 3,
      listedMillis: startMillis,
    })
    const underlying = this.instruments.underlying[instrument]
    const spot = this.marks.indexMicros[underlying] / microsPerUsd
    if (!Number.isNaN(spot)) this.marks.mark(instrument, spot, terms)
    return instrument
  }

  /** Lists and marks the perp of an underlying; later calls only find it. */
  listPerp(name: string): number {
    const { instruments, marks } = this
    const known = instruments.find(name, 0, 0, Right.None)
    if (known >= 0) return known
    const instrument = instruments.add({
      underlyingName: name,
      expiryDate: 0,
      expiryMillis: neverMillis,
      strikeMicros: 0,
      right: Right.None,
      tradingMode: 1,
      listedMillis: startMillis,
    })
    const spot = marks.indexMicros[instruments.underlying[instrument]] / microsPerUsd
    if (!Number.isNaN(spot)) marks.markPerp(instrument, spot)
    return instrument
  }

  /** Opens an account with cash. */
  account(cash: number): number {
    const account = this.risk.accountCount
    this.risk.openAccount(account)
    if (cash !== 0) this.risk.creditCash(account, micros(cash))
    return account
  }

  /** Fills one side at a price, with signed contracts. */
  fill(account: number, instrument: number, contracts: number, price: number): FillEffect {
    const sizeLots = lots(Math.abs(contracts))
    const side = contracts > 0 ? Side.Buy : Side.Sell
    const premium = premiumMicros(micros(price), sizeLots)
    const { risk, effect } = this
    risk.fill(
      fillTerms({
        account,
        instrument,
        side,
        sizeLots,
        priceMicros: micros(price),
        premiumMicros: premium,
      }),
      effect,
    )
    return effect
  }

  /** Gives a position at a price of 0, so that cash stays. */
  give(account: number, instrument: number, contracts: number): void {
    this.fill(account, instrument, contracts, 0)
  }

  /**
   * Places a working order.
   * @returns its slot
   */
  work(
    account: number,
    instrument: number,
    side: Side,
    contracts: number,
    price: number,
    flags = 0,
  ): number {
    const { orders } = this
    const slot = orders.take()
    orders.orderId[slot] = ++this.#orderCount
    orders.account[slot] = account
    orders.instrument[slot] = instrument
    orders.side[slot] = side
    orders.flags[slot] = flags
    orders.status[slot] = OrderStatus.Acked
    orders.priceMicros[slot] = micros(price)
    orders.sizeLots[slot] = lots(contracts)
    orders.openLots[slot] = lots(contracts)
    this.risk.addOrder(slot)
    return slot
  }

  /** Returns the result of an order's check. */
  check(
    account: number,
    instrument: number,
    side: Side,
    contracts: number,
    price: number,
    replacedSlot = -1,
  ): Result {
    const { request, verdict } = this
    request.account = account
    request.instrument = instrument
    request.side = side
    request.sizeLots = lots(contracts)
    request.priceMicros = micros(price)
    request.replacedSlot = replacedSlot
    this.#result = this.risk.checkOrder(request, verdict)
    return this.#result
  }

  /** Details of the latest check, by name. */
  get details(): Readonly<Record<string, number>> {
    return detailsOf(this.#result, this.verdict)
  }
}

/** Returns the details of a rejection by name. */
export function detailsOf(result: Result, { details }: MarginVerdict): Record<string, number> {
  const rows = resultRows[result].details ?? []
  return Object.fromEntries(rows.map(({ name }, place) => [name, details[place]]))
}

export function micros(usd: number): number {
  return Math.round(usd * microsPerUsd)
}

export function lots(contracts: number): number {
  return Math.round(contracts * lotsPerContract)
}

/** Options that the specification's examples name. */
export const call100k: OptionTerms = { right: 'call', strike: 100_000, days: 30, iv: 0.6 }
export const call110k: OptionTerms = { right: 'call', strike: 110_000, days: 30, iv: 0.6 }
export const call120k: OptionTerms = { right: 'call', strike: 120_000, days: 30, iv: 0.6 }
export const put90k: OptionTerms = { right: 'put', strike: 90_000, days: 30, iv: 0.6 }
export const put80k: OptionTerms = { right: 'put', strike: 80_000, days: 30, iv: 0.6 }
