import { CounterName, Counters } from '../../../engine/memory/counters.js'
import { type ExchangeMemory, wakeupOf } from '../../../engine/memory/exchange-memory.js'
import { isStale, type PricingParameters } from '../../../engine/pricing/pricing-parameters.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import type { DegradablePart } from '../../../schemas/domain.js'
import type { MarketViews } from './market-views.js'
import { SharedValue } from './shared-value.js'
import type { HaltBoard } from './venue-views.js'

/** A degraded part of the venue, with the reason. */
export interface Degradation {
  readonly part: DegradablePart
  readonly reason: string
}

/** Ages of the prices of one underlying in milliseconds; null before the first price. */
export interface FeedAge {
  readonly underlying: string
  readonly indexMillis: number | null
  /** Age of the latest surface. */
  readonly surfaceMillis: number | null
}

type Limits = Pick<PricingParameters, 'indexMaxAgeMillis' | 'surfaceMaxAgeMillis'>
type Memory = Pick<ExchangeMemory, 'counters' | 'feedTimes' | 'haltBoard'>

/** Publishes the observation times of index and surfaces to the other threads. Only the read model calls it. */
export function showFeedTimes(times: Float64Array, market: MarketViews): void {
  times.set(market.marks.indexAtMillis)
  times.set(market.surfaceMillis, underlyingsMax)
}

/** Health of the parts that a venue can trade without, for any thread. */
export class VenueHealth {
  readonly #limits: Limits
  readonly #nowMillis: () => number
  readonly #times: Float64Array
  readonly #board: SharedValue<HaltBoard>
  readonly #counters: Counters

  /** @param nowMillis engine time. */
  constructor(memory: Memory, limits: Limits, nowMillis: () => number) {
    this.#limits = limits
    this.#nowMillis = nowMillis
    this.#times = new Float64Array(memory.feedTimes)
    this.#board = new SharedValue(memory.haltBoard)
    this.#counters = new Counters(memory.counters, wakeupOf.history)
  }

  /** Returns the ages of underlyings with instruments that are not settled. */
  ages(): readonly FeedAge[] {
    const now = this.#nowMillis()
    const ageOf = (place: number) => {
      const millis = this.#times[place]!
      return millis > 0 ? Math.max(0, now - millis) : null
    }
    return (this.#board.read()?.underlyings ?? [])
      .filter(({ isLive }) => isLive)
      .map(({ underlying, number }) => ({
        underlying,
        indexMillis: ageOf(number),
        surfaceMillis: ageOf(underlyingsMax + number),
      }))
  }

  /** Returns why parts are out of service, as health reports show it. */
  reasons(): readonly string[] {
    return this.degradations().map(({ reason }) => reason)
  }

  degradations(): readonly Degradation[] {
    const { indexMaxAgeMillis, surfaceMaxAgeMillis } = this.#limits
    const isDown = this.#counters.read(wakeupOf.history, CounterName.HistoryDown) === 1
    const found: Degradation[] = isDown
      ? [{ part: 'history', reason: 'the history store is being filled' }]
      : []
    for (const { underlying, indexMillis, surfaceMillis } of this.ages()) {
      if (isStale(0, indexMillis ?? Number.POSITIVE_INFINITY, indexMaxAgeMillis)) {
        const what =
          indexMillis === null
            ? `${underlying} has no index price`
            : `the index of ${underlying} is ${secondsText(indexMillis)} old`
        found.push({
          part: 'index',
          reason: `${what}; pricing.indexMaxAgeMillis allows ${secondsText(indexMaxAgeMillis)}`,
        })
      }
      if (surfaceMillis === null || !isStale(0, surfaceMillis, surfaceMaxAgeMillis)) continue
      found.push({
        part: 'surface',
        reason: `the latest surface of ${underlying} is ${secondsText(surfaceMillis)} old; pricing.surfaceMaxAgeMillis allows ${secondsText(surfaceMaxAgeMillis)}`,
      })
    }
    return found
  }
}

function secondsText(millis: number): string {
  return `${Number((millis / 1000).toFixed(1))} s`
}
