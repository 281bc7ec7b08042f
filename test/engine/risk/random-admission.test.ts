import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Side } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { isLongRun } from '../../support/long-test.js'
import { naiveCheck } from './naive-admission.js'
import type { NaiveOrder, NaiveWallet } from './naive-margin.js'
import { accounts, mixedMarket, type RandomMarket } from './random-market.js'
import { detailsOf } from './risk-fixture.js'

for (const seed of isLongRun ? [1, 2, 3, 4] : [1]) {
  test(`the core admits and rejects orders like the checks of the naive model, seed ${seed}`, () => {
    const market = mixedMarket(seed)
    const seen = new Set<string>()
    for (let step = 0; step < 300; step++) {
      market.step()
      seen.add(String(checkAsNaive(market, `seed ${seed}, step ${step}`)))
    }
    // Cash, index, marks, margin, and accepted orders.
    assert.ok(seen.size >= 5, `seed ${seed}: only ${[...seen]}`)
  })
}

for (const seed of isLongRun ? [1, 2, 3] : [1]) {
  test(`the core also does so with price bands, seed ${seed}`, () => {
    // So narrow that random prices are on either side of both limits, and of those twice as far.
    const bands = { enabled: true, spotShift: 0.01, volShift: 0.01, minHalfWidth: 0.0001 }
    const market = mixedMarket(seed, { bands })
    const seen = new Set<string>()
    for (let step = 0; step < 300; step++) {
      market.step()
      seen.add(String(checkAsNaive(market, `bands, seed ${seed}, step ${step}`)))
    }
    for (const result of [Result.Accepted, Result.OutsidePriceBand, Result.NoMarkPrice]) {
      assert.ok(seen.has(String(result)), `seed ${seed}: only ${[...seen]}`)
    }
  })
}

/** Checks a random order of a random wallet, and a margin rejection again with exactly the missing cash. */
function checkAsNaive(market: RandomMarket, context: string): unknown {
  const { world, uniform, wallets } = market
  const account = Math.floor(uniform() * accounts)
  const wallet = wallets[account]
  if (uniform() < 0.5) market.credit(account, Math.floor(uniform() * 1e11) - wallet.cashMicros)
  const missing = uniform() < 0.05 ? Math.floor(uniform() * 3) : -1
  const spot = world.marks.indexMicros[missing]
  if (missing >= 0) world.marks.indexMicros[missing] = Number.NaN
  const [order, replaced] = randomOrder(market, wallet)
  const { result, shortfall } = assertCheck(market, account, order, replaced, context)
  if (result === Result.InsufficientMargin) {
    market.credit(account, shortfall)
    assertCheck(market, account, order, replaced, `${context}, funded`)
    market.credit(account, -1)
    assertCheck(market, account, order, replaced, `${context}, a micro short`)
  }
  if (missing >= 0) world.marks.indexMicros[missing] = spot
  return result
}

/** Returns an order: half of them against a position, often to the last lot, and some in place of a working order. */
function randomOrder(market: RandomMarket, wallet: NaiveWallet): [NaiveOrder, number] {
  const { world, uniform } = market
  const held = [...wallet.positions].filter(([, size]) => size !== 0)
  let instrument = market.pick()
  let side: number = uniform() < 0.5 ? Side.Buy : Side.Sell
  let sizeLots = 1 + Math.floor(uniform() * 3e8)
  if (held.length > 0 && uniform() < 0.5) {
    const [id, size] = held[Math.floor(uniform() * held.length)]
    instrument = id
    side = size < 0 ? Side.Buy : Side.Sell
    sizeLots = uniform() < 0.5 ? Math.abs(size) : Math.min(sizeLots, Math.abs(size))
  }
  const mark = world.marks.markMicros[instrument]
  const near = Number.isNaN(mark) ? 1e9 : mark
  const priceMicros = 1 + Math.floor(near * (0.8 + 0.4 * uniform()))
  const replaceable = [...wallet.slots].filter(
    (slot) => world.orders.instrument[slot] === instrument,
  )
  const replaced = uniform() < 0.3 ? (replaceable[0] ?? -1) : -1
  return [{ instrument, side, sizeLots, priceMicros }, replaced]
}

function assertCheck(
  { world, wallets }: RandomMarket,
  account: number,
  order: NaiveOrder,
  replaced: number,
  context: string,
): { result: number; shortfall: number } {
  const { risk, request, verdict } = world
  const expected = naiveCheck(world, account, wallets[account], order, replaced)
  Object.assign(request, order, { account, replacedSlot: replaced })
  const result = risk.checkOrder(request, verdict)
  const details = detailsOf(result, verdict)
  const naked = [Result.NakedShortCalls, Result.NakedShortPuts] as number[]
  assert.equal(naked.includes(result) ? 'naked' : result, expected.result, context)
  if (expected.reducesRisk !== undefined) {
    assert.equal(verdict.reducesRisk, expected.reducesRisk, `${context}: risk-reducing`)
  }
  if (expected.limits !== undefined) {
    assert.deepEqual([details.lower, details.upper], expected.limits, context)
  }
  if (expected.amounts !== undefined) {
    const names = Object.keys(expected.amounts) as (keyof typeof expected.amounts)[]
    for (const name of names) {
      assert.equal(BigInt(details[name]), expected.amounts[name], `${context}: ${name}`)
    }
  }
  return { result, shortfall: details.shortfall ?? 0 }
}
