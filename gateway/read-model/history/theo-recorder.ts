import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { InstrumentState } from '../../../schemas/domain.js'
import {
  type AnyEvent,
  EventType,
  InstrumentEvent,
  RemarkedEvent,
  SettlementEvent,
  SurfaceEvent,
} from '../../../schemas/generated/events.js'
import { theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import { InstrumentChange, RemarkPhase } from '../../../schemas/record-values.js'
import { MarketViews } from '../views/market-views.js'
import { TradeStatistics } from '../views/trade-statistics.js'
import type { HistoryDatabase } from './history-schema.js'
import { theos } from './history-tables.js'
import { RowBatch } from './row-batch.js'
import { bucketStartMillis, indexRowOf, theoBucketsKept } from './theo-intervals.js'

const intervals = Object.values(theoIntervalMillis)
const shortestMillis = theoIntervalMillis['5m']
// Limit of buffered prices, 8 bytes each. Above it they are written before the transaction ends.
const pendingMax = 1 << 20

/** Prices in micros in row order: indexes, then instruments. NaN: none. */
type Prices = Float64Array

const remarked = new RemarkedEvent()
const surface = new SurfaceEvent()
const instrument = new InstrumentEvent()
const settlement = new SettlementEvent()

/**
 * Records the theoretical prices of active options: the last one of every five minutes with a re-mark. The recorder
 * prices them at the first event after those five minutes. It stores the same price for the current hour and day, until
 * a later one replaces it. So a point is the last theo of its bucket so far, under the start of the bucket.
 * Instruments without a theo get no point, nor do perps, whose price is the index.
 *
 * A re-mark only saves its inputs; they are priced once, when their five minutes end. That yields the same bits as in
 * every other reader of the log, without risk arrays and without the read model.
 *
 * A price that is replaced in the same transaction, or is too old when it ends, is never written. If engine time jumps
 * by hours, the price of a day is computed up to 24 times and written once.
 *
 * Rows are bounded: an instrument has at most `theoBucketsKept` of each interval (25 hours, 12 days and 300 days).
 * Older rows are removed for all instruments.
 *
 * The index of the theos is stored with them, as instrument `indexRowOf(underlying)`. It gives a starting process
 * the index of a day ago, and perp positions their past value.
 *
 * All input is the log and engine time, and each row may be written twice without effect. The bootstrap repeats the
 * marks in force with their time, so a restart leaves no gap within its five minutes. A journal replayed from its
 * beginning yields all points again. The tail of one yields none, because its instruments come only after it. So after
 * a crash, five minutes that ended within the history's lag of some milliseconds remain a gap in that interval.
 */
export class TheoRecorder {
  /** Number of rows written; the writer of the store counts and resets it. */
  rowsWritten = 0
  readonly #config: EngineConfig
  readonly #rows: RowBatch
  readonly #bucket
  readonly #oldRows
  readonly #oldBuckets
  #market: MarketViews
  /** Time of the latest unrecorded re-mark, by underlying; NaN: none. */
  readonly #markedMillis = new Float64Array(underlyingsMax).fill(Number.NaN)
  /** Due time of the earliest of them: the end of its five minutes. */
  #dueMillis = Number.POSITIVE_INFINITY
  /** Unwritten prices by interval and start of the bucket. */
  readonly #pending = new Map(intervals.map((millis) => [millis, new Map<number, Prices>()]))
  #pendingPlaces = 0
  /** Time of the latest unwritten record. */
  #recordedMillis = Number.NaN

  constructor(database: HistoryDatabase, engine: EngineConfig) {
    this.#config = {
      ...engine,
      risk: { ...engine.risk, standardScenarios: [] },
      portfolioModeAllowed: false,
    }
    this.#rows = new RowBatch(database, theos)
    this.#bucket = database.prepare('insert or ignore into theo_buckets values (?, ?)')
    const outdated = 'where interval_millis = ? and start_millis < ?'
    this.#oldRows = database.prepare(`delete from theos ${outdated}`)
    this.#oldBuckets = database.prepare(`delete from theo_buckets ${outdated}`)
    this.#market = this.#emptyMarket()
  }

  /** Applies an event, within a transaction of the store. */
  take(event: AnyEvent): void {
    const { recordType: type, timeMillis } = event
    if (timeMillis >= this.#dueMillis) this.#record(timeMillis)
    if (type === EventType.Remarked) this.#noteRemark(remarked.of(event))
    else if (type === EventType.IndexPrice) this.#market.indexPrice(event)
    else if (type === EventType.Surface) this.#market.surface(surface.of(event))
    else if (type === EventType.Instrument) this.#noteInstrument(instrument.of(event))
    else if (type === EventType.Settlement) this.#market.settlement(settlement.of(event))
    else if (type === EventType.BootstrapBegin) this.#beginBootstrap()
  }

  #emptyMarket(): MarketViews {
    return new MarketViews(this.#config, new TradeStatistics())
  }

  #beginBootstrap(): void {
    this.#market = this.#emptyMarket()
    this.#markedMillis.fill(Number.NaN)
    this.#dueMillis = Number.POSITIVE_INFINITY
  }

  // Before the bootstrap, the tail of a journal may have events of instruments that were listed earlier.
  #noteInstrument(event: InstrumentEvent): void {
    const { change, instrument: id } = event
    const isNew = change === InstrumentChange.Created || change === InstrumentChange.Bootstrap
    const { count } = this.#market.instruments
    if (isNew ? id === count : id < count) this.#market.instrument(event)
  }

  // A re-mark in several batches uses the time and the inputs of its first batch.
  #noteRemark({ underlying, phase, timeMillis }: RemarkedEvent): void {
    if (phase === RemarkPhase.Swapped) return
    const { instruments, marks } = this.#market
    instruments.reserveUnderlying(underlying)
    marks.beginRemark(underlying, timeMillis)
    this.#markedMillis[underlying] = timeMillis
    const endMillis = endOfShortest(timeMillis)
    if (endMillis < this.#dueMillis) this.#dueMillis = endMillis
  }

  #record(nowMillis: number): void {
    this.#dueMillis = Number.POSITIVE_INFINITY
    const { length } = this.#market.instruments.underlyingNames
    for (let underlying = 0; underlying < length; underlying++) {
      const markedMillis = this.#markedMillis[underlying]
      const endMillis = endOfShortest(markedMillis)
      if (endMillis <= nowMillis) this.#recordUnderlying(underlying, markedMillis)
      else if (endMillis < this.#dueMillis) this.#dueMillis = endMillis
    }
    this.#recordedMillis = nowMillis
    if (this.#pendingPlaces > pendingMax) this.flush()
  }

  /** Writes the prices recorded in the transaction. */
  flush(): void {
    if (Number.isNaN(this.#recordedMillis)) return
    for (const [intervalMillis, buckets] of this.#pending) {
      const running = bucketStartMillis(this.#recordedMillis, intervalMillis)
      const oldestMillis = running - (theoBucketsKept - 1) * intervalMillis
      for (const [startMillis, prices] of buckets) {
        if (startMillis >= oldestMillis) this.#write(intervalMillis, startMillis, prices)
      }
      buckets.clear()
      this.#rows.flush()
      this.#oldRows.run(intervalMillis, oldestMillis)
      this.#oldBuckets.run(intervalMillis, oldestMillis)
    }
    this.#pendingPlaces = 0
    this.#recordedMillis = Number.NaN
  }

  #write(intervalMillis: number, startMillis: number, prices: Prices): void {
    this.#bucket.run(intervalMillis, startMillis)
    for (let place = 0; place < prices.length; place++) {
      const priceMicros = prices[place]!
      if (Number.isNaN(priceMicros)) continue
      const row = place - underlyingsMax
      this.#rows.add([intervalMillis, startMillis, row, priceMicros])
      if (row >= 0) this.rowsWritten++
    }
  }

  #recordUnderlying(underlying: number, markedMillis: number): void {
    const { instruments, marks } = this.#market
    this.#markedMillis[underlying] = Number.NaN
    marks.publishRemark(underlying)
    const endMillis = endOfShortest(markedMillis)
    const { indexMicros } = marks.stateOf(underlying).markedInputs
    for (const [intervalMillis, buckets] of this.#pending) {
      const prices = this.#pricesOf(buckets, bucketStartMillis(markedMillis, intervalMillis))
      if (!Number.isNaN(indexMicros)) prices[underlyingsMax + indexRowOf(underlying)] = indexMicros
      for (const instrument of instruments.ofUnderlying[underlying]!) {
        const priceMicros = marks.markMicros[instrument]
        if (instruments.isPerp(instrument)) continue
        const isActive = instruments.state[instrument] === InstrumentState.Active
        const isListed = instruments.listedMillis[instrument] < endMillis
        if (!isActive || !isListed || Number.isNaN(priceMicros)) continue
        prices[underlyingsMax + instrument] = priceMicros
      }
    }
  }

  /** Returns the prices of a bucket so far, with a place for every known instrument. */
  #pricesOf(buckets: Map<number, Prices>, startMillis: number): Prices {
    const places = underlyingsMax + this.#market.instruments.count
    const before = buckets.get(startMillis)
    if (before !== undefined && before.length >= places) return before
    const prices = new Float64Array(places).fill(Number.NaN)
    if (before !== undefined) prices.set(before)
    buckets.set(startMillis, prices)
    this.#pendingPlaces += places - (before?.length ?? 0)
    return prices
  }
}

function endOfShortest(timeMillis: number): number {
  return bucketStartMillis(timeMillis, shortestMillis) + shortestMillis
}
