import { ByteBuffer } from 'flatbuffers'
import type { EventLogReader } from '../../../engine/memory/event-log.js'
import { InstrumentTable } from '../../../engine/pricing/instruments.js'
import { Marks } from '../../../engine/pricing/marks.js'
import { Surface } from '../../../engine/pricing/surface.js'
import type { EngineConfig } from '../../../engine/state/engine-config.js'
import { assert } from '../../../schemas/assert.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { InstrumentState, type Right } from '../../../schemas/domain.js'
import {
  eventBodyAt,
  eventMillisAt,
  eventSeqAt,
  haltEventModeAt,
  haltEventUnderlyingAt,
  instrumentChangeAt,
  instrumentExpiryDateAt,
  instrumentExpiryMillisAt,
  instrumentIdAt,
  instrumentListedMillisAt,
  instrumentModeAt,
  instrumentRightAt,
  instrumentStateAt,
  instrumentStrikeMicrosAt,
  instrumentUnderlyingAt,
  maxIndexEventMicrosAt,
  maxIndexEventUnderlyingAt,
  remarkedPhaseAt,
  remarkedUnderlyingAt,
  surfaceEventCountAt,
  surfaceEventExpiryMillisAt,
  surfaceEventIndexMicrosAt,
  surfaceEventKindAt,
  surfaceEventTakenMillisAt,
  surfaceEventUnderlyingAt,
  surfaceEventValuesAt,
} from '../../../schemas/events.js'
import {
  fundingEventEndMillisAt,
  fundingEventInstrumentAt,
  fundingEventPhaseAt,
  fundingEventRateNanosAt,
} from '../../../schemas/funding.js'
import { BookCleared } from '../../../schemas/generated/market-data/book-cleared.js'
import { BookLevel } from '../../../schemas/generated/market-data/book-level.js'
import { IndexPrice } from '../../../schemas/generated/market-data/index-price.js'
import type { SurfaceKind } from '../../../schemas/record-values.js'
import {
  FundingPhase,
  InstrumentChange,
  RemarkPhase,
  SettlementPhase,
} from '../../../schemas/record-values.js'
import {
  settlementEventExpiryMillisAt,
  settlementEventPhaseAt,
  settlementEventPriceMicrosAt,
  settlementEventUnderlyingAt,
} from '../../../schemas/settlement.js'
import { symbolAt, underlyingNameAt } from '../event-text.js'
import { LevelBooks } from './level-book.js'
import type { TradeStatistics } from './trade-statistics.js'

/** Funding of a perp that was fixed last. */
export interface FundingRate {
  /** Share of the index, 1e-9; above 0 longs paid. */
  readonly rateNanos: number
  /** End of its period. */
  readonly endMillis: number
}

/** Instruments, marks and books as the events tell them: what every wallet sees alike. */
export class MarketViews {
  readonly instruments = new InstrumentTable()
  readonly marks: Marks
  readonly books = new LevelBooks()
  /** Canonical symbol per instrument. */
  readonly symbols: string[] = []
  /** HaltMode per underlying. */
  readonly haltModes = new Uint8Array(underlyingsMax)
  /** Sum of the long positions per instrument, lots. */
  readonly openInterestLots: number[] = []
  /** Time of the last change of state or marks per underlying. */
  readonly changedMillis = new Float64Array(underlyingsMax)
  /** Time of the last change of state per instrument, or of its listing. */
  readonly stateMillis: number[] = []
  /** Rises with each change of listings; part of the key of cached answers, like `version`. */
  listingVersion = 0
  /** Rises with each change of what /markets shows. */
  version = 0

  /** By perp that has been funded. */
  readonly fundingRates = new Map<number, FundingRate>()
  /** Settlement prices by underlying and expiry. */
  readonly #settlementMicros = new Map<string, number>()
  readonly #log: EventLogReader
  readonly #statistics: TradeStatistics
  readonly #bytes: ByteBuffer
  readonly #level = new BookLevel()
  readonly #cleared = new BookCleared()
  readonly #indexPrice = new IndexPrice()

  constructor(config: EngineConfig, log: EventLogReader, statistics: TradeStatistics) {
    const { pricing, risk, portfolioModeAllowed } = config
    this.marks = new Marks(this.instruments, { pricing, risk, portfolio: portfolioModeAllowed })
    this.#log = log
    this.#statistics = statistics
    this.#bytes = new ByteBuffer(log.u8)
  }

  /** @returns the underlying, one of whose marks may have changed with its instrument's state. */
  instrument(at: number): number {
    const { i32, f64 } = this.#log
    const id = i32[(at + instrumentIdAt) >> 2]
    const underlying = i32[(at + instrumentUnderlyingAt) >> 2]
    const change = i32[(at + instrumentChangeAt) >> 2]
    const { instruments } = this
    if (change === InstrumentChange.Bootstrap || change === InstrumentChange.Created) {
      this.#list(at, id, underlying)
    }
    const state = i32[(at + instrumentStateAt) >> 2]
    if (state === InstrumentState.Deleted) instruments.remove(id)
    else {
      if (state === InstrumentState.Settled) instruments.settle(id)
      else instruments.state[id] = state
      instruments.tradingMode[id] = i32[(at + instrumentModeAt) >> 2]
      instruments.expiryMillis[id] = f64[(at + instrumentExpiryMillisAt) >> 3]
    }
    this.stateMillis[id] =
      change === InstrumentChange.Bootstrap
        ? instruments.listedMillis[id]
        : f64[(at + eventMillisAt) >> 3]
    this.marks.markInstrument(id)
    this.changedMillis[underlying] = f64[(at + eventMillisAt) >> 3]
    this.listingVersion++
    this.version++
    return underlying
  }

  surface(at: number): void {
    const { i32, f64 } = this.#log
    const first = (at + surfaceEventValuesAt) >> 3
    const count = i32[(at + surfaceEventCountAt) >> 2]
    const surface = new Surface(
      i32[(at + surfaceEventKindAt) >> 2] as SurfaceKind,
      f64[(at + surfaceEventExpiryMillisAt) >> 3],
      f64[(at + surfaceEventTakenMillisAt) >> 3],
      f64[(at + surfaceEventIndexMicrosAt) >> 3],
      f64.slice(first, first + count),
    )
    this.marks.setSurface(i32[(at + surfaceEventUnderlyingAt) >> 2], surface)
  }

  /** @returns the underlying. */
  indexPrice(at: number): number {
    const event = this.#indexPrice.__init(at + eventBodyAt, this.#bytes)
    const underlying = event.underlying()
    const priceMicros = event.priceMicros()
    this.marks.setIndex(underlying, priceMicros, event.observedMillis())
    const timeMillis = this.#log.f64[(at + eventMillisAt) >> 3]
    this.#statistics.indexOf(underlying).note(timeMillis, priceMicros)
    this.version++
    return underlying
  }

  /** @returns the underlying, whose margin sums are now stale; null while its re-mark has only begun. */
  remarked(at: number): number | null {
    const underlying = this.#log.i32[(at + remarkedUnderlyingAt) >> 2]
    const phase = this.#log.i32[(at + remarkedPhaseAt) >> 2]
    const timeMillis = this.#log.f64[(at + eventMillisAt) >> 3]
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

  /** @returns the instrument. */
  bookLevel(at: number): number {
    const event = this.#level.__init(at + eventBodyAt, this.#bytes)
    const { f64 } = this.#log
    const instrument = event.instrument()
    const book = this.books.of(instrument)
    const seq = f64[(at + eventSeqAt) >> 3]
    const timeMillis = f64[(at + eventMillisAt) >> 3]
    book.set(event.side(), event.priceMicros(), event.sizeLots(), seq, timeMillis)
    return instrument
  }

  /** @returns the instrument. */
  bookCleared(at: number): number {
    const event = this.#cleared.__init(at + eventBodyAt, this.#bytes)
    const { f64 } = this.#log
    const instrument = event.instrument()
    this.books.of(instrument).clear(f64[(at + eventSeqAt) >> 3], f64[(at + eventMillisAt) >> 3])
    return instrument
  }

  /**
   * Marks of an expiry follow its samples, then its settlement price.
   * @returns the underlying.
   */
  settlement(at: number): number {
    const { i32, f64 } = this.#log
    const underlying = i32[(at + settlementEventUnderlyingAt) >> 2]
    const phase = i32[(at + settlementEventPhaseAt) >> 2]
    const expiryMillis = f64[(at + settlementEventExpiryMillisAt) >> 3]
    const priceMicros = f64[(at + settlementEventPriceMicrosAt) >> 3]
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

  /** Payments may end when a later period is fixed already, and say nothing new. */
  funding(at: number): void {
    const { i32, f64 } = this.#log
    if (i32[(at + fundingEventPhaseAt) >> 2] === FundingPhase.Paid) return
    const rateNanos = f64[(at + fundingEventRateNanosAt) >> 3]
    const endMillis = f64[(at + fundingEventEndMillisAt) >> 3]
    this.fundingRates.set(i32[(at + fundingEventInstrumentAt) >> 2], { rateNanos, endMillis })
  }

  /** Settlement price of an instrument's expiry, NaN as long as there is none. */
  settlementMicrosOf(instrument: number): number {
    const { underlying, expiryMillis } = this.instruments
    const key = `${underlying[instrument]} ${expiryMillis[instrument]}`
    return this.#settlementMicros.get(key) ?? Number.NaN
  }

  halt(at: number): void {
    const { i32 } = this.#log
    const underlying = i32[(at + haltEventUnderlyingAt) >> 2]
    const mode = i32[(at + haltEventModeAt) >> 2]
    if (underlying < 0) this.haltModes.fill(mode)
    else this.haltModes[underlying] = mode
    this.listingVersion++
  }

  maxIndex(at: number): void {
    const { i32, f64 } = this.#log
    const underlying = i32[(at + maxIndexEventUnderlyingAt) >> 2]
    this.instruments.maxIndexMicros[underlying] = f64[(at + maxIndexEventMicrosAt) >> 3]
  }

  /** A position of somebody went from one size to another. */
  moveOpenInterest(instrument: number, beforeLots: number, afterLots: number): void {
    const change = Math.max(0, afterLots) - Math.max(0, beforeLots)
    if (change === 0) return
    this.openInterestLots[instrument] = (this.openInterestLots[instrument] ?? 0) + change
    this.version++
  }

  #list(at: number, id: number, underlying: number): void {
    const { i32, f64 } = this.#log
    const underlyingName = underlyingNameAt(this.#log, at)
    this.instruments.nameUnderlying(underlying, underlyingName)
    const added = this.instruments.add({
      underlyingName,
      expiryDate: i32[(at + instrumentExpiryDateAt) >> 2],
      expiryMillis: f64[(at + instrumentExpiryMillisAt) >> 3],
      strikeMicros: f64[(at + instrumentStrikeMicrosAt) >> 3],
      right: i32[(at + instrumentRightAt) >> 2] as Right,
      tradingMode: i32[(at + instrumentModeAt) >> 2],
      listedMillis: f64[(at + instrumentListedMillisAt) >> 3],
    })
    assert(added === id, 'read model: instrument ids follow the core')
    this.symbols[id] = symbolAt(this.#log, at)
  }
}
