import type { BatchSink } from '../../engine/core/core.js'
import { Core } from '../../engine/core/core.js'
import { type CoreRef, linkOwnMatchers, replayBatch } from '../../engine/core/replica.js'
import { writeText } from '../../engine/memory/bytes.js'
import { allocateEventLog, EventLogReader, EventLogWriter } from '../../engine/memory/event-log.js'
import { recordBytesAt, recordTypeAt } from '../../engine/memory/layout.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { StateReader, StateWriter } from '../../engine/memory/state-codec.js'
import { CoreState } from '../../engine/state/core-state.js'
import {
  type EngineConfig,
  encodeEngineConfig,
  engineConfigDefault,
} from '../../engine/state/engine-config.js'
import { EventSink } from '../../engine/state/event-sink.js'
import { loadState, saveState } from '../../engine/state/state-snapshot.js'
import { answerSeqOf } from '../../schemas/answer-seq.js'
import { matcherRingBytes } from '../../schemas/bounds.js'
import * as commands from '../../schemas/commands.js'
import {
  BuilderStatus,
  OrderFlag,
  Route,
  Side,
  TradingMode,
  tifNames,
} from '../../schemas/domain.js'
import * as events from '../../schemas/events.js'
import * as funding from '../../schemas/funding.js'
import * as fundsLayout from '../../schemas/funds.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { AnyEvent, EventType, OutcomeEvent } from '../../schemas/generated/events.js'
import {
  liquidationBeforeModeAt,
  liquidationBeforeStateAt,
  liquidationChangeAt,
  liquidationDeadlineMillisAt,
  liquidationFeeMicrosAt,
  liquidationModeAt,
  liquidationStateAt,
} from '../../schemas/liquidation.js'
import * as mmp from '../../schemas/mmp.js'
import { OutcomeFlag, SurfaceKind } from '../../schemas/record-values.js'
import * as settlement from '../../schemas/settlement.js'
import { priceMicrosOf, sizeLotsOf } from './amounts.js'
import { batchOfRing, type RecordedBatch } from './recorded-batches.js'

/** A wallet of the tests: its number in the last four bytes. */
export function walletOf(number: number): Uint8Array {
  const bytes = new Uint8Array(20)
  new DataView(bytes.buffer).setUint32(16, number)
  return bytes
}

/** An option of the tests, by default the call that the worked examples use. */
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
  /** The book when left out. */
  readonly route?: Route
  /** A perp action, which names its instrument by number. */
  readonly perp?: { readonly asset: number; readonly expiresMillis?: number }
  readonly replaces?: number
  /** Number of the wallet that is its builder. */
  readonly builder?: number
}

/** Terms of a protection; a limit that is left out is none. */
export interface RigMmp {
  readonly underlying?: string
  readonly interval: number
  readonly frozen: number
  readonly qty?: number
  readonly delta?: number
  readonly vega?: number
}

/** What a rig is built of, where a test needs it small or slow. */
export interface RigMemory {
  /** An event log is read whenever the core waits for its reader. */
  readonly logBytes?: number
  /** Of each ring to and from a matcher. */
  readonly ringBytes?: number
  /** Batches are durable only when the core waits, or the test looks at events. */
  readonly slowDisk?: boolean
  /** Gets every batch, too. */
  readonly journal?: BatchSink
}

/** One event, decoded as far as tests compare it. */
export interface RigEvent {
  readonly type: number
  readonly seq: number
  readonly millis: number
  readonly fields: Readonly<Record<string, number>>
}

/** A core with one in-thread matcher, fed by hand: its clock is a number, its journal a list. */
export class CoreRig {
  readonly core: Core
  readonly state: CoreState
  commands: Ring
  readonly log: EventLogWriter
  readonly reader: EventLogReader
  readonly batches: RecordedBatch[] = []
  nowMillis = Date.UTC(2026, 0, 1)
  /** Times that the core waited for the reader of the event log. */
  pauses = 0
  /** Commands written so far, the items of bulks among them. */
  requests = 0
  #seen: RigEvent[] = []
  #flushed: number | null = null
  #nonce = 1

  constructor(config: EngineConfig = engineConfigDefault, matchers = 1, options: RigMemory = {}) {
    const { logBytes = 1 << 26, ringBytes = matcherRingBytes, slowDisk = false, journal } = options
    const memory = allocateRing(1 << 22)
    this.commands = new Ring(memory, 'producer')
    const logMemory = allocateEventLog(logBytes)
    this.log = new EventLogWriter(logMemory, [0])
    this.reader = new EventLogReader(logMemory, 0)
    const ref: CoreRef = { core: null }
    this.state = new CoreState(
      config,
      new EventSink(this.log),
      linkOwnMatchers(ref, rings(matchers, ringBytes), rings(matchers, ringBytes)),
    )
    const sink: BatchSink = {
      hasRoom: () => true,
      append: (state, batch, hashLow, hashHigh, eventEnd, seqAfter) => {
        journal?.append(state, batch, hashLow, hashHigh, eventEnd, seqAfter)
        this.batches.push(batchOfRing(state, batch, hashLow, hashHigh))
        if (slowDisk) this.#flushed = eventEnd
        else this.log.storeDurable(eventEnd)
      },
    }
    this.core = new Core(this.state, [new Ring(memory, 'consumer')], sink, () => {
      this.pauses++
      this.#flush()
      this.#read()
    })
    ref.core = this.core
  }

  /** Lists the option, gives index and volatility, funds wallets 1 to 4. */
  openMarket(index = 100_000, iv = 0.6): this {
    this.list()
    this.index(index)
    this.surface(iv)
    for (const wallet of [1, 2, 3, 4]) this.deposit(wallet, 1_000_000)
    this.run()
    this.events()
    return this
  }

  list(instrument: RigInstrument = {}, expiryMillis = Date.UTC(2026, 0, 31, 0)): number {
    const at = this.#claim(commands.listInstrumentBytes, CommandType.ListInstrument)
    this.#writeKey(at + commands.listKeyAt, instrument)
    this.commands.f64[(at + commands.listExpiryMillisAt) >> 3] = expiryMillis
    this.commands.i32[(at + commands.listTradingModeAt) >> 2] = TradingMode.Both
    return this.#send(at)
  }

  delist(instrument: RigInstrument = {}): number {
    const at = this.#claim(commands.listInstrumentBytes, CommandType.DeleteInstrument)
    this.#writeKey(at + commands.listKeyAt, instrument)
    return this.#send(at)
  }

  index(price: number, underlying = 'BTC', observedMillis = this.nowMillis): number {
    const at = this.#claim(
      commands.indexEntriesAt + commands.indexEntryBytes,
      CommandType.IndexPrices,
    )
    const entry = at + commands.indexEntriesAt
    this.commands.i32[(at + commands.indexCountAt) >> 2] = 1
    writeText(underlying, this.commands.u8, entry + commands.indexEntryUnderlyingAt, 16)
    this.commands.f64[(entry + commands.indexEntryPriceMicrosAt) >> 3] = price * 1e6
    this.commands.f64[(entry + commands.indexEntryObservedMillisAt) >> 3] = observedMillis
    return this.#send(at)
  }

  surface(iv: number, underlying = 'BTC', expiryMillis = Date.UTC(2026, 0, 31, 0)): number {
    const at = this.#claim(commands.surfaceValuesAt + 16, CommandType.VolSurface)
    writeText(underlying, this.commands.u8, at + commands.surfaceUnderlyingAt, 16)
    this.commands.f64[(at + commands.surfaceExpiryMillisAt) >> 3] = expiryMillis
    this.commands.i32[(at + commands.surfaceKindAt) >> 2] = SurfaceKind.Points
    this.commands.i32[(at + commands.surfaceCountAt) >> 2] = 2
    this.commands.f64[(at + commands.surfaceValuesAt) >> 3] = 100_000
    this.commands.f64[(at + commands.surfaceValuesAt + 8) >> 3] = iv
    return this.#send(at)
  }

  /** A surface of the other kind: a, b, rho, m, s. */
  sviSurface(values: readonly number[], underlying: string, expiryMillis: number): number {
    const bytes = commands.surfaceValuesAt + values.length * 8
    const at = this.#claim(bytes, CommandType.VolSurface)
    writeText(underlying, this.commands.u8, at + commands.surfaceUnderlyingAt, 16)
    this.commands.f64[(at + commands.surfaceExpiryMillisAt) >> 3] = expiryMillis
    this.commands.i32[(at + commands.surfaceKindAt) >> 2] = SurfaceKind.Svi
    this.commands.i32[(at + commands.surfaceCountAt) >> 2] = values.length
    this.commands.f64.set(values, (at + commands.surfaceValuesAt) >> 3)
    return this.#send(at)
  }

  deposit(wallet: number, usd: number, depositId = ''): number {
    const at = this.#claim(commands.depositBytes, CommandType.Deposit)
    this.commands.u8.set(walletOf(wallet), at + commands.commandWalletAt)
    this.commands.f64[(at + commands.depositAmountMicrosAt) >> 3] = usd * 1e6
    this.commands.i32[(at + commands.depositIdBytesAt) >> 2] = depositId.length
    writeText(depositId, this.commands.u8, at + commands.depositIdAt, 64)
    return this.#send(at)
  }

  fundInsurance(usd: number, depositId = ''): number {
    const at = this.#claim(commands.depositBytes, CommandType.FundInsurance)
    this.commands.f64[(at + commands.depositAmountMicrosAt) >> 3] = usd * 1e6
    this.commands.i32[(at + commands.depositIdBytesAt) >> 2] = depositId.length
    writeText(depositId, this.commands.u8, at + commands.depositIdAt, 64)
    return this.#send(at)
  }

  settlementPrice(
    price: number,
    expiryMillis = Date.UTC(2026, 0, 31, 0),
    underlying = 'BTC',
  ): number {
    const at = this.#claim(settlement.settlementPriceBytes, CommandType.SettlementPrice)
    writeText(underlying, this.commands.u8, at + settlement.settlementUnderlyingAt, 16)
    this.commands.f64[(at + settlement.settlementExpiryMillisAt) >> 3] = expiryMillis
    this.commands.f64[(at + settlement.settlementPriceMicrosAt) >> 3] = Math.round(price * 1e6)
    return this.#send(at)
  }

  markSeen(wallet: number, ids: readonly number[], signed: Partial<RigOrder> = {}): number {
    const bytes = settlement.seenIdsAt + ids.length * 8
    const at = this.#claim(bytes, CommandType.MarkPayoutsSeen)
    this.#sign(at, wallet, signed)
    this.commands.i32[(at + settlement.seenValueAt) >> 2] = 1
    this.commands.i32[(at + settlement.seenCountAt) >> 2] = ids.length
    this.commands.f64.set(ids, (at + settlement.seenIdsAt) >> 3)
    return this.#send(at)
  }

  tier(wallet: number, tier: number): number {
    const at = this.#claim(commands.setTierBytes, CommandType.SetTier)
    this.commands.u8.set(walletOf(wallet), at + commands.commandWalletAt)
    this.commands.i32[(at + commands.tierAt) >> 2] = tier
    return this.#send(at)
  }

  /** @param stands whether it is also for underlyings that are listed later. */
  halt(mode: number, underlying = '', stands = false): number {
    const at = this.#claim(commands.setHaltBytes, CommandType.SetHalt)
    writeText(underlying, this.commands.u8, at + commands.haltUnderlyingAt, 16)
    this.commands.i32[(at + commands.haltModeAt) >> 2] = mode
    this.commands.i32[(at + commands.haltStandsAt) >> 2] = stands ? 1 : 0
    return this.#send(at)
  }

  maxIndex(price: number, underlying = 'BTC'): number {
    const at = this.#claim(commands.setMaxIndexBytes, CommandType.SetMaxIndex)
    writeText(underlying, this.commands.u8, at + commands.maxIndexUnderlyingAt, 16)
    this.commands.f64[(at + commands.maxIndexMicrosAt) >> 3] = price * 1e6
    return this.#send(at)
  }

  builder(wallet: number, status: BuilderStatus = BuilderStatus.Active): number {
    const at = this.#claim(commands.setBuilderBytes, CommandType.SetBuilder)
    this.commands.u8.set(walletOf(wallet), at + commands.commandWalletAt)
    this.commands.i32[(at + commands.builderStatusAt) >> 2] = status
    return this.#send(at)
  }

  configure(config: EngineConfig): number {
    const values = encodeEngineConfig(config)
    const at = this.#claim(commands.configValuesAt + values.length * 8, CommandType.Configure)
    this.commands.i32[(at + commands.configCountAt) >> 2] = values.length
    this.commands.f64.set(values, (at + commands.configValuesAt) >> 3)
    return this.#send(at)
  }

  /** What the shell says of a clock that was stepped. */
  clockAlarm(alarm: number, stepMillis: number, offsetMillis = 0): number {
    const at = this.#claim(commands.setClockAlarmBytes, CommandType.SetClockAlarm)
    this.commands.i32[(at + commands.clockAlarmAt) >> 2] = alarm
    this.commands.f64[(at + commands.clockStepMillisAt) >> 3] = stepMillis
    this.commands.f64[(at + commands.clockOffsetMillisAt) >> 3] = offsetMillis
    return this.#send(at)
  }

  /** What the operator says after a step of the clock. */
  acceptClock(choice: number, wallMillis: number): number {
    const at = this.#claim(commands.acceptClockBytes, CommandType.AcceptClock)
    this.commands.i32[(at + commands.acceptedClockAt) >> 2] = choice
    this.commands.f64[(at + commands.acceptedWallMillisAt) >> 3] = wallMillis
    return this.#send(at)
  }

  tick(): number {
    return this.#send(this.#claim(commands.tickBytes, CommandType.Tick))
  }

  /** The tier of a wallet, signed by another one. */
  signedTier(signer: number, wallet: number, tier: number, signed: Partial<RigOrder> = {}): number {
    const at = this.#claim(commands.setTierBytes, CommandType.SetUserTier)
    this.#sign(at, wallet, { ...signed, signer })
    this.commands.i32[(at + commands.tierAt) >> 2] = tier
    return this.#send(at)
  }

  place(order: RigOrder): number {
    const type = order.replaces === undefined ? CommandType.PlaceOrder : CommandType.ReplaceOrder
    const at = this.#claimAction(commands.placeOrderBytes, type, order)
    const { f64, i32, u8 } = this.commands
    this.#sign(at, order.wallet, order)
    if (order.perp === undefined) this.#writeKey(at + commands.placeKeyAt, order.instrument ?? {})
    f64[(at + commands.placePriceMicrosAt) >> 3] = priceMicrosOf(order.price)
    f64[(at + commands.placeSizeLotsAt) >> 3] = sizeLotsOf(order.size)
    i32[(at + commands.placeSideAt) >> 2] = order.side === 'Buy' ? Side.Buy : Side.Sell
    i32[(at + commands.placeTifAt) >> 2] = tifNames.indexOf(order.tif ?? 'gtc')
    i32[(at + commands.placeRouteAt) >> 2] = order.route ?? Route.BookOnly
    i32[(at + commands.placeFlagsAt) >> 2] =
      (order.reduceOnly ? OrderFlag.ReduceOnly : 0) |
      (order.mmpEnabled ? OrderFlag.MmpEnabled : 0) |
      (order.builder === undefined ? 0 : OrderFlag.HasBuilder)
    if (order.builder !== undefined) u8.set(walletOf(order.builder), at + commands.placeBuilderAt)
    f64[(at + commands.placeOldOrderIdAt) >> 3] = order.replaces ?? 0
    const clientId = order.clientId ?? ''
    i32[(at + commands.placeClientIdBytesAt) >> 2] = clientId.length
    writeText(clientId, u8, at + commands.placeClientIdAt, 64)
    return this.#send(at)
  }

  /** Claims a record, a perp action's with its terms behind it. */
  #claimAction(bytes: number, type: number, { perp }: Partial<RigOrder>): number {
    if (perp === undefined) return this.#claim(bytes, type)
    const at = this.#claim(bytes + commands.perpTermsBytes, type)
    this.commands.i32[(at + bytes + commands.perpAssetAt) >> 2] = perp.asset
    this.commands.f64[(at + bytes + commands.perpExpiresMillisAt) >> 3] = perp.expiresMillis ?? 0
    return at
  }

  /** Sends what `make` places, replaces and cancels as the items of one bulk. */
  bulk(make: () => void): void {
    const ring = this.commands
    const items = new Ring(allocateRing(1 << 16), 'producer')
    this.commands = items
    make()
    this.commands = ring
    items.commit()
    const bytes = items.depthBytes()
    let count = 0
    for (let at = 0; at < bytes; at += items.i32[(at + recordBytesAt) >> 2]!) count++
    const at = this.#claim(commands.bulkItemsAt + bytes, CommandType.Bulk)
    ring.i32[(at + commands.bulkCountAt) >> 2] = count
    ring.u8.set(items.u8.subarray(0, bytes), at + commands.bulkItemsAt)
  }

  selfTrade(wallet: number, mode: number, signed: Partial<RigOrder> = {}): number {
    const at = this.#claim(commands.setSelfTradeBytes, CommandType.SetSelfTrade)
    this.#sign(at, wallet, signed)
    this.commands.i32[(at + commands.selfTradeModeAt) >> 2] = mode
    return this.#send(at)
  }

  marginMode(wallet: number, mode: number, signed: Partial<RigOrder> = {}): number {
    const at = this.#claim(commands.setMarginModeBytes, CommandType.SetMarginMode)
    this.#sign(at, wallet, signed)
    this.commands.i32[(at + commands.marginModeAt) >> 2] = mode
    return this.#send(at)
  }

  /** Protects a wallet. @param terms limits in contracts, deltas, USD per volatility point. */
  setMmp(wallet: number, terms: RigMmp, signed: Partial<RigOrder> = {}): number {
    const at = this.#claim(mmp.setMmpBytes, CommandType.SetMmp)
    this.#sign(at, wallet, signed)
    const { f64, u8 } = this.commands
    writeText(terms.underlying ?? 'BTC', u8, at + mmp.mmpUnderlyingAt, 16)
    f64[(at + mmp.mmpIntervalMillisAt) >> 3] = terms.interval
    f64[(at + mmp.mmpFrozenMillisAt) >> 3] = terms.frozen
    const limits = [terms.qty, terms.delta, terms.vega].map((limit = 0) => Math.round(limit * 1e6))
    f64.set(limits, (at + mmp.mmpLimitsAt) >> 3)
    return this.#send(at)
  }

  /** Resets (or, with another type, ends) the protection of a wallet. */
  resetMmp(
    wallet: number,
    underlying = 'BTC',
    type: typeof CommandType.ResetMmp | typeof CommandType.DeleteMmp = CommandType.ResetMmp,
  ): number {
    const at = this.#claim(mmp.endMmpBytes, type)
    this.#sign(at, wallet, {})
    writeText(underlying, this.commands.u8, at + mmp.mmpUnderlyingAt, 16)
    return this.#send(at)
  }

  cancel(wallet: number, orderId: number, signed: Partial<RigOrder> = {}): number {
    const at = this.#claimAction(commands.cancelOrderBytes, CommandType.CancelOrder, signed)
    this.#sign(at, wallet, signed)
    this.commands.f64[(at + commands.cancelOrderIdAt) >> 3] = orderId
    return this.#send(at)
  }

  cancelClient(wallet: number, clientId: string, signed: Partial<RigOrder> = {}): number {
    const { CancelByClientId } = CommandType
    const at = this.#claimAction(commands.cancelByClientIdBytes, CancelByClientId, signed)
    this.#sign(at, wallet, signed)
    this.commands.i32[(at + commands.cancelClientIdBytesAt) >> 2] = clientId.length
    writeText(clientId, this.commands.u8, at + commands.cancelClientIdAt, 64)
    return this.#send(at)
  }

  agent(type: number, wallet: number, agent: number, signed: Partial<RigOrder> = {}): number {
    const bytes =
      type === CommandType.RevokeAllAgents
        ? commands.revokeAllAgentsBytes
        : commands.agentCommandBytes
    const at = this.#claim(bytes, type)
    this.#sign(at, 0, { ...signed, signer: wallet })
    this.commands.u8.fill(0, at + commands.commandWalletAt, at + commands.commandWalletAt + 20)
    if (type !== CommandType.RevokeAllAgents) {
      this.commands.u8.set(walletOf(agent), at + commands.agentAddressAt)
    }
    return this.#send(at)
  }

  /** Runs batches until nothing waits. */
  run(): this {
    while (this.step());
    return this
  }

  /** Runs one batch. @returns whether there was anything to do. */
  step(): boolean {
    this.commands.commit()
    return this.core.doWork(this.nowMillis) > 0
  }

  /** Everything published since the last call. */
  events(): RigEvent[] {
    this.#flush()
    this.#read()
    const seen = this.#seen
    this.#seen = []
    return seen
  }

  /** `events`, each of which another reader gets too. */
  eventsFor(take: (event: AnyEvent) => void): RigEvent[] {
    this.#flush()
    const event = new AnyEvent()
    const seen: RigEvent[] = []
    for (let at = this.reader.next(); at >= 0; at = this.reader.next()) {
      seen.push(decode(this.reader, at))
      take(event.over(this.reader, at))
    }
    this.reader.release()
    return seen
  }

  /** The core's whole state, as a snapshot holds it. */
  save(): Uint8Array {
    const writer = new StateWriter()
    saveState(this.state, writer)
    return writer.result().slice()
  }

  /** Takes a snapshot's state over; only for a rig that has done nothing yet. */
  restore(saved: Uint8Array): void {
    loadState(this.state, new StateReader(saved))
  }

  /** Replays a batch of another rig. */
  replay(batch: RecordedBatch): void {
    replayBatch(this.core, batch)
  }

  /** The disk is done, when it is a slow one. */
  #flush(): void {
    if (this.#flushed !== null) this.log.storeDurable(this.#flushed)
    this.#flushed = null
  }

  #read(): void {
    for (let at = this.reader.next(); at >= 0; at = this.reader.next()) {
      this.#seen.push(decode(this.reader, at))
    }
    this.reader.release()
  }

  /** Runs, and returns the outcome of the request. */
  outcome(request: number): Readonly<Record<string, number>> {
    const found = this.run()
      .events()
      .find(({ type, fields }) => type === EventType.Outcome && fields['request'] === request)
    if (found === undefined) throw new Error(`no outcome for request ${request}`)
    return found.fields
  }

  #claim(bytes: number, type: number): number {
    const at = this.commands.tryClaim(bytes, type)
    if (at < 0) throw new Error('rig: command ring full')
    this.commands.u8.fill(0, at + 8, at + bytes)
    return at
  }

  #send(at: number): number {
    const request = ++this.requests
    this.commands.i32[(at + commands.commandRequestAt) >> 2] = request
    return request
  }

  #sign(at: number, wallet: number, signed: Partial<RigOrder>): void {
    const { u8, u32 } = this.commands
    const nonce = signed.nonce ?? this.#nonce++ + 1_000_000
    u8.set(walletOf(wallet), at + commands.commandWalletAt)
    u8.set(walletOf(signed.signer ?? wallet), at + commands.commandSignerAt)
    u32[(at + commands.commandNonceLowAt) >> 2] = nonce
    u32[(at + commands.commandDigestAt) >> 2] = signed.digest ?? nonce
  }

  #writeKey(at: number, instrument: RigInstrument): void {
    const { underlying = 'BTC', expiryDate = 20260131, strike = 110_000, right = 0 } = instrument
    writeText(underlying, this.commands.u8, at + commands.keyUnderlyingAt, 16)
    this.commands.i32[(at + commands.keyExpiryDateAt) >> 2] = expiryDate
    this.commands.i32[(at + commands.keyRightAt) >> 2] = right
    this.commands.f64[(at + commands.keyStrikeMicrosAt) >> 3] = strike * 1e6
  }
}

function rings(count: number, bytes: number): SharedArrayBuffer[] {
  return Array.from({ length: count }, () => allocateRing(bytes))
}

/** Sums up all bytes of an event but the name of its asker, who is gone in a replay. */
function digestOf(log: EventLogReader, at: number): number {
  const words = log.i32[(at + recordBytesAt) >> 2] >> 2
  const type = log.i32[(at + recordTypeAt) >> 2]
  const isOutcome = type === EventType.Outcome || type === EventType.OrderUpdate
  const skipped = isOutcome ? events.outcomeGatewayAt >> 2 : -1
  let digest = 0
  for (let word = 0; word < words; word++) {
    if (word !== skipped) digest = (Math.imul(digest, 0x01000193) ^ log.i32[(at >> 2) + word]) | 0
  }
  return digest
}

/** Those that say something of the action, not of how its answer is told. */
const { MmpTriggered, Repeat, Unfunded } = OutcomeFlag
const outcomeFlagsOfAction = MmpTriggered | Repeat | Unfunded

function decode(log: EventLogReader, at: number): RigEvent {
  const { i32, f64 } = log
  const type = i32[(at + recordTypeAt) >> 2]
  const seq = f64[(at + events.eventSeqAt) >> 3]
  const fields: Record<string, number> = {
    bytes: i32[(at + recordBytesAt) >> 2],
    digest: digestOf(log, at),
  }
  if (type === EventType.Outcome || type === EventType.OrderUpdate) {
    const facts = at + events.outcomeFactsAt
    fields['gateway'] = i32[(at + events.outcomeGatewayAt) >> 2]
    fields['request'] = i32[(at + events.outcomeRequestAt) >> 2]
    fields['result'] = i32[(at + events.outcomeResultAt) >> 2]
    fields['flags'] = i32[(at + events.outcomeFlagsAt) >> 2]! & outcomeFlagsOfAction
    fields['answerSeq'] = answerSeqOf(new OutcomeEvent().over(log, at))
    fields['orderId'] = f64[(facts + events.factsOrderIdAt) >> 3]
    fields['status'] = i32[(facts + events.factsStatusAt) >> 2]
    fields['instrument'] = i32[(facts + events.factsInstrumentAt) >> 2]
    fields['size'] = f64[(facts + events.factsSizeLotsAt) >> 3] / 1e8
    fields['filled'] = f64[(facts + events.factsFilledLotsAt) >> 3] / 1e8
    fields['side'] = i32[(facts + events.factsSideAt) >> 2]
    fields['filledMicros'] = f64[(facts + events.factsFilledMicrosAt) >> 3]
    for (let i = 0; i < events.detailsCount; i++) {
      fields[`detail${i}`] = f64[((at + events.outcomeDetailsAt) >> 3) + i]
    }
  } else if (type === EventType.Fill) {
    fields['orderId'] = f64[(at + events.fillOrderIdAt) >> 3]
    fields['price'] = f64[(at + events.fillPriceMicrosAt) >> 3] / 1e6
    fields['size'] = f64[(at + events.fillSizeLotsAt) >> 3] / 1e8
    fields['position'] = f64[(at + events.fillPositionLotsAt) >> 3] / 1e8
    fields['cash'] = f64[(at + events.fillCashMicrosAt) >> 3] / 1e6
    fields['side'] = i32[(at + events.fillSideAt) >> 2]
    fields['orderFlags'] = i32[(at + events.fillFlagsAt) >> 2]
    fields['fee'] = f64[(at + events.fillFeeMicrosAt) >> 3]! / 1e6
    fields['builderFee'] = f64[(at + events.fillBuilderFeeMicrosAt) >> 3]! / 1e6
    fields['isTaker'] = i32[(at + events.fillIsTakerAt) >> 2]
  } else if (type === EventType.BookLevel) {
    fields['price'] = f64[(at + events.levelPriceMicrosAt) >> 3] / 1e6
    fields['size'] = f64[(at + events.levelSizeLotsAt) >> 3] / 1e8
    fields['instrument'] = i32[(at + events.levelInstrumentAt) >> 2]
    fields['side'] = i32[(at + events.levelSideAt) >> 2]
  } else if (type === EventType.Instrument) {
    fields['instrument'] = i32[(at + events.instrumentIdAt) >> 2]
    fields['change'] = i32[(at + events.instrumentChangeAt) >> 2]
  } else if (type === EventType.BookCleared) {
    fields['instrument'] = i32[(at + events.clearedInstrumentAt) >> 2]
  } else if (type === EventType.Account) {
    fields['account'] = i32[(at + events.accountIndexAt) >> 2]
    fields['change'] = i32[(at + events.accountChangeAt) >> 2]
    fields['cash'] = f64[(at + events.accountCashMicrosAt) >> 3]! / 1e6
    fields['delta'] = f64[(at + events.accountDeltaMicrosAt) >> 3]! / 1e6
  } else if (type === EventType.Remarked) {
    fields['underlying'] = i32[(at + events.remarkedUnderlyingAt) >> 2]
    fields['phase'] = i32[(at + events.remarkedPhaseAt) >> 2]
  } else if (type === EventType.Liquidation) {
    fields['change'] = i32[(at + liquidationChangeAt) >> 2]
    fields['before'] = i32[(at + liquidationBeforeStateAt) >> 2]
    fields['beforeMode'] = i32[(at + liquidationBeforeModeAt) >> 2]
    fields['state'] = i32[(at + liquidationStateAt) >> 2]
    fields['mode'] = i32[(at + liquidationModeAt) >> 2]
    fields['fees'] = f64[(at + liquidationFeeMicrosAt) >> 3] / 1e6
    fields['deadline'] = f64[(at + liquidationDeadlineMillisAt) >> 3]
  } else if (type === EventType.Agent) {
    fields['change'] = i32[(at + events.agentChangeAt) >> 2]
  }
  decodeSettlement(log, at, type, fields)
  if (type === EventType.Funding) decodeFunding(log, at, fields)
  return { type, seq, millis: f64[(at + events.eventMillisAt) >> 3]!, fields }
}

function decodeFunding(
  { i32, f64 }: EventLogReader,
  at: number,
  fields: Record<string, number>,
): void {
  fields['rate'] = f64[(at + funding.fundingEventRateNanosAt) >> 3] / 1e9
  fields['index'] = f64[(at + funding.fundingEventIndexMicrosAt) >> 3] / 1e6
  fields['end'] = f64[(at + funding.fundingEventEndMillisAt) >> 3]
  fields['dust'] = f64[(at + funding.fundingEventDustMicrosAt) >> 3] / 1e6
  fields['instrument'] = i32[(at + funding.fundingEventInstrumentAt) >> 2]
  fields['phase'] = i32[(at + funding.fundingEventPhaseAt) >> 2]
  fields['samples'] = i32[(at + funding.fundingEventSamplesAt) >> 2]
  fields['holders'] = i32[(at + funding.fundingEventHoldersAt) >> 2]
}

/** Fields of the events of schemas/settlement.ts and schemas/funds.ts. */
function decodeSettlement(
  { i32, f64 }: EventLogReader,
  at: number,
  type: number,
  fields: Record<string, number>,
): void {
  if (type === EventType.Payout) {
    fields['id'] = f64[(at + settlement.payoutIdAt) >> 3]
    fields['account'] = i32[(at + settlement.payoutAccountAt) >> 2]
    fields['instrument'] = i32[(at + settlement.payoutInstrumentAt) >> 2]
    fields['position'] = f64[(at + settlement.payoutPositionLotsAt) >> 3] / 1e8
    fields['payoff'] = f64[(at + settlement.payoutPayoffMicrosAt) >> 3] / 1e6
    fields['value'] = f64[(at + settlement.payoutValueMicrosAt) >> 3] / 1e6
    fields['fee'] = f64[(at + settlement.payoutFeeMicrosAt) >> 3] / 1e6
    fields['cost'] = f64[(at + settlement.payoutCostMicrosAt) >> 3] / 1e6
    fields['cash'] = f64[(at + settlement.payoutCashMicrosAt) >> 3] / 1e6
    fields['borne'] = f64[(at + settlement.payoutBorneMicrosAt) >> 3] / 1e6
    fields['price'] = f64[(at + settlement.payoutPriceMicrosAt) >> 3] / 1e6
  } else if (type === EventType.Settlement) {
    fields['phase'] = i32[(at + settlement.settlementEventPhaseAt) >> 2]
    fields['price'] = f64[(at + settlement.settlementEventPriceMicrosAt) >> 3] / 1e6
    fields['dust'] = f64[(at + settlement.settlementEventDustMicrosAt) >> 3] / 1e6
    fields['borne'] = f64[(at + settlement.settlementEventBorneMicrosAt) >> 3] / 1e6
    fields['source'] = i32[(at + settlement.settlementEventSourceAt) >> 2]
    fields['valid'] = i32[(at + settlement.settlementEventValidAt) >> 2]
  } else if (type === EventType.PayoutsSeen) {
    fields['account'] = i32[(at + settlement.seenEventAccountAt) >> 2]
    fields['seen'] = i32[(at + settlement.seenEventValueAt) >> 2]
    fields['count'] = i32[(at + settlement.seenEventCountAt) >> 2]
    fields['first'] = f64[(at + settlement.seenEventIdsAt) >> 3]
  } else if (type === EventType.Funds) {
    fields['fees'] = f64[(at + fundsLayout.fundsFeesMicrosAt) >> 3] / 1e6
    fields['insurance'] = f64[(at + fundsLayout.fundsInsuranceMicrosAt) >> 3] / 1e6
    fields['dust'] = f64[(at + fundsLayout.fundsDustMicrosAt) >> 3] / 1e6
    fields['clearing'] = f64[(at + fundsLayout.fundsClearingMicrosAt) >> 3] / 1e6
    fields['deposits'] = f64[(at + fundsLayout.fundsDepositsMicrosAt) >> 3] / 1e6
  } else if (type === EventType.Mmp) {
    fields['change'] = i32[(at + mmp.mmpEventChangeAt) >> 2]
    fields['account'] = i32[(at + mmp.mmpEventAccountAt) >> 2]
    fields['triggers'] = i32[(at + mmp.mmpEventTriggersAt) >> 2]
    fields['frozenUntil'] = f64[(at + mmp.mmpEventFrozenUntilMillisAt) >> 3]
  }
}
