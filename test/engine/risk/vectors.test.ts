import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FloorNetting } from '../../../engine/pricing/scenarios.js'
import { BookView, Requirement } from '../../../engine/risk/margin-model.js'
import { MarginSummary } from '../../../engine/risk/order-check.js'
import { lotsPerContract, microsPerUsd } from '../../../schemas/bounds.js'
import { MarginMode, Side, scenarioKindNames } from '../../../schemas/domain.js'
import {
  marginBounds,
  Result,
  resultRows,
  resultText,
  scenariosPerModel,
} from '../../../schemas/results.js'
import { readProjectJson } from '../../support/project.js'
import { lots, micros, type OptionTerms, World } from './risk-fixture.js'

interface Leg extends OptionTerms {
  readonly size: number
}

interface DefinedLeg extends Leg {
  readonly price: number
}

interface Vectors {
  readonly tolerances: { readonly margin_usd_per_contract: number }
  readonly margin: {
    readonly defined_risk: readonly {
      readonly id: string
      readonly name: string
      readonly legs: readonly DefinedLeg[]
      readonly max_loss: number | null
      readonly naked_short: boolean
      readonly own_funds_needed: number | null
    }[]
    readonly standard: readonly {
      readonly id: string
      readonly name: string
      readonly spot: Readonly<Record<string, number>>
      readonly legs: readonly Leg[]
      readonly per_underlying: Readonly<
        Record<
          string,
          {
            readonly worst_scenario: string
            readonly uncovered_short: number
            readonly initial_margin: number
            readonly maintenance_margin: number
          }
        >
      >
      readonly initial_margin: number
      readonly maintenance_margin: number
    }[]
    readonly portfolio: readonly {
      readonly id: string
      readonly name: string
      readonly spot: Readonly<Record<string, number>>
      readonly legs: readonly Leg[]
      readonly perps?: Readonly<Record<string, number>>
      readonly worst: Readonly<Record<string, { readonly id: string; readonly raw_pnl: number }>>
      readonly scanning_risk: number
      readonly option_floor: number
      readonly option_floor_expiry_right: number
      readonly gamma_overlay: number
      readonly initial_margin: number
      readonly maintenance_margin: number
    }[]
    readonly open_orders: readonly {
      readonly id: string
      readonly name: string
      readonly model: string
      readonly spot: Readonly<Record<string, number>>
      readonly positions: readonly Leg[]
      readonly orders: readonly (Leg & { readonly side: string; readonly price: number })[]
      readonly position_initial_margin: number
      readonly initial_margin_with_sells: number
      readonly premium_reserved: number
      readonly slippage_reserved: number
      readonly open_orders_initial_margin: number
    }[]
    readonly rejection: readonly {
      readonly id: string
      readonly cash: string
      readonly order: { readonly side: string; readonly size: string; readonly price: string }
      readonly instrument: OptionTerms
      readonly spot: number
      readonly scenario: { readonly kind: string; readonly id: string }
      readonly bound_by: string
      readonly reason: string
    }[]
    readonly perps: readonly {
      readonly id: string
      readonly size: string
      readonly entry_price: string
      readonly mark_price: string
      readonly working_buys: string
      readonly working_sells: string
      readonly unrealized_pnl: string
      readonly position_initial_margin: string
      readonly position_maintenance_margin: string
      readonly initial_margin_with_orders: string
    }[]
    readonly equity: readonly {
      readonly id: string
      readonly cash: string
      readonly positions: readonly { readonly mark: string; readonly size: string }[]
      readonly perp_unrealized_pnl: string
      readonly equity: string
    }[]
  }
}

const { margin, tolerances } = readProjectJson<Vectors>('test/vectors/options.json')
const summary = new MarginSummary()

function near(actualMicros: number, expected: number, contracts: number, what: string): void {
  const tolerance = tolerances.margin_usd_per_contract * Math.max(1, contracts)
  const actual = actualMicros / microsPerUsd
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`)
}

function contractsOf(legs: readonly { readonly size: number }[]): number {
  return legs.reduce((sum, leg) => sum + Math.abs(leg.size), 0)
}

function worldOf(spots: Readonly<Record<string, number>>, world = new World()): World {
  for (const [name, price] of Object.entries(spots)) world.spot(name, price)
  return world
}

/** Opens perps at their mark, so that they have gained nothing. */
function holdPerps(world: World, account: number, sizes: Readonly<Record<string, number>> = {}) {
  for (const [name, size] of Object.entries(sizes)) {
    const underlying = world.instruments.findUnderlying(name)
    const spot = world.marks.indexMicros[underlying] / microsPerUsd
    world.fill(account, world.listPerp(name), size, spot)
  }
}

/** Returns the requirement of an account's only bucket in an underlying, positions alone. */
function measure(world: World, account: number, name: string): Requirement {
  const { risk } = world
  const underlying = world.instruments.findUnderlying(name)
  const out = new Requirement()
  let bucket = risk.firstBucket[account]
  while (bucket >= 0 && risk.buckets.underlying[bucket] !== underlying) {
    bucket = risk.buckets.nextInAccount[bucket]
  }
  if (bucket >= 0) risk.modelOf(account).measure(bucket, new BookView(), out)
  return out
}

for (const vector of margin.standard) {
  test(`the standard model matches ${vector.id} ${vector.name}`, () => {
    const world = worldOf(vector.spot)
    const account = world.account(1_000_000)
    for (const leg of vector.legs) world.give(account, world.list(leg), leg.size)
    const contracts = contractsOf(vector.legs)
    world.risk.summarize(account, summary)
    near(summary.positionIm, vector.initial_margin, contracts, 'initial margin')
    near(summary.positionMm, vector.maintenance_margin, contracts, 'maintenance margin')
    for (const [name, expected] of Object.entries(vector.per_underlying)) {
      const requirement = measure(world, account, name)
      near(requirement.imMicros, expected.initial_margin, contracts, `${name} initial`)
      near(requirement.mmMicros, expected.maintenance_margin, contracts, `${name} maintenance`)
      assert.equal(requirement.uncoveredLots / lotsPerContract, expected.uncovered_short)
      if (requirement.imMicros === 0) continue
      const worst = world.parameters.standardScenarios[requirement.scenario]
      assert.equal(worst.id, expected.worst_scenario)
    }
  })
}

for (const vector of margin.portfolio) {
  test(`the portfolio model matches ${vector.id} ${vector.name}`, () => {
    const world = worldOf(vector.spot)
    const account = world.account(1_000_000)
    world.risk.setMarginMode(account, MarginMode.Portfolio)
    for (const leg of vector.legs) world.give(account, world.list(leg), leg.size)
    holdPerps(world, account, vector.perps)
    const contracts = contractsOf(vector.legs)
    world.risk.summarize(account, summary)
    assert.equal(summary.perpIm, 0)
    near(summary.scanningRisk, vector.scanning_risk, contracts, 'scanning risk')
    near(summary.optionFloor, vector.option_floor, contracts, 'option floor')
    near(summary.gammaOverlay, vector.gamma_overlay, contracts, 'gamma overlay')
    near(summary.positionIm, vector.initial_margin, contracts, 'initial margin')
    near(summary.positionMm, vector.maintenance_margin, contracts, 'maintenance margin')
    for (const [name, expected] of Object.entries(vector.worst)) {
      const { scenario, scanningMicros } = measure(world, account, name)
      if (scenario < 0) continue
      const { id, weightPermille } = world.parameters.portfolioScenarios[scenario]
      assert.equal(id, expected.id)
      near(-(scanningMicros * 1000) / weightPermille, expected.raw_pnl, contracts, 'raw PnL')
    }
  })

  test(`the portfolio's option floor by expiry and right matches ${vector.id}`, () => {
    const netting = { floorNetting: FloorNetting.ExpiryRight }
    const world = worldOf(vector.spot, new World({ parameters: netting }))
    const account = world.account(1_000_000)
    world.risk.setMarginMode(account, MarginMode.Portfolio)
    for (const leg of vector.legs) world.give(account, world.list(leg), leg.size)
    holdPerps(world, account, vector.perps)
    world.risk.summarize(account, summary)
    const expected = vector.option_floor_expiry_right
    near(summary.optionFloor, expected, contractsOf(vector.legs), 'option floor')
  })
}

for (const vector of margin.open_orders) {
  test(`the reserve of open orders matches ${vector.id} ${vector.name}, ${vector.model}`, () => {
    const world = worldOf(vector.spot)
    const account = world.account(1_000_000)
    if (vector.model === 'portfolio') world.risk.setMarginMode(account, MarginMode.Portfolio)
    for (const leg of vector.positions) world.give(account, world.list(leg), leg.size)
    for (const order of vector.orders) {
      const side = order.side === 'Buy' ? Side.Buy : Side.Sell
      world.work(account, world.list(order), side, order.size, order.price)
    }
    const contracts = contractsOf([...vector.positions, ...vector.orders])
    world.risk.summarize(account, summary)
    near(summary.positionIm, vector.position_initial_margin, contracts, 'position margin')
    near(summary.premiumReserved, vector.premium_reserved, contracts, 'premium')
    near(summary.openOrdersIm, vector.open_orders_initial_margin, contracts, 'open orders')
    const withSells =
      summary.totalMarginUsed - micros(vector.premium_reserved + vector.slippage_reserved)
    near(withSells, vector.initial_margin_with_sells, contracts, 'margin with sells')
  })
}

for (const vector of margin.rejection) {
  test(`the rejection matches ${vector.id} to the last micro`, () => {
    const world = worldOf({ BTC: vector.spot })
    const account = world.account(Number(vector.cash))
    const { side, size, price } = vector.order
    const instrument = world.list(vector.instrument)
    const orderSide = side === 'Buy' ? Side.Buy : Side.Sell
    const result = world.check(account, instrument, orderSide, Number(size), Number(price))
    assert.equal(result, Result.InsufficientMargin)
    const { details } = world
    const amounts = [
      details.required,
      details.equity,
      details.shortfall,
      details.consumed_im,
      details.incremental_im,
      details.consumed_mm,
      details.incremental_mm,
    ]
    const names = resultRows[Result.InsufficientMargin].details ?? []
    const texts: [string, string][] = amounts.map((amount, place) => [
      names[place].name,
      String(amount / microsPerUsd),
    ])
    assert.equal(resultText(Result.InsufficientMargin, Object.fromEntries(texts)), vector.reason)
    const { id, kind } = world.parameters.standardScenarios[details.scenario % scenariosPerModel]
    assert.deepEqual({ kind: scenarioKindNames[kind], id }, vector.scenario)
    assert.equal(marginBounds[details.bound_by], vector.bound_by)
  })
}

for (const vector of margin.defined_risk) {
  test(`the defined-risk model matches ${vector.id} ${vector.name}`, () => {
    const world = worldOf({ BTC: 100_000 }, new World({ standardIsDefinedRisk: true }))
    const account = world.account(0)
    for (const leg of vector.legs) {
      world.fill(account, world.list({ ...leg, iv: 0.6 }), leg.size, leg.price)
    }
    world.risk.summarize(account, summary)
    const naked = measure(world, account, 'BTC').uncoveredLots > 0
    assert.equal(naked, vector.naked_short)
    if (vector.max_loss === null || vector.own_funds_needed === null) return
    const contracts = contractsOf(vector.legs)
    near(summary.cash - summary.available, vector.max_loss, contracts, 'max loss')
    near(-summary.available, vector.own_funds_needed, contracts, 'own funds needed')
    assert.equal(summary.positionIm, summary.positionMm)
    assert.equal(summary.available, summary.equity - summary.totalMarginUsed)
  })
}

for (const vector of margin.perps) {
  test(`the perp margin matches ${vector.id}`, () => {
    const world = worldOf({ BTC: Number(vector.mark_price) })
    const account = world.account(1_000_000)
    const perp = world.listPerp('BTC')
    world.fill(account, perp, Number(vector.size), Number(vector.entry_price))
    world.risk.summarize(account, summary)
    const { equity, cash } = summary
    assert.equal(cash, micros(1_000_000))
    assert.equal(equity - cash, micros(Number(vector.unrealized_pnl)))
    assert.equal(summary.unrealized, micros(Number(vector.unrealized_pnl)))
    assert.equal(summary.positionIm, micros(Number(vector.position_initial_margin)))
    assert.equal(summary.positionMm, micros(Number(vector.position_maintenance_margin)))
    assert.equal(summary.perpIm, summary.positionIm)
    for (const [side, text] of [
      [Side.Buy, vector.working_buys],
      [Side.Sell, vector.working_sells],
    ] as const) {
      if (Number(text) > 0) world.work(account, perp, side, Number(text), Number(vector.mark_price))
    }
    world.risk.summarize(account, summary)
    assert.equal(summary.totalMarginUsed, micros(Number(vector.initial_margin_with_orders)))
  })
}

for (const vector of margin.equity) {
  test(`the equity matches ${vector.id}`, () => {
    const world = worldOf({ BTC: 100_000 })
    const account = world.account(Number(vector.cash))
    for (const [place, position] of vector.positions.entries()) {
      const strike = 100_000 + 10_000 * place
      const instrument = world.list({ right: 'call', strike, days: 30, iv: 0.6 })
      world.marks.markMicros[instrument] = micros(Number(position.mark))
      world.give(account, instrument, Number(position.size))
    }
    const profit = Number(vector.perp_unrealized_pnl)
    if (profit !== 0) world.fill(account, world.listPerp('BTC'), 1, 100_000 - profit)
    world.risk.summarize(account, summary)
    assert.equal(summary.equity, micros(Number(vector.equity)))
  })
}

test('the position alone has the margin of its own book', () => {
  const world = worldOf({ BTC: 100_000 })
  const account = world.account(1_000_000)
  const first = margin.standard[0].legs[0]
  const instrument = world.list(first)
  world.give(account, instrument, first.size)
  const out = { imMicros: 0, mmMicros: 0 }
  world.risk.positionMargin(world.risk.findExposure(account, instrument), out)
  near(out.imMicros, margin.standard[0].initial_margin, 1, 'initial margin')
  near(out.mmMicros, margin.standard[0].maintenance_margin, 1, 'maintenance margin')
  assert.equal(lots(1), lotsPerContract)
})
