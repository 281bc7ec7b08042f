import { assert } from '../../schemas/assert.js'
import { formatMicros } from '../../schemas/decimal.js'
import { neverMillis, Right } from '../../schemas/domain.js'
import type { InstrumentEvent } from '../../schemas/generated/events.js'
import { InstrumentChange } from '../../schemas/record-values.js'
import { symbolOf } from '../wire/event-text.js'

/** Texts of an instrument, formatted once. For a perp, strike and expiry are 0. */
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

/** Instruments by id and underlyings by index, from the event log. Deleted ones keep their names. */
export class InstrumentNames {
  readonly #instruments: (InstrumentName | undefined)[] = []
  readonly #underlyings: (string | undefined)[] = []
  /** Instruments that are not deleted, by symbol. */
  readonly #listed = new Map<string, number>()

  /**
   * @returns Undefined for -1 and for ids that were never listed.
   */
  instrument(id: number): InstrumentName | undefined {
    return this.#instruments[id]
  }

  /**
   * @returns Undefined until an instrument of the underlying is listed: price events contain no name.
   */
  underlying(index: number): string | undefined {
    return this.#underlyings[index]
  }

  /** True if an instrument with this canonical symbol is not deleted. It may have expired. */
  isListed(symbol: string): boolean {
    return this.#listed.has(symbol)
  }

  /** True if an instrument of the underlying was ever listed. */
  isUnderlying(name: string): boolean {
    return this.#underlyings.includes(name)
  }

  /** Forgets everything, after the pump may have read overwritten records. */
  clear(): void {
    this.#instruments.length = 0
    this.#underlyings.length = 0
    this.#listed.clear()
  }

  /** Applies an event. @returns The instrument. */
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
