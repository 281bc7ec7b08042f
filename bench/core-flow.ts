import { recordTypeAt } from '../engine/memory/layout.js'
import { lotsPerContract, microsPerUsd } from '../schemas/bounds.js'
import * as commands from '../schemas/commands.js'
import { neverMillis, OrderStatus, Right, Side, Tier, Tif, TradingMode } from '../schemas/domain.js'
import * as events from '../schemas/events.js'
import { CommandType } from '../schemas/generated/commands.js'
import { EventType } from '../schemas/generated/events.js'
import { writeText } from '../schemas/record-text.js'
import { SurfaceKind } from '../schemas/record-values.js'
import { randomFrom } from './book-flow.js'
import type { BenchEngine } from './core-engine.js'

/** How many take part; the mix of commands is the same for all. */
export interface CoreFlowShape {
  readonly seed: number
  readonly wallets: number
  readonly underlyings: number
  /** Part of the orders that are of perps; left out: none are listed. */
  readonly perps?: number
}

const startMillis = Date.UTC(2026, 0, 1)
const millisPerDay = 86_400_000
const indexUsd = 100_000
const strikesUsd = [80, 85, 90, 95, 100, 105, 110, 115, 120].map((thousands) => thousands * 1000)
const expiryDays = [7, 14, 30, 60, 90]
const depositUsd = 50_000_000
/** Parts of the commands; the rest places orders that rest. */
const cancels = 0.3
const replaces = 0.15
const takes = 0.2
/** Parts of the orders that carry a client id, and of the commands that an agent signs. */
const clientIds = 0.3
const agents = 0.3
const clientIdBytes = 16
/**
 * An index price goes in once in so many commands: ten a second of one underlying at 100,000
 * commands a second.
 */
const commandsPerIndex = 10_000
const commandsPerMilli = 100

/**
 * A seeded market: wallets with agents and cash that place, take, cancel and replace options of a
 * few underlyings around their marks. Follows the engine's events to name orders that still work;
 * the same seed asks the same of every engine that answers the same.
 */
export class CoreFlow {
  readonly engine: BenchEngine
  nowMillis = startMillis
  commandCount = 0
  fillCount = 0
  readonly #shape: CoreFlowShape
  readonly #random: () => number
  readonly #wallets: Uint8Array[] = []
  readonly #agents: Uint8Array[] = []
  readonly #nonces: Float64Array
  /** Ids of working orders with their wallets; the list may name some that have ended. */
  readonly #walletOf = new Map<number, number>()
  readonly #instrumentOf = new Map<number, number>()
  readonly #orderIds: number[] = []
  #requests = 0

  constructor(engine: BenchEngine, shape: CoreFlowShape) {
    this.engine = engine
    this.#shape = shape
    this.#random = randomFrom(shape.seed)
    // Real nonces are times: their low halves use all 32 bits.
    this.#nonces = new Float64Array(shape.wallets).fill(startMillis)
    for (let wallet = 0; wallet < shape.wallets; wallet++) {
      this.#wallets.push(Uint8Array.from({ length: 20 }, () => this.#below(256)))
      this.#agents.push(Uint8Array.from({ length: 20 }, () => this.#below(256)))
    }
  }

  /** Lists and prices everything, funds every wallet and approves its agent. */
  open(): void {
    const { underlyings, wallets, perps = 0 } = this.#shape
    for (let underlying = 0; underlying < underlyings; underlying++) {
      for (const days of expiryDays) {
        for (const strike of strikesUsd) {
          this.#list(underlying, days, strike, 0)
          this.#list(underlying, days, strike, 1)
        }
        this.#surface(underlying, days)
      }
      this.#index(underlying, indexUsd)
    }
    // Last of all: their numbers are the highest.
    for (let underlying = 0; perps > 0 && underlying < underlyings; underlying++) {
      this.#listKey(underlying, 0, 0, Right.None, neverMillis)
    }
    for (let wallet = 0; wallet < wallets; wallet++) {
      this.#deposit(wallet)
      this.#tier(wallet)
      this.#approve(wallet)
      if (wallet % 1000 === 999) this.run()
    }
    this.run()
    this.engine.settle(this.nowMillis)
    this.#follow()
    this.commandCount = 0
  }

  /** Commands that the engine refused: an order that is cancelled or replaced ends, but not so. */
  get refusalCount(): number {
    return this.engine.state.rejectCounts.reduce((sum, count) => sum + count, 0)
  }

  /** Puts `count` commands of the mix into the ring; `run` decides them. */
  fill(count: number): void {
    for (let i = 0; i < count; i++) {
      this.commandCount++
      if (this.commandCount % commandsPerIndex === 0) {
        const move = 1 + (this.#random() - 0.5) * 0.002
        this.#index(this.#below(this.#shape.underlyings), Math.round(indexUsd * move))
        continue
      }
      const kind = this.#random()
      if (kind < cancels) this.#cancel()
      else if (kind < cancels + replaces) this.#replace()
      else this.#place(kind < cancels + replaces + takes)
    }
    this.nowMillis += Math.round(count / commandsPerMilli)
  }

  /** Decides what `fill` has put. @returns nanoseconds of the core's duty. */
  run(): number {
    const nanos = this.engine.run(this.nowMillis)
    this.#follow()
    return nanos
  }

  #place(isTake: boolean): void {
    const wallet = this.#below(this.#shape.wallets)
    this.#order(CommandType.PlaceOrder, wallet, this.#instrument(), 0, isTake)
  }

  #replace(): void {
    const orderId = this.#takeOrderId()
    const instrument = this.#instrumentOf.get(orderId) ?? 0
    const wallet = this.#walletOf.get(orderId) ?? 0
    this.#order(CommandType.ReplaceOrder, wallet, instrument, orderId, false)
  }

  #cancel(): void {
    const orderId = this.#takeOrderId()
    const wallet = this.#walletOf.get(orderId) ?? 0
    const ring = this.engine.commands
    const at = this.#claimSigned(commands.cancelOrderBytes, CommandType.CancelOrder, wallet)
    ring.f64[(at + commands.cancelOrderIdAt) >> 3] = orderId
  }

  /** Buys below and sells above the mark rest; takes cross it by as much as half of that. */
  #order(type: number, wallet: number, instrument: number, oldId: number, isTake: boolean): void {
    const { f64, i32, u8 } = this.engine.commands
    const at = this.#claimSigned(commands.placeOrderBytes, type, wallet)
    const { instruments, marks } = this.engine.state
    const side = this.#below(2)
    const away = (side === Side.Buy ? -1 : 1) * (isTake ? -0.5 : 1)
    const priceMicros = marks.markMicros[instrument] * (1 + away * this.#random() * 0.05)
    this.#writeKey(
      at + commands.placeKeyAt,
      instruments.underlying[instrument],
      instruments.expiryDate[instrument],
      instruments.strikeMicros[instrument],
      instruments.right[instrument],
    )
    f64[(at + commands.placePriceMicrosAt) >> 3] = legalPriceMicros(priceMicros)
    f64[(at + commands.placeSizeLotsAt) >> 3] = (1 + this.#below(20)) * (lotsPerContract / 100)
    i32[(at + commands.placeSideAt) >> 2] = side
    i32[(at + commands.placeTifAt) >> 2] = isTake && this.#below(2) === 0 ? Tif.Ioc : Tif.Gtc
    f64[(at + commands.placeOldOrderIdAt) >> 3] = oldId
    if (this.#random() >= clientIds) return
    i32[(at + commands.placeClientIdBytesAt) >> 2] = clientIdBytes
    const text = `c${this.commandCount}`.padStart(clientIdBytes, '0')
    writeText(text, u8, at + commands.placeClientIdAt, clientIdBytes)
  }

  #claimSigned(bytes: number, type: number, wallet: number): number {
    const { u8, u32, i32 } = this.engine.commands
    const at = this.#claim(bytes, type)
    const owner = this.#wallets[wallet]
    u8.set(owner, at + commands.commandWalletAt)
    const signer = this.#random() < agents ? this.#agents[wallet] : owner
    u8.set(signer, at + commands.commandSignerAt)
    const nonce = this.#nonces[wallet]++
    u32[(at + commands.commandNonceHighAt) >> 2] = nonce / 4294967296
    u32[(at + commands.commandNonceLowAt) >> 2] = nonce
    const digestAt = (at + commands.commandDigestAt) >> 2
    for (let word = 0; word < 8; word++) u32[digestAt + word] = this.#random() * 4294967296
    i32[(at + commands.commandRequestAt) >> 2] = ++this.#requests
    return at
  }

  #claim(bytes: number, type: number): number {
    const ring = this.engine.commands
    const at = ring.tryClaim(bytes, type)
    if (at < 0) throw new Error('core flow: the command ring is full')
    ring.u8.fill(0, at + 8, at + bytes)
    return at
  }

  #list(underlying: number, days: number, strikeUsd: number, right: number): void {
    const strikeMicros = strikeUsd * microsPerUsd
    const expiryMillis = startMillis + days * millisPerDay
    this.#listKey(underlying, 20_260_100 + days, strikeMicros, right, expiryMillis)
  }

  #listKey(
    underlying: number,
    expiryDate: number,
    strikeMicros: number,
    right: number,
    expiryMillis: number,
  ): void {
    const { f64, i32 } = this.engine.commands
    const at = this.#claim(commands.listInstrumentBytes, CommandType.ListInstrument)
    this.#writeKey(at + commands.listKeyAt, underlying, expiryDate, strikeMicros, right)
    f64[(at + commands.listExpiryMillisAt) >> 3] = expiryMillis
    i32[(at + commands.listTradingModeAt) >> 2] = TradingMode.Both
  }

  #surface(underlying: number, days: number): void {
    const { f64, i32, u8 } = this.engine.commands
    const at = this.#claim(commands.surfaceValuesAt + 32, CommandType.VolSurface)
    writeText(nameOf(underlying), u8, at + commands.surfaceUnderlyingAt, 16)
    f64[(at + commands.surfaceExpiryMillisAt) >> 3] = startMillis + days * millisPerDay
    i32[(at + commands.surfaceKindAt) >> 2] = SurfaceKind.Points
    i32[(at + commands.surfaceCountAt) >> 2] = 4
    f64.set([90_000, 0.66, 110_000, 0.58], (at + commands.surfaceValuesAt) >> 3)
  }

  #index(underlying: number, usd: number): void {
    const { f64, i32, u8 } = this.engine.commands
    const bytes = commands.indexEntriesAt + commands.indexEntryBytes
    const at = this.#claim(bytes, CommandType.IndexPrices)
    const entry = at + commands.indexEntriesAt
    i32[(at + commands.indexCountAt) >> 2] = 1
    writeText(nameOf(underlying), u8, entry + commands.indexEntryUnderlyingAt, 16)
    f64[(entry + commands.indexEntryPriceMicrosAt) >> 3] = usd * microsPerUsd
    f64[(entry + commands.indexEntryObservedMillisAt) >> 3] = this.nowMillis
  }

  #deposit(wallet: number): void {
    const { f64, u8 } = this.engine.commands
    const at = this.#claim(commands.depositBytes, CommandType.Deposit)
    u8.set(this.#wallets[wallet], at + commands.commandWalletAt)
    f64[(at + commands.depositAmountMicrosAt) >> 3] = depositUsd * microsPerUsd
  }

  /** Market makers: the other tiers cap working orders and positions. */
  #tier(wallet: number): void {
    const { i32, u8 } = this.engine.commands
    const at = this.#claim(commands.setTierBytes, CommandType.SetTier)
    u8.set(this.#wallets[wallet], at + commands.commandWalletAt)
    i32[(at + commands.tierAt) >> 2] = Tier.MarketMaker
  }

  #approve(wallet: number): void {
    const { u8 } = this.engine.commands
    const at = this.#claimSigned(commands.agentCommandBytes, CommandType.ApproveAgent, wallet)
    u8.fill(0, at + commands.commandWalletAt, at + commands.commandWalletAt + 20)
    u8.set(this.#wallets[wallet], at + commands.commandSignerAt)
    u8.set(this.#agents[wallet], at + commands.agentAddressAt)
  }

  #writeKey(
    at: number,
    underlying: number,
    expiryDate: number,
    strikeMicros: number,
    right: number,
  ): void {
    const { f64, i32, u8 } = this.engine.commands
    writeText(nameOf(underlying), u8, at + commands.keyUnderlyingAt, 16)
    i32[(at + commands.keyExpiryDateAt) >> 2] = expiryDate
    i32[(at + commands.keyRightAt) >> 2] = right
    f64[(at + commands.keyStrikeMicrosAt) >> 3] = strikeMicros
  }

  /** Reads the events of a run: which orders work, how many fills there were. */
  #follow(): void {
    const { events: log } = this.engine
    for (let at = log.next(); at >= 0; at = log.next()) {
      const type = log.i32[(at + recordTypeAt) >> 2]
      if (type === EventType.Fill) this.fillCount++
      if (type === EventType.OrderUpdate) this.#followOrder(at + events.outcomeFactsAt)
    }
    log.release()
  }

  #followOrder(facts: number): void {
    const { f64, i32, u8 } = this.engine.events
    const orderId = f64[(facts + events.factsOrderIdAt) >> 3]
    const status = i32[(facts + events.factsStatusAt) >> 2]
    if (status === OrderStatus.Open) {
      const account = this.engine.state.accounts.find(u8, facts + events.factsWalletAt)
      this.#walletOf.set(orderId, account)
      this.#instrumentOf.set(orderId, i32[(facts + events.factsInstrumentAt) >> 2])
      this.#orderIds.push(orderId)
    } else if (status === OrderStatus.Filled || status === OrderStatus.Canceled) {
      this.#walletOf.delete(orderId)
      this.#instrumentOf.delete(orderId)
    }
  }

  /** An order that worked when its events were last read, named only once; 0 when there is none. */
  #takeOrderId(): number {
    const ids = this.#orderIds
    while (ids.length > 0) {
      const place = this.#below(ids.length)
      const orderId = ids[place]
      ids[place] = ids[ids.length - 1]
      ids.pop()
      if (this.#walletOf.has(orderId)) return orderId
    }
    return 0
  }

  #instrument(): number {
    const { count } = this.engine.state.instruments
    const { underlyings, perps = 0 } = this.#shape
    if (perps === 0) return this.#below(count)
    const options = count - underlyings
    return this.#random() < perps ? options + this.#below(underlyings) : this.#below(options)
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }
}

function nameOf(underlying: number): string {
  return `U${underlying}`
}

/** The nearest price of four significant figures. */
function legalPriceMicros(micros: number): number {
  let step = 1
  while (micros / step >= 10_000) step *= 10
  return Math.max(1, Math.round(micros / step)) * step
}
