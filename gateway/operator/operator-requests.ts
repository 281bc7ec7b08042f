import { checkSurface, surfaceGuardTexts } from '../../engine/pricing/surface.js'
import { depositIdBytesMax, indexEntriesMax, surfacePointsMax } from '../../schemas/commands.js'
import { formatMicros } from '../../schemas/decimal.js'
import {
  BuilderStatus,
  builderStatusNames,
  ClockChoice,
  clockChoiceNames,
  type HaltMode,
  haltModeNames,
  InstrumentState,
  neverMillis,
  Right,
  TradingMode,
  tierInputs,
  tierNames,
  tiersOfInputs,
} from '../../schemas/domain.js'
import { SurfaceKind } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { formatSymbol, type InstrumentSymbol } from '../../schemas/symbol.js'
import { formatAddress } from '../../schemas/wallet.js'
import { expiryMillisOfDay, type UnderlyingConfig } from '../config/underlying-rows.js'
import { wireIdOf } from '../wire-ids.js'
import type { BodyReader } from './body-reader.js'
import {
  builderCommand,
  clockCommand,
  deleteCommand,
  depositCommand,
  fundCommand,
  haltCommand,
  type IndexObservation,
  indexCommand,
  listCommand,
  maxIndexCommand,
  type OperatorCommand,
  settlementPriceCommand,
  surfaceCommand,
  tierCommand,
} from './operator-commands.js'
import type { OperatorOutcome } from './operator-port.js'
import { tradingModeOf } from './trading-mode.js'

/** What a valid body asks for, and what its answer says beside `{ok, seq}`. */
export interface OperatorRequest {
  readonly command: OperatorCommand
  readonly describe: (outcome: OperatorOutcome) => object
  /** Values that the text of a refusal names and the engine does not know. */
  readonly valuesOf?: (outcome: OperatorOutcome) => Readonly<Record<string, string>>
}

/** What requests need to know of the configuration. */
export interface RequestContext {
  readonly underlyings: Readonly<Record<string, UnderlyingConfig>>
  /** On production presets an expiry cannot leave the date of its symbol. */
  readonly isProduction: boolean
  /** Engine time: what an observation without a time of its own gets. */
  readonly nowMillis: () => number
  /** The clock of the machine. */
  readonly wallMillis: () => number
}

type RequestReader = (body: BodyReader, context: RequestContext) => OperatorRequest

/** By state of the instrument: what listing one comes to whose time has come. */
const listingResults: Readonly<Record<number, string>> = {
  [InstrumentState.ExpiredPendingPrice]: 'MARKET_PENDING_SETTLEMENT',
  [InstrumentState.Settled]: 'MARKET_EXPIRED',
}

const secondsMax = 4_294_967_295 // expiries travel as unsigned 32-bit Unix seconds
const dayMillis = 86_400_000
const dateText = /^(\d{4})-?(\d{2})-?(\d{2})$/
const sviNames = ['a', 'b', 'rho', 'm', 's']

/** POST /operator/deposits `{wallet, amount, deposit_id?}`. */
export const readDeposit: RequestReader = (body) => {
  const wallet = body.wallet('wallet')
  const amountMicros = body.amountMicros('amount')
  const depositId = body.optionalText('deposit_id', depositIdBytesMax)
  return {
    command: depositCommand(wallet, amountMicros, depositId),
    describe: ({ changed }) => ({
      result: changed ? 'DEPOSIT_CREDITED' : 'DEPOSIT_ALREADY_CREDITED',
      changed,
      wallet: formatAddress(wallet, 0),
      amount: formatMicros(amountMicros),
      deposit_id: depositId === '' ? null : depositId,
    }),
  }
}

/** POST /operator/insurance-fund `{amount, deposit_id?}`. */
export const readFunding: RequestReader = (body) => {
  const amountMicros = body.amountMicros('amount')
  const depositId = body.optionalText('deposit_id', depositIdBytesMax)
  return {
    command: fundCommand(amountMicros, depositId),
    describe: ({ changed }) => ({
      result: changed ? 'DEPOSIT_CREDITED' : 'DEPOSIT_ALREADY_CREDITED',
      changed,
      amount: formatMicros(amountMicros),
      deposit_id: depositId === '' ? null : depositId,
    }),
  }
}

/** POST /operator/settlement-prices `{underlying, expiry, price}`. */
export const readSettlementPrice: RequestReader = (body, context) => {
  const underlying = body.underlying('underlying')
  const expiryMillis = readExpiry(body, underlying, context)
  const priceMicros = body.priceMicros('price')
  return {
    command: settlementPriceCommand(underlying, expiryMillis, priceMicros),
    valuesOf: () => ({ underlying }),
    describe: ({ changed }) => ({
      result: changed ? 'SETTLEMENT_PRICE_SET' : 'SETTLEMENT_PRICE_ALREADY_SET',
      changed,
      underlying,
      expiry: expiryMillis / 1000,
      price: formatMicros(priceMicros),
    }),
  }
}

/**
 * POST /operator/instruments `{symbol, expiry?, trading_mode?}`. A perp has no expiry, and trades on its book only.
 */
export const readListing: RequestReader = (body, context) => {
  const symbol = body.symbol('symbol')
  const seconds = body.integer('expiry', 0, secondsMax, null)
  const isPerp = symbol.right === Right.None
  if (isPerp) refuseOptionFields(body)
  const tradingMode = isPerp ? TradingMode.Orderbook : tradingModeOf(body)
  const expiryMillis = isPerp ? neverMillis : expiryOf(symbol, seconds, context)
  if (!isPerp && context.isProduction && dateOf(expiryMillis) !== symbol.expiryDate) {
    body.refuse(Result.InvalidField, 'Invalid expiry: must be on the date of the symbol')
  }
  return {
    command: listCommand(symbol, expiryMillis, tradingMode),
    describe: ({ changed, instrument, state }) => ({
      result: listingResults[state] ?? (changed ? 'MARKET_CREATED' : 'MARKET_ALREADY_EXISTS'),
      changed,
      symbol: formatSymbol(symbol),
      instrument_id: wireIdOf(instrument),
      ...(changed && !isPerp ? { expiry: expiryMillis / 1000 } : {}),
    }),
  }
}

function refuseOptionFields(body: BodyReader): void {
  for (const name of ['expiry', 'trading_mode']) {
    if (body.has(name)) body.refuse(Result.InvalidField, `Invalid ${name}: a perp has none`)
  }
}

/** Time of expiry in Unix milliseconds: the one given, or that of the underlying on the symbol's date. */
function expiryOf(
  { expiryDate, underlying }: InstrumentSymbol,
  seconds: number | null,
  { underlyings }: RequestContext,
): number {
  if (seconds !== null) return seconds * 1000
  return dateMillis(expiryDate) + expiryMillisOfDay(underlyings, underlying)
}

/** DELETE /operator/instruments `{symbol}`. */
export const readDelisting: RequestReader = (body) => {
  const symbol = body.symbol('symbol')
  return {
    command: deleteCommand(symbol),
    describe: ({ changed, instrument }) => ({
      result: 'MARKET_DELETED',
      changed,
      symbol: formatSymbol(symbol),
      instrument_id: wireIdOf(instrument),
    }),
  }
}

/**
 * POST /operator/index-prices `{prices: [{underlying, price, timestamp?}]}`. The engine takes a timestamp of at most a
 * second ahead of its own time; of one further ahead it refuses the whole list.
 */
export const readIndexPrices: RequestReader = (body, context) => {
  const observations = body.items('prices', 1, indexEntriesMax).map((item): IndexObservation => {
    const observation = {
      underlying: item.underlying('underlying'),
      priceMicros: item.priceMicros('price'),
      observedMillis: item.integer('timestamp', 0, secondsMax * 1000, context.nowMillis()),
    }
    body.refuseAs(item)
    return observation
  })
  return {
    command: indexCommand(observations),
    valuesOf: ({ details }) => ({
      underlying: observations[details['entry'] ?? 0]?.underlying ?? '',
    }),
    describe: ({ changed }) => ({
      changed,
      prices: observations.map(({ underlying, priceMicros, observedMillis }) => ({
        underlying,
        price: formatMicros(priceMicros),
        timestamp: observedMillis,
      })),
    }),
  }
}

/** POST /operator/vol-surfaces `{underlying, expiry, points}` or `{underlying, expiry, svi}`. */
export const readSurface: RequestReader = (body, context) => {
  const underlying = body.underlying('underlying')
  const expiryMillis = readExpiry(body, underlying, context)
  if (body.has('points') === body.has('svi')) {
    body.refuse(
      body.has('svi') ? Result.InvalidParameter : Result.MissingField,
      body.has('svi') ? 'Invalid svi: give points or svi, not both' : 'Missing field: points',
    )
  }
  const kind = body.has('svi') ? SurfaceKind.Svi : SurfaceKind.Points
  const values = kind === SurfaceKind.Svi ? readSvi(body) : readPoints(body)
  // Guards see values that could be read only: a missing one has been refused by its own name.
  const guard = body.refusal === null ? checkSurface(kind, values) : null
  if (guard !== null) {
    const name = kind === SurfaceKind.Svi ? 'svi' : 'points'
    body.refuse(Result.InvalidField, `Invalid ${name}: ${guard}: ${surfaceGuardTexts[guard]}`)
  }
  return {
    command: surfaceCommand(underlying, expiryMillis, kind, values),
    describe: () => ({
      underlying,
      expiry: expiryMillis / 1000,
      kind: kind === SurfaceKind.Svi ? 'svi' : 'points',
    }),
  }
}

/** POST /operator/tiers `{wallet, tier}`. */
export const readTier: RequestReader = (body) => {
  const wallet = body.wallet('wallet')
  const tier = tiersOfInputs[body.choice('tier', tierInputs)]!
  return {
    command: tierCommand(wallet, tier),
    describe: () => ({ wallet: formatAddress(wallet, 0), tier: tierNames[tier] }),
  }
}

/**
 * POST /operator/halts `{underlying, mode}`, or `{scope: "all", mode}`: nobody closes the whole venue by leaving something
 * out.
 */
export const readHalt: RequestReader = (body) => {
  const [isOne, isAll] = [body.has('underlying'), body.has('scope')]
  if (isOne && isAll) {
    body.refuse(Result.InvalidParameter, 'Invalid scope: give underlying or scope, not both')
  } else if (!isOne && !isAll) {
    body.refuse(Result.MissingField, 'Missing field: underlying (or "scope": "all")')
  }
  if (isAll) body.choice('scope', ['all'])
  const underlying = isOne ? body.underlying('underlying') : ''
  const mode = body.choice('mode', haltModeNames) as HaltMode
  return {
    command: haltCommand(underlying, mode),
    describe: () => ({
      underlying: underlying === '' ? null : underlying,
      mode: haltModeNames[mode],
    }),
  }
}

/** POST /operator/clock `{accept}`: what holds after a step of the clock. */
export const readClock: RequestReader = (body, context) => {
  const choice = body.choice('accept', clockChoiceNames) as ClockChoice
  const wallMillis = context.wallMillis()
  return {
    command: clockCommand(choice, wallMillis),
    describe: ({ changed, timeMillis }) => ({
      result: changed ? 'CLOCK_ACCEPTED' : 'CLOCK_NOT_IN_ALARM',
      changed,
      accept: clockChoiceNames[choice],
      clock: wallMillis,
      // Engine time never goes back: it waits for a clock that is behind it.
      waits_ms:
        changed && choice === ClockChoice.Wall
          ? Math.max(0, Math.ceil(timeMillis - wallMillis))
          : 0,
    }),
  }
}

/** POST /operator/max-index `{underlying, max_index}`: what the index may rise to; it is never lowered. */
export const readMaxIndex: RequestReader = (body) => {
  const underlying = body.underlying('underlying')
  const maxMicros = body.priceMicros('max_index')
  return {
    command: maxIndexCommand(underlying, maxMicros),
    describe: ({ changed }) => ({ changed, underlying, max_index: formatMicros(maxMicros) }),
  }
}

/** POST /operator/builders `{builder, status}`: whether an address earns by the orders that name it. */
export const readBuilder: RequestReader = (body) => {
  const builder = body.wallet('builder')
  const statuses = builderStatusNames.slice(BuilderStatus.Active)
  const status = (BuilderStatus.Active + body.choice('status', statuses)) as BuilderStatus
  return {
    command: builderCommand(builder, status),
    describe: ({ changed }) => ({
      changed,
      builder: formatAddress(builder, 0),
      status: builderStatusNames[status],
    }),
  }
}

/** Midnight UTC of a date YYYYMMDD, Unix milliseconds. */
export function dateMillis(date: number): number {
  return Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100)
}

/** Date YYYYMMDD, in UTC, of a time. */
export function dateOf(millis: number): number {
  const date = new Date(millis)
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
}

/** Unix seconds, or a date, which means the underlying's time of day. */
function readExpiry(body: BodyReader, underlying: string, context: RequestContext): number {
  const value = body.value('expiry')
  if (typeof value !== 'string') return body.integer('expiry', 0, secondsMax, 0) * 1000
  const match = dateText.exec(value)
  const date = match ? Number(match[1]! + match[2]! + match[3]!) : 0
  if (match && dateOf(dateMillis(date)) === date) {
    return dateMillis(date) + expiryMillisOfDay(context.underlyings, underlying)
  }
  body.refuse(Result.InvalidField, 'Invalid expiry: Unix seconds or YYYY-MM-DD')
  return dayMillis
}

function readSvi(body: BodyReader): Float64Array {
  const svi = body.object('svi')
  const values = Float64Array.from(sviNames, (name) => svi.number(name))
  body.refuseAs(svi)
  return values
}

function readPoints(body: BodyReader): Float64Array {
  const points = body.items('points', 0, surfacePointsMax)
  return Float64Array.from(
    points.flatMap((point) => {
      const pair = [point.number('strike'), point.number('iv')]
      body.refuseAs(point)
      return pair
    }),
  )
}
