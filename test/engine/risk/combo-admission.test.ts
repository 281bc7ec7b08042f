import assert from 'node:assert/strict'
import { test } from 'node:test'
import { premiumMicros } from '../../../engine/risk/money.js'
import { type ComboLegTerms, LiquidationGate } from '../../../engine/risk/order-check.js'
import { OrderFlag, Side, Tier } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import {
  call100k,
  call110k,
  call120k,
  detailsOf,
  lots,
  micros,
  type OptionTerms,
  put80k,
  put90k,
  World,
} from './risk-fixture.js'

type Leg = readonly [terms: OptionTerms, contracts: number, price?: number]

interface Judged {
  readonly result: Result
  readonly details: Readonly<Record<string, number>>
}

const week = 7

/** Judges a wallet's side of the legs, by default at their marks; contracts above 0 are bought. */
function judge(
  world: World,
  account: number,
  legs: readonly Leg[],
  options: { readonly liquidation?: number; readonly positionsMax?: number } = {},
): Judged {
  const request = {
    account,
    legs: legs.map((leg) => legOf(world, leg)),
    liquidation: options.liquidation ?? LiquidationGate.Open,
    positionsMax: options.positionsMax ?? -1,
  }
  const before = [world.hash.low, world.hash.high, world.risk.positionsCounted[account]]
  const result = world.risk.checkCombo(request, world.verdict)
  const after = [world.hash.low, world.hash.high, world.risk.positionsCounted[account]]
  assert.deepEqual(after, before)
  return { result, details: detailsOf(result, world.verdict) }
}

function legOf(world: World, [terms, contracts, price]: Leg): ComboLegTerms {
  const instrument = world.list(terms)
  const sizeLots = lots(Math.abs(contracts))
  const priceMicros = price === undefined ? world.marks.markMicros[instrument]! : micros(price)
  return {
    instrument,
    side: contracts > 0 ? Side.Buy : Side.Sell,
    sizeLots,
    priceMicros,
    cashMicros: premiumMicros(priceMicros, sizeLots),
    feeMicros: 0,
  }
}

function worldAt(spot: number, standardIsDefinedRisk = false): World {
  const world = new World({ standardIsDefinedRisk })
  const underlying = world.spot('BTC', spot)
  world.instruments.maxIndexMicros[underlying] = micros(10 * spot)
  return world
}

const spread: readonly Leg[] = [
  [call100k, 1],
  [call110k, -1],
]
const condor: readonly Leg[] = [
  [put80k, 1],
  [put90k, -1],
  [call110k, -1],
  [call120k, 1],
]
for (const [name, legs, needed] of [
  ['long C100k, short C110k', spread, 3583.680213],
  ['short C100k, long C110k', spread.map(([terms, n]) => [terms, -n] as const), 6416.319787],
  ['a condor', condor, 6136.4502],
] as const) {
  test(`defined_risk judges a combo as a whole, with its net premium in cash: ${name} needs ${needed}`, () => {
    const world = worldAt(100_000, true)
    const enough = world.account(needed + 0.000_1)
    const short = world.account(needed - 0.000_1)
    assert.equal(judge(world, enough, legs).result, Result.Accepted)
    assert.notEqual(judge(world, short, legs).result, Result.Accepted)
  })
}

test('defined_risk rejects a combo with a short that no leg of its expiry covers', () => {
  const world = worldAt(100_000, true)
  const account = world.account(1_000_000)
  const near: OptionTerms = { ...call100k, days: week }
  assert.equal(judge(world, account, [[call110k, -1]]).result, Result.NakedShortCalls)
  const late = judge(world, account, [
    [near, -1],
    [call100k, 1],
  ])
  assert.equal(late.result, Result.NakedShortCalls)
  assert.equal(late.details['expiry'], 20_260_000 + week)
  assert.equal(judge(world, account, [[put90k, -1]]).result, Result.NakedShortPuts)
})

test('legs that would each be rejected alone pass as a combo', () => {
  const world = worldAt(100_000)
  const account = world.account(7000)
  assert.equal(judge(world, account, [[call110k, -1]]).result, Result.InsufficientMargin)
  assert.equal(judge(world, account, spread).result, Result.Accepted)
})

test('a rejection states the requirement with and without the combo', () => {
  const world = worldAt(100_000)
  const account = world.account(10_000)
  const { result, details } = judge(world, account, [[call110k, -1]])
  assert.equal(result, Result.InsufficientMargin)
  assert.equal(details['required'], 10_947_954_595)
  assert.equal(details['equity'], 10_000_000_000)
  assert.equal(details['shortfall'], 947_954_595)
  assert.equal(details['consumed_im'], 0)
  assert.equal(details['incremental_mm'], 8_758_363_676)
  assert.ok(details['scenario']! >= 0)
})

test('closing legs that pass alone may fail together: one needs what another gives away', () => {
  const world = worldAt(100_000)
  const account = world.account(0)
  const [low, high, far] = [{ ...call100k, strike: 95_000 }, call100k, call120k]
  for (const [terms, contracts] of [
    [low, -1],
    [high, -1],
    [far, 2],
  ] as const) {
    world.give(account, world.list(terms), contracts)
  }
  const marks = [low, high, far].map((terms) => world.marks.markMicros[world.list(terms)]!)
  const value = -marks[0]! - marks[1]! + 2 * marks[2]!
  world.risk.creditCash(account, 17_142_470_000 - value)
  const one: Leg = [low, 1, 21_986]
  const other: Leg = [high, 1, 18_229]
  assert.equal(judge(world, account, [one]).result, Result.Accepted)
  assert.equal(judge(world, account, [other]).result, Result.Accepted)
  assert.equal(judge(world, account, [one, other]).result, Result.InsufficientCash)
})

test('the possible cost of a risk-reducing order counts against a combo', () => {
  const world = worldAt(100_000)
  const account = world.account(0)
  const low = { ...call100k, strike: 95_000 }
  world.give(account, world.list(low), -1)
  world.give(account, world.list(call100k), -1)
  world.give(account, world.list(call120k), 2)
  const value = [low, call100k].reduce(
    (sum, terms) => sum - world.marks.markMicros[world.list(terms)]!,
    2 * world.marks.markMicros[world.list(call120k)]!,
  )
  world.risk.creditCash(account, 17_142_470_000 - value)
  world.work(account, world.list(low), Side.Buy, 1, 21_986, OrderFlag.Exempt)
  assert.equal(judge(world, account, [[call100k, 1, 18_229]]).result, Result.InsufficientMargin)
  assert.equal(judge(world, account, [[call100k, 1]]).result, Result.Accepted)
})

test('a wallet without cash may only close', () => {
  const world = worldAt(100_000)
  const account = world.account(0)
  world.give(account, world.list(call100k), 2)
  assert.equal(judge(world, account, [[call100k, -1]]).result, Result.Accepted)
  assert.equal(judge(world, account, [[put90k, 1]]).result, Result.NoFunds)
})

test('a combo needs cash for what it buys, whatever the equity', () => {
  const world = worldAt(100_000)
  const account = world.account(1000)
  world.give(account, world.list(call100k), 2)
  assert.equal(judge(world, account, [[put90k, 1]]).result, Result.InsufficientCash)
})

test('a combo cannot spend the cash of working buys', () => {
  const world = worldAt(100_000)
  const account = world.account(10_000)
  world.work(account, world.list(call120k), Side.Buy, 1, 1000)
  assert.equal(judge(world, account, [[call100k, 1, 9000]]).result, Result.Accepted)
  const more = judge(world, account, [[call100k, 1, 9000.000_001]])
  assert.equal(more.result, Result.InsufficientCash)
})

test('the same cash pays the fees of the legs', () => {
  const world = worldAt(100_000)
  const account = world.account(9005)
  const leg = legOf(world, [call100k, 1, 9000])
  for (const [feeMicros, expected] of [
    [micros(5), Result.Accepted],
    [micros(5.000_001), Result.InsufficientCash],
  ] as const) {
    const request = {
      ...{ account, legs: [{ ...leg, feeMicros }] },
      ...{ liquidation: LiquidationGate.Open, positionsMax: -1 },
    }
    assert.equal(world.risk.checkCombo(request, world.verdict), expected)
  }
})

test('in its grace period a wallet may only reduce, and later trade nothing', () => {
  const world = worldAt(100_000)
  const account = world.account(100_000)
  world.give(account, world.list(call110k), -1)
  const closing: readonly Leg[] = [[call110k, 1]]
  const { Closed, ReducingOnly } = LiquidationGate
  const grace = { liquidation: ReducingOnly }
  assert.equal(judge(world, account, closing, grace).result, Result.Accepted)
  const refused = Result.AccountInLiquidation
  assert.equal(judge(world, account, [[call110k, 2]], grace).result, refused)
  assert.equal(judge(world, account, closing, { liquidation: Closed }).result, refused)
})

test('tier1 sells at most its position, less its working sells', () => {
  const world = worldAt(100_000)
  const account = world.account(100_000)
  world.risk.setTier(account, Tier.Tier1)
  world.give(account, world.list(call110k), 2)
  world.work(account, world.list(call110k), Side.Sell, 1, 4000)
  assert.equal(judge(world, account, [[call110k, -1]]).result, Result.Accepted)
  const { result, details } = judge(world, account, [[call110k, -1.5]])
  assert.equal(result, Result.TierLongOnly)
  assert.deepEqual(details, {
    long_position: lots(2),
    working_sells: lots(1),
    order_size: lots(1.5),
  })
})

test('a combo may not take a wallet beyond its number of positions', () => {
  const world = worldAt(100_000)
  const account = world.account(100_000)
  world.give(account, world.list(put80k), 1)
  const turned: readonly Leg[] = [
    [put80k, -1],
    [put90k, 1],
  ]
  assert.equal(judge(world, account, turned, { positionsMax: 1 }).result, Result.Accepted)
  assert.equal(judge(world, account, spread, { positionsMax: 3 }).result, Result.Accepted)
  const { result, details } = judge(world, account, spread, { positionsMax: 2 })
  assert.equal(result, Result.PositionsLimit)
  assert.equal(details['bound'], 2)
})

test('no combo takes a sum of a wallet out of the exact range', () => {
  const world = worldAt(100_000)
  const account = world.account(1_000_000)
  assert.equal(judge(world, account, [[call100k, 1, 1_000_001]]).result, Result.PriceLimit)
  assert.equal(judge(world, account, [[call100k, 5000]]).result, Result.ValueLimit)
  const halves: readonly Leg[] = [
    [call100k, 2500],
    [call110k, -2500],
  ]
  assert.equal(judge(world, account, halves).result, Result.ValueLimit)
})

test('without an index, or the mark of a short, the core rejects a combo', () => {
  const world = worldAt(100_000)
  const account = world.account(1_000_000)
  const leg: Leg = [call110k, -1, 3000]
  const instrument = world.list(call110k)
  world.marks.unmark(instrument)
  const unmarked = judge(world, account, [leg])
  assert.equal(unmarked.result, Result.NoMarkPrice)
  assert.equal(unmarked.details['symbol'], instrument)
  world.marks.indexMicros[0] = Number.NaN
  assert.equal(judge(world, account, [leg]).result, Result.NoSpotPrice)
})
