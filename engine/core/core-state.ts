import { underlyingsMax } from '../../schemas/bounds.js'
import { OrderStatus } from '../../schemas/domain.js'
import { Marks } from '../pricing/marks.js'
import type { MarksOptions } from '../pricing/pricing-parameters.js'
import { RiskEngine } from '../risk/risk-engine.js'
import { Accounts } from './accounts.js'
import type { EngineConfig } from './engine-config.js'
import type { EventSink } from './event-sink.js'
import { ExpiryQueue } from './expiry-queue.js'
import { InstrumentTable } from './instruments.js'
import type { MatcherLinks } from './matcher-links.js'
import { OrderIndex } from './order-index.js'
import { none, OrderStore } from './orders.js'
import { publishOpened } from './publish.js'
import { StateReader, StateWriter } from './state-codec.js'
import { HashKind, StateHash } from './state-hash.js'

/** Everything that the core owns and a snapshot holds; deciding and applying are functions over it. */
export class CoreState {
  config: EngineConfig
  readonly sink: EventSink
  readonly hash = new StateHash()
  readonly instruments = new InstrumentTable()
  readonly orders = new OrderStore()
  readonly orderIndex = new OrderIndex(this.orders)
  readonly accounts = new Accounts()
  marks: Marks
  risk: RiskEngine
  /** HaltMode per underlying. */
  readonly haltModes = new Uint8Array(underlyingsMax)
  readonly depositIds = new Set<string>()
  /** Orders, and trades, so far. */
  orderCount = 0
  tradeCount = 0
  /** Engine time: the batch's timestamp, never going back. */
  nowMillis = 0
  /** Number of the last closed batch. */
  batchNumber = 0
  readonly expiries = new ExpiryQueue()
  /** Closed instruments that still have working orders to cancel, first come first. */
  readonly closing: number[] = []
  readonly matchers: MatcherLinks
  /** During a replay the askers of the commands are gone. */
  replaying = false

  constructor(config: EngineConfig, sink: EventSink, matchers: MatcherLinks) {
    this.config = config
    this.sink = sink
    this.matchers = matchers
    this.marks = new Marks(this.instruments, marksOptions(config))
    this.risk = this.#newRisk()
  }

  /** Account of the wallet at `source[at]`, opened and announced when it is new. */
  accountFor(source: Uint8Array, at: number): number {
    const known = this.accounts.find(source, at)
    if (known >= 0) return known
    const { noncesKept, outcomesKept } = this.config
    const account = this.accounts.open(source, at, noncesKept, outcomesKept)
    this.risk.openAccount(account)
    publishOpened(this, account)
    return account
  }

  /** Remembers an operator's name for a deposit: the same one again changes nothing. */
  addDepositId(id: string): void {
    this.depositIds.add(id)
    let a = 0x811c9dc5
    let b = 0
    for (let i = 0; i < id.length; i++) {
      a = Math.imul(a ^ id.charCodeAt(i), 0x01000193)
      b = (Math.imul(b, 31) + id.charCodeAt(i)) | 0
    }
    this.hash.add(HashKind.Deposit, a, b, id.length)
  }

  /** Drops the book of an instrument; its orders are still the core's to cancel. */
  closeBook(instrument: number): void {
    const matcher = this.matchers.of(this.instruments.underlying[instrument])
    this.matchers.closeBook(matcher, instrument)
  }

  /** Whether any wallet has a position in the instrument. */
  hasPositions(instrument: number): boolean {
    const { exposures } = this.risk
    for (let account = 0; account < this.accounts.count; account++) {
      const exposure = this.risk.findExposure(account, instrument)
      if (exposure !== none && exposures.positionLots[exposure] !== 0) return true
    }
    return false
  }

  /** Changes the parameters of every decision from here on. */
  configure(config: EngineConfig): void {
    this.config = config
    const marks = new Marks(this.instruments, marksOptions(config))
    const count = this.instruments.underlyingNames.length
    for (let u = 0; u < count; u++) marks.restore(u, this.marks.stateOf(u))
    this.marks = marks
    const saved = new StateWriter()
    this.risk.save(saved)
    this.risk = this.#newRisk()
    const before = { low: this.hash.low, high: this.hash.high }
    this.risk.load(new StateReader(saved.result()))
    // The new engine has added the old one's facts a second time.
    this.hash.low = before.low
    this.hash.high = before.high
    for (let instrument = 0; instrument < this.instruments.count; instrument++) {
      let slot = this.orders.firstOf(instrument)
      for (; slot !== none; slot = this.orders.nextInInstrument[slot]) this.risk.addOrder(slot)
    }
  }

  /** Adds or removes the facts of an instrument; call around every change of its state. */
  hashInstrument(instrument: number, adds: boolean): void {
    const { instruments, hash } = this
    const value = instruments.strikeMicros[instrument]
    const state = instruments.state[instrument]
    if (adds) hash.add(HashKind.Instrument, instrument, state, value)
    else hash.remove(HashKind.Instrument, instrument, state, value)
  }

  /** The same for the latest index observation of an underlying. */
  hashIndex(underlying: number, adds: boolean): void {
    const { indexMicros, indexAtMillis } = this.marks.inputsOf(underlying)
    if (Number.isNaN(indexMicros)) return
    if (adds) this.hash.add(HashKind.IndexPrice, underlying, indexAtMillis, indexMicros)
    else this.hash.remove(HashKind.IndexPrice, underlying, indexAtMillis, indexMicros)
  }

  /** The same for the surface of an expiry, if it has one. */
  hashSurface(underlying: number, expiryMillis: number, adds: boolean): void {
    const { surfaces } = this.marks.inputsOf(underlying)
    const surface = surfaces.find((candidate) => candidate.expiryMillis === expiryMillis)
    if (surface === undefined) return
    for (const [i, value] of surface.values.entries()) {
      const place = expiryMillis + i
      if (adds) this.hash.add(HashKind.Surface, underlying, place, value)
      else this.hash.remove(HashKind.Surface, underlying, place, value)
    }
  }

  /** Burns a nonce of an accepted action. */
  burnNonce(account: number, high: number, low: number): void {
    const nonces = this.accounts.nonces[account]
    if (nonces.count === this.config.noncesKept) {
      const lowest = nonces.lowest()
      this.hash.remove(HashKind.Nonce, account, lowest.high, lowest.low)
    }
    nonces.burn(high, low)
    this.hash.add(HashKind.Nonce, account, high, low)
  }

  /** The order in `slot` starts to work: reserves, index, lists and hash know it from here on. */
  startOrder(slot: number): void {
    const { orders } = this
    this.orderIndex.add(slot)
    orders.linkInstrument(slot)
    this.risk.addOrder(slot)
    this.accounts.workingOrders[orders.account[slot]]++
    this.hash.add(
      HashKind.Order,
      orders.orderId[slot],
      orders.account[slot],
      orders.priceMicros[slot],
    )
    this.#hashOpen(slot, orders.openLots[slot], true)
  }

  /** Open size of a working order changed by a fill; at 0 `endOrder` follows. */
  setOpen(slot: number, openLots: number): void {
    this.#hashOpen(slot, this.orders.openLots[slot], false)
    this.risk.setOpen(slot, openLots)
    this.#hashOpen(slot, openLots, true)
  }

  /** A working order is final: nothing is reserved for it any more. */
  endOrder(slot: number, status: OrderStatus): void {
    this.#stopOrder(slot)
    this.orders.status[slot] = status
    this.orderIndex.end(slot)
  }

  /** The order was started for a replace that was refused: as if it had never been. */
  discardOrder(slot: number): void {
    this.#stopOrder(slot)
    this.orders.status[slot] = OrderStatus.None
    this.orderIndex.discard(slot)
  }

  #newRisk(): RiskEngine {
    const { risk, standardIsDefinedRisk } = this.config
    const options = { standardIsDefinedRisk }
    return new RiskEngine(this.instruments, this.orders, this.marks, risk, options, this.hash)
  }

  #stopOrder(slot: number): void {
    const { orders } = this
    this.#hashOpen(slot, orders.openLots[slot], false)
    this.hash.remove(
      HashKind.Order,
      orders.orderId[slot],
      orders.account[slot],
      orders.priceMicros[slot],
    )
    if (orders.openLots[slot] > 0) this.risk.setOpen(slot, 0)
    orders.unlinkInstrument(slot)
    this.accounts.workingOrders[orders.account[slot]]--
  }

  #hashOpen(slot: number, openLots: number, adds: boolean): void {
    const { orders, hash } = this
    const place = orders.instrument[slot] * 2 + orders.side[slot]
    if (adds) hash.add(HashKind.OrderOpen, orders.orderId[slot], place, openLots)
    else hash.remove(HashKind.OrderOpen, orders.orderId[slot], place, openLots)
  }
}

function marksOptions(config: EngineConfig): MarksOptions {
  return { pricing: config.pricing, risk: config.risk, portfolio: config.portfolioModeAllowed }
}
