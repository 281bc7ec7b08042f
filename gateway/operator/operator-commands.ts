import type { Ring } from '../../engine/memory/ring.js'
import { underlyingBytesMax } from '../../schemas/bounds.js'
import {
  acceptClockBytes,
  acceptedClockAt,
  acceptedWallMillisAt,
  builderStatusAt,
  commandWalletAt,
  depositAmountMicrosAt,
  depositBytes,
  depositIdAt,
  depositIdBytesAt,
  haltModeAt,
  haltStandsAt,
  haltUnderlyingAt,
  indexCountAt,
  indexEntriesAt,
  indexEntryBytes,
  indexEntryObservedMillisAt,
  indexEntryPriceMicrosAt,
  indexEntryUnderlyingAt,
  keyExpiryDateAt,
  keyRightAt,
  keyStrikeMicrosAt,
  keyUnderlyingAt,
  listExpiryMillisAt,
  listInstrumentBytes,
  listKeyAt,
  listTradingModeAt,
  maxIndexMicrosAt,
  maxIndexUnderlyingAt,
  setBuilderBytes,
  setHaltBytes,
  setMaxIndexBytes,
  setTierBytes,
  surfaceCountAt,
  surfaceExpiryMillisAt,
  surfaceKindAt,
  surfaceUnderlyingAt,
  surfaceValuesAt,
  tierAt,
} from '../../schemas/commands.js'
import type { BuilderStatus, ClockChoice, HaltMode, Tier } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import type { SurfaceKind } from '../../schemas/record-values.js'
import {
  settlementExpiryMillisAt,
  settlementPriceBytes,
  settlementPriceMicrosAt,
  settlementUnderlyingAt,
} from '../../schemas/settlement.js'
import type { InstrumentSymbol } from '../../schemas/symbol.js'
import { addressBytes } from '../../schemas/wallet.js'

/** A command record that is still to be written: its length, type and body. */
export interface OperatorCommand {
  /** Length of the whole record, a multiple of 8. */
  readonly bytes: number
  readonly type: CommandType
  /** Writes the body into the zeroed record at `at`. */
  readonly write: (ring: Ring, at: number) => void
}

/** One observation of an index. */
export interface IndexObservation {
  readonly underlying: string
  readonly priceMicros: number
  readonly observedMillis: number
}

/** Credits cash. `depositId` is at most 64 bytes of printable ASCII; '' is never remembered. */
export function depositCommand(
  wallet: Uint8Array,
  amountMicros: number,
  depositId: string,
): OperatorCommand {
  return {
    bytes: depositBytes,
    type: CommandType.Deposit,
    write: (ring, at) => {
      ring.u8.set(wallet, at + commandWalletAt)
      ring.f64[(at + depositAmountMicrosAt) >> 3] = amountMicros
      ring.i32[(at + depositIdBytesAt) >> 2] = depositId.length
      writeAscii(depositId, ring.u8, at + depositIdAt)
    },
  }
}

/** Credits the insurance fund; `depositId` as in `depositCommand`. */
export function fundCommand(amountMicros: number, depositId: string): OperatorCommand {
  const { bytes, write } = depositCommand(new Uint8Array(addressBytes), amountMicros, depositId)
  return { bytes, type: CommandType.FundInsurance, write }
}

/** Gives an expired expiry its settlement price. */
export function settlementPriceCommand(
  underlying: string,
  expiryMillis: number,
  priceMicros: number,
): OperatorCommand {
  return {
    bytes: settlementPriceBytes,
    type: CommandType.SettlementPrice,
    write: (ring, at) => {
      writeAscii(underlying, ring.u8, at + settlementUnderlyingAt)
      ring.f64[(at + settlementExpiryMillisAt) >> 3] = expiryMillis
      ring.f64[(at + settlementPriceMicrosAt) >> 3] = priceMicros
    },
  }
}

/** Lists an option or a perp. @param expiryMillis exact time of expiry, Unix milliseconds. */
export function listCommand(
  symbol: InstrumentSymbol,
  expiryMillis: number,
  tradingMode: number,
): OperatorCommand {
  return {
    bytes: listInstrumentBytes,
    type: CommandType.ListInstrument,
    write: (ring, at) => {
      writeKey(symbol, ring, at + listKeyAt)
      ring.f64[(at + listExpiryMillisAt) >> 3] = expiryMillis
      ring.i32[(at + listTradingModeAt) >> 2] = tradingMode
    },
  }
}

/** Delists an option or a perp. */
export function deleteCommand(symbol: InstrumentSymbol): OperatorCommand {
  return {
    bytes: listInstrumentBytes,
    type: CommandType.DeleteInstrument,
    write: (ring, at) => writeKey(symbol, ring, at + listKeyAt),
  }
}

/** Index observations, at most `indexEntriesMax`. */
export function indexCommand(observations: readonly IndexObservation[]): OperatorCommand {
  return {
    bytes: indexEntriesAt + observations.length * indexEntryBytes,
    type: CommandType.IndexPrices,
    write: (ring, at) => {
      ring.i32[(at + indexCountAt) >> 2] = observations.length
      observations.forEach(({ underlying, priceMicros, observedMillis }, i) => {
        const entryAt = at + indexEntriesAt + i * indexEntryBytes
        writeAscii(underlying, ring.u8, entryAt + indexEntryUnderlyingAt)
        ring.f64[(entryAt + indexEntryPriceMicrosAt) >> 3] = priceMicros
        ring.f64[(entryAt + indexEntryObservedMillisAt) >> 3] = observedMillis
      })
    },
  }
}

/** A volatility input that `checkSurface` has passed. */
export function surfaceCommand(
  underlying: string,
  expiryMillis: number,
  kind: SurfaceKind,
  values: Float64Array,
): OperatorCommand {
  return {
    bytes: surfaceValuesAt + values.length * 8,
    type: CommandType.VolSurface,
    write: (ring, at) => {
      writeAscii(underlying, ring.u8, at + surfaceUnderlyingAt)
      ring.f64[(at + surfaceExpiryMillisAt) >> 3] = expiryMillis
      ring.i32[(at + surfaceKindAt) >> 2] = kind
      ring.i32[(at + surfaceCountAt) >> 2] = values.length
      ring.f64.set(values, (at + surfaceValuesAt) >> 3)
    },
  }
}

/** Sets a wallet's tier. */
export function tierCommand(wallet: Uint8Array, tier: Tier): OperatorCommand {
  return {
    bytes: setTierBytes,
    type: CommandType.SetTier,
    write: (ring, at) => {
      ring.u8.set(wallet, at + commandWalletAt)
      ring.i32[(at + tierAt) >> 2] = tier
    },
  }
}

/** Halts or opens trading. @param underlying '' for all of them. */
export function haltCommand(underlying: string, mode: HaltMode): OperatorCommand {
  return {
    bytes: setHaltBytes,
    type: CommandType.SetHalt,
    write: (ring, at) => {
      writeAscii(underlying, ring.u8, at + haltUnderlyingAt)
      ring.i32[(at + haltModeAt) >> 2] = mode
      ring.i32[(at + haltStandsAt) >> 2] = underlying === '' ? 1 : 0
    },
  }
}

/** Ends a clock alarm. @param wallMillis the clock that is accepted, or left behind. */
export function clockCommand(choice: ClockChoice, wallMillis: number): OperatorCommand {
  return {
    bytes: acceptClockBytes,
    type: CommandType.AcceptClock,
    write: (ring, at) => {
      ring.i32[(at + acceptedClockAt) >> 2] = choice
      ring.f64[(at + acceptedWallMillisAt) >> 3] = wallMillis
    },
  }
}

/** Raises what the index of an underlying may be. */
export function maxIndexCommand(underlying: string, maxMicros: number): OperatorCommand {
  return {
    bytes: setMaxIndexBytes,
    type: CommandType.SetMaxIndex,
    write: (ring, at) => {
      writeAscii(underlying, ring.u8, at + maxIndexUnderlyingAt)
      ring.f64[(at + maxIndexMicrosAt) >> 3] = maxMicros
    },
  }
}

/** Lists a builder, or suspends it. */
export function builderCommand(builder: Uint8Array, status: BuilderStatus): OperatorCommand {
  return {
    bytes: setBuilderBytes,
    type: CommandType.SetBuilder,
    write: (ring, at) => {
      ring.u8.set(builder, at + commandWalletAt)
      ring.i32[(at + builderStatusAt) >> 2] = status
    },
  }
}

function writeKey(option: InstrumentSymbol, ring: Ring, at: number): void {
  writeAscii(option.underlying.slice(0, underlyingBytesMax), ring.u8, at + keyUnderlyingAt)
  ring.i32[(at + keyExpiryDateAt) >> 2] = option.expiryDate
  ring.i32[(at + keyRightAt) >> 2] = option.right
  ring.f64[(at + keyStrikeMicrosAt) >> 3] = option.strikeMicros
}

function writeAscii(text: string, target: Uint8Array, at: number): void {
  for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i)
}
