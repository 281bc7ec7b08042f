import { underlyingBytesMax } from '../../schemas/bounds.js'
import {
  accountBytes,
  accountCashMicrosAt,
  accountChangeAt,
  accountDeltaMicrosAt,
  accountDepositIdAt,
  accountDepositIdBytesAt,
  accountDepositsMicrosAt,
  accountIndexAt,
  accountMarginModeAt,
  accountSelfTradeAt,
  accountTierAt,
  accountWalletAt,
  agentAccountAt,
  agentAgentAt,
  agentBytes,
  agentChangeAt,
  agentWalletAt,
  clearedBytes,
  clearedInstrumentAt,
  haltEventBytes,
  haltEventModeAt,
  haltEventUnderlyingAt,
  indexObservedMillisAt,
  indexPriceBytes,
  indexPriceMicrosAt,
  indexUnderlyingAt,
  instrumentBytes,
  instrumentChangeAt,
  instrumentExpiryDateAt,
  instrumentExpiryMillisAt,
  instrumentIdAt,
  instrumentListedMillisAt,
  instrumentModeAt,
  instrumentNameAt,
  instrumentRightAt,
  instrumentStateAt,
  instrumentStrikeMicrosAt,
  instrumentUnderlyingAt,
  levelBytes,
  levelInstrumentAt,
  levelPriceMicrosAt,
  levelSideAt,
  levelSizeLotsAt,
  maxIndexEventBytes,
  maxIndexEventMicrosAt,
  maxIndexEventUnderlyingAt,
  remarkedBytes,
  remarkedPhaseAt,
  remarkedUnderlyingAt,
  surfaceEventCountAt,
  surfaceEventExpiryMillisAt,
  surfaceEventIndexMicrosAt,
  surfaceEventKindAt,
  surfaceEventTakenMillisAt,
  surfaceEventUnderlyingAt,
  surfaceEventValuesAt,
} from '../../schemas/events.js'
import { EventType } from '../../schemas/generated/events.js'
import { AccountChange, type RemarkPhase } from '../../schemas/record-values.js'
import { copyBytes, writeText } from '../memory/bytes.js'
import type { MarkInputs } from '../pricing/mark-inputs.js'
import type { Surface } from '../pricing/surface.js'
import type { CoreState } from '../state/core-state.js'
import { unheard } from '../state/event-sink.js'

// One function per event that concerns an account, an instrument or the market: fills its record in place.

/** Cash, tier or modes of an account, as they are now. `depositId` is the deposit's own name, if any. */
export function publishAccount(
  state: CoreState,
  account: number,
  change: number,
  deltaMicros: number,
  depositId = '',
): void {
  const at = state.sink.tryClaim(accountBytes, EventType.Account)
  if (at === unheard) return
  const { f64, i32, u8 } = state.sink.views
  f64[(at + accountCashMicrosAt) >> 3] = state.risk.cashMicros[account]
  f64[(at + accountDeltaMicrosAt) >> 3] = deltaMicros
  i32[(at + accountChangeAt) >> 2] = change
  i32[(at + accountTierAt) >> 2] = state.risk.tier[account]
  i32[(at + accountMarginModeAt) >> 2] = state.risk.marginMode[account]
  i32[(at + accountSelfTradeAt) >> 2] = state.accounts.selfTrade[account]
  i32[(at + accountIndexAt) >> 2] = account
  f64[(at + accountDepositsMicrosAt) >> 3] = state.accounts.depositsMicros[account]
  i32[(at + accountDepositIdBytesAt) >> 2] = depositId.length
  writeText(depositId, u8, at + accountDepositIdAt, accountBytes - accountDepositIdAt)
  state.accounts.addresses.write(account, u8, at + accountWalletAt)
}

/** A new account exists; it has nothing yet. */
export function publishOpened(state: CoreState, account: number): void {
  publishAccount(state, account, AccountChange.Opened, 0)
}

/** An agent was approved or revoked. */
export function publishAgent(
  state: CoreState,
  account: number,
  change: number,
  agent: Uint8Array,
  agentAt: number,
): void {
  const at = state.sink.tryClaim(agentBytes, EventType.Agent)
  if (at === unheard) return
  const { i32, u8 } = state.sink.views
  i32[(at + agentChangeAt) >> 2] = change
  i32[(at + agentAccountAt) >> 2] = account
  state.accounts.addresses.write(account, u8, at + agentWalletAt)
  copyBytes(agent, agentAt, u8, at + agentAgentAt, 20)
}

/** An instrument's terms and state. */
export function publishInstrument(state: CoreState, instrument: number, change: number): void {
  const at = state.sink.tryClaim(instrumentBytes, EventType.Instrument)
  if (at === unheard) return
  const { f64, i32, u8 } = state.sink.views
  const table = state.instruments
  const underlying = table.underlying[instrument]
  i32[(at + instrumentIdAt) >> 2] = instrument
  i32[(at + instrumentUnderlyingAt) >> 2] = underlying
  i32[(at + instrumentChangeAt) >> 2] = change
  i32[(at + instrumentStateAt) >> 2] = table.state[instrument]
  i32[(at + instrumentModeAt) >> 2] = table.tradingMode[instrument]
  i32[(at + instrumentRightAt) >> 2] = table.right[instrument]
  i32[(at + instrumentExpiryDateAt) >> 2] = table.expiryDate[instrument]
  i32[(at + instrumentExpiryDateAt + 4) >> 2] = 0
  f64[(at + instrumentStrikeMicrosAt) >> 3] = table.strikeMicros[instrument]
  f64[(at + instrumentExpiryMillisAt) >> 3] = table.expiryMillis[instrument]
  f64[(at + instrumentListedMillisAt) >> 3] = table.listedMillis[instrument]
  writeText(table.underlyingNames[underlying], u8, at + instrumentNameAt, underlyingBytesMax)
}

/** An accepted index observation: that of the inputs. */
export function publishIndexPrice(
  state: CoreState,
  underlying: number,
  { indexMicros, indexAtMillis }: MarkInputs,
): void {
  const at = state.sink.tryClaim(indexPriceBytes, EventType.IndexPrice)
  if (at === unheard) return
  const { f64, i32, u8 } = state.sink.views
  f64[(at + indexPriceMicrosAt) >> 3] = indexMicros
  f64[(at + indexObservedMillisAt) >> 3] = indexAtMillis
  i32[(at + indexUnderlyingAt) >> 2] = underlying
  u8.fill(0, at + indexUnderlyingAt + 4, at + indexPriceBytes)
}

/** An accepted volatility input. */
export function publishSurface(state: CoreState, underlying: number, surface: Surface): void {
  const { values } = surface
  const at = state.sink.tryClaim(surfaceEventValuesAt + values.length * 8, EventType.Surface)
  if (at === unheard) return
  const { f64, i32 } = state.sink.views
  i32[(at + surfaceEventUnderlyingAt) >> 2] = underlying
  i32[(at + surfaceEventKindAt) >> 2] = surface.kind
  f64[(at + surfaceEventExpiryMillisAt) >> 3] = surface.expiryMillis
  i32[(at + surfaceEventCountAt) >> 2] = values.length
  i32[(at + surfaceEventCountAt + 4) >> 2] = 0
  f64[(at + surfaceEventTakenMillisAt) >> 3] = surface.takenAtMillis
  f64[(at + surfaceEventIndexMicrosAt) >> 3] = surface.referenceIndexMicros
  f64.set(values, (at + surfaceEventValuesAt) >> 3)
}

/** A re-mark of the underlying has begun, or its marks are in force. */
export function publishRemarked(state: CoreState, underlying: number, phase: RemarkPhase): void {
  const at = state.sink.tryClaim(remarkedBytes, EventType.Remarked)
  if (at === unheard) return
  state.sink.views.i32[(at + remarkedUnderlyingAt) >> 2] = underlying
  state.sink.views.i32[(at + remarkedPhaseAt) >> 2] = phase
}

export function publishHalt(state: CoreState, underlying: number): void {
  const at = state.sink.tryClaim(haltEventBytes, EventType.Halt)
  if (at === unheard) return
  state.sink.views.i32[(at + haltEventUnderlyingAt) >> 2] = underlying
  state.sink.views.i32[(at + haltEventModeAt) >> 2] = state.haltModeOf(underlying)
}

/** What the index may rise to: with it read models tell what sums over a wallet can hold. */
export function publishMaxIndex(state: CoreState, underlying: number): void {
  const at = state.sink.tryClaim(maxIndexEventBytes, EventType.MaxIndex)
  if (at === unheard) return
  const { i32, f64 } = state.sink.views
  f64[(at + maxIndexEventMicrosAt) >> 3] = state.instruments.maxIndexMicros[underlying]
  i32[(at + maxIndexEventUnderlyingAt) >> 2] = underlying
  i32[(at + maxIndexEventUnderlyingAt + 4) >> 2] = 0
}

/** Total size at a price of the book; 0 lots: the level is gone. */
export function publishLevel(
  state: CoreState,
  instrument: number,
  side: number,
  priceMicros: number,
  sizeLots: number,
): void {
  const at = state.sink.tryClaim(levelBytes, EventType.BookLevel)
  if (at === unheard) return
  const { f64, i32 } = state.sink.views
  f64[(at + levelPriceMicrosAt) >> 3] = priceMicros
  f64[(at + levelSizeLotsAt) >> 3] = sizeLots
  i32[(at + levelInstrumentAt) >> 2] = instrument
  i32[(at + levelSideAt) >> 2] = side
}

export function publishCleared(state: CoreState, instrument: number): void {
  const at = state.sink.tryClaim(clearedBytes, EventType.BookCleared)
  if (at === unheard) return
  state.sink.views.i32[(at + clearedInstrumentAt) >> 2] = instrument
  state.sink.views.i32[(at + clearedInstrumentAt + 4) >> 2] = 0
}
