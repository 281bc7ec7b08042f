import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProjectJson } from '../support/project.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { dateText } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import type { Wire } from './support/venue.js'

// The worked examples of surfaces and prices, run by an outside client: index and surface enter over the operator
// interface, and prices appear in /options-summary and the options chain. Time passes during the test, hence the tolerance.

interface Option {
  readonly right: 'call' | 'put'
  readonly spot: number
  readonly forward: number | null
  readonly strike: number
  readonly days: number
  readonly rate: number
}

interface PricingExample extends Option {
  readonly id: string
  readonly iv: number
  readonly price: number
  readonly delta: number
  readonly gamma: number
  readonly vega_1pt: number
  readonly theta_1d: number
  readonly cash: Readonly<Record<string, number>>
}

interface VolatilityExample extends Option {
  readonly id: string
  readonly price: number
  readonly iv: number | null
}

interface StrikeVolatility {
  readonly strike: number
  readonly iv: number
}

interface SurfaceExamples {
  readonly svi: readonly {
    readonly svi: Readonly<Record<string, number>>
    readonly forward: number
    readonly t_ref_years: number
    readonly points: readonly StrikeVolatility[]
  }[]
  readonly points: readonly {
    readonly forward: number
    readonly points: readonly StrikeVolatility[]
    readonly expect: readonly StrikeVolatility[]
  }[]
  readonly between_expiries: readonly {
    readonly days_1: number
    readonly iv_1: number
    readonly days_2: number
    readonly iv_2: number
    readonly days: number
    readonly iv: number
  }[]
}

const examples = readProjectJson<{
  pricing: readonly PricingExample[]
  implied_volatility: readonly VolatilityExample[]
  surface: SurfaceExamples
}>('test/vectors/options.json')

const relative = 0.01
const daySeconds = 86_400
const startSeconds = Math.floor(Date.now() / 1000)
const venue = sharedVenue()
const { fundedWallet, place } = orderActions(venue, '')
/** Each underlying has one index and surface: examples with others use another underlying. */
const underlyings = new Set<string>()

/** Examples with their own rates and forwards need another configuration; those at expiry need no live market. */
function isLive({ forward, rate, days }: Option): boolean {
  return forward === null && rate === 0 && days >= 1
}

async function spot(underlying: string, price: number): Promise<void> {
  if (underlyings.has(underlying)) return
  underlyings.add(underlying)
  await venue.set('/index-prices', { prices: [{ underlying, price: String(price) }] })
}

async function list(underlying: string, days: number, strike: number, right: 'call' | 'put') {
  const symbol = `${underlying}-${dateText(days)}-${strike}-${right === 'call' ? 'C' : 'P'}`
  await venue.set('/instruments', { symbol, expiry: expiryOf(days) })
  return symbol
}

function expiryOf(days: number): number {
  return startSeconds + days * daySeconds
}

function flat(underlying: string, days: number, iv: number): Promise<Wire> {
  const points = [{ strike: '100', iv: String(iv) }]
  return venue.set('/vol-surfaces', { underlying, expiry: expiryOf(days), points })
}

async function summary(underlying: string): Promise<Map<string, Wire>> {
  const { result } = await venue.read(`/options-summary?currency=${underlying}`)
  return new Map(result.map((row: Wire) => [row.instrument_name, row]))
}

/** Returns the options chain's legs by symbol, from the first row that shows each. */
async function chainLegs(symbols: readonly string[]): Promise<Map<string, Wire>> {
  const peer = await StreamPeer.open(venue)
  const legs = new Map<string, Wire>()
  await peer.subscribe('options_chain', { symbols })
  const legsOf = (row: Wire) => [row?.call, row?.put].filter((leg) => leg !== undefined)
  await peer.until('all rows', () => {
    for (const { row } of peer.ofType('OptionsChainUpdate')) {
      for (const leg of legsOf(row)) legs.set(leg.symbol, leg)
    }
    return symbols.every((symbol) => legs.has(symbol))
  })
  peer.close()
  return legs
}

function near(found: number, wanted: number, what: string, tolerance = relative): void {
  const gap = Math.abs(found - wanted)
  // Tails far below a micro count as equal to zero.
  assert.ok(gap <= tolerance * Math.abs(wanted) + 1e-12, `${what}: ${found} is not near ${wanted}`)
}

test('the summary and the chain show Black-76 prices and greeks, absolute and in cash', async () => {
  const rows = examples.pricing.filter((row) => isLive(row) && row.iv > 0)
  assert.ok(rows.length >= 14)
  const symbols: string[] = []
  for (const { right, spot: index, strike, days, iv } of rows) {
    const underlying = `S${index}D${days}V${Math.round(iv * 1000)}`
    await spot(underlying, index)
    symbols.push(await list(underlying, days, strike, right))
    await flat(underlying, days, iv)
  }
  const legs = await chainLegs(symbols)
  for (const [place, example] of rows.entries()) {
    const symbol = symbols[place]!
    const row = (await summary(symbol.split('-')[0]!)).get(symbol)
    const { id, price, delta, gamma, vega_1pt: vega, theta_1d: theta, cash } = example
    near(row.mark_iv, example.iv, `${id} mark_iv`, 1e-12)
    assert.ok(
      Math.abs(row.mark_price - price) <= 1e-6 + relative * price,
      `${id}: ${row.mark_price}`,
    )
    assert.equal(row.theoretical_price, row.mark_price)
    assert.equal(row.underlying_price, example.spot)
    const { greeks_abs: absolute, greeks_cash: dollars } = legs.get(symbol)
    for (const shown of [row.greeks, absolute]) {
      for (const [name, wanted] of Object.entries({ delta, gamma, vega, theta })) {
        near(shown[name], wanted, `${id} ${name}`)
      }
    }
    assert.deepEqual(Object.keys(dollars).sort(), Object.keys(cash).sort())
    for (const [name, wanted] of Object.entries(cash)) near(dollars[name], wanted, `${id} ${name}`)
    assert.ok(
      Math.abs(row.greeks.rho - rhoOf(example)) <= 1e-6 + relative * Math.abs(row.greeks.rho),
      id,
    )
  }
})

/** Returns USD per 0.01 of the rate, by finite differences of the price; the forward moves with the rate. */
function rhoOf({ right, spot: index, strike, iv, days }: PricingExample): number {
  const years = days / 365
  const priceAt = (rate: number) => {
    const forward = index * Math.exp(rate * years)
    const v = iv * Math.sqrt(years)
    const d1 = Math.log(forward / strike) / v + v / 2
    const sign = right === 'call' ? 1 : -1
    const value = forward * normal(sign * d1) - strike * normal(sign * (d1 - v))
    return Math.exp(-rate * years) * sign * value
  }
  return (priceAt(1e-4) - priceAt(-1e-4)) / 2e-2
}

/** Returns the standard normal distribution, summed over its density: slow, but independent of our code. */
function normal(x: number): number {
  const steps = 4000
  const width = Math.abs(x) / steps
  let sum = 0
  for (let step = 0; step < steps; step++) {
    const middle = (step + 0.5) * width
    sum += Math.exp((-middle * middle) / 2)
  }
  return 0.5 + (Math.sign(x) * sum * width) / Math.sqrt(2 * Math.PI)
}

test('a bid has the computed implied volatility, or null or no field if none exists', async () => {
  const rows = examples.implied_volatility.filter((row) => isLive(row) && row.price > 0)
  assert.ok(rows.some(({ iv }) => iv === null) && rows.some(({ iv }) => iv !== null))
  const by = await fundedWallet('1000000000')
  await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
  const symbols: string[] = []
  const bids: number[] = []
  for (const { id, right, spot: index, strike, days, price } of rows) {
    const underlying = `I${id.toUpperCase()}`
    await spot(underlying, index)
    const symbol = await list(underlying, days, strike, right)
    symbols.push(symbol)
    // Valid prices have five figures: rounding takes at most 1e-4 of the price.
    const bid = Number(price.toPrecision(5))
    bids.push(bid)
    const placed = await place(by, { symbol, price: String(bid) })
    assert.equal(placed.status, 'ACKED', JSON.stringify(placed))
  }
  const legs = await chainLegs(symbols)
  for (const [place, { id, iv, price }] of rows.entries()) {
    const leg = legs.get(symbols[place]!)
    const row = (await summary(`I${id.toUpperCase()}`)).get(symbols[place]!)
    assert.deepEqual([leg.bid_price_usd, row.bid_price], [bids[place], bids[place]])
    assert.deepEqual([leg.ask_price_usd, leg.ask_iv, row.ask_price], [null, null, 0])
    if (iv === null) {
      assert.equal(leg.bid_iv, null, id)
      assert.equal('bid_iv' in row, false, id)
    } else if (bids[place] === price || iv < 1) {
      near(leg.bid_iv, iv, `${id} on the chain`)
      near(row.bid_iv, iv, `${id} in the summary`)
    }
  }
})

test('a surface of points is linear in variance over log strike, and flat outside', async () => {
  for (const [place, { forward, points, expect }] of examples.surface.points.entries()) {
    const underlying = `POINTS${place}`
    await spot(underlying, forward)
    for (const { strike } of expect) await list(underlying, 30, strike, 'call')
    const texts = points.map(({ strike, iv }) => ({ strike: String(strike), iv: String(iv) }))
    await venue.set('/vol-surfaces', { underlying, expiry: expiryOf(30), points: texts })
    await assertSmile(underlying, expect, 1e-9)
  }
})

test('an SVI surface keeps the total variance of its fit', async () => {
  for (const [place, { svi, forward, t_ref_years, points }] of examples.surface.svi.entries()) {
    const underlying = `SVI${place}`
    const days = t_ref_years * 365
    await spot(underlying, forward)
    for (const { strike } of points) await list(underlying, days, strike, 'put')
    await venue.set('/vol-surfaces', { underlying, expiry: expiryOf(days), svi })
    await assertSmile(underlying, points, 1e-3)
  }
})

test('an expiry without a surface interpolates between its neighbours, and uses the nearest beyond them', async () => {
  for (const [place, row] of examples.surface.between_expiries.entries()) {
    const underlying = `TERM${place}`
    await spot(underlying, 100_000)
    for (const days of [row.days_1, row.days, row.days_2]) {
      await list(underlying, days, 100_000, 'call')
    }
    await flat(underlying, row.days_1, row.iv_1)
    await flat(underlying, row.days_2, row.iv_2)
    const rows = [...(await summary(underlying)).values()]
    const found = rows.find((each) => each.expiration_timestamp === expiryOf(row.days) * 1000)
    near(found.mark_iv, row.iv, `${row.days} days`, 1e-3)
  }
})

async function assertSmile(
  underlying: string,
  expect: readonly StrikeVolatility[],
  tolerance: number,
): Promise<void> {
  const rows = [...(await summary(underlying)).values()]
  for (const { strike, iv } of expect) {
    const row = rows.find(({ instrument_name: name }) => name.split('-')[2] === String(strike))
    near(row.mark_iv, iv, `${underlying} ${strike}`, tolerance)
  }
}
