import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { type EngineConfig, encodeEngineConfig } from '../../engine/state/market/engine-config.js'
import {
  BuilderStatus,
  type ClockAlarm,
  type ClockChoice,
  type HaltMode,
  type MarginMode,
  OrderFlag,
  ProviderStatus,
  type Right,
  Route,
  type SelfTradeMode,
  Side,
  type Tier,
  type Tif,
  TradingMode,
  tifNames,
} from '../../schemas/domain.js'
import {
  AcceptClockCommand,
  AgentCommand,
  AnyCommand,
  AuctionTerms,
  BulkCommand,
  CancelByClientIdCommand,
  CancelOrderCommand,
  CommandType,
  ConfigureCommand,
  ConnectProviderCommand,
  DepositCommand,
  EndMmpCommand,
  EndSessionsCommand,
  IndexPricesCommand,
  IndicativeRow,
  type InstrumentKey,
  LeaveProviderCommand,
  ListInstrumentCommand,
  MarkPayoutsSeenCommand,
  PerpTerms,
  PlaceOrderCommand,
  RevokeAllAgentsCommand,
  SetAbstractionCommand,
  SetBuilderCommand,
  SetClockAlarmCommand,
  SetHaltCommand,
  SetMarginModeCommand,
  SetMaxIndexCommand,
  SetMmpCommand,
  SetProviderCommand,
  SetSelfTradeCommand,
  SetTierCommand,
  SettlementPriceCommand,
  SetWalletStopCommand,
  TickCommand,
  UpdateApiWalletCommand,
  VolSurfaceCommand,
} from '../../schemas/generated/commands.js'
import { PerpScheme, SurfaceKind } from '../../schemas/record-values.js'
import type { RecordSink, RecordViews } from '../../schemas/record-views.js'
import { priceMicrosOf, sizeLotsOf } from './amounts.js'

/** Returns a test wallet, with its number in the last four bytes. */
export function walletOf(number: number): Uint8Array {
  const bytes = new Uint8Array(20)
  new DataView(bytes.buffer).setUint32(16, number)
  return bytes
}

/** Option of a test, by default the call of the worked examples. */
export interface RigInstrument {
  readonly underlying?: string
  readonly expiryDate?: number
  readonly strike?: number
  readonly right?: number
}

export interface RigOrder {
  readonly wallet: number
  readonly side: 'Buy' | 'Sell'
  readonly price: string
  readonly size: string
  readonly tif?: (typeof tifNames)[number]
  readonly clientId?: string
  readonly nonce?: number
  readonly digest?: number
  readonly signer?: number
  readonly reduceOnly?: boolean
  readonly mmpEnabled?: boolean
  readonly instrument?: RigInstrument
  /** Route; the book when omitted. */
  readonly route?: Route
  /** Provider rows for it, as its gateway knew them. */
  readonly rows?: readonly RigRow[]
  /** Terms of a perp action, which names its instrument by number. */
  readonly perp?: {
    readonly asset: number
    readonly expiresMillis?: number
    /** An action when omitted. */
    readonly scheme?: PerpScheme
  }
  readonly replaces?: number
  /** Number of the wallet that is its builder. */
  readonly builder?: number
}

/** Row of a provider's wallet, in USD and contracts; omitted fields show nothing. */
export interface RigRow {
  readonly provider: number
  readonly bid?: number
  readonly ask?: number
  readonly size?: number
}

/** Terms of a protection; an omitted limit means no limit. */
export interface RigMmp {
  readonly underlying?: string
  readonly interval: number
  readonly frozen: number
  readonly qty?: number
  readonly delta?: number
  readonly vega?: number
}

const expiryMillisDefault = Date.UTC(2026, 0, 31, 0)

const any = new AnyCommand()
const listing = new ListInstrumentCommand()
const indexPrices = new IndexPricesCommand()
const surface = new VolSurfaceCommand()
const deposit = new DepositCommand()
const settlement = new SettlementPriceCommand()
const seen = new MarkPayoutsSeenCommand()
const tier = new SetTierCommand()
const halt = new SetHaltCommand()
const walletStop = new SetWalletStopCommand()
const maxIndex = new SetMaxIndexCommand()
const builder = new SetBuilderCommand()
const provider = new SetProviderCommand()
const connecting = new ConnectProviderCommand()
const leaving = new LeaveProviderCommand()
const ending = new EndSessionsCommand()
const configure = new ConfigureCommand()
const alarm = new SetClockAlarmCommand()
const clock = new AcceptClockCommand()
const tick = new TickCommand()
const place = new PlaceOrderCommand()
const cancel = new CancelOrderCommand()
const cancelClient = new CancelByClientIdCommand()
const perpTerms = new PerpTerms()
const bulk = new BulkCommand()
const selfTrade = new SetSelfTradeCommand()
const marginMode = new SetMarginModeCommand()
const mmp = new SetMmpCommand()
const endMmp = new EndMmpCommand()
const agentCommand = new AgentCommand()
const revokeAll = new RevokeAllAgentsCommand()
const apiWallet = new UpdateApiWalletCommand()
const abstraction = new SetAbstractionCommand()

/** Writes commands into a ring, like gateways and operator. Methods that write one return its request number. */
export class RigCommands implements RecordSink {
  commands: Ring
  nowMillis = Date.UTC(2026, 0, 1)
  /** Number of commands written, including the items of bulks. */
  requests = 0
  #nonce = 1

  /** @param commands ring that receives them */
  constructor(commands: Ring) {
    this.commands = commands
  }

  get views(): RecordViews {
    return this.commands
  }

  /** Claims room for the next request: zeros, except its header and number. */
  tryClaim(bytes: number, type: number): number {
    const at = this.commands.tryClaim(bytes, type)
    if (at < 0) throw new Error('rig: command ring full')
    any.over(this.commands, at).clear().request = ++this.requests
    return at
  }

  list(instrument: RigInstrument = {}, expiryMillis = expiryMillisDefault): number {
    listing.claim(this, CommandType.ListInstrument)
    writeKey(listing.key, instrument)
    listing.expiryMillis = expiryMillis
    listing.tradingMode = TradingMode.Both
    return this.requests
  }

  delist(instrument: RigInstrument = {}): number {
    listing.claim(this, CommandType.DeleteInstrument)
    writeKey(listing.key, instrument)
    return this.requests
  }

  index(price: number, underlying = 'BTC', observedMillis = this.nowMillis): number {
    indexPrices.claim(this, IndexPricesCommand.bytesWith(1))
    indexPrices.count = 1
    const entry = indexPrices.entries(0)
    entry.underlyingText = underlying
    entry.priceMicros = price * 1e6
    entry.observedMillis = observedMillis
    return this.requests
  }

  surface(iv: number, underlying = 'BTC', expiryMillis = expiryMillisDefault): number {
    return this.#surface(SurfaceKind.Points, [100_000, iv], underlying, expiryMillis)
  }

  /** Writes a surface of the other kind: a, b, rho, m, s. */
  sviSurface(values: readonly number[], underlying: string, expiryMillis: number): number {
    return this.#surface(SurfaceKind.Svi, values, underlying, expiryMillis)
  }

  deposit(wallet: number, usd: number, depositId = ''): number {
    deposit.claim(this, CommandType.Deposit)
    deposit.u8.set(walletOf(wallet), deposit.walletAt)
    deposit.amountMicros = usd * 1e6
    deposit.depositIdText = depositId
    return this.requests
  }

  fundInsurance(usd: number, depositId = ''): number {
    deposit.claim(this, CommandType.FundInsurance)
    deposit.amountMicros = usd * 1e6
    deposit.depositIdText = depositId
    return this.requests
  }

  settlementPrice(price: number, expiryMillis = expiryMillisDefault, underlying = 'BTC'): number {
    settlement.claim(this)
    settlement.underlyingText = underlying
    settlement.expiryMillis = expiryMillis
    settlement.priceMicros = Math.round(price * 1e6)
    return this.requests
  }

  markSeen(wallet: number, ids: readonly number[], signed: Partial<RigOrder> = {}): number {
    seen.claim(this, MarkPayoutsSeenCommand.bytesWith(ids.length))
    this.sign(seen, wallet, signed)
    seen.seen = 1
    seen.count = ids.length
    seen.idsView(ids.length).set(ids)
    return this.requests
  }

  tier(wallet: number, to: number): number {
    tier.claim(this, CommandType.SetTier)
    tier.u8.set(walletOf(wallet), tier.walletAt)
    tier.tier = to as Tier
    return this.requests
  }

  /** @param includesFuture true to halt underlyings that are listed later, too. */
  halt(mode: number, underlying = '', includesFuture = false): number {
    halt.claim(this)
    halt.underlyingText = underlying
    halt.mode = mode as HaltMode
    halt.stands = includesFuture ? 1 : 0
    return this.requests
  }

  /** Stops or resumes a wallet. */
  stopWallet(wallet: number, isStopped = true): number {
    walletStop.claim(this)
    walletStop.u8.set(walletOf(wallet), walletStop.walletAt)
    walletStop.stopped = isStopped ? 1 : 0
    return this.requests
  }

  maxIndex(price: number, underlying = 'BTC'): number {
    maxIndex.claim(this)
    maxIndex.underlyingText = underlying
    maxIndex.maxIndexMicros = price * 1e6
    return this.requests
  }

  provider(wallet: number, status: ProviderStatus = ProviderStatus.Active): number {
    provider.claim(this)
    provider.u8.set(walletOf(wallet), provider.walletAt)
    provider.status = status
    return this.requests
  }

  /** Opens a session of gateway 0 for a provider's wallet. */
  connectProvider(wallet: number, session: number, signed: Partial<RigOrder> = {}): number {
    connecting.claim(this)
    this.sign(connecting, wallet, signed)
    connecting.session = session
    return this.requests
  }

  leaveProvider(wallet: number, session: number): number {
    leaving.claim(this)
    leaving.u8.set(walletOf(wallet), leaving.walletAt)
    leaving.session = session
    return this.requests
  }

  /** Writes the shell's command at a start, which ends earlier sessions. */
  endSessions(): number {
    ending.claim(this)
    return this.requests
  }

  builder(wallet: number, status: BuilderStatus = BuilderStatus.Active): number {
    builder.claim(this)
    builder.u8.set(walletOf(wallet), builder.walletAt)
    builder.status = status
    return this.requests
  }

  configure(config: EngineConfig): number {
    const values = encodeEngineConfig(config)
    configure.claim(this, ConfigureCommand.bytesWith(values.length))
    configure.count = values.length
    configure.valuesView(values.length).set(values)
    return this.requests
  }

  /** Writes the shell's command after a clock step. */
  clockAlarm(to: number, stepMillis: number, offsetMillis = 0): number {
    alarm.claim(this)
    alarm.alarm = to as ClockAlarm
    alarm.stepMillis = stepMillis
    alarm.offsetMillis = offsetMillis
    return this.requests
  }

  /** Writes the operator's decision after a clock step. */
  acceptClock(choice: number, wallMillis: number): number {
    clock.claim(this)
    clock.choice = choice as ClockChoice
    clock.wallMillis = wallMillis
    return this.requests
  }

  tick(): number {
    tick.claim(this)
    return this.requests
  }

  /** Sets the tier of a wallet, signed by another wallet. */
  signedTier(signer: number, wallet: number, to: number, signed: Partial<RigOrder> = {}): number {
    tier.claim(this, CommandType.SetUserTier)
    this.sign(tier, wallet, { ...signed, signer })
    tier.tier = to as Tier
    return this.requests
  }

  place(order: RigOrder): number {
    const type = order.replaces === undefined ? CommandType.PlaceOrder : CommandType.ReplaceOrder
    this.#beginAction(place, PlaceOrderCommand.bytes, type, order)
    this.sign(place, order.wallet, order)
    if (order.perp === undefined) writeKey(place.key, order.instrument ?? {})
    place.priceMicros = priceMicrosOf(order.price)
    place.sizeLots = sizeLotsOf(order.size)
    place.side = order.side === 'Buy' ? Side.Buy : Side.Sell
    place.tif = tifNames.indexOf(order.tif ?? 'gtc') as Tif
    place.route = order.route ?? Route.BookOnly
    place.flags =
      (order.reduceOnly ? OrderFlag.ReduceOnly : 0) |
      (order.mmpEnabled ? OrderFlag.MmpEnabled : 0) |
      (order.builder === undefined ? 0 : OrderFlag.HasBuilder)
    if (order.builder !== undefined) place.u8.set(walletOf(order.builder), place.builderAt)
    place.oldOrderId = order.replaces ?? 0
    place.clientIdText = order.clientId ?? ''
    return this.requests
  }

  /** Sends the places, replaces and cancels of `make` as the items of one bulk. */
  bulk(make: () => void): void {
    const ring = this.commands
    const items = new Ring(allocateRing(1 << 16), 'producer')
    this.commands = items
    make()
    this.commands = ring
    items.commit()
    const bytes = items.depthBytes()
    bulk.claim(ring, BulkCommand.bytesWith(bytes))
    bulk.clear()
    for (let at = 0; at < bytes; at += any.over(items, at).recordBytes) bulk.count++
    ring.u8.set(items.u8.subarray(0, bytes), bulk.itemsAt)
  }

  selfTrade(wallet: number, mode: number, signed: Partial<RigOrder> = {}): number {
    selfTrade.claim(this)
    this.sign(selfTrade, wallet, signed)
    selfTrade.mode = mode as SelfTradeMode
    return this.requests
  }

  marginMode(wallet: number, mode: number, signed: Partial<RigOrder> = {}): number {
    marginMode.claim(this)
    this.sign(marginMode, wallet, signed)
    marginMode.mode = mode as MarginMode
    return this.requests
  }

  /**
   * Protects a wallet.
   * @param terms limits in contracts, deltas, USD per volatility point
   */
  setMmp(wallet: number, terms: RigMmp, signed: Partial<RigOrder> = {}): number {
    mmp.claim(this)
    this.sign(mmp, wallet, signed)
    mmp.underlyingText = terms.underlying ?? 'BTC'
    mmp.intervalMillis = terms.interval
    mmp.frozenMillis = terms.frozen
    const limits = [terms.qty, terms.delta, terms.vega]
    for (const [i, limit = 0] of limits.entries()) mmp.setLimits(i, Math.round(limit * 1e6))
    return this.requests
  }

  /** Resets (or, with another type, ends) the protection of a wallet. */
  resetMmp(
    wallet: number,
    underlying = 'BTC',
    type: typeof CommandType.ResetMmp | typeof CommandType.DeleteMmp = CommandType.ResetMmp,
  ): number {
    endMmp.claim(this, type)
    this.sign(endMmp, wallet, {})
    endMmp.underlyingText = underlying
    return this.requests
  }

  cancel(wallet: number, orderId: number, signed: Partial<RigOrder> = {}): number {
    this.#beginAction(cancel, CancelOrderCommand.bytes, CommandType.CancelOrder, signed)
    this.sign(cancel, wallet, signed)
    cancel.orderId = orderId
    return this.requests
  }

  cancelClient(wallet: number, clientId: string, signed: Partial<RigOrder> = {}): number {
    const { bytes } = CancelByClientIdCommand
    this.#beginAction(cancelClient, bytes, CommandType.CancelByClientId, signed)
    this.sign(cancelClient, wallet, signed)
    cancelClient.clientIdText = clientId
    return this.requests
  }

  agent(type: number, wallet: number, agent: number, signed: Partial<RigOrder> = {}): number {
    const bySigner = { ...signed, signer: wallet }
    if (type === CommandType.RevokeAllAgents) {
      revokeAll.claim(this)
      this.sign(revokeAll, null, bySigner)
      return this.requests
    }
    const isApproval = type === CommandType.ApproveAgent
    agentCommand.claim(this, isApproval ? CommandType.ApproveAgent : CommandType.RevokeAgent)
    this.sign(agentCommand, null, bySigner)
    agentCommand.u8.set(walletOf(agent), agentCommand.agentAt)
    return this.requests
  }

  /**
   * Sets a trading key under a name.
   * @param key number of the key's wallet; 0 removes the name
   */
  apiWallet(wallet: number, name: number, key: number, signed: Partial<RigOrder> = {}): number {
    apiWallet.claim(this)
    this.sign(apiWallet, wallet, signed)
    apiWallet.u8[apiWallet.nameAt] = name
    apiWallet.u8.set(walletOf(key), apiWallet.apiWalletAt)
    return this.requests
  }

  abstraction(wallet: number, to: number, signed: Partial<RigOrder> = {}): number {
    abstraction.claim(this)
    this.sign(abstraction, wallet, signed)
    abstraction.abstraction = to
    return this.requests
  }

  /** @param wallet null if the signer is the wallet */
  sign(command: AnyCommand, wallet: number | null, signed: Partial<RigOrder>): void {
    const nonce = signed.nonce ?? this.#nonce++ + 1_000_000
    if (wallet !== null) command.u8.set(walletOf(wallet), command.walletAt)
    command.u8.set(walletOf(signed.signer ?? wallet ?? 0), command.signerAt)
    command.nonceLow = nonce
    const digest = Uint32Array.of(signed.digest ?? nonce)
    command.u8.set(new Uint8Array(digest.buffer), command.digestAt)
  }

  #surface(kind: SurfaceKind, values: readonly number[], underlying: string, expiry: number) {
    surface.claim(this, VolSurfaceCommand.bytesWith(values.length))
    surface.underlyingText = underlying
    surface.expiryMillis = expiry
    surface.surfaceKind = kind
    surface.count = values.length
    surface.valuesView(values.length).set(values)
    return this.requests
  }

  /** Starts a record. The terms of a perp action follow their record. */
  #beginAction(
    command: AnyCommand,
    bytes: number,
    type: number,
    { perp, rows }: Partial<RigOrder>,
  ): void {
    const trailingBytes = perp === undefined ? bytesOfRows(rows) : PerpTerms.bytes
    const at = this.tryClaim(bytes + trailingBytes, type)
    command.over(this.commands, at)
    if (rows !== undefined) writeRows(this.commands, at + bytes, rows)
    if (perp === undefined) return
    perpTerms.over(this.commands, at + bytes)
    perpTerms.asset = perp.asset
    perpTerms.expiresMillis = perp.expiresMillis ?? 0
    perpTerms.scheme = perp.scheme ?? PerpScheme.Action
  }
}

function bytesOfRows(rows: readonly RigRow[] | undefined): number {
  return rows === undefined ? 0 : AuctionTerms.bytes + rows.length * IndicativeRow.bytes
}

/** Writes rows. Account numbers are those of wallets funded in the order of their numbers. */
function writeRows(views: RecordViews, at: number, rows: readonly RigRow[]): void {
  const terms = new AuctionTerms().over(views, at)
  terms.count = rows.length
  for (const [index, { provider, bid = 0, ask = 0, size = 0 }] of rows.entries()) {
    const first = at + AuctionTerms.bytes + index * IndicativeRow.bytes
    const row = new IndicativeRow().over(views, first)
    row.bidMicros = Math.round(bid * 1e6)
    row.askMicros = Math.round(ask * 1e6)
    row.sizeLots = Math.round(size * 1e8)
    row.account = provider - 1
  }
}

/** Writes an option's terms into its key. */
export function writeKey(key: InstrumentKey, instrument: RigInstrument): void {
  const { underlying = 'BTC', expiryDate = 20260131, strike = 110_000, right = 0 } = instrument
  key.underlyingText = underlying
  key.expiryDate = expiryDate
  key.right = right as Right
  key.strikeMicros = strike * 1e6
}
