import { InstrumentState, neverMillis, Right, TradingMode } from '../../schemas/domain.js'
import {
  type AnyEvent,
  EventType,
  IndexPriceEvent,
  InstrumentEvent,
} from '../../schemas/generated/events.js'
import { InstrumentChange } from '../../schemas/record-values.js'
import { perpOf } from '../../schemas/symbol.js'
import { expiryMillisOfDay, type UnderlyingConfig } from '../config/underlying-rows.js'
import {
  type IndexObservation,
  indexCommand,
  listCommand,
  type OperatorCommand,
  surfaceCommand,
} from '../operator/operator-commands.js'
import { type ListedExpiry, missingExpiries, plannedOptions } from './chain-plan.js'
import { createRandomSource, type RandomSource } from './random-source.js'
import {
  nextIndexMicros,
  type SimulatedUnderlying,
  simulatedUnderlyings,
  surfaceValues,
} from './simulated-market.js'

export interface SimulatedFeedOptions {
  readonly seed: number
  readonly underlyings: Readonly<Record<string, UnderlyingConfig>>
  readonly surfaceMillis?: number
}

const instrument = new InstrumentEvent()
const price = new IndexPriceEvent()

const surfaceMillisDefault = 20_000
const ivDriftPerSurface = 0.004
const ivBandShare = 0.25

/** State of one underlying. */
interface FeedState {
  readonly underlying: SimulatedUnderlying
  indexMicros: number
  atmIv: number
  readonly expiries: ListedExpiry[]
  /** True if a perp was listed. A delisted perp is not listed again before the next start. */
  hasPerp: boolean
  surfacedMillis: number
}

/**
 * Simulated market without side effects: `step` returns the commands to send at a time. The same seed and times yield
 * the same commands.
 */
export class SimulatedFeed {
  readonly #random: RandomSource
  readonly #options: SimulatedFeedOptions
  readonly #states: readonly FeedState[]
  /** Names by the engine's index of the underlying, from instrument events. */
  readonly #names = new Map<number, string>()
  #steppedMillis = 0

  constructor(options: SimulatedFeedOptions) {
    this.#options = options
    this.#random = createRandomSource(options.seed)
    this.#states = simulatedUnderlyings.map((underlying) => ({
      underlying,
      indexMicros: underlying.startMicros,
      atmIv: underlying.iv,
      expiries: [],
      hasPerp: false,
      surfacedMillis: Number.NEGATIVE_INFINITY,
    }))
  }

  /** Applies an event of the bootstrap, to resume an earlier run (`OperatorPort.readBootstrap`). */
  onBootstrap(event: AnyEvent): void {
    if (event.recordType === EventType.Instrument) this.#onInstrument(instrument.of(event))
    else if (event.recordType === EventType.IndexPrice) this.#onPrice(price.of(event))
  }

  /** Returns the commands of one step, in the order in which they must be sent. */
  step(nowMillis: number): readonly OperatorCommand[] {
    const elapsedMillis = this.#steppedMillis === 0 ? 0 : nowMillis - this.#steppedMillis
    this.#steppedMillis = nowMillis
    const observations = this.#states.map((state): IndexObservation => {
      const { underlying } = state
      const normal = this.#random.normal()
      state.indexMicros = nextIndexMicros(underlying, state.indexMicros, elapsedMillis, normal)
      const { indexMicros: priceMicros } = state
      return { underlying: underlying.name, priceMicros, observedMillis: nowMillis }
    })
    return [
      indexCommand(observations),
      ...this.#states.flatMap((state) => this.#listings(state, nowMillis)),
      ...this.#states.flatMap(perpListing),
      ...this.#states.flatMap((state) => this.#surfaces(state, nowMillis)),
    ]
  }

  #onPrice({ underlying, priceMicros }: IndexPriceEvent): void {
    const state = this.#stateOf(this.#names.get(underlying))
    if (state !== undefined) state.indexMicros = priceMicros
  }

  #onInstrument(event: InstrumentEvent): void {
    const { nameText, change, expiryDate: date, expiryMillis, listedMillis } = event
    this.#names.set(event.underlying, nameText)
    const state = this.#stateOf(nameText)
    const isLive = event.state === InstrumentState.Active && change !== InstrumentChange.Deleted
    if (state === undefined || !isLive) return
    if (event.right === Right.None) {
      state.hasPerp = true
      return
    }
    if (state.expiries.some((expiry) => expiry.expiryMillis === expiryMillis)) return
    state.expiries.push({ date, expiryMillis, listedMillis })
  }

  #stateOf(name: string | undefined): FeedState | undefined {
    return this.#states.find(({ underlying }) => underlying.name === name)
  }

  #listings(state: FeedState, nowMillis: number): readonly OperatorCommand[] {
    const { underlying, expiries, indexMicros, atmIv } = state
    const millisOfDay = expiryMillisOfDay(this.#options.underlyings, underlying.name)
    const missing = missingExpiries(expiries, nowMillis, millisOfDay)
    if (missing.length === 0) return []
    const live = expiries.filter((expiry) => expiry.expiryMillis > nowMillis)
    const added = missing.map((expiry) => ({ ...expiry, listedMillis: nowMillis }))
    expiries.splice(0, expiries.length, ...live, ...added)
    state.surfacedMillis = Number.NEGATIVE_INFINITY
    return missing.flatMap((expiry) =>
      plannedOptions(underlying.name, expiry, indexMicros, atmIv, nowMillis).map((option) =>
        listCommand(option, expiry.expiryMillis, TradingMode.Both),
      ),
    )
  }

  #surfaces(state: FeedState, nowMillis: number): readonly OperatorCommand[] {
    const { underlying, expiries } = state
    const surfaceMillis = this.#options.surfaceMillis ?? surfaceMillisDefault
    if (nowMillis - state.surfacedMillis < surfaceMillis) return []
    state.surfacedMillis = nowMillis
    const drifted = state.atmIv * (1 + ivDriftPerSurface * this.#random.normal())
    const bandIv = underlying.iv * ivBandShare
    state.atmIv = Math.min(underlying.iv + bandIv, Math.max(underlying.iv - bandIv, drifted))
    return expiries
      .filter((expiry) => expiry.expiryMillis > nowMillis)
      .map(({ expiryMillis }) => {
        const millisToExpiry = expiryMillis - nowMillis
        const values = surfaceValues(underlying, state.indexMicros, state.atmIv, millisToExpiry)
        return surfaceCommand(underlying.name, expiryMillis, underlying.surface, values)
      })
  }
}

function perpListing(state: FeedState): readonly OperatorCommand[] {
  if (state.hasPerp) return []
  state.hasPerp = true
  return [listCommand(perpOf(state.underlying.name), neverMillis, TradingMode.Orderbook)]
}
