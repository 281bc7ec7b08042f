import type {
  HaltMode,
  InstrumentState,
  MarginMode,
  Right,
  SelfTradeMode,
  Tier,
} from '../../schemas/domain.js'
import {
  AccountEvent,
  AgentEvent,
  ApiWalletEvent,
  BookClearedEvent,
  BookLevelEvent,
  HaltEvent,
  IndexPriceEvent,
  InstrumentEvent,
  MaxIndexEvent,
  RemarkedEvent,
  SurfaceEvent,
} from '../../schemas/generated/events.js'
import type { ChangedLevel } from '../../schemas/generated/results.js'
import type {
  AccountChange,
  AgentChange,
  InstrumentChange,
  RemarkPhase,
} from '../../schemas/record-values.js'
import { addressBytes } from '../../schemas/wallet.js'
import { copyBytes } from '../memory/bytes.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { MarkInputs } from '../pricing/mark-inputs.js'
import type { Surface } from '../pricing/surface.js'
import type { RiskEngine } from '../risk/risk-engine.js'
import type { Accounts } from '../state/accounts/accounts.js'
import type { ApiWallet } from '../state/accounts/api-wallets.js'
import type { WalletStops } from '../state/accounts/wallet-stops.js'
import type { EventSink } from '../state/event-sink.js'

export interface PublishMarketState {
  readonly sink: EventSink
  readonly risk: RiskEngine
  readonly accounts: Accounts
  readonly walletStops: WalletStops
  readonly instruments: InstrumentTable
  haltModeOf(underlying: number): HaltMode
}

// One function per event of an account, an instrument or the market. Each fills its record in place.

const accountEvent = new AccountEvent()
const agentEvent = new AgentEvent()
const apiWalletEvent = new ApiWalletEvent()
const instrumentEvent = new InstrumentEvent()
const indexPrice = new IndexPriceEvent()
const surfaceEvent = new SurfaceEvent()
const remarked = new RemarkedEvent()
const halt = new HaltEvent()
const maxIndex = new MaxIndexEvent()
const level = new BookLevelEvent()
const cleared = new BookClearedEvent()

/** Publishes cash, tier and modes of an account. `depositId` is the deposit's own id, if any. */
export function publishAccount(
  state: PublishMarketState,
  account: number,
  change: AccountChange,
  deltaMicros = 0,
  depositId = '',
): void {
  if (!accountEvent.claim(state.sink)) return
  accountEvent.cashMicros = state.risk.cashMicros[account]
  accountEvent.deltaMicros = deltaMicros
  accountEvent.change = change
  accountEvent.tier = state.risk.tier[account] as Tier
  accountEvent.marginMode = state.risk.marginMode[account] as MarginMode
  accountEvent.selfTrade = state.accounts.selfTrade[account] as SelfTradeMode
  accountEvent.account = account
  accountEvent.depositsMicros = state.accounts.depositsMicros[account]
  accountEvent.depositIdText = depositId
  accountEvent.stopped = state.walletStops.has(account) ? 1 : 0
  accountEvent.realizedMicros = state.risk.realizedTotalMicros[account]
  state.accounts.addresses.write(account, accountEvent.u8, accountEvent.walletAt)
}

/** Publishes the approval or revocation of an agent. */
export function publishAgent(
  state: PublishMarketState,
  account: number,
  change: AgentChange,
  agent: Uint8Array,
  agentAt: number,
): void {
  if (!agentEvent.claim(state.sink)) return
  agentEvent.change = change
  agentEvent.account = account
  state.accounts.addresses.write(account, agentEvent.u8, agentEvent.walletAt)
  copyBytes(agent, agentAt, agentEvent.u8, agentEvent.agentAt, addressBytes)
}

/** Publishes that a trading key was set or removed. */
export function publishApiWallet(
  state: PublishMarketState,
  account: number,
  change: AgentChange,
  { name, address }: ApiWallet,
): void {
  if (!apiWalletEvent.claim(state.sink)) return
  apiWalletEvent.change = change
  apiWalletEvent.account = account
  state.accounts.addresses.write(account, apiWalletEvent.u8, apiWalletEvent.walletAt)
  apiWalletEvent.u8.set(address, apiWalletEvent.apiWalletAt)
  apiWalletEvent.u8.set(name, apiWalletEvent.nameAt)
}

/** Publishes terms and state of an instrument. */
export function publishInstrument(
  state: PublishMarketState,
  instrument: number,
  change: InstrumentChange,
): void {
  if (!instrumentEvent.claim(state.sink)) return
  const table = state.instruments
  const underlying = table.underlying[instrument]
  instrumentEvent.instrument = instrument
  instrumentEvent.underlying = underlying
  instrumentEvent.change = change
  instrumentEvent.state = table.state[instrument] as InstrumentState
  instrumentEvent.tradingMode = table.tradingMode[instrument]
  instrumentEvent.right = table.right[instrument] as Right
  instrumentEvent.expiryDate = table.expiryDate[instrument]
  instrumentEvent.strikeMicros = table.strikeMicros[instrument]
  instrumentEvent.expiryMillis = table.expiryMillis[instrument]
  instrumentEvent.listedMillis = table.listedMillis[instrument]
  instrumentEvent.nameText = table.underlyingNames[underlying]
}

/** Publishes an accepted index observation from the inputs. */
export function publishIndexPrice(
  state: PublishMarketState,
  underlying: number,
  { indexMicros, indexAtMillis }: MarkInputs,
): void {
  if (!indexPrice.claim(state.sink)) return
  indexPrice.priceMicros = indexMicros
  indexPrice.observedMillis = indexAtMillis
  indexPrice.underlying = underlying
}

/** Publishes an accepted volatility input. */
export function publishSurface(
  state: PublishMarketState,
  underlying: number,
  surface: Surface,
): void {
  const { values } = surface
  if (!surfaceEvent.claim(state.sink, SurfaceEvent.bytesWith(values.length))) return
  surfaceEvent.underlying = underlying
  surfaceEvent.surfaceKind = surface.kind
  surfaceEvent.expiryMillis = surface.expiryMillis
  surfaceEvent.count = values.length
  surfaceEvent.takenMillis = surface.takenAtMillis
  surfaceEvent.indexMicros = surface.referenceIndexMicros
  surfaceEvent.f64.set(values, surfaceEvent.valuesAt >> 3)
}

/** Publishes that a re-mark of the underlying has started, or that its marks are in force. */
export function publishRemarked(
  state: PublishMarketState,
  underlying: number,
  phase: RemarkPhase,
): void {
  if (!remarked.claim(state.sink)) return
  remarked.underlying = underlying
  remarked.phase = phase
}

export function publishHalt(state: PublishMarketState, underlying: number): void {
  if (!halt.claim(state.sink)) return
  halt.underlying = underlying
  halt.mode = state.haltModeOf(underlying)
}

/** Publishes the maximum of the index, from which read models derive the bound of sums over a wallet. */
export function publishMaxIndex(state: PublishMarketState, underlying: number): void {
  if (!maxIndex.claim(state.sink)) return
  maxIndex.maxIndexMicros = state.instruments.maxIndexMicros[underlying]
  maxIndex.underlying = underlying
}

/** Publishes the total size at a price; 0 lots if the level is removed. */
export function publishLevel(
  state: PublishMarketState,
  changed: Pick<ChangedLevel, 'instrument' | 'side' | 'priceMicros' | 'sizeLots'>,
): void {
  if (!level.claim(state.sink)) return
  level.priceMicros = changed.priceMicros
  level.sizeLots = changed.sizeLots
  level.instrument = changed.instrument
  level.side = changed.side
}

export function publishCleared(state: PublishMarketState, instrument: number): void {
  if (cleared.claim(state.sink)) cleared.instrument = instrument
}
