import assert from 'node:assert/strict'
import { FloorNetting } from '../../../engine/pricing/scenarios.js'
import { mulDivHalfEven, premiumMicros } from '../../../engine/risk/money.js'
import { fillTerms } from '../../../engine/risk/order-check.js'
import { MarginMode, OrderFlag, Side, Tier } from '../../../schemas/domain.js'
import { uniformsOf } from '../pricing/random.js'
import type { NaiveWallet } from './naive-margin.js'
import { micros, type OptionTerms, World, type WorldOptions } from './risk-fixture.js'

export const accounts = 4
/** One schedule whose cap often applies, and one of a venue that pays makers. */
const fees = [
  {
    makerRate: 0.0002,
    takerRate: 0.0005,
    optionCap: 0.125,
    perpMakerRate: 0.0001,
    perpTakerRate: 0.0005,
    builderShare: 0,
  },
  {
    makerRate: -0.000_011,
    takerRate: 0.000_037,
    optionCap: 0.033_333,
    perpMakerRate: 0.0001,
    perpTakerRate: 0.0005,
    builderShare: 0,
  },
] as const
const names = ['BTC', 'ETH', 'NVDA']

export function randomTerms(uniform: () => number): OptionTerms {
  const place = Math.floor(uniform() * names.length)
  const spot = spots[place]
  return {
    underlying: names[place],
    right: uniform() < 0.5 ? 'call' : 'put',
    strike: Math.round(spot * (0.8 + 0.1 * Math.floor(uniform() * 5))),
    days: [2, 7, 30][Math.floor(uniform() * 3)],
    iv: 0.6,
  }
}

const spots = [100_000, 3_200, 180]

export interface MarketOptions extends WorldOptions {
  /** True if wallets change margin mode and time passes, as steps of their own. */
  readonly modes?: boolean
}

/** Market of random fills, orders, cancels and re-marks, with the test's own books. */
export class RandomMarket {
  readonly world: World
  readonly wallets: NaiveWallet[] = []
  readonly uniform: () => number
  readonly #modes: boolean

  constructor(seed: number, options: MarketOptions = {}) {
    this.world = new World(options)
    this.uniform = uniformsOf(seed)
    this.#modes = options.modes ?? false
    for (const [place, name] of names.entries()) this.world.spot(name, spots[place])
    for (let account = 0; account < accounts; account++) {
      this.world.account(10_000)
      this.wallets.push({
        cashMicros: micros(10_000),
        positions: new Map(),
        perpCosts: new Map(),
        slots: new Set(),
      })
    }
  }

  step(): void {
    if (this.#modes && this.uniform() < 0.1) this.changeMode()
    const dice = this.uniform()
    if (dice < 0.35) this.trade()
    else if (dice < 0.65) this.place()
    else if (dice < 0.9) this.shrink()
    else if (dice < 0.95) this.remark()
    else this.moveIndex()
  }

  changeMode(): void {
    const { risk } = this.world
    const account = Math.floor(this.uniform() * accounts)
    const tiers = [Tier.Default, Tier.Tier1, Tier.MarketMaker]
    risk.setMarginMode(account, this.uniform() < 0.5 ? MarginMode.Standard : MarginMode.Portfolio)
    risk.setTier(account, tiers[Math.floor(this.uniform() * tiers.length)])
    // Time does not pass at first, so that an expiry exactly at the limit of the gamma overlay occurs too.
    if (this.uniform() < 0.2) risk.setTime(risk.nowMillis + Math.floor(this.uniform() * 1e7))
  }

  credit(account: number, deltaMicros: number): void {
    this.world.risk.creditCash(account, deltaMicros)
    this.wallets[account].cashMicros += deltaMicros
  }

  trade(): void {
    const { world, uniform } = this
    const buyer = Math.floor(uniform() * accounts)
    const seller = (buyer + 1 + Math.floor(uniform() * (accounts - 1))) % accounts
    const instrument = this.pick()
    const sizeLots = 1 + Math.floor(uniform() * 3e8)
    const mark = world.instruments.isPerp(instrument) ? this.spotOf(instrument) : 5e9
    const priceMicros = 1 + Math.floor(uniform() * mark * 2)
    this.side(buyer, instrument, Side.Buy, sizeLots, priceMicros)
    this.side(seller, instrument, Side.Sell, sizeLots, priceMicros)
  }

  side(account: number, instrument: number, side: Side, size: number, price: number): void {
    const { world } = this
    const wallet = this.wallets[account]
    const premium = premiumMicros(price, size)
    world.risk.fill(
      fillTerms({
        account,
        instrument,
        side,
        sizeLots: size,
        priceMicros: price,
        premiumMicros: premium,
      }),
      world.effect,
    )
    const sign = side === Side.Buy ? 1 : -1
    if (world.instruments.isPerp(instrument))
      this.#movePerp(wallet, instrument, sign * size, premium)
    else wallet.cashMicros -= sign * premium
    wallet.positions.set(instrument, (wallet.positions.get(instrument) ?? 0) + sign * size)
    assert.equal(world.effect.positionLots, wallet.positions.get(instrument))
    assert.equal(world.effect.cashMicros, wallet.cashMicros)
  }

  /** Returns an option, or in one of six cases a perp. */
  pick(): number {
    if (this.uniform() < 5 / 6) return this.world.list(randomTerms(this.uniform))
    return this.world.listPerp(names[Math.floor(this.uniform() * names.length)])
  }

  spotOf(instrument: number): number {
    return this.world.marks.indexMicros[this.world.instruments.underlying[instrument]] || 1e9
  }

  /** Reduces a perp position against its share of the entry cost, and enters the rest. */
  #movePerp(wallet: NaiveWallet, instrument: number, signed: number, premium: number): void {
    const position = wallet.positions.get(instrument) ?? 0
    const cost = wallet.perpCosts.get(instrument) ?? 0
    const size = Math.abs(signed)
    const closed = position * signed < 0 ? Math.min(Math.abs(position), size) : 0
    const given = Math.sign(signed) * premium
    const closedGiven = closed === 0 ? 0 : mulDivHalfEven(given, closed, size)
    const closedCost = closed === 0 ? 0 : mulDivHalfEven(cost, closed, Math.abs(position))
    wallet.cashMicros -= closedGiven + closedCost
    wallet.perpCosts.set(instrument, cost - closedCost + given - closedGiven)
  }

  /** Closes about half of the longs in full, so that exactly 0 occurs too. */
  close(): void {
    for (const [account, wallet] of this.wallets.entries()) {
      for (const [instrument, size] of wallet.positions) {
        if (size <= 0 || this.uniform() < 0.5) continue
        const other = this.wallets.findIndex((one) => (one.positions.get(instrument) ?? 0) < 0)
        const shorts = -(this.wallets[other].positions.get(instrument) ?? 0)
        const both = Math.min(size, shorts)
        this.side(account, instrument, Side.Sell, both, 1_000_000)
        this.side(other, instrument, Side.Buy, both, 1_000_000)
      }
    }
  }

  place(): void {
    const { uniform, world } = this
    const account = Math.floor(uniform() * accounts)
    const side = uniform() < 0.5 ? Side.Buy : Side.Sell
    const instrument = this.pick()
    const contracts = (1 + Math.floor(uniform() * 3e8)) / 1e8
    const isPerp = world.instruments.isPerp(instrument)
    const price = Math.round(uniform() * (isPerp ? this.spotOf(instrument) / 5e4 : 5e3)) / 10 + 0.1
    const reducesRisk = world.risk.riskReducing.count[account] < 3 && uniform() < 0.3
    const flags = reducesRisk ? OrderFlag.Exempt : 0
    const slot = world.work(account, instrument, side, contracts, price, flags)
    this.wallets[account].slots.add(slot)
  }

  shrink(): void {
    const wallet = this.wallets[Math.floor(this.uniform() * accounts)]
    const slots = [...wallet.slots]
    if (slots.length === 0) return
    const slot = slots[Math.floor(this.uniform() * slots.length)]
    const { orders, risk } = this.world
    const open = this.uniform() < 0.5 ? 0 : Math.floor(orders.openLots[slot] * this.uniform())
    risk.setOpen(slot, open)
    if (open > 0) return
    wallet.slots.delete(slot)
    orders.free(slot)
  }

  /** Moves an index before the marks, which fees follow; it may return to its earlier value. */
  moveIndex(): void {
    const { marks } = this.world
    const underlying = Math.floor(this.uniform() * names.length)
    marks.indexMicros[underlying] = micros(spots[underlying] * (this.uniform() < 0.5 ? 1 : 1.01))
  }

  remark(): void {
    const { instruments, marks, risk } = this.world
    const underlying = Math.floor(this.uniform() * names.length)
    const spot = spots[underlying] * (0.8 + 0.4 * this.uniform())
    marks.indexMicros[underlying] = micros(spot)
    for (const instrument of instruments.ofUnderlying[underlying]) {
      if (instruments.isPerp(instrument)) {
        marks.markPerp(instrument, spot)
        if (this.uniform() < 0.1) marks.unmark(instrument)
        continue
      }
      marks.mark(instrument, spot, {
        right: instruments.right[instrument] === 0 ? 'call' : 'put',
        strike: instruments.strikeMicros[instrument] / 1e6,
        days: instruments.expiryDate[instrument] - 20_260_000,
        iv: 0.5 + 0.3 * this.uniform(),
      })
      if (this.uniform() < 0.1) marks.unmark(instrument)
    }
    risk.newMarks(underlying)
  }
}

/** Returns wallets of all three models, with the option floor netted either way; every other market has fees. */
export function mixedMarket(seed: number, options: WorldOptions = {}): RandomMarket {
  const floorNetting = seed % 2 === 0 ? FloorNetting.ExpiryRight : FloorNetting.Instrument
  const standardIsDefinedRisk = seed > 2
  return new RandomMarket(seed, {
    ...options,
    ...(seed % 2 === 0 ? { fees: fees[(seed / 2) % fees.length] } : {}),
    modes: true,
    standardIsDefinedRisk,
    parameters: { floorNetting },
  })
}
