import { assert } from '../../schemas/assert.js'
import { formatMicros } from '../../schemas/decimal.js'
import { neverMillis, Right } from '../../schemas/domain.js'
import type { InstrumentEvent } from '../../schemas/generated/events.js'
import { InstrumentChange } from '../../schemas/record-values.js'
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
  /** By symbol, those that are not deleted. */
  readonly #listed = new Map<string, number>()

  /** @returns undefined for -1 and for what was never listed. */
  instrument(id: number): InstrumentName | undefined {
    return this.#instruments[id]
  }

  /** @returns undefined until an instrument of the underlying is listed: prices alone carry no name. */
  underlying(index: number): string | undefined {
    return this.#underlyings[index]
  }

  /** Whether an instrument has this canonical name that is not deleted; it may have expired. */
  isListed(symbol: string): boolean {
    return this.#listed.has(symbol)
  }

  /** Whether instruments of an underlying were ever listed. */
  isUnderlying(name: string): boolean {
    return this.#underlyings.includes(name)
  }

  /** Forgets all: it may have read what was no event. */
  clear(): void {
    this.#instruments.length = 0
    this.#underlyings.length = 0
    this.#listed.clear()
  }

  /** @returns the instrument. */
  take(event: InstrumentEvent): InstrumentName {
    const name = this.#instruments[event.instrument] ?? this.#add(event)
    if (event.change !== InstrumentChange.Deleted) this.#listed.set(name.symbol, event.instrument)
    else if (this.#listed.get(name.symbol) === event.instrument) this.#listed.delete(name.symbol)
    return name
  }

  #add(event: InstrumentEvent): InstrumentName {
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
