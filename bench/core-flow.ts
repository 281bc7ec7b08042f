import { lotsPerContract, microsPerUsd } from '../schemas/bounds.js'
import { neverMillis, OrderStatus, Right, Side, Tier, Tif, TradingMode } from '../schemas/domain.js'
import {
  AgentCommand,
  type AnyCommand,
  CancelOrderCommand,
  CommandType,
  DepositCommand,
  IndexPricesCommand,
  ListInstrumentCommand,
  PlaceOrderCommand,
  SetTierCommand,
  VolSurfaceCommand,
} from '../schemas/generated/commands.js'
import { EventType, type OrderFacts, OutcomeEvent } from '../schemas/generated/events.js'
import { SurfaceKind } from '../schemas/record-values.js'
import { randomFrom } from './book-replay/book-flow.js'
import type { BenchEngine } from './core-engine.js'

type OrderType = Parameters<PlaceOrderCommand['claim']>[1]

/** Size of the market. The mix of commands is the same for all sizes. */
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

const place = new PlaceOrderCommand()
const cancel = new CancelOrderCommand()
const listing = new ListInstrumentCommand()
const surface = new VolSurfaceCommand()
const indexPrices = new IndexPricesCommand()
const deposit = new DepositCommand()
const tier = new SetTierCommand()
const approval = new AgentCommand()
const update = new OutcomeEvent()

/** Terms of an option, or of a perp. */
interface ListedTerms {
  readonly expiryDate: number
  readonly strikeMicros: number
  readonly right: Right
}

const perpTerms: ListedTerms = { expiryDate: 0, strikeMicros: 0, right: Right.None }

/**
 * Seeded market: funded wallets and their agents place, take, cancel and replace options of a few underlyings around the
 * marks. Reads the engine's events to name orders that still work. The same seed gives the same commands for engines that
 * answer the same.
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
  /** Wallet of each working order by id. `#orderIds` may also have ids of ended orders. */
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
          this.#listOption(underlying, days, strike, Right.Call)
          this.#listOption(underlying, days, strike, Right.Put)
        }
        this.#surface(underlying, days)
      }
      this.#index(underlying, indexUsd)
    }
    // Listed last, so that perps have the highest instrument numbers.
    for (let underlying = 0; perps > 0 && underlying < underlyings; underlying++) {
      this.#list(underlying, perpTerms, neverMillis)
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

  /** Number of commands that the engine rejected. */
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

  /** Decides the commands of `fill`. @returns nanoseconds of the core's duty, by `clock`. */
  run(clock = process.hrtime.bigint): number {
    const nanos = this.engine.run(this.nowMillis, clock)
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
    this.#begin(cancel, cancel.claim(this.engine.commands))
    this.#sign(cancel, wallet)
    cancel.orderId = orderId
  }

  /** Places an order. Resting buys are up to 5% below the mark and sells above; takes cross it by up to half of that. */
  #order(
    type: OrderType,
    wallet: number,
    instrument: number,
    oldId: number,
    isTake: boolean,
  ): void {
    this.#begin(place, place.claim(this.engine.commands, type))
    this.#sign(place, wallet)
    const { instruments, marks } = this.engine.state
    const side = this.#below(2) as Side
    const away = (side === Side.Buy ? -1 : 1) * (isTake ? -0.5 : 1)
    const priceMicros = marks.markMicros[instrument] * (1 + away * this.#random() * 0.05)
    const { key } = place
    key.underlyingText = nameOf(instruments.underlying[instrument])
    key.expiryDate = instruments.expiryDate[instrument]
    key.strikeMicros = instruments.strikeMicros[instrument]
    key.right = instruments.right[instrument] as Right
    place.priceMicros = legalPriceMicros(priceMicros)
    place.sizeLots = (1 + this.#below(20)) * (lotsPerContract / 100)
    place.side = side
    place.tif = isTake && this.#below(2) === 0 ? Tif.Ioc : Tif.Gtc
    place.oldOrderId = oldId
    if (this.#random() >= clientIds) return
    place.clientIdText = `c${this.commandCount}`.padStart(clientIdBytes, '0')
  }

  #begin(command: AnyCommand, isClaimed: boolean): void {
    if (!isClaimed) throw new Error('core flow: the command ring is full')
    command.clear()
  }

  /** Signs as the wallet or, for a share of the commands, as its agent. */
  #sign(command: AnyCommand, wallet: number): void {
    const { u8, u32, walletAt, signerAt, digestAt } = command
    const owner = this.#wallets[wallet]
    u8.set(owner, walletAt)
    u8.set(this.#random() < agents ? this.#agents[wallet] : owner, signerAt)
    const nonce = this.#nonces[wallet]++
    command.nonceHigh = nonce / 4294967296
    command.nonceLow = nonce
    for (let word = 0; word < 8; word++) u32[digestAt / 4 + word] = this.#random() * 4294967296
    command.request = ++this.#requests
  }

  #listOption(underlying: number, days: number, strikeUsd: number, right: Right): void {
    const terms = { expiryDate: 20_260_100 + days, strikeMicros: strikeUsd * microsPerUsd, right }
    this.#list(underlying, terms, startMillis + days * millisPerDay)
  }

  #list(underlying: number, terms: ListedTerms, expiryMillis: number): void {
    this.#begin(listing, listing.claim(this.engine.commands, CommandType.ListInstrument))
    Object.assign(listing.key, { underlyingText: nameOf(underlying), ...terms })
    listing.expiryMillis = expiryMillis
    listing.tradingMode = TradingMode.Both
  }

  #surface(underlying: number, days: number): void {
    this.#begin(surface, surface.claim(this.engine.commands, VolSurfaceCommand.bytesWith(4)))
    surface.underlyingText = nameOf(underlying)
    surface.expiryMillis = startMillis + days * millisPerDay
    surface.surfaceKind = SurfaceKind.Points
    surface.count = 4
    surface.valuesView(4).set([90_000, 0.66, 110_000, 0.58])
  }

  #index(underlying: number, usd: number): void {
    const { commands } = this.engine
    this.#begin(indexPrices, indexPrices.claim(commands, IndexPricesCommand.bytesWith(1)))
    indexPrices.count = 1
    const entry = indexPrices.entries(0)
    entry.underlyingText = nameOf(underlying)
    entry.priceMicros = usd * microsPerUsd
    entry.observedMillis = this.nowMillis
  }

  #deposit(wallet: number): void {
    this.#begin(deposit, deposit.claim(this.engine.commands, CommandType.Deposit))
    deposit.u8.set(this.#wallets[wallet], deposit.walletAt)
    deposit.amountMicros = depositUsd * microsPerUsd
  }

  /** Sets the market-maker tier: other tiers limit working orders and positions. */
  #tier(wallet: number): void {
    this.#begin(tier, tier.claim(this.engine.commands, CommandType.SetTier))
    tier.u8.set(this.#wallets[wallet], tier.walletAt)
    tier.tier = Tier.MarketMaker
  }

  #approve(wallet: number): void {
    this.#begin(approval, approval.claim(this.engine.commands, CommandType.ApproveAgent))
    this.#sign(approval, wallet)
    const { u8, walletAt } = approval
    u8.fill(0, walletAt, walletAt + 20)
    u8.set(this.#wallets[wallet], approval.signerAt)
    u8.set(this.#agents[wallet], approval.agentAt)
  }

  /** Reads the events of a run, to track working orders and count fills. */
  #follow(): void {
    const { events: log } = this.engine
    for (let at = log.next(); at >= 0; at = log.next()) {
      const { recordType, facts } = update.over(log, at)
      if (recordType === EventType.Fill) this.fillCount++
      if (recordType === EventType.OrderUpdate) this.#followOrder(facts)
    }
    log.release()
  }

  #followOrder(facts: OrderFacts): void {
    const { orderId, status } = facts
    if (status === OrderStatus.Open) {
      const account = this.engine.state.accounts.find(facts.u8, facts.walletAt)
      this.#walletOf.set(orderId, account)
      this.#instrumentOf.set(orderId, facts.instrument)
      this.#orderIds.push(orderId)
    } else if (status === OrderStatus.Filled || status === OrderStatus.Canceled) {
      this.#walletOf.delete(orderId)
      this.#instrumentOf.delete(orderId)
    }
  }

  /** Removes and returns the id of a random working order; 0 if there is none. */
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

/** Rounds to four significant figures. */
function legalPriceMicros(micros: number): number {
  let step = 1
  while (micros / step >= 10_000) step *= 10
  return Math.max(1, Math.round(micros / step)) * step
}
