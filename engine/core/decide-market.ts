import { assert } from '../../schemas/assert.js'
import { observationAheadMillisMax, underlyingBytesMax } from '../../schemas/bounds.js'
import {
  builderStatusAt,
  commandWalletAt,
  configCountAt,
  configValuesAt,
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
  listKeyAt,
  listTradingModeAt,
  surfaceCountAt,
  surfaceExpiryMillisAt,
  surfaceKindAt,
  surfaceUnderlyingAt,
  surfaceValuesAt,
  tierAt,
} from '../../schemas/commands.js'
import type { BuilderStatus, HaltMode, Right, Tier } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { AccountChange, InstrumentChange, type SurfaceKind } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import { addressBytes, writeAddress } from '../../schemas/wallet.js'
import { deleteInstrument, expireInstrument } from '../lifecycle/closing.js'
import { observeIndex } from '../lifecycle/settlement.js'
import { turnAllTimers } from '../lifecycle/timers.js'
import { areBytesZero, readText } from '../memory/bytes.js'
import { checkSurface, Surface } from '../pricing/surface.js'
import {
  publishAccount,
  publishIndexPrice,
  publishInstrument,
  publishSurface,
} from '../publish/publish-market.js'
import type { CoreState } from '../state/core-state.js'
import { decodeEngineConfig } from '../state/engine-config.js'
import { hashIndex, hashInstrument, hashSurface } from '../state/state-facts.js'
import { burnLost, haltAll } from './accept-loss.js'
import { accountFor, halt, underlyingFor } from './announced.js'
import { acceptClock, setClockAlarm } from './decide-clock.js'
import { deposit, fundInsurance } from './decide-funds.js'
import { giveSettlementPrice } from './decide-settlement.js'
import type { MarketOutcome } from './market-outcome.js'
import { applyMaxIndexes, fixMaxIndex, isWithinMaxIndex, raiseMaxIndex } from './max-index.js'
import { remark } from './remark.js'

/** Carries out one command of the operator interface. @returns why it was refused, or `Accepted`. */
export function decideMarket(
  state: CoreState,
  views: RecordViews,
  at: number,
  type: number,
  out: MarketOutcome,
): Result {
  out.repeat = false
  out.instrument = -1
  out.account = -1
  out.details.fill(0)
  switch (type) {
    case CommandType.Deposit:
      return deposit(state, views, at, out)
    case CommandType.ListInstrument:
      return listInstrument(state, views, at, out)
    case CommandType.DeleteInstrument:
      return delist(state, views, at, out)
    case CommandType.IndexPrices:
      return indexPrices(state, views, at, out)
    case CommandType.VolSurface:
      return volSurface(state, views, at)
    case CommandType.SetTier:
      return setTier(state, views, at)
    case CommandType.SetHalt:
      return setHalt(state, views, at)
    case CommandType.SettlementPrice:
      return giveSettlementPrice(state, views, at, out)
    case CommandType.FundInsurance:
      return fundInsurance(state, views, at, out)
    case CommandType.SetMaxIndex:
      return raiseMaxIndex(state, views, at, out)
    case CommandType.SetBuilder:
      return setBuilder(state, views, at, out)
    case CommandType.Configure:
      return configure(state, views, at)
    case CommandType.AcceptLoss:
      return haltAll(state, views, at)
    case CommandType.BurnNonces:
      return burnLost(state, views, at)
    case CommandType.Tick:
      return Result.Accepted
    case CommandType.SetClockAlarm:
      return setClockAlarm(state, views, at)
    case CommandType.AcceptClock:
      return acceptClock(state, views, at, out)
    default:
      assert(false, 'core: a command of schemas/commands.ts')
  }
}

function listInstrument(
  state: CoreState,
  views: RecordViews,
  at: number,
  out: MarketOutcome,
): Result {
  const { instruments } = state
  const known = instruments.findKey(views, at + listKeyAt)
  if (known >= 0) {
    out.repeat = true
    out.instrument = known
    return Result.Accepted
  }
  const key = at + listKeyAt
  const underlyingName = readText(views.u8, key + keyUnderlyingAt, underlyingBytesMax)
  if (underlyingFor(state, underlyingName) < 0) return Result.LimitExceeded
  const instrument = instruments.add({
    underlyingName,
    expiryDate: views.i32[(key + keyExpiryDateAt) >> 2],
    expiryMillis: views.f64[(at + listExpiryMillisAt) >> 3],
    strikeMicros: views.f64[(key + keyStrikeMicrosAt) >> 3],
    right: views.i32[(key + keyRightAt) >> 2] as Right,
    tradingMode: views.i32[(at + listTradingModeAt) >> 2],
    listedMillis: state.nowMillis,
  })
  out.instrument = instrument
  hashInstrument(state, instrument, true)
  fixMaxIndex(state, instruments.underlying[instrument])
  state.marks.markInstrument(instrument)
  publishInstrument(state, instrument, InstrumentChange.Created)
  if (instruments.expiryMillis[instrument] <= state.nowMillis) expireInstrument(state, instrument)
  else state.awaitExpiry(instrument)
  return Result.Accepted
}

function delist(state: CoreState, views: RecordViews, at: number, out: MarketOutcome): Result {
  const instrument = state.instruments.findKey(views, at + listKeyAt)
  if (instrument < 0) return Result.NotFound
  out.instrument = instrument
  return deleteInstrument(state, instrument)
}

function indexPrices(state: CoreState, views: RecordViews, at: number, out: MarketOutcome): Result {
  const count = views.i32[(at + indexCountAt) >> 2]
  // All times, names and prices first: a list with one that is refused moves no price.
  const latestMillis = state.nowMillis + observationAheadMillisMax
  for (let i = 0; i < count; i++) {
    const entry = at + indexEntriesAt + i * indexEntryBytes
    if (!(views.f64[(entry + indexEntryObservedMillisAt) >> 3] <= latestMillis)) {
      return Result.ObservationAhead
    }
  }
  for (let i = 0; i < count; i++) {
    const entry = at + indexEntriesAt + i * indexEntryBytes
    const name = readText(views.u8, entry + indexEntryUnderlyingAt, underlyingBytesMax)
    const underlying = underlyingFor(state, name)
    if (underlying < 0) return Result.LimitExceeded
    const priceMicros = views.f64[(entry + indexEntryPriceMicrosAt) >> 3]
    if (!isWithinMaxIndex(state, underlying, priceMicros, i, out)) return Result.IndexLimit
  }
  out.repeat = true
  for (let i = 0; i < count; i++) {
    const entry = at + indexEntriesAt + i * indexEntryBytes
    const name = readText(views.u8, entry + indexEntryUnderlyingAt, underlyingBytesMax)
    const underlying = underlyingFor(state, name)
    const priceMicros = views.f64[(entry + indexEntryPriceMicrosAt) >> 3]
    const observedMillis = views.f64[(entry + indexEntryObservedMillisAt) >> 3]
    hashIndex(state, underlying, false)
    const isTaken = state.marks.setIndex(underlying, priceMicros, observedMillis)
    hashIndex(state, underlying, true)
    if (!isTaken) continue
    out.repeat = false
    fixMaxIndex(state, underlying)
    publishIndexPrice(state, underlying, state.marks.inputsOf(underlying))
    observeIndex(state, underlying)
    remark(state, underlying)
  }
  return Result.Accepted
}

function volSurface(state: CoreState, views: RecordViews, at: number): Result {
  const name = readText(views.u8, at + surfaceUnderlyingAt, underlyingBytesMax)
  const kind = views.i32[(at + surfaceKindAt) >> 2] as SurfaceKind
  const count = views.i32[(at + surfaceCountAt) >> 2]
  const first = (at + surfaceValuesAt) >> 3
  const values = views.f64.slice(first, first + count)
  if (checkSurface(kind, values) !== null) return Result.ValueRefused
  const underlying = underlyingFor(state, name)
  if (underlying < 0) return Result.LimitExceeded
  const expiryMillis = views.f64[(at + surfaceExpiryMillisAt) >> 3]
  const indexMicros = state.marks.inputsOf(underlying).indexMicros
  const surface = new Surface(kind, expiryMillis, state.nowMillis, indexMicros, values)
  hashSurface(state, underlying, expiryMillis, false)
  state.marks.setSurface(underlying, surface)
  hashSurface(state, underlying, expiryMillis, true)
  publishSurface(state, underlying, surface)
  remark(state, underlying)
  return Result.Accepted
}

function configure(state: CoreState, views: RecordViews, at: number): Result {
  const first = (at + configValuesAt) >> 3
  const values = views.f64.slice(first, first + views.i32[(at + configCountAt) >> 2])
  const config = decodeEngineConfig(values)
  state.configure(config)
  const address = new Uint8Array(addressBytes)
  for (const signer of config.operatorSigners) {
    assert(writeAddress(signer, address, 0), 'configuration: signers of the operator are addresses')
    accountFor(state, address, 0)
  }
  applyMaxIndexes(state)
  return Result.Accepted
}

/** A tier whose margin model allows no short without cover is not for a wallet that has one, or works towards it. */
export function checkTier(state: CoreState, views: RecordViews, at: number): Result {
  const account = state.accounts.find(views.u8, at + commandWalletAt)
  if (account < 0) return Result.Accepted
  const tier = views.i32[(at + tierAt) >> 2] as Tier
  return state.risk.wouldUncover(account, tier) ? Result.Conflict : Result.Accepted
}

/** Sets the tier of the wallet in the header; by the operator's port or a signer of the operator. */
export function setTier(state: CoreState, views: RecordViews, at: number): Result {
  const allowed = checkTier(state, views, at)
  if (allowed !== Result.Accepted) return allowed
  const account = accountFor(state, views.u8, at + commandWalletAt)
  state.risk.setTier(account, views.i32[(at + tierAt) >> 2] as Tier)
  publishAccount(state, account, AccountChange.Tier, 0)
  return Result.Accepted
}

function setBuilder(state: CoreState, views: RecordViews, at: number, out: MarketOutcome): Result {
  const status = views.i32[(at + builderStatusAt) >> 2] as BuilderStatus
  out.repeat = !state.builders.set(views.u8, at + commandWalletAt, status)
  return Result.Accepted
}

function setHalt(state: CoreState, views: RecordViews, at: number): Result {
  const mode = views.i32[(at + haltModeAt) >> 2] as HaltMode
  if (areBytesZero(views.u8, at + haltUnderlyingAt, underlyingBytesMax)) {
    haltEach(state, mode)
    if (views.i32[(at + haltStandsAt) >> 2] === 1) state.haltListings(mode)
    return Result.Accepted
  }
  const name = readText(views.u8, at + haltUnderlyingAt, underlyingBytesMax)
  const underlying = state.instruments.findUnderlying(name)
  if (underlying < 0) return Result.NotFound
  halt(state, underlying, mode)
  turnAllTimers(state)
  return Result.Accepted
}

/** Sets the halt mode of every underlying that is known; the timers of liquidations in them follow. */
export function haltEach(state: CoreState, mode: number): void {
  for (let u = 0; u < state.instruments.underlyingNames.length; u++) halt(state, u, mode)
  turnAllTimers(state)
}
