import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../../engine/state/market/engine-config.js'
import { QuoteBoard } from '../../../../gateway/quotes/quote-board.js'
import { simulateOrdersRoute } from '../../../../gateway/read-model/routes/simulate-orders.js'
import { AnswerCache } from '../../../../gateway/read-model/texts/route-context.js'
import { EventViews } from '../../../../gateway/read-model/views/event-views.js'
import { QueryReader } from '../../../../gateway/wire/query-reader.js'
import { priceMicrosMax } from '../../../../schemas/bounds.js'
import { formatMicros } from '../../../../schemas/decimal.js'
import { HaltMode, MarginMode, Tier } from '../../../../schemas/domain.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { isRejection, Result, resultRows } from '../../../../schemas/results.js'
import { formatAddress } from '../../../../schemas/wallet.js'
import { emptyBoard } from '../../../support/competition-events.js'
import { CoreRig } from '../../../support/core-rig.js'
import { type RigInstrument, walletOf } from '../../../support/rig-commands.js'
import type { RigEvent } from '../../../support/rig-event.js'

// Previews an order, then places it. The preview is admissible exactly if the core accepts the order. Otherwise both have
// the same reason and the same amounts.

const steps = 700
const strikes = [80_000, 90_000, 100_000, 110_000, 120_000]
const sizes = ['0.01', '0.5', '1', '3', '20']
const wallets = [1, 2, 3]
const day = 86_400_000

const fees = {
  makerRate: -0.0001,
  takerRate: 0.0005,
  optionCap: 0.125,
  perpMakerRate: 0.0001,
  perpTakerRate: 0.0005,
  builderShare: 0.5,
}

const models: readonly (readonly [name: string, config: EngineConfig, mode: number])[] = [
  ['standard', engineConfigDefault, MarginMode.Standard],
  ['standard with fees', { ...engineConfigDefault, fees }, MarginMode.Standard],
  ['portfolio', engineConfigDefault, MarginMode.Portfolio],
  [
    'defined_risk',
    { ...engineConfigDefault, standardIsDefinedRisk: true, portfolioModeAllowed: false },
    MarginMode.Standard,
  ],
  [
    'standard with bands',
    { ...engineConfigDefault, bands: { ...engineConfigDefault.bands, enabled: true } },
    MarginMode.Standard,
  ],
  [
    // A contract counts at a billion: a wallet can hold four and a half.
    'at the bound of exact sums',
    { ...engineConfigDefault, maxIndexMicros: { BTC: priceMicrosMax, ETH: priceMicrosMax } },
    MarginMode.Standard,
  ],
]

for (const [name, config, mode] of models) {
  test(`${name}: the preview says what the core then does`, () => {
    const seed = 20_260_729
    const bench = new PreviewBench(config, mode, seed)
    const seen = new Map<number, number>()
    for (let step = 0; step < steps; step++) {
      bench.move()
      const where = `${name}, seed ${seed}, step ${step}`
      const result = bench.compare(where)
      seen.set(result, (seen.get(result) ?? 0) + 1)
    }
    for (const result of wantedResults[name]!) {
      assert.ok(seen.has(result), `${name}: no ${resultRows[result].code} among ${steps} orders`)
    }
  })
}

const common = [
  Result.Accepted,
  Result.NoFunds,
  Result.InsufficientMargin,
  Result.NoSpotPrice,
  Result.TierLongOnly,
  Result.CancelOnly,
  Result.LimitExceeded,
  Result.InvalidSymbol,
]
const wantedResults: Readonly<Record<string, readonly Result[]>> = {
  standard: [...common, Result.InsufficientCash, Result.NoMarkPrice],
  'standard with fees': [...common, Result.InsufficientCash, Result.NoMarkPrice],
  portfolio: [...common, Result.NoMarkPrice],
  defined_risk: [...common, Result.InsufficientCash, Result.NakedShortCalls],
  'at the bound of exact sums': [...common, Result.ValueLimit, Result.InsufficientCash],
  'standard with bands': [...common, Result.OutsidePriceBand, Result.NoMarkPrice],
}

/** A core with a market of two expiries and two underlyings, and the read model that follows it. */
class PreviewBench {
  readonly rig: CoreRig
  readonly views: EventViews
  readonly #config: EngineConfig
  readonly #start: number
  #random: number

  constructor(config: EngineConfig, mode: number, seed: number) {
    this.#config = { ...config, tiers: smallCaps(config) }
    this.#random = seed
    this.rig = new CoreRig(this.#config)
    const { rig } = this
    this.#start = rig.nowMillis
    rig.configure(this.#config)
    this.views = new EventViews(this.#config)
    publishBootstrap(rig.state, () => {})
    for (const underlying of ['BTC', 'ETH']) {
      for (const [strike, right, days] of this.#terms()) {
        rig.list(optionOf(underlying, strike, right, days), this.#start + days * day)
      }
      rig.index(100_000, underlying)
      // The near expiry of ETH has a volatility of its own only later: until then it reads that of the far one.
      for (const days of underlying === 'BTC' ? [1, 30] : [30]) {
        rig.surface(0.6, underlying, this.#start + days * day)
      }
    }
    // Without an input at all there is no mark.
    rig.list(optionOf('XRP', 110_000, 0, 30), this.#start + 30 * day)
    rig.index(100_000, 'XRP')
    rig.list(optionOf('SOL', 110_000, 0, 30), this.#start + 30 * day)
    for (const wallet of wallets) rig.deposit(wallet, 30_000 * wallet)
    rig.deposit(9, 50_000_000)
    rig.tier(9, Tier.MarketMaker)
    for (const wallet of wallets) rig.marginMode(wallet, mode)
    rig.run()
    this.#follow()
  }

  /** Lets the market move, and now and then somebody's tier, orders or halts. */
  move(): void {
    const { rig } = this
    rig.nowMillis += this.#below(30)
    const kind = this.#below(24)
    if (kind === 0) rig.index(80_000 + this.#below(40_000), 'BTC')
    else if (kind === 1) rig.surface(0.4 + this.#below(60) / 100, 'BTC', this.#start + 30 * day)
    else if (kind === 2) rig.halt(this.#below(3) === 0 ? HaltMode.CancelOnly : 0, 'ETH')
    else if (kind === 3) rig.tier(3, [Tier.Tier1, Tier.Default, Tier.Tier2][this.#below(3)]!)
    else if (kind < 7) {
      // Somebody takes the best order, so that wallets get positions.
      const side = this.#below(2) === 0 ? 'Buy' : 'Sell'
      const price = side === 'Buy' ? '90000' : '1'
      rig.place({ wallet: 9, side, price, size: '2', tif: 'ioc', instrument: this.#option() })
    }
    rig.run()
    this.#follow()
  }

  /** @returns the core's verdict, which the preview foretold. */
  compare(where: string): number {
    const instrument = this.#option()
    const wallet = [...wallets, 8][this.#below(20) === 0 ? 3 : this.#below(3)]!
    const order = {
      wallet,
      side: this.#below(2) === 0 ? 'Buy' : 'Sell',
      size: sizes[this.#below(sizes.length)]!,
      price: String(10 * (1 + this.#below(900))),
      instrument,
    } as const
    const data = this.#preview(order)
    const request = this.rig.place(order)
    const outcome = this.#follow(this.rig.run()).find(
      ({ type, fields }) => type === EventType.Outcome && fields['request'] === request,
    )!.fields
    const result = outcome['result'] as Result
    const isRefused = isRejection(result) && outcome['orderId'] === 0
    const isAccepted = !isRefused && result !== Result.LimitExceeded
    const shown = `${where}: ${JSON.stringify({ order, data, result })}`
    assert.equal(data.admissible, isAccepted, shown)
    if (isAccepted) {
      assert.equal(data.rejection_reason, null, shown)
      return Result.Accepted
    }
    assert.ok(data.rejection_reason.startsWith(textOf(result)), shown)
    if (result === Result.OutsidePriceBand) {
      const limits = [0, 1].map((place) => formatMicros(outcome[`detail${place}`]!))
      const text = `Price outside band: ${limits.join(' to ')}`
      assert.equal(data.rejection_reason, text, shown)
    }
    if (result === Result.ValueLimit) {
      const [used, bound, cost, cash] = [0, 1, 2, 3].map((place) =>
        formatMicros(outcome[`detail${place}`]!),
      )
      const first = `the order costs ${cost} (price times size), and the wallet has ${cash} in cash. `
      assert.ok(data.rejection_reason.startsWith(`Limit exceeded: ${first}`), shown)
      assert.ok(data.rejection_reason.endsWith(`${used} now and must stay below ${bound}`), shown)
    }
    if (result === Result.InsufficientMargin) {
      const micros = (place: number) => formatMicros(outcome[`detail${place}`]!)
      const names = ['required', 'equity', 'shortfall', 'consumed_im', 'incremental_im']
      const amounts = [...names, 'consumed_mm', 'incremental_mm']
      const text = amounts.map((amount, place) => `${amount}=${micros(place)}`).join(', ')
      assert.equal(data.rejection_reason, `Insufficient margin: ${text}`, shown)
      for (const [place, amount] of amounts.entries()) {
        if (amount !== 'shortfall') assert.equal(data[amount], micros(place), `${amount}: ${shown}`)
      }
    }
    return result
  }

  // biome-ignore lint/suspicious/noExplicitAny: a parsed answer, whose shape the test is about
  #preview(order: { wallet: number; instrument: RigInstrument }): any {
    const { instrument, wallet, ...terms } = order
    const symbol = symbolOf(instrument)
    const body = { wallet: formatAddress(walletOf(wallet), 0), orders: [{ ...terms, symbol }] }
    const config = {
      engine: this.#config,
      testnet: true,
      minTradeLots: 1,
      chainMillis: 250,
      refusesUnknown: false,
    }
    const { nowMillis } = this.rig
    const answer = simulateOrdersRoute.answer(new QueryReader('', false, JSON.stringify(body)), {
      views: this.views,
      config,
      cache: new AnswerCache(),
      quotes: new QuoteBoard(),
      standings: emptyBoard(),
      nowMillis,
      arrivedMillis: nowMillis,
    })
    assert.equal(answer.status, 200, answer.body)
    return JSON.parse(answer.body).data
  }

  #follow(rig = this.rig): readonly RigEvent[] {
    return rig.eventsFor((event) => this.views.apply(event))
  }

  #option(): RigInstrument {
    const rare = this.#below(30)
    if (rare === 0) return optionOf('BTC', 77_000, 0, 30)
    if (rare === 1) return optionOf('SOL', 110_000, 0, 30)
    if (rare === 2) return optionOf('XRP', 110_000, 0, 30)
    const terms = this.#terms()
    const [strike, right, days] = terms[this.#below(terms.length)]!
    return optionOf(this.#below(3) === 0 ? 'ETH' : 'BTC', strike, right, days)
  }

  #terms(): (readonly [strike: number, right: number, days: number])[] {
    return strikes.flatMap((strike) =>
      [0, 1].flatMap((right) => [1, 30].map((days) => [strike, right, days] as const)),
    )
  }

  #below(count: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) | 0
    return (this.#random >>> 8) % count
  }
}

/** Caps that a run meets: but not the long-only tier's, which would hide what it is about. */
function smallCaps({ tiers }: EngineConfig): EngineConfig['tiers'] {
  return tiers.map((limits, tier) =>
    tier === Tier.Default ? { ...limits, openOrdersMax: 40, positionsMax: 12 } : limits,
  )
}

function optionOf(underlying: string, strike: number, right: number, days: number): RigInstrument {
  return { underlying, strike, right, expiryDate: days === 1 ? 20_260_102 : 20_260_131 }
}

function symbolOf({ underlying, strike, right, expiryDate }: RigInstrument): string {
  return `${underlying}-${expiryDate}-${strike}-${right === 0 ? 'C' : 'P'}`
}

/** Text of a refusal up to its first value. */
function textOf(result: Result): string {
  return resultRows[result].text.split('{')[0]!
}
