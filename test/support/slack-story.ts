import assert from 'node:assert/strict'
import type { NaiveSlacks } from '../../engine/invariants/naive-margin.js'
import { liquidationGate } from '../../engine/lifecycle/liquidation-gate.js'
import { noteMoved } from '../../engine/lifecycle/liquidation-orders.js'
import { premiumMicros } from '../../engine/risk/money.js'
import {
  type ComboLegTerms,
  FillEffect,
  fillTerms,
  MarginVerdict,
} from '../../engine/risk/order-check.js'
import { type EngineConfig, engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { MarginMode, neverMillis, Right, SelfTradeMode, Side, Tier } from '../../schemas/domain.js'
import { EventType } from '../../schemas/generated/events.js'
import { Result } from '../../schemas/results.js'
import { uniformsOf } from '../engine/pricing/random.js'
import { CoreRig } from './core-rig.js'
import type { RigInstrument, RigOrder } from './rig-commands.js'
import {
  bookOf,
  faultOf,
  fillOf,
  type SlackBook,
  type WorkingOrder,
  worstSlacksOf,
} from './slack-oracle.js'

export const slackModels = ['standard', 'defined_risk', 'portfolio'] as const
export type SlackModel = (typeof slackModels)[number]

const wallets = [1, 2, 3]
/** Wallet that trades with all of them, and can pay for it. */
const marketWallet = 4
const nearDate = 20260108
const farDate = 20260131
const expiries = new Map([
  [nearDate, Date.UTC(2026, 0, 8)],
  [farDate, Date.UTC(2026, 0, 31)],
])
const options: readonly RigInstrument[] = [
  ...[90_000, 100_000, 110_000, 120_000].map((strike) => ({ strike, expiryDate: farDate })),
  ...[80_000, 90_000, 100_000].map((strike) => ({ strike, expiryDate: farDate, right: Right.Put })),
  ...[100_000, 110_000].map((strike) => ({ strike, expiryDate: nearDate })),
  { strike: 90_000, expiryDate: nearDate, right: Right.Put },
]
const perp: RigInstrument = { expiryDate: 0, strike: 0, right: Right.None }
const instruments = [...options, perp]
const fees = {
  makerRate: 0.0002,
  takerRate: 0.0005,
  optionCap: 0.125,
  perpMakerRate: 0.0001,
  perpTakerRate: 0.0005,
  builderShare: 0,
}
/** Trial fills per check of a wallet. */
const trials = 2

interface Seen {
  /** Everything that determines slacks. */
  readonly text: string
  readonly slacks: NaiveSlacks
}

interface OwnOrder extends WorkingOrder {
  readonly wallet: number
}

/**
 * Market at constant marks where small wallets trade at prices far from them. After each command the story checks their
 * slacks: whether the command lowered one, and whether any fills of working orders could.
 */
export class SlackStory {
  readonly counts = new Map<string, number>()
  readonly #rig: CoreRig
  readonly #uniform: () => number
  readonly #before = new Map<number, Seen>()
  readonly #comboShare: number
  /** Fees of the step's combo, plus a micro for each leg. */
  #comboMicros = 0

  /** @param comboShare share of the steps that trade a combo off the book */
  constructor(seed: number, model: SlackModel, withFees: boolean, comboShare = 0) {
    this.#comboShare = comboShare
    this.#uniform = uniformsOf(seed * 7919 + 17)
    const config: EngineConfig = {
      ...engineConfigDefault,
      standardIsDefinedRisk: model === 'defined_risk',
      mmpCountTakerFills: true,
      ...(withFees ? { fees } : {}),
    }
    this.#rig = new CoreRig(config, 1, { logBytes: 1 << 20 })
    const rig = this.#rig
    for (const option of options) rig.list(option, expiries.get(option.expiryDate!)!)
    rig.list(perp, neverMillis)
    rig.index(100_000)
    for (const expiryMillis of expiries.values()) rig.surface(0.6, 'BTC', expiryMillis)
    for (const wallet of wallets) rig.deposit(wallet, 10_000_000)
    rig.deposit(marketWallet, 1_000_000_000)
    rig.tier(marketWallet, Tier.MarketMaker)
    if (model === 'portfolio') {
      for (const wallet of wallets) rig.marginMode(wallet, MarginMode.Portfolio)
    }
    this.#run()
    for (const wallet of wallets) this.#open(wallet)
    for (const wallet of wallets) this.#check(wallet)
  }

  /** @returns the error and the command that caused it, or null */
  tell(steps: number): string | null {
    for (let step = 0; step < steps; step++) {
      this.#comboMicros = 0
      const what = this.#uniform() < this.#comboShare ? this.#package() : this.#step()
      const spentMicros = this.#comboMicros + this.#run()
      for (const wallet of wallets) {
        const fault = this.#check(wallet, spentMicros)
        if (fault !== null) return `step ${step}, ${what}: wallet ${wallet}: ${fault}`
      }
    }
    return null
  }

  /** Opens positions at marks, often covering each other, then sets the cash so that the wallet is near a limit. */
  #open(wallet: number): void {
    const count = 1 + this.#below(4)
    for (let trade = 0; trade < count; trade++) {
      const instrument = this.#below(instruments.length)
      const isLong = trade === 0 || this.#uniform() < 0.4
      const price = this.#text(this.#markOf(instrument))
      const size = String(1 + this.#below(3))
      const terms = { price, size, instrument: instruments[instrument]! }
      this.#rig.place({ wallet: marketWallet, side: isLong ? 'Sell' : 'Buy', ...terms })
      this.#rig.place({ wallet, side: isLong ? 'Buy' : 'Sell', tif: 'ioc', ...terms })
      this.#run()
      this.#cancelAll(marketWallet)
    }
    this.#setCash(wallet)
  }

  /**
   * Sets cash so that equity is initial margin plus or minus a share of it, orders aside. After fills of the orders
   * some equity must be left: a wallet that loses more than it has passes the loss to others.
   */
  #setCash(wallet: number): void {
    const { state } = this.#rig
    const found = bookOf(state, wallet - 1)
    if (found === null) return
    const { im, free } = worstSlacksOf(state, { book: found.book, orders: [] })
    const margin = Math.max(free - im, 2e9)
    // Leaves the wallet at the limit, near it, or below maintenance margin.
    const share = this.#pick([0, this.#uniform() * 0.7 - 0.3, -0.2 - this.#uniform() * 0.7])
    const least = 1e6 - worstSlacksOf(state, found).free
    const delta = Math.max(Math.round(margin * share - im), Math.ceil(least))
    state.risk.creditCash(wallet - 1, delta)
    this.#before.delete(wallet)
  }

  #step(): string {
    const wallet = this.#pick(wallets)
    const dice = this.#uniform()
    if (dice < 0.38) return this.#place(wallet, this.#attack(wallet))
    if (dice < 0.5) return this.#place(wallet, this.#anything())
    if (dice < 0.69) return this.#take()
    if (dice < 0.77) return this.#replace(wallet)
    if (dice < 0.81) return this.#cancel(wallet)
    if (dice < 0.89) return this.#bulk(wallet)
    if (dice < 0.91) return this.#protect(wallet)
    if (dice < 0.93) {
      const mode = this.#pick(Object.values(SelfTradeMode))
      this.#rig.selfTrade(wallet, mode)
      return `self-trade mode ${mode} of ${wallet}`
    }
    if (dice < 0.95) return this.#several(wallet)
    this.#setCash(wallet)
    return `cash of ${wallet}`
  }

  #place(wallet: number, order: Omit<RigOrder, 'wallet'> | null): string {
    if (order === null) return 'nothing'
    const flags = {
      reduceOnly: this.#uniform() < 0.1,
      mmpEnabled: this.#uniform() < 0.15,
      tif: this.#pick(['gtc', 'gtc', 'gtc', 'gtc', 'gtc', 'ioc', 'fok'] as const),
    }
    const isPerp = order.instrument === perp
    this.#rig.place({ ...flags, ...order, wallet, mmpEnabled: flags.mmpEnabled && !isPerp })
    return `${wallet} places ${JSON.stringify({ ...flags, ...order })}`
  }

  /** Trades several legs with the market wallet in one step, if allowed: partly against the wallet's own positions. */
  #package(): string {
    const { state } = this.#rig
    const wallet = this.#pick(wallets)
    const found = bookOf(state, wallet - 1)
    if (found === null) return 'nothing'
    const legs = this.#legsOf(found)
    const request = {
      account: wallet - 1,
      legs,
      liquidation: liquidationGate(state, wallet - 1),
      positionsMax: -1,
    }
    const hash = [state.hash.low, state.hash.high]
    const result = state.risk.checkCombo(request, new MarginVerdict())
    assert.deepEqual([state.hash.low, state.hash.high], hash, 'a check changes nothing')
    if (result !== Result.Accepted) {
      this.#count('packages refused')
      return `refused ${result}: ${JSON.stringify(legs)}`
    }
    this.#count('packages')
    const { im } = worstSlacksOf(state, found)
    for (const leg of legs) this.#trade(wallet, leg)
    if (im < 0) this.#count('packages below initial margin')
    return `package of ${wallet}: ${JSON.stringify(legs)}`
  }

  #legsOf({ book }: SlackBook): ComboLegTerms[] {
    const held = [...book.positions].filter(([id]) => id < options.length)
    const legs = new Map<number, ComboLegTerms>()
    const reduces = this.#uniform() < 0.6
    const generous = this.#uniform() < 0.3 ? 4 : 0.6
    for (let count = 1 + this.#below(4); count > 0; count--) {
      const [instrument, lots] =
        reduces && held.length > 0
          ? this.#pick(held.map(([id, position]) => [id, position.lots] as const))
          : [this.#below(options.length), (this.#below(2) * 2 - 1) * 1e8]
      const share = this.#pick([0.25, 0.5, 1, 1, 1])
      const sizeLots = Math.max(1, Math.floor(Math.abs(lots) * share))
      const side = lots < 0 ? Side.Buy : Side.Sell
      const off = 1 + (this.#uniform() - 0.5) * generous
      const priceMicros = Math.max(1, Math.round(this.#markOf(instrument) * Math.max(0, off)))
      const feeMicros = this.#below(2) * 1000
      const cashMicros = premiumMicros(priceMicros, sizeLots)
      legs.set(instrument, { instrument, side, sizeLots, priceMicros, cashMicros, feeMicros })
    }
    return [...legs.values()]
  }

  #trade(wallet: number, leg: ComboLegTerms): void {
    const { state } = this.#rig
    const effect = new FillEffect()
    const { instrument, cashMicros: premium } = leg
    const terms = { ...leg, account: wallet - 1, premiumMicros: premium }
    state.risk.fill(fillTerms(terms), effect)
    const side = leg.side === Side.Buy ? Side.Sell : Side.Buy
    state.risk.fill(fillTerms({ ...terms, account: marketWallet - 1, side, feeMicros: 0 }), effect)
    for (const one of [wallet - 1, marketWallet - 1]) {
      state.risk.limits.forget(one)
      noteMoved(state, one, instrument)
    }
    this.#comboMicros += 1 + leg.feeMicros
  }

  /** Closes part of a position at a price that gives away what it frees, or sells a cover, or against one. */
  #attack(wallet: number): Omit<RigOrder, 'wallet'> | null {
    const { state } = this.#rig
    const found = bookOf(state, wallet - 1)
    if (found === null || found.book.positions.size === 0) return null
    const [instrument, { lots }] = this.#pick([...found.book.positions])
    const held = Math.abs(lots) / 1e8
    const size = this.#uniform() < 0.6 ? held : held * this.#pick([0.25, 0.5, 0.75])
    const mark = this.#markOf(instrument)
    if (lots > 0 && this.#uniform() < 0.5) {
      const others = instruments.map((_, id) => id).filter((id) => this.#isCovered(instrument, id))
      if (others.length > 0) {
        const other = this.#pick(others)
        const price = this.#markOf(other) * (0.9 + this.#uniform() * 0.4)
        return this.#orderOf(other, 'Sell', price, size)
      }
    }
    if (lots > 0) {
      return this.#orderOf(instrument, 'Sell', mark * (0.3 + this.#uniform() * 0.8), size)
    }
    const { im, free } = worstSlacksOf(state, { book: found.book, orders: [] })
    const given = ((free - im) / held) * this.#uniform() * 1.1
    return this.#orderOf(instrument, 'Buy', mark + given, size)
  }

  #isCovered(cover: number, other: number): boolean {
    const [one, two] = [instruments[cover]!, instruments[other]!]
    return cover !== other && one.right === two.right && one.expiryDate! >= two.expiryDate!
  }

  #anything(): Omit<RigOrder, 'wallet'> {
    const instrument = this.#below(instruments.length)
    const price = this.#markOf(instrument) * (0.5 + this.#uniform() * 1.5)
    const size = this.#pick([0.1, 0.5, 1, 2])
    return this.#orderOf(instrument, this.#pick(['Buy', 'Sell'] as const), price, size)
  }

  /** Lets the market wallet fill all or part of another wallet's order. */
  #take(): string {
    const all = wallets.flatMap((wallet) => this.#ordersOf(wallet))
    if (all.length === 0) return 'nothing'
    const order = this.#pick(all)
    const size = (order.lots / 1e8) * this.#pick([1, 1, 0.5, 0.3])
    const side = order.side === Side.Buy ? 'Sell' : 'Buy'
    const terms = this.#orderOf(order.instrument, side, order.priceMicros, size)
    this.#rig.place({ wallet: marketWallet, tif: 'ioc', ...terms })
    return `the market wallet takes ${JSON.stringify(terms)} of ${order.wallet}`
  }

  #replace(wallet: number): string {
    const all = this.#ordersOf(wallet)
    if (all.length === 0) return 'nothing'
    const { instrument, side, lots, priceMicros, orderId } = this.#pick(all)
    const size = (lots / 1e8) * this.#pick([1, 1, 0.5, 2])
    const price = priceMicros * (0.6 + this.#uniform() * 0.8)
    const terms = this.#orderOf(instrument, side === Side.Buy ? 'Buy' : 'Sell', price, size)
    this.#rig.place({ wallet, ...terms, replaces: orderId })
    return `${wallet} replaces ${orderId} by ${JSON.stringify(terms)}`
  }

  #cancel(wallet: number): string {
    const all = this.#ordersOf(wallet)
    if (all.length === 0) return 'nothing'
    const { orderId } = this.#pick(all)
    this.#rig.cancel(wallet, orderId)
    return `${wallet} cancels ${orderId}`
  }

  #bulk(wallet: number): string {
    const texts: string[] = []
    this.#rig.bulk(() => {
      texts.push(this.#place(wallet, this.#attack(wallet)))
      for (let item = this.#below(4); item >= 0; item--) texts.push(this.#item(wallet))
    })
    return `bulk: ${texts.join('; ')}`
  }

  /** Sends several commands in one batch. */
  #several(wallet: number): string {
    const texts = [0, 1, 2].map(() => this.#item(wallet))
    return `one batch: ${texts.join('; ')}`
  }

  #item(wallet: number): string {
    const dice = this.#uniform()
    if (dice < 0.5) return this.#place(wallet, this.#attack(wallet))
    if (dice < 0.7) return this.#place(wallet, this.#anything())
    return dice < 0.9 ? this.#replace(wallet) : this.#cancel(wallet)
  }

  #protect(wallet: number): string {
    this.#rig.setMmp(wallet, { interval: 5000, frozen: 1, qty: 0.5 })
    return `protection of ${wallet}`
  }

  /**
   * Runs pending commands.
   * @returns the additional cost of the fills, in micros
   */
  #run(): number {
    let micros = 0
    for (const { type, fields } of this.#rig.run().events()) {
      if (type !== EventType.Fill) continue
      micros += 1 + Math.abs(fields['fee']!) * 1e6
      this.#count('fills')
    }
    return micros
  }

  #check(wallet: number, spentMicros = 0): string | null {
    const { state } = this.#rig
    const found = bookOf(state, wallet - 1)
    const before = this.#before.get(wallet)
    if (found === null) {
      this.#before.delete(wallet)
      return null
    }
    const text = JSON.stringify([found.orders, found.book.cashMicros, [...found.book.positions]])
    if (before?.text === text) return null
    const slacks = worstSlacksOf(state, found)
    this.#before.set(wallet, { text, slacks })
    const { kind } = found.book
    const riskReducing = found.orders.filter(({ reducesRisk }) => reducesRisk).length
    if (riskReducing > 0)
      this.#count(riskReducing > 1 ? 'several risk-reducing orders' : 'risk-reducing order')
    if (riskReducing > 0 && riskReducing < found.orders.length)
      this.#count('risk-reducing and ordinary')
    if (slacks.mm < 0) this.#count('below maintenance margin')
    const fault = before && faultOf(kind, before.slacks, slacks, spentMicros, true)
    return fault ?? this.#tryFills(found, slacks)
  }

  /** Tries some of the possible next fills, whole and partial in any order, and checks each. */
  #tryFills(start: SlackBook, slacks: NaiveSlacks): string | null {
    const { state } = this.#rig
    for (let trial = 0; trial < trials && start.orders.length > 0; trial++) {
      let book = start
      let left = slacks
      let places = start.orders.map((_, place) => place).filter(() => this.#uniform() < 0.6)
      const fills: string[] = []
      while (places.length > 0) {
        const place = this.#pick(places)
        places = places.filter((one) => one !== place || this.#uniform() < 0.2)
        const order = book.orders[place]!
        const share = this.#uniform() < 0.6 ? 1 : this.#uniform()
        const lots = Math.floor(order.lots * share)
        if (lots === 0) continue
        book = fillOf(state, book, order, lots)
        const after = worstSlacksOf(state, book)
        fills.push(`${lots} lots of ${JSON.stringify(order)}`)
        this.#count('fills tried out')
        // Compares with the values before the step, and before all steps.
        const fault =
          faultOf(book.book.kind, left, after, 1, false) ??
          faultOf(book.book.kind, slacks, after, fills.length, false)
        if (fault !== null) return `if it were filled (${fills.join(', ')}): ${fault}`
        left = after
      }
    }
    return null
  }

  #cancelAll(wallet: number): void {
    const { state } = this.#rig
    const { orders } = bookOf(state, wallet - 1)!
    for (const { orderId } of orders) this.#rig.cancel(wallet, orderId)
    this.#run()
  }

  #ordersOf(wallet: number): OwnOrder[] {
    const found = bookOf(this.#rig.state, wallet - 1)
    return (found?.orders ?? []).map((order) => ({ ...order, wallet }))
  }

  #orderOf(instrument: number, side: 'Buy' | 'Sell', priceMicros: number, contracts: number) {
    const price = this.#text(priceMicros)
    const size = Math.max(0.01, contracts).toFixed(4)
    return { instrument: instruments[instrument]!, side, price, size }
  }

  /** Returns a price with at most five figures, as an order requires. */
  #text(priceMicros: number): string {
    return String(Number(Math.max(1, priceMicros / 1e6).toPrecision(5)))
  }

  #markOf(instrument: number): number {
    return this.#rig.state.marks.markMicros[instrument]!
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#below(all.length)]!
  }

  #below(count: number): number {
    return Math.floor(this.#uniform() * count)
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }
}
