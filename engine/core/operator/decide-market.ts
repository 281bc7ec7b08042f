import { assert } from '../../../schemas/assert.js'
import { observationAheadMillisMax } from '../../../schemas/bounds.js'
import {
  type AnyCommand,
  CommandType,
  ConfigureCommand,
  IndexPricesCommand,
  ListInstrumentCommand,
  SetBuilderCommand,
  SetHaltCommand,
  VolSurfaceCommand,
} from '../../../schemas/generated/commands.js'
import { InstrumentChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { addressBytes, writeAddress } from '../../../schemas/wallet.js'
import { deleteInstrument, expireInstrument } from '../../lifecycle/closing.js'
import { observeIndex } from '../../lifecycle/settlement.js'
import { turnAllTimers } from '../../lifecycle/timers.js'
import { checkSurface, Surface } from '../../pricing/surface.js'
import {
  publishIndexPrice,
  publishInstrument,
  publishSurface,
} from '../../publish/publish-market.js'
import type { CoreState } from '../../state/core-state.js'
import { decodeEngineConfig } from '../../state/market/engine-config.js'
import { endSessions, leaveProvider, setProvider } from '../account/decide-provider.js'
import { dropPush } from '../account/decide-push.js'
import { endConnection } from '../account/decide-safety.js'
import { setTier } from '../account/decide-tier.js'
import { judgeUsername } from '../account/decide-username.js'
import { judgeWithdrawal, settleWithdrawal } from '../account/decide-withdrawal.js'
import { accountFor, halt, haltEach, underlyingFor } from '../steps/announced.js'
import type { MarketOutcome } from '../steps/market-outcome.js'
import { burnLost, haltAll } from './accept-loss.js'
import { acceptClock, setClockAlarm } from './decide-clock.js'
import { setCompetition } from './decide-competition.js'
import { deposit, fundInsurance } from './decide-funds.js'
import { giveSettlementPrice } from './decide-settlement.js'
import { setWalletStop } from './decide-wallet-stop.js'
import { applyMaxIndexes, fixMaxIndex, isWithinMaxIndex, raiseMaxIndex } from './max-index.js'
import { remark } from './remark.js'

const listed = new ListInstrumentCommand()
const prices = new IndexPricesCommand()
const surfaceInput = new VolSurfaceCommand()
const configuration = new ConfigureCommand()
const builder = new SetBuilderCommand()
const newHalt = new SetHaltCommand()

const decisions: Readonly<
  Partial<Record<number, (state: CoreState, command: AnyCommand, out: MarketOutcome) => Result>>
> = {
  [CommandType.Deposit]: deposit,
  [CommandType.ListInstrument]: listInstrument,
  [CommandType.DeleteInstrument]: delist,
  [CommandType.IndexPrices]: indexPrices,
  [CommandType.VolSurface]: volSurface,
  [CommandType.SetTier]: setTier,
  [CommandType.SetHalt]: setHalt,
  [CommandType.SetWalletStop]: setWalletStop,
  [CommandType.SettlementPrice]: giveSettlementPrice,
  [CommandType.FundInsurance]: fundInsurance,
  [CommandType.SetMaxIndex]: raiseMaxIndex,
  [CommandType.SetBuilder]: setBuilder,
  [CommandType.SetProvider]: setProvider,
  [CommandType.SetCompetition]: setCompetition,
  [CommandType.LeaveProvider]: leaveProvider,
  [CommandType.EndSessions]: endSessions,
  [CommandType.EndConnection]: endConnection,
  [CommandType.DropPush]: dropPush,
  [CommandType.SettleWithdrawal]: settleWithdrawal,
  [CommandType.JudgeWithdrawal]: judgeWithdrawal,
  [CommandType.JudgeUsername]: judgeUsername,
  [CommandType.NoteFile]: ({ notedFiles }, command) => notedFiles.decide(command),
  [CommandType.Configure]: configure,
  [CommandType.AcceptLoss]: haltAll,
  [CommandType.BurnNonces]: burnLost,
  [CommandType.Tick]: () => Result.Accepted,
  [CommandType.SetClockAlarm]: setClockAlarm,
  [CommandType.AcceptClock]: acceptClock,
}

/**
 * Executes one command of the operator interface.
 * @returns `Accepted`, or the reason of its failure.
 */
export function decideMarket(state: CoreState, command: AnyCommand, out: MarketOutcome): Result {
  out.repeat = false
  out.instrument = -1
  out.account = -1
  out.competitionId = 0
  out.details.fill(0)
  const decide = decisions[command.recordType]
  assert(decide !== undefined, 'core: a command of schemas/records/commands.ts')
  return decide(state, command, out)
}

function listInstrument(state: CoreState, command: AnyCommand, out: MarketOutcome): Result {
  const { instruments } = state
  const { expiryMillis, key, tradingMode } = listed.of(command)
  const known = instruments.findKey(key)
  if (known >= 0) {
    out.repeat = true
    out.instrument = known
    return Result.Accepted
  }
  const { underlyingText: underlyingName, expiryDate, right, strikeMicros } = key
  if (underlyingFor(state, underlyingName) < 0) return Result.LimitExceeded
  const listedMillis = state.nowMillis
  const terms = { underlyingName, expiryDate, expiryMillis, strikeMicros, right, tradingMode }
  const instrument = instruments.add({ ...terms, listedMillis })
  out.instrument = instrument
  instruments.hashRow(instrument, state.hash, true)
  fixMaxIndex(state, instruments.underlying[instrument])
  state.marks.markInstrument(instrument)
  publishInstrument(state, instrument, InstrumentChange.Created)
  if (instruments.expiryMillis[instrument] <= state.nowMillis) expireInstrument(state, instrument)
  else state.awaitExpiry(instrument)
  return Result.Accepted
}

function delist(state: CoreState, command: AnyCommand, out: MarketOutcome): Result {
  const instrument = state.instruments.findKey(listed.of(command).key)
  if (instrument < 0) return Result.NotFound
  out.instrument = instrument
  return deleteInstrument(state, instrument)
}

function indexPrices(state: CoreState, command: AnyCommand, out: MarketOutcome): Result {
  const { count } = prices.of(command)
  // All times, names and prices are checked first: a list with one invalid entry moves no price.
  const latestMillis = state.nowMillis + observationAheadMillisMax
  for (let i = 0; i < count; i++) {
    if (!(prices.entries(i).observedMillis <= latestMillis)) return Result.ObservationAhead
  }
  for (let i = 0; i < count; i++) {
    const { priceMicros, underlyingText } = prices.entries(i)
    const underlying = underlyingFor(state, underlyingText)
    if (underlying < 0) return Result.LimitExceeded
    if (!isWithinMaxIndex(state, underlying, priceMicros, i, out)) return Result.IndexLimit
  }
  out.repeat = true
  for (let i = 0; i < count; i++) {
    const entry = prices.entries(i)
    const underlying = state.instruments.findNamed(entry)
    const { priceMicros, observedMillis } = entry
    if (!state.marks.setIndex(underlying, priceMicros, observedMillis)) continue
    state.cells.noteMarks(underlying)
    out.repeat = false
    fixMaxIndex(state, underlying)
    publishIndexPrice(state, underlying, state.marks.inputsOf(underlying))
    observeIndex(state, underlying)
    remark(state, underlying)
  }
  return Result.Accepted
}

function volSurface(state: CoreState, command: AnyCommand): Result {
  const { count, expiryMillis, surfaceKind, underlyingText } = surfaceInput.of(command)
  const values = Float64Array.from({ length: count }, (_, i) => surfaceInput.values(i))
  if (checkSurface(surfaceKind, values) !== null) return Result.ValueRefused
  const underlying = underlyingFor(state, underlyingText)
  if (underlying < 0) return Result.LimitExceeded
  const indexMicros = state.marks.inputsOf(underlying).indexMicros
  const surface = new Surface(surfaceKind, expiryMillis, state.nowMillis, indexMicros, values)
  state.marks.setSurface(underlying, surface)
  state.cells.noteMarks(underlying)
  publishSurface(state, underlying, surface)
  remark(state, underlying)
  return Result.Accepted
}

function configure(state: CoreState, command: AnyCommand): Result {
  const { count } = configuration.of(command)
  const values = Float64Array.from({ length: count }, (_, i) => configuration.values(i))
  const config = decodeEngineConfig(values)
  state.configure(config)
  const address = new Uint8Array(addressBytes)
  for (const signer of config.operatorSigners) {
    assert(writeAddress(signer, address, 0), 'configuration: operator signers are addresses')
    accountFor(state, address, 0)
  }
  applyMaxIndexes(state)
  return Result.Accepted
}

function setBuilder(state: CoreState, command: AnyCommand, out: MarketOutcome): Result {
  const { status, u8, walletAt } = builder.of(command)
  out.repeat = !state.builders.set(u8, walletAt, status)
  return Result.Accepted
}

function setHalt(state: CoreState, command: AnyCommand): Result {
  const { mode, stands, underlyingText } = newHalt.of(command)
  if (underlyingText === '') {
    haltEach(state, mode)
    if (stands === 1) state.haltListings(mode)
    return Result.Accepted
  }
  const underlying = state.instruments.findUnderlying(underlyingText)
  if (underlying < 0) return Result.NotFound
  halt(state, underlying, mode)
  turnAllTimers(state)
  return Result.Accepted
}
