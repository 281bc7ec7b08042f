import { assert } from '../schemas/assert.js'
import { formatMicros } from '../schemas/decimal.js'
import { neverMillis, Right } from '../schemas/domain.js'
import {
  instrumentExpiryDateAt,
  instrumentExpiryMillisAt,
  instrumentIdAt,
  instrumentRightAt,
  instrumentStrikeMicrosAt,
  instrumentUnderlyingAt,
} from '../schemas/events.js'
import { formatSymbol } from '../schemas/symbol.js'
import { type EventRecords, underlyingNameAt } from './read-model/event-text.js'

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

  /** Takes an Instrument event. @returns the instrument. */
  take(log: EventRecords, at: number): InstrumentName {
    const id = log.i32[(at + instrumentIdAt) >> 2]
    const known = this.#instruments[id]
    if (known !== undefined) return known
    const underlying = underlyingNameAt(log, at)
    assert(underlying.length > 0, 'instrument names: an underlying without a name')
    const strikeMicros = log.f64[(at + instrumentStrikeMicrosAt) >> 3]
    const expiryDate = log.i32[(at + instrumentExpiryDateAt) >> 2]
    const expiryMillis = log.f64[(at + instrumentExpiryMillisAt) >> 3]
    const right = log.i32[(at + instrumentRightAt) >> 2] as Right
    const name: InstrumentName = {
      symbol: formatSymbol({ underlying, expiryDate, strikeMicros, right }),
      underlying,
      strike: formatMicros(strikeMicros),
      isCall: right === Right.Call,
      expiryDate,
      expirySeconds: expiryMillis === neverMillis ? 0 : Math.floor(expiryMillis / 1000),
    }
    this.#instruments[id] = name
    this.#underlyings[log.i32[(at + instrumentUnderlyingAt) >> 2]] = underlying
    return name
  }
}
