import { InstrumentState, neverMillis, TradingMode } from '../../schemas/domain.js'
import { expirySecondsMax, expirySecondsMin, parseExpiry } from '../../schemas/expiry-text.js'
import type { Done, OperatorAnswer } from '../../schemas/interface/operator.js'
import { formatSymbol, type InstrumentSymbol } from '../../schemas/symbol.js'
import { expiryMillisOfDay, type UnderlyingConfig } from '../config/underlying-rows.js'
import { Fault } from '../wire/fault.js'
import { invalidField, invalidParameter } from '../wire/request-fields.js'
import { printable, quoted } from '../wire/shown-text.js'
import { wireIdOf } from '../wire/wire-ids.js'
import { about, field } from './body-field.js'
import { listCommand } from './operator-commands.js'
import type { OperatorRequest } from './operator-endpoints.js'
import { wholeNumber } from './operator-fields.js'

// Listings of instruments and their expiries.

/** Configuration and clocks that requests depend on. */
export interface RequestContext {
  readonly underlyings: Readonly<Record<string, UnderlyingConfig>>
  /** On production presets an expiry cannot leave the date of its symbol. */
  readonly isProduction: boolean
  /** Engine time, the default time of an observation. */
  readonly nowMillis: () => number
  /** The machine's clock. */
  readonly wallMillis: () => number
}

/** Expiry as given: a time, or a date, which means the underlying's time of day. */
type Expiry = { readonly millis: number } | { readonly date: number }

type Listed = Omit<OperatorAnswer<'POST /operator/instruments'>, keyof Done>

/** Result of listing an instrument that has expired, by its state. */
const listingResults: Readonly<Record<number, Listed['result']>> = {
  [InstrumentState.ExpiredPendingPrice]: 'MARKET_PENDING_SETTLEMENT',
  [InstrumentState.Settled]: 'MARKET_EXPIRED',
}
/** Trading modes by their accepted spellings. */
const tradingModes: Readonly<Record<string, number>> = {
  'orderbook|rfq': TradingMode.Both,
  orderbook: TradingMode.Orderbook,
  rfq: TradingMode.Rfq,
  '': 0,
  orderbook_only: TradingMode.Orderbook,
  rfq_only: TradingMode.Rfq,
  both: TradingMode.Both,
}

export const seconds = wholeNumber(0, expirySecondsMax)
export const expiry = about(
  'Expiry as `YYYY-MM-DD`, as `YYYYMMDD`, or in Unix seconds',
  field({
    schema: { anyOf: [{ type: 'string', format: 'date' }, { type: 'integer' }] },
    kind: 'any',
    read(value: unknown, name, scope): Expiry | Fault {
      if (typeof value !== 'string') {
        const given = seconds.read(value as number, name, scope)
        if (given instanceof Fault) return given
        // A date without quotation marks has 8 digits.
        return given < expirySecondsMin ? expiryFault(name, value) : { millis: given * 1000 }
      }
      const expiry = parseExpiry(value)
      return expiry !== null && 'date' in expiry ? expiry : expiryFault(name, value)
    },
  }),
)

function expiryFault(name: string, value: unknown): Fault {
  const given = printable(JSON.stringify(value))
  const forms = '"YYYY-MM-DD", "YYYYMMDD" or an integer of Unix seconds'
  return invalidField(name, `must be ${forms}, not ${given}`)
}

/** Checked later, when it is known whether the listing is a perp, which has none. */
export const tradingMode = about(
  'Trading mode: the book, requests for quote, both, or none',
  field({
    schema: { type: 'string', enum: Object.keys(tradingModes) },
    kind: 'any',
    read: (value: unknown) => value,
  }),
)

/** Expiry and trading mode of a listing. */
interface ListingTerms {
  readonly expiryMillis: number
  readonly tradingMode: number
}

/** Returns the request that lists an instrument. */
export function listing(
  symbol: InstrumentSymbol,
  { expiryMillis, tradingMode }: ListingTerms,
): OperatorRequest<Listed> {
  const hasExpiry = expiryMillis !== neverMillis
  return {
    command: listCommand(symbol, expiryMillis, tradingMode),
    describe: ({ changed, instrument, state }) => ({
      result: listingResults[state] ?? (changed ? 'MARKET_CREATED' : 'MARKET_ALREADY_EXISTS'),
      changed,
      symbol: formatSymbol(symbol),
      instrument_id: wireIdOf(instrument),
      ...(changed && hasExpiry ? { expiry: expiryMillis / 1000 } : {}),
    }),
  }
}

/** Returns the terms of a perp, which has no expiry and trades only on its book. */
export function perpTerms(given: number | null, tradingMode: unknown): ListingTerms | Fault {
  if (given !== null) return invalidField('expiry', 'must be absent for a perp')
  if (tradingMode !== null) return invalidField('trading_mode', 'must be absent for a perp')
  return { expiryMillis: neverMillis, tradingMode: TradingMode.Orderbook }
}

/** Returns the terms of an option. The default expiry is the underlying's time on the symbol's date. */
export function optionTerms(
  { expiryDate, underlying }: InstrumentSymbol,
  given: number | null,
  mode: unknown,
  context: RequestContext,
): ListingTerms | Fault {
  if (mode !== null && typeof mode !== 'string') {
    return invalidParameter('trading_mode', 'must be a string')
  }
  const name = mode ?? 'both'
  if (!Object.hasOwn(tradingModes, name)) {
    const names = Object.keys(tradingModes).filter(Boolean).join(', ')
    return invalidField('trading_mode', `must be one of ${names}, not ${quoted(name)}`)
  }
  const expiryMillis =
    given === null ? millisOf({ date: expiryDate }, underlying, context) : given * 1000
  if (context.isProduction && dateOf(expiryMillis) !== expiryDate) {
    return invalidField('expiry', 'must be on the date of the symbol')
  }
  return { expiryMillis, tradingMode: tradingModes[name]! }
}

/** Returns the time of an expiry. */
export function millisOf(
  given: Expiry,
  underlying: string,
  { underlyings }: RequestContext,
): number {
  if ('millis' in given) return given.millis
  return dateMillis(given.date) + expiryMillisOfDay(underlyings, underlying)
}

/** Returns midnight UTC of a date YYYYMMDD, Unix milliseconds. */
function dateMillis(date: number): number {
  return Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100)
}

/** Returns the UTC date YYYYMMDD of a time. */
function dateOf(millis: number): number {
  const date = new Date(millis)
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
}
