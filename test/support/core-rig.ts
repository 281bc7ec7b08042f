import { writeText } from '../../engine/core/bytes.js'
import type { BatchSink } from '../../engine/core/core.js'
import { Core } from '../../engine/core/core.js'
import { CoreState } from '../../engine/core/core-state.js'
import { type EngineConfig, engineConfigDefault } from '../../engine/core/engine-config.js'
import { EventSink } from '../../engine/core/event-sink.js'
import { type CoreRef, linkOwnMatchers } from '../../engine/core/replica.js'
import { allocateEventLog, EventLogReader, EventLogWriter } from '../../engine/memory/event-log.js'
import { recordBytesAt, recordTypeAt } from '../../engine/memory/layout.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { matcherRingBytes } from '../../schemas/bounds.js'
import * as commands from '../../schemas/commands.js'
import { OrderFlag, Side, Tif, TradingMode } from '../../schemas/domain.js'
import * as events from '../../schemas/events.js'
import { priceMicrosOf, sizeLotsOf } from './amounts.js'
import { batchOfRing, type RecordedBatch } from './recorded-batches.js'

const { CommandType } = commands

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
  readonly tif?: 'gtc' | 'ioc' | 'fok'
  readonly clientId?: string
  readonly nonce?: number
  readonly digest?: number
  readonly signer?: number
  readonly reduceOnly?: boolean
  readonly instrument?: RigInstrument
  readonly replaces?: number
}

/** One event, decoded as far as tests compare it. */
export interface RigEvent {
  readonly type: number
  readonly seq: number
  readonly fields: Readonly<Record<string, number>>
}

/** A core with one in-thread matcher, fed by hand: its clock is a number, its journal a list. */
export class CoreRig {
  readonly core: Core
  readonly state: CoreState
  readonly commands: Ring
  readonly log: EventLogWriter
  readonly reader: EventLogReader
  readonly batches: RecordedBatch[] = []
  nowMillis = Date.UTC(2026, 0, 1)
  #request = 0
  #nonce = 1

  constructor(config: EngineConfig = engineConfigDefault, matchers = 1) {
    const memory = allocateRing(1 << 20)
    this.commands = new Ring(memory, 'producer')
    const logMemory = allocateEventLog(1 << 26)
    this.log = new EventLogWriter(logMemory, [0])
    this.reader = new EventLogReader(logMemory, 0)
    const ref: CoreRef = { core: null }
    this.state = new CoreState(
      config,
      new EventSink(this.log),
      linkOwnMatchers(ref, rings(matchers), rings(matchers)),
    )
    const sink: BatchSink = {
      hasRoom: () => true,
      append: (state, batch, hashLow, hashHigh, eventEnd) => {
        this.batches.push(batchOfRing(state, batch, hashLow, hashHigh))
        this.log.storeDurable(eventEnd)
      },
    }
    this.core = new Core(this.state, [new Ring(memory, 'consumer')], sink, () => {})
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
    this.commands.i32[(at + commands.surfaceKindAt) >> 2] = commands.SurfaceKind.Points
    this.commands.i32[(at + commands.surfaceCountAt) >> 2] = 2
    this.commands.f64[(at + commands.surfaceValuesAt) >> 3] = 100_000
    this.commands.f64[(at + commands.surfaceValuesAt + 8) >> 3] = iv
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

  tier(wallet: number, tier: number): number {
    const at = this.#claim(commands.setTierBytes, CommandType.SetTier)
    this.commands.u8.set(walletOf(wallet), at + commands.commandWalletAt)
    this.commands.i32[(at + commands.tierAt) >> 2] = tier
    return this.#send(at)
  }

  halt(mode: number, underlying = ''): number {
    const at = this.#claim(commands.setHaltBytes, CommandType.SetHalt)
    writeText(underlying, this.commands.u8, at + commands.haltUnderlyingAt, 16)
    this.commands.i32[(at + commands.haltModeAt) >> 2] = mode
    return this.#send(at)
  }

  place(order: RigOrder): number {
    const type = order.replaces === undefined ? CommandType.PlaceOrder : CommandType.ReplaceOrder
    const at = this.#claim(commands.placeOrderBytes, type)
    const { f64, i32, u8 } = this.commands
    this.#sign(at, order.wallet, order)
    this.#writeKey(at + commands.placeKeyAt, order.instrument ?? {})
    f64[(at + commands.placePriceMicrosAt) >> 3] = priceMicrosOf(order.price)
    f64[(at + commands.placeSizeLotsAt) >> 3] = sizeLotsOf(order.size)
    i32[(at + commands.placeSideAt) >> 2] = order.side === 'Buy' ? Side.Buy : Side.Sell
    i32[(at + commands.placeTifAt) >> 2] = { gtc: Tif.Gtc, ioc: Tif.Ioc, fok: Tif.Fok }[
      order.tif ?? 'gtc'
    ]
    i32[(at + commands.placeFlagsAt) >> 2] = order.reduceOnly ? OrderFlag.ReduceOnly : 0
    f64[(at + commands.placeOldOrderIdAt) >> 3] = order.replaces ?? 0
    const clientId = order.clientId ?? ''
    i32[(at + commands.placeClientIdBytesAt) >> 2] = clientId.length
    writeText(clientId, u8, at + commands.placeClientIdAt, 64)
    return this.#send(at)
  }

  cancel(wallet: number, orderId: number, signed: Partial<RigOrder> = {}): number {
    const at = this.#claim(commands.cancelOrderBytes, CommandType.CancelOrder)
    this.#sign(at, wallet, signed)
    this.commands.f64[(at + commands.cancelOrderIdAt) >> 3] = orderId
    return this.#send(at)
  }

  cancelClient(wallet: number, clientId: string, signed: Partial<RigOrder> = {}): number {
    const at = this.#claim(commands.cancelByClientIdBytes, CommandType.CancelByClientId)
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
    this.commands.commit()
    while (this.core.doWork(this.nowMillis) > 0);
    return this
  }

  /** Everything published since the last call. */
  events(): RigEvent[] {
    const seen: RigEvent[] = []
    for (let at = this.reader.next(); at >= 0; at = this.reader.next()) {
      seen.push(decode(this.reader, at))
    }
    this.reader.release()
    return seen
  }

  /** Runs, and returns the outcome of the request. */
  outcome(request: number): Readonly<Record<string, number>> {
    const found = this.run()
      .events()
      .find(
        ({ type, fields }) => type === events.EventType.Outcome && fields['request'] === request,
      )
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
    const request = ++this.#request
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

function rings(count: number): SharedArrayBuffer[] {
  return Array.from({ length: count }, () => allocateRing(matcherRingBytes))
}

function decode(log: EventLogReader, at: number): RigEvent {
  const { i32, f64 } = log
  const type = i32[(at + recordTypeAt) >> 2]
  const seq = f64[(at + events.eventSeqAt) >> 3]
  const fields: Record<string, number> = { bytes: i32[(at + recordBytesAt) >> 2] }
  if (type === events.EventType.Outcome || type === events.EventType.OrderUpdate) {
    const facts = at + events.outcomeFactsAt
    fields['gateway'] = i32[(at + events.outcomeGatewayAt) >> 2]
    fields['request'] = i32[(at + events.outcomeRequestAt) >> 2]
    fields['result'] = i32[(at + events.outcomeResultAt) >> 2]
    fields['flags'] = i32[(at + events.outcomeFlagsAt) >> 2]
    fields['orderId'] = f64[(facts + events.factsOrderIdAt) >> 3]
    fields['status'] = i32[(facts + events.factsStatusAt) >> 2]
    fields['instrument'] = i32[(facts + events.factsInstrumentAt) >> 2]
    fields['filled'] = f64[(facts + events.factsFilledLotsAt) >> 3] / 1e8
    fields['filledMicros'] = f64[(facts + events.factsFilledMicrosAt) >> 3]
    for (let i = 0; i < events.detailsCount; i++) {
      fields[`detail${i}`] = f64[((at + events.outcomeDetailsAt) >> 3) + i]
    }
  } else if (type === events.EventType.Fill) {
    fields['orderId'] = f64[(at + events.fillOrderIdAt) >> 3]
    fields['price'] = f64[(at + events.fillPriceMicrosAt) >> 3] / 1e6
    fields['size'] = f64[(at + events.fillSizeLotsAt) >> 3] / 1e8
    fields['position'] = f64[(at + events.fillPositionLotsAt) >> 3] / 1e8
    fields['cash'] = f64[(at + events.fillCashMicrosAt) >> 3] / 1e6
    fields['isTaker'] = i32[(at + events.fillIsTakerAt) >> 2]
  } else if (type === events.EventType.BookLevel) {
    fields['price'] = f64[(at + events.levelPriceMicrosAt) >> 3] / 1e6
    fields['size'] = f64[(at + events.levelSizeLotsAt) >> 3] / 1e8
    fields['side'] = i32[(at + events.levelSideAt) >> 2]
  } else if (type === events.EventType.Instrument) {
    fields['instrument'] = i32[(at + events.instrumentIdAt) >> 2]
    fields['change'] = i32[(at + events.instrumentChangeAt) >> 2]
  } else if (type === events.EventType.Agent) {
    fields['change'] = i32[(at + events.agentChangeAt) >> 2]
  }
  return { type, seq, fields }
}
