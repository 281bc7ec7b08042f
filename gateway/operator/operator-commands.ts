import type { BuilderStatus, ClockChoice, HaltMode, Tier } from '../../schemas/domain.js'
import {
  AcceptClockCommand,
  CommandType,
  DepositCommand,
  IndexPricesCommand,
  ListInstrumentCommand,
  SetBuilderCommand,
  SetHaltCommand,
  SetMaxIndexCommand,
  SetTierCommand,
  SettlementPriceCommand,
  VolSurfaceCommand,
} from '../../schemas/generated/commands.js'
import type { SurfaceKind } from '../../schemas/record-values.js'
import type { RecordSink } from '../../schemas/record-views.js'
import type { InstrumentSymbol } from '../../schemas/symbol.js'
import { addressBytes } from '../../schemas/wallet.js'
import { writeKey } from '../wire/instrument-key.js'

/** A command that is still to be written, into zeroes. @returns false: the sink has no room. */
export type OperatorCommand = (sink: RecordSink) => boolean

/** One observation of an index. */
export interface IndexObservation {
  readonly underlying: string
  readonly priceMicros: number
  readonly observedMillis: number
}

const deposit = new DepositCommand()
const settlementPrice = new SettlementPriceCommand()
const listing = new ListInstrumentCommand()
const indexPrices = new IndexPricesCommand()
const volSurface = new VolSurfaceCommand()
const setTier = new SetTierCommand()
const setHalt = new SetHaltCommand()
const acceptClock = new AcceptClockCommand()
const setMaxIndex = new SetMaxIndexCommand()
const setBuilder = new SetBuilderCommand()

/** Credits cash. `depositId` is at most 64 bytes of printable ASCII; '' is never remembered. */
export function depositCommand(
  wallet: Uint8Array,
  amountMicros: number,
  depositId: string,
): OperatorCommand {
  return creditOf(CommandType.Deposit, wallet, amountMicros, depositId)
}

/** Credits the insurance fund; `depositId` as in `depositCommand`. */
export function fundCommand(amountMicros: number, depositId: string): OperatorCommand {
  const nobody = new Uint8Array(addressBytes)
  return creditOf(CommandType.FundInsurance, nobody, amountMicros, depositId)
}

function creditOf(
  type: Parameters<DepositCommand['claim']>[1],
  wallet: Uint8Array,
  amountMicros: number,
  depositId: string,
): OperatorCommand {
  return (sink) => {
    if (!deposit.claim(sink, type)) return false
    deposit.u8.set(wallet, deposit.walletAt)
    deposit.amountMicros = amountMicros
    deposit.depositIdText = depositId
    return true
  }
}

/** Gives an expired expiry its settlement price. */
export function settlementPriceCommand(
  underlying: string,
  expiryMillis: number,
  priceMicros: number,
): OperatorCommand {
  return (sink) => {
    if (!settlementPrice.claim(sink)) return false
    settlementPrice.underlyingText = underlying
    settlementPrice.expiryMillis = expiryMillis
    settlementPrice.priceMicros = priceMicros
    return true
  }
}

/** Lists an option or a perp. @param expiryMillis exact time of expiry, Unix milliseconds. */
export function listCommand(
  symbol: InstrumentSymbol,
  expiryMillis: number,
  tradingMode: number,
): OperatorCommand {
  return (sink) => {
    if (!listing.claim(sink, CommandType.ListInstrument)) return false
    writeKey(listing.key, symbol)
    listing.expiryMillis = expiryMillis
    listing.tradingMode = tradingMode
    return true
  }
}

/** Delists an option or a perp. */
export function deleteCommand(symbol: InstrumentSymbol): OperatorCommand {
  return (sink) => {
    if (!listing.claim(sink, CommandType.DeleteInstrument)) return false
    writeKey(listing.key, symbol)
    return true
  }
}

/** Index observations, at most `indexEntriesMax`. */
export function indexCommand(observations: readonly IndexObservation[]): OperatorCommand {
  return (sink) => {
    const { length } = observations
    if (!indexPrices.claim(sink, IndexPricesCommand.bytesWith(length))) return false
    indexPrices.count = length
    observations.forEach(({ underlying, priceMicros, observedMillis }, i) => {
      const entry = indexPrices.entries(i)
      entry.underlyingText = underlying
      entry.priceMicros = priceMicros
      entry.observedMillis = observedMillis
    })
    return true
  }
}

/** A volatility input that `checkSurface` has passed. */
export function surfaceCommand(
  underlying: string,
  expiryMillis: number,
  kind: SurfaceKind,
  values: Float64Array,
): OperatorCommand {
  return (sink) => {
    if (!volSurface.claim(sink, VolSurfaceCommand.bytesWith(values.length))) return false
    volSurface.underlyingText = underlying
    volSurface.expiryMillis = expiryMillis
    volSurface.surfaceKind = kind
    volSurface.count = values.length
    volSurface.valuesView(values.length).set(values)
    return true
  }
}

/** Sets a wallet's tier. */
export function tierCommand(wallet: Uint8Array, tier: Tier): OperatorCommand {
  return (sink) => {
    if (!setTier.claim(sink, CommandType.SetTier)) return false
    setTier.u8.set(wallet, setTier.walletAt)
    setTier.tier = tier
    return true
  }
}

/** Halts or opens trading. @param underlying '' for all of them. */
export function haltCommand(underlying: string, mode: HaltMode): OperatorCommand {
  return (sink) => {
    if (!setHalt.claim(sink)) return false
    setHalt.underlyingText = underlying
    setHalt.mode = mode
    setHalt.stands = underlying === '' ? 1 : 0
    return true
  }
}

/** Ends a clock alarm. @param wallMillis the clock that is accepted, or left behind. */
export function clockCommand(choice: ClockChoice, wallMillis: number): OperatorCommand {
  return (sink) => {
    if (!acceptClock.claim(sink)) return false
    acceptClock.choice = choice
    acceptClock.wallMillis = wallMillis
    return true
  }
}

/** Raises what the index of an underlying may be. */
export function maxIndexCommand(underlying: string, maxMicros: number): OperatorCommand {
  return (sink) => {
    if (!setMaxIndex.claim(sink)) return false
    setMaxIndex.underlyingText = underlying
    setMaxIndex.maxIndexMicros = maxMicros
    return true
  }
}

/** Lists a builder, or suspends it. */
export function builderCommand(builder: Uint8Array, status: BuilderStatus): OperatorCommand {
  return (sink) => {
    if (!setBuilder.claim(sink)) return false
    setBuilder.u8.set(builder, setBuilder.walletAt)
    setBuilder.status = status
    return true
  }
}
