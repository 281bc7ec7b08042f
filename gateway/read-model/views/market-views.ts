import { InstrumentTable } from '../../../engine/pricing/instruments.js'
import { Marks } from '../../../engine/pricing/marks.js'
import { Surface } from '../../../engine/pricing/surface.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { assert } from '../../../schemas/assert.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { InstrumentState } from '../../../schemas/domain.js'
import type {
  AnyEvent,
  FundingEvent,
  HaltEvent,
  InstrumentEvent,
  MaxIndexEvent,
  RemarkedEvent,
  SettlementEvent,
  SurfaceEvent,
} from '../../../schemas/generated/events.js'
import {
  FundingPhase,
  InstrumentChange,
  RemarkPhase,
  SettlementPhase,
} from '../../../schemas/record-values.js'
import { symbolOf } from '../../wire/event-text.js'
import { indexPriceOf } from '../../wire/market-data.js'
import { LevelBooks } from './level-book.js'
import type { TradeStatistics } from './trade-statistics.js'

/** Latest funding of a perp. */
export interface FundingRate {
  /** Fraction of the index, 1e-9; positive: longs paid. */
  readonly rateNanos: number
  /** End of its period. */
  readonly endMillis: number
}

/** Instruments, marks and books from the events: the part that is common to all wallets. */
export class MarketViews {
  readonly instruments = new InstrumentTable()
  readonly marks: Marks
  readonly books = new LevelBooks()
  /** Canonical symbol per instrument. */
  readonly symbols: string[] = []
  /** HaltMode per underlying. */
  readonly haltModes = new Uint8Array(underlyingsMax)
  /** Time of the last change of that mode per underlying. */
  readonly haltedMillis = new Float64Array(underlyingsMax)
  /** Sum of the long positions per instrument, lots. */
  readonly openInterestLots: number[] = []
  /** Time of the last change of state or marks per underlying. */
  readonly changedMillis = new Float64Array(underlyingsMax)
  /** Time of the latest surface per underlying; 0: none. */
  readonly surfaceMillis = new Float64Array(underlyingsMax)
  /** Time of the last change of state per instrument, or of its listing. */
  readonly stateMillis: number[] = []
  /** Incremented with each change of listings. Part of the key of cached answers, like `version`. */
  listingVersion = 0
  /** Incremented with each change of the content of /markets. */
  version = 0
  /** Incremented with each index price and surface. */
  feedVersion = 0

  /** Latest rates by perp, after its first funding. */
  readonly fundingRates = new Map<number, FundingRate>()
  /** Settlement prices by underlying and expiry. */
  readonly #settlementMicros = new Map<string, number>()
  readonly #statistics: TradeStatistics

  constructor(config: EngineConfig, statistics: TradeStatistics) {
    const { pricing, risk, portfolioModeAllowed } = config
    this.marks = new Marks(this.instruments, { pricing, risk, portfolio: portfolioModeAllowed })
    this.#statistics = statistics
  }

  /**
   * @returns The underlying. One of its marks may have changed with the instrument's state.
   */
  instrument(event: InstrumentEvent): number {
    const { instrument: id, underlying, change, state, timeMillis } = event
    const { instruments } = this
    if (change === InstrumentChange.Bootstrap || change === InstrumentChange.Created) {
      this.#list(event)
    }
    if (state === InstrumentState.Deleted) instruments.remove(id)
    else {
      if (state === InstrumentState.Settled) instruments.settle(id)
      else instruments.state[id] = state
      instruments.tradingMode[id] = event.tradingMode
      instruments.expiryMillis[id] = event.expiryMillis
    }
    this.stateMillis[id] =
      change === InstrumentChange.Bootstrap ? instruments.listedMillis[id] : timeMillis
    this.marks.markInstrument(id)
    this.changedMillis[underlying] = timeMillis
    this.listingVersion++
    this.version++
    return underlying
  }

  surface(event: SurfaceEvent): void {
    const surface = new Surface(
      event.surfaceKind,
      event.expiryMillis,
      event.takenMillis,
      event.indexMicros,
      event.valuesView(event.count).slice(),
    )
    this.marks.setSurface(event.underlying, surface)
    const { surfaceMillis } = this
    surfaceMillis[event.underlying] = Math.max(surfaceMillis[event.underlying]!, event.takenMillis)
    this.feedVersion++
  }

  /**
   * @returns The underlying.
   */
  indexPrice(event: AnyEvent): number {
    const price = indexPriceOf(event)
    const underlying = price.underlying()
    const priceMicros = price.priceMicros()
    this.marks.setIndex(underlying, priceMicros, price.observedMillis())
    this.feedVersion++
    this.#statistics.indexOf(underlying).note(event.timeMillis, priceMicros)
    this.version++
    return underlying
  }

  /**
   * @returns The underlying, whose margin sums are now stale; null if the re-mark has only begun.
   */
  remarked({ underlying, phase, timeMillis }: RemarkedEvent): number | null {
    this.instruments.reserveUnderlying(underlying)
    if (phase === RemarkPhase.Begun) {
      this.marks.beginRemark(underlying, timeMillis)
      return null
    }
    if (phase === RemarkPhase.Whole) this.marks.remark(underlying, timeMillis)
    else assert(this.marks.publishRemark(underlying), 'read model: a re-mark has begun')
    for (const instrument of this.instruments.ofUnderlying[underlying]) {
      const markMicros = this.marks.markMicros[instrument]
      this.#statistics.of(instrument).marks.note(timeMillis, markMicros)
    }
    this.changedMillis[underlying] = timeMillis
    this.version++
    return underlying
  }

  /**
   * Applies a settlement event. Marks of an expiry follow its samples, then its settlement price.
   * @returns The underlying.
   */
  settlement({ underlying, phase, expiryMillis, priceMicros }: SettlementEvent): number {
    const { marks } = this
    this.instruments.reserveUnderlying(underlying)
    if (phase === SettlementPhase.Settled) marks.removeExpiry(underlying, expiryMillis)
    else if (Number.isNaN(priceMicros)) return underlying
    else if (phase === SettlementPhase.Window) {
      marks.setSettlementEstimate(underlying, expiryMillis, priceMicros)
    } else marks.settleExpiry(underlying, expiryMillis, priceMicros)
    if (phase >= SettlementPhase.Paying) {
      this.#settlementMicros.set(`${underlying} ${expiryMillis}`, priceMicros)
    }
    this.version++
    return underlying
  }

  /** Ignores the end of payments, which may follow the fixing of a later period and adds nothing. */
  funding({ phase, instrument, rateNanos, endMillis }: FundingEvent): void {
    if (phase !== FundingPhase.Paid) this.fundingRates.set(instrument, { rateNanos, endMillis })
  }

  /** Returns the settlement price of an instrument's expiry; NaN if there is none yet. */
  settlementMicrosOf(instrument: number): number {
    const { underlying, expiryMillis } = this.instruments
    const key = `${underlying[instrument]} ${expiryMillis[instrument]}`
    return this.#settlementMicros.get(key) ?? Number.NaN
  }

  halt({ underlying, mode, timeMillis }: HaltEvent): void {
    const isOfAll = underlying < 0
    const [first, end] = isOfAll ? [0, underlyingsMax] : [underlying, underlying + 1]
    for (let u = first; u < end; u++) {
      if (this.haltModes[u] !== mode) this.haltedMillis[u] = timeMillis
      this.haltModes[u] = mode
    }
    this.listingVersion++
  }

  maxIndex({ underlying, maxIndexMicros }: MaxIndexEvent): void {
    this.instruments.maxIndexMicros[underlying] = maxIndexMicros
  }

  /** Applies a change of one wallet's position. */
  moveOpenInterest(instrument: number, beforeLots: number, afterLots: number): void {
    const change = Math.max(0, afterLots) - Math.max(0, beforeLots)
    if (change === 0) return
    this.openInterestLots[instrument] = (this.openInterestLots[instrument] ?? 0) + change
    this.version++
  }

  #list(event: InstrumentEvent): void {
    const { nameText: underlyingName, expiryDate, expiryMillis, strikeMicros, right } = event
    const { tradingMode, listedMillis } = event
    const terms = { underlyingName, expiryDate, expiryMillis, strikeMicros, right }
    this.instruments.nameUnderlying(event.underlying, underlyingName)
    const added = this.instruments.add({ ...terms, tradingMode, listedMillis })
    assert(added === event.instrument, 'read model: instrument ids follow the core')
    this.symbols[added] = symbolOf(event)
  }
}
