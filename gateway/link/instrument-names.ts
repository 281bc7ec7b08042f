import { assert } from '../../schemas/assert.js'
import { formatMicros } from '../../schemas/decimal.js'
import { neverMillis, Right } from '../../schemas/domain.js'
import type { InstrumentEvent } from '../../schemas/generated/events.js'
import { symbolOf } from '../wire/event-text.js'

/** What the gateway says about an instrument, its texts made once; of a perp, strike and expiry are 0. */
export interface InstrumentName {
  readonly symbol: string
  readonly underlying: string
  /** Canonical decimal text of the strike in USD. */
  readonly strike: string
  readonly isCall: boolean
  /** YYYYMMDD of the symbol. */
  readonly expiryDate: number
  readonly expirySeconds: number
}

/** Instruments by id and underlyings by index, as the event log lists them; deleted ones keep their names. */
export class InstrumentNames {
  readonly #instruments: (InstrumentName | undefined)[] = []
  readonly #underlyings: (string | undefined)[] = []

  /** @returns undefined for -1 and for what was never listed. */
  instrument(id: number): InstrumentName | undefined {
    return this.#instruments[id]
  }

  /** @returns undefined until an instrument of the underlying is listed: prices alone carry no name. */
  underlying(index: number): string | undefined {
    return this.#underlyings[index]
  }

  /** Forgets all: it may have read what was no event. */
  clear(): void {
    this.#instruments.length = 0
    this.#underlyings.length = 0
  }

  /** @returns the instrument. */
  take(event: InstrumentEvent): InstrumentName {
    const known = this.#instruments[event.instrument]
    if (known !== undefined) return known
    const { nameText: underlying, strikeMicros, expiryDate, expiryMillis, right } = event
    assert(underlying.length > 0, 'instrument names: an underlying without a name')
    const name: InstrumentName = {
      symbol: symbolOf(event),
      underlying,
      strike: formatMicros(strikeMicros),
      isCall: right === Right.Call,
      expiryDate,
      expirySeconds: expiryMillis === neverMillis ? 0 : Math.floor(expiryMillis / 1000),
    }
    this.#instruments[event.instrument] = name
    this.#underlyings[event.underlying] = underlying
    return name
  }
}
