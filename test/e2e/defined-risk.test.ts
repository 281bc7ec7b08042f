import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readProjectJson } from '../support/project.js'
import { type Body, placeBody, WalletKey } from './support/signed-body.js'
import { Venue, type Wire } from './support/venue.js'

// The worked examples of defined risk, run by an outside client: it trades combos leg by leg, the longs first. Amounts
// that depend on marks move with time and get a tolerance; all others are exact.

interface Leg {
  readonly right: 'call' | 'put'
  readonly strike: number
  readonly size: number
  readonly price: number
  readonly days: number
}

interface Example {
  readonly id: string
  readonly name: string
  readonly legs: readonly Leg[]
  readonly max_loss: number | null
  readonly naked_short: boolean
  readonly own_funds_needed: number | null
}

const { margin } = readProjectJson<{ margin: { defined_risk: readonly Example[] } }>(
  'test/vectors/options.json',
)
const mainnetDomain = { name: 'Strikebook', chainId: 999 }
const venue = new Venue({
  arguments: [
    '--preset=mainnet-alpha',
    '--set=pricing.indexMaxAgeMillis=0',
    '--set=pricing.surfaceMaxAgeMillis=0',
  ],
  token: 'operator',
})
const maker = new WalletKey()
const deposit = 1_000_000
const startSeconds = Math.floor(Date.now() / 1000)
/** Computed once: midnight may pass while the tests run. */
const dates = new Map([7, 30].map((days) => [days, dateOf(expiryOf(days))]))

before(async () => {
  await venue.start()
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  const legs = margin.defined_risk.flatMap(({ legs }) => legs)
  for (const leg of legs) {
    await venue.set('/instruments', { symbol: symbolOf(leg), expiry: expiryOf(leg.days) })
  }
  for (const days of dates.keys()) {
    const points = [{ strike: '100000', iv: '0.6' }]
    await venue.set('/vol-surfaces', { underlying: 'BTC', expiry: expiryOf(days), points })
  }
  await venue.set('/deposits', { wallet: maker.wallet, amount: '1000000000' })
  await venue.set('/tiers', { wallet: maker.wallet, tier: 'market_maker' })
})
after(() => venue.dispose())

for (const example of margin.defined_risk.filter(({ naked_short }) => !naked_short)) {
  test(`${example.name}: the venue requires the worst payoff at expiry as margin`, async () => {
    const by = await wallet()
    const spent = await tradeAll(by, example.legs)
    const { data } = await venue.read(`/portfolio?wallet=${by.wallet}`)
    const { margin_summary: summary, span_margin: span, positions } = data
    const value = sumOf(positions.map((row: Wire) => row.notional_value))
    const im = micros(summary.position_im)
    assert.equal(im, value + micros(String(example.max_loss)), 'marks and worst payoff')
    assert.equal(micros(span.maintenance_margin_required), im)
    assert.equal(micros(data.available_balance), deposit * 1e6 - spent - example.max_loss! * 1e6)
    assert.equal(data.withdrawable_usdc, data.available_balance)
    const needed = example.own_funds_needed!
    assert.ok(Math.abs(im / 1e6 - needed) < 1 + needed * 0.01, `${im / 1e6} is not near ${needed}`)
    assert.deepEqual(
      [data.margin_mode, summary.mode, summary.open_orders_im],
      ['standard', 'standard', '0'],
    )
    assert.deepEqual([data.scanning_risk, data.option_floor, data.gamma_overlay], ['0', '0', '0'])
    await assertGrid(by, positions)
  })
}

for (const example of margin.defined_risk.filter(({ naked_short }) => naked_short)) {
  test(`${example.name}: the core rejects it, as the preview predicts`, async () => {
    const by = await wallet()
    const [longs, shorts] = sides(example.legs)
    await tradeAll(by, longs)
    const [leg] = shorts
    const order = { symbol: symbolOf(leg!), ...terms(leg!) }
    const reason = `Insufficient margin: naked short ${leg!.right}s are not allowed for BTC ${dates.get(leg!.days)}`
    const preview = await simulate(by, [order])
    assert.deepEqual(
      [preview.admissible, preview.rejection_reason, preview.scenario],
      [false, reason, null],
    )
    const refused = await place(by, order)
    assert.deepEqual(
      [refused.status, refused.reason, refused.reason_code, refused.details.cause],
      ['REJECTED', reason, 'insufficient_margin', 'naked_short'],
    )
  })
}

test('working orders reserve their effect on the worst payoff plus premium, and the core rejects the next one', async () => {
  const [low, high] = [
    { right: 'call', strike: 100_000, size: -1, price: 6900, days: 30 },
    { right: 'call', strike: 110_000, size: 1, price: 3270, days: 30 },
  ] as const
  const by = await wallet('14000')
  await tradeAll(by, [high])
  const resting = await place(by, { symbol: symbolOf(low), ...terms(low) })
  assert.equal(resting.status, 'ACKED', JSON.stringify(resting))
  const reserved = async () => {
    const { margin_summary: summary } = (await venue.read(`/portfolio?wallet=${by.wallet}`)).data
    return [summary.open_orders_im, summary.open_orders_premium_reserved]
  }
  // Sold both below and above its mark: no slippage here.
  assert.deepEqual(await reserved(), ['10000', '0'])
  const order = { symbol: symbolOf(high), side: 'Buy', size: '1', price: '800' }
  const preview = await simulate(by, [order])
  const refused = await place(by, order)
  assert.deepEqual([refused.status, refused.reason_code], ['REJECTED', 'insufficient_margin'])
  const { details } = refused
  assert.deepEqual([details.scenario, details.bound_by], [null, 'premium'])
  assert.equal(micros(details.shortfall), (3270 + 10_000 + 800 - 14_000) * 1e6)
  assert.equal(micros(details.required) - micros(details.equity), micros(details.shortfall))
  assert.deepEqual([details.incremental_im, preview.incremental_im], ['800', '800'])
  assert.equal((await place(by, { ...order, price: '730' })).status, 'ACKED')
  assert.deepEqual(await reserved(), ['10730', '730'])
  assert.equal((await venue.read(`/portfolio?wallet=${by.wallet}`)).data.available_balance, '0')

  const poor = await wallet('13000')
  await tradeAll(poor, [high])
  const beyond = await place(poor, { symbol: symbolOf(low), ...terms(low) })
  assert.equal(beyond.reason_code, 'insufficient_margin')
  assert.deepEqual([beyond.details.scenario, beyond.details.bound_by], [null, 'max_loss'])
  assert.deepEqual([beyond.details.shortfall, beyond.details.incremental_im], ['270', '10000'])
})

test("the core rejects the sale of a working sell's cover, alone or in a bulk", async () => {
  const pairs: readonly (readonly [cover: Leg, written: Leg])[] = [
    [
      { right: 'call', strike: 100_000, size: 1, price: 6850, days: 30 },
      { right: 'call', strike: 110_000, size: -1, price: 9000, days: 30 },
    ],
    [
      { right: 'put', strike: 90_000, size: 1, price: 2690, days: 30 },
      { right: 'put', strike: 80_000, size: -1, price: 2000, days: 30 },
    ],
  ]
  for (const [cover, written] of pairs) {
    const by = await wallet('7000')
    await tradeAll(by, [cover])
    const working = await place(by, { symbol: symbolOf(written), ...terms(written) })
    assert.equal(working.status, 'ACKED', JSON.stringify(working))
    const sale = { symbol: symbolOf(cover), side: 'Sell', size: '1', price: '6000' }
    const reason = `Insufficient margin: naked short ${cover.right}s are not allowed for BTC ${dates.get(30)}`
    assert.equal((await simulate(by, [sale])).rejection_reason, reason)
    assert.equal((await place(by, sale)).reason, reason)
    const items = [
      await placeBody(by, { ...sale, price: '7000' }, by, mainnetDomain),
      await placeBody(by, { ...sale, reduce_only: true }, by, mainnetDomain),
    ]
    const bulk = await venue.send('POST', '/bulk_order', { orders: items })
    assert.deepEqual(
      bulk.body.results.map(({ data }: Wire) => data.reason),
      [reason, reason],
    )
    const { data } = await venue.read(`/portfolio?wallet=${by.wallet}`)
    assert.deepEqual(
      data.positions.map((row: Wire) => row.amount),
      ['1'],
    )
  }
})

test('the venue refuses a tier change that would leave shorts uncovered', async () => {
  const by = await wallet()
  await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
  await tradeAll(by, [{ right: 'call', strike: 110_000, size: -1, price: 3270, days: 30 }])
  const lower = venue.set('/tiers', { wallet: by.wallet, tier: 'default' })
  await assert.rejects(lower, /409/)
})

test('a market maker has scenario margin and may go short', async () => {
  const by = await wallet()
  await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
  const short = { right: 'call', strike: 110_000, size: -1, price: 3270.2605, days: 30 } as const
  await tradeAll(by, [short])
  const { data } = await venue.read(`/risk/grid?wallet=${by.wallet}`)
  assert.equal(data.model, 'standard')
  const [{ scenarios, extended_risk_matrix: matrix }] = data.underlyings
  assert.equal(scenarios[matrix.worst_scenario_index].id, 'V4')
  assert.equal(micros(data.position_initial_margin), -micros(matrix.worst_scenario_pnl))
})

async function wallet(amount = String(deposit)): Promise<WalletKey> {
  const by = new WalletKey()
  await venue.set('/deposits', { wallet: by.wallet, amount })
  return by
}

/** Asserts that no scenario applies to the wallet: the grid has only its figures and positions. */
async function assertGrid(by: WalletKey, positions: readonly Wire[]): Promise<void> {
  const { data } = await venue.read(`/risk/grid?wallet=${by.wallet}`)
  const { equity } = (await venue.read(`/portfolio?wallet=${by.wallet}`)).data
  assert.equal(data.model, 'defined_risk')
  assert.ok(Math.abs(Number(data.equity) - Number(equity)) < 1)
  assert.equal(data.total_initial_margin, data.position_initial_margin)
  const [{ scenarios, extended_risk_matrix: matrix }] = data.underlyings
  assert.deepEqual([scenarios, matrix.scenarios, matrix.total_pnls], [[], [], []])
  assert.deepEqual([matrix.worst_scenario_index, matrix.worst_scenario_pnl], [0, '0'])
  assert.deepEqual(
    matrix.instruments.map((row: Wire) => [row.symbol, row.amount, row.base_amount]),
    positions.map((row) => [row.symbol, row.amount, row.amount]),
  )
}

/**
 * Trades all legs.
 * @returns micros that the wallet has paid for all of them
 */
async function tradeAll(by: WalletKey, legs: readonly Leg[]): Promise<number> {
  let spentMicros = 0
  for (const leg of sides(legs).flat()) {
    const symbol = symbolOf(leg)
    const { side, size, price } = terms(leg)
    const other = side === 'Buy' ? 'Sell' : 'Buy'
    const resting = await place(maker, { symbol, side: other, size, price })
    assert.equal(resting.status, 'ACKED', JSON.stringify(resting))
    const taken = await place(by, { symbol, side, size, price, tif: 'ioc' })
    assert.equal(taken.status, 'FILLED', JSON.stringify(taken))
    spentMicros += Math.round(leg.size * micros(price))
  }
  return spentMicros
}

function expiryOf(days: number): number {
  return startSeconds + days * 86_400
}

/** Returns Unix seconds as a UTC date, YYYYMMDD. */
function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll('-', '')
}

/** Returns the longs, and the shorts, of a combo. */
function sides(legs: readonly Leg[]): [Leg[], Leg[]] {
  return [legs.filter(({ size }) => size > 0), legs.filter(({ size }) => size < 0)]
}

function terms({ size, price }: Leg): { side: string; size: string; price: string } {
  // Valid prices have at most five figures.
  const legal = String(Number(price.toPrecision(5)))
  return { side: size > 0 ? 'Buy' : 'Sell', size: String(Math.abs(size)), price: legal }
}

function symbolOf({ right, strike, days }: Pick<Leg, 'right' | 'strike' | 'days'>): string {
  return `BTC-${dates.get(days)}-${strike}-${right === 'call' ? 'C' : 'P'}`
}

async function place(by: WalletKey, patch: Body): Promise<Wire> {
  const body = await placeBody(by, patch, by, mainnetDomain)
  const answer = await venue.send('POST', '/order', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function simulate(by: WalletKey, orders: readonly Body[]): Promise<Wire> {
  const body = { wallet: by.wallet, execution_mode: 'resting', orders }
  const answer = await venue.send('POST', '/risk/simulate/orders', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

function micros(text: string): number {
  return Math.round(Number(text) * 1e6)
}

function sumOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + micros(text), 0)
}
