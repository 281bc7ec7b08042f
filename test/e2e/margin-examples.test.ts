import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readProjectJson } from '../support/project.js'
import {
  cancelBody,
  dateText,
  marginModeBody,
  placeBody,
  WalletKey,
} from './support/signed-body.js'
import { assertError, Venue, type Wire } from './support/venue.js'

// The worked examples of margin, run by an outside client: it trades books over HTTP and reads their margin from
// /portfolio and /risk/grid. Time passes during the test, hence the tolerance.

interface Leg {
  readonly underlying: string
  readonly right: 'call' | 'put'
  readonly strike: number
  readonly days: number
  readonly iv: number
  readonly atm_iv?: number | null
  readonly size: number
}

interface Example {
  readonly id: string
  readonly legs: readonly Leg[]
  readonly initial_margin: number
  readonly maintenance_margin: number
}

interface StandardExample extends Example {
  readonly per_underlying: Readonly<Record<string, { readonly worst_scenario: string }>>
}

interface PortfolioExample extends Example {
  readonly perps?: Readonly<Record<string, number>>
  readonly worst: Readonly<Record<string, { readonly id: string; readonly raw_pnl: number }>>
  readonly scanning_risk: number
  readonly option_floor: number
  readonly gamma_overlay: number
}

interface WorkingOrder extends Omit<Leg, 'underlying'> {
  readonly side: 'Buy' | 'Sell'
  readonly price: number
}

interface OpenOrdersExample {
  readonly id: string
  readonly model: 'standard' | 'portfolio'
  readonly positions: readonly Leg[]
  readonly orders: readonly WorkingOrder[]
  readonly position_initial_margin: number
  readonly premium_reserved: number
  readonly slippage_reserved: number
  readonly open_orders_initial_margin: number
}

interface RejectionExample {
  readonly id: string
  readonly cash: string
  readonly order: { readonly side: string; readonly size: string; readonly price: string }
  readonly instrument: Omit<Leg, 'size'>
  readonly required: string
  readonly incremental_mm: string
  readonly scenario: { readonly kind: string; readonly id: string }
  readonly bound_by: string
}

const { margin } = readProjectJson<{
  margin: {
    standard: readonly StandardExample[]
    portfolio: readonly PortfolioExample[]
    open_orders: readonly OpenOrdersExample[]
    rejection: readonly RejectionExample[]
  }
}>('test/vectors/options.json')

const venue = new Venue()
const other = new WalletKey()
const surfaces = new Map<string, Map<number, number>>()
const daySeconds = 86_400
const startSeconds = Math.floor(Date.now() / 1000)
/** Computed once: midnight may pass while the tests run. */
const dates = new Map([1, 7, 14, 30].map((days) => [days, dateText(days)]))

before(async () => {
  await venue.start()
  const legs = [
    ...[...margin.standard, ...margin.portfolio].flatMap((example) => legsOf(example)),
    ...margin.open_orders.flatMap(({ positions, orders }) => [
      ...positions,
      ...orders.map((order) => ({ ...order, underlying: 'BTC' })),
    ]),
    ...margin.rejection.map(({ instrument }) => ({ ...instrument, size: 1 })),
  ]
  const prices = [
    { underlying: 'BTC', price: '100000' },
    { underlying: 'SKEW', price: '100000' },
    { underlying: 'ETH', price: '3200' },
  ]
  await venue.set('/index-prices', { prices })
  for (const symbol of new Set(legs.map((leg) => take(leg)))) {
    const expiry = startSeconds + daySeconds * daysOfSymbol(symbol)
    await venue.set('/instruments', { symbol, expiry })
  }
  for (const [key, points] of surfaces) {
    const [underlying, days] = key.split('/')
    const expiry = startSeconds + daySeconds * Number(days)
    const list = [...points].map(([strike, iv]) => ({ strike: String(strike), iv: String(iv) }))
    await venue.set('/vol-surfaces', { underlying, expiry, points: list })
  }
  await venue.set('/tiers', { wallet: other.wallet, tier: 'market_maker' })
  await venue.set('/deposits', { wallet: other.wallet, amount: '1000000000' })
})
after(() => venue.dispose())

for (const example of margin.standard) {
  test(`standard, ${example.id}: the venue reports margin and worst scenario`, async () => {
    const by = await wallet()
    for (const leg of legsOf(example)) await trade(by, leg)
    const { data } = await venue.read(`/portfolio?wallet=${by.wallet}`)
    const { margin_summary: summary, span_margin: span } = data
    near(summary.position_im, example.initial_margin)
    assert.deepEqual(
      [summary.mode, data.margin_mode, summary.open_orders_im],
      ['standard', 'standard', '0'],
    )
    assert.deepEqual([data.scanning_risk, data.option_floor, data.gamma_overlay], ['0', '0', '0'])
    near(span.initial_margin_required, example.initial_margin)
    near(span.maintenance_margin_required, example.maintenance_margin)
    await assertGrid(by, 'standard', (name) => example.per_underlying[name]!.worst_scenario)
  })
}

for (const example of margin.portfolio) {
  // A perp of the underlying is part of L. There is no perp market yet, so unit tests cover those two.
  if (example.perps !== undefined) continue
  test(`portfolio, ${example.id}: the venue reports scanning risk, option minimum and overlay`, async () => {
    const by = await wallet('portfolio')
    for (const leg of legsOf(example)) await trade(by, leg)
    const { data } = await venue.read(`/portfolio?wallet=${by.wallet}`)
    const { margin_summary: summary, span_margin: span } = data
    near(data.scanning_risk, example.scanning_risk)
    assert.equal(Number(data.option_floor), example.option_floor)
    assert.equal(Number(data.gamma_overlay), example.gamma_overlay)
    near(summary.position_im, example.initial_margin)
    near(span.maintenance_margin_required, example.maintenance_margin)
    const more = Math.max(Number(data.scanning_risk), Number(data.option_floor))
    const im = Math.round((more + Number(data.gamma_overlay)) * 1e6)
    assert.equal(
      Math.round(Number(summary.position_im) * 1e6),
      im,
      'the parts add up to the margin',
    )
    assert.equal(data.margin_mode, 'portfolio')
    const grid = await assertGrid(by, 'portfolio', (name) => example.worst[name]!.id)
    for (const { underlying, extended_risk_matrix: matrix } of grid.underlyings) {
      if (matrix.instruments.length === 0) continue
      near(matrix.worst_scenario_pnl, example.worst[underlying]?.raw_pnl ?? skewed(example))
    }
  })
}

for (const example of margin.open_orders) {
  test(`open orders, ${example.id}: the core reserves margin for working orders`, async () => {
    const by = await wallet(example.model)
    for (const leg of example.positions) await trade(by, leg)
    const ids: number[] = []
    for (const order of example.orders) {
      const symbol = take({ ...order, underlying: 'BTC' })
      const terms = { symbol, side: order.side, size: String(order.size), price: `${order.price}` }
      const placed = (await venue.send('POST', '/order', await placeBody(by, terms))).body
      assert.equal(placed.status, 'ACKED', JSON.stringify(placed))
      ids.push(placed.order_id)
    }
    const { data } = await venue.read(`/portfolio?wallet=${by.wallet}`)
    const { margin_summary: summary } = data
    near(summary.position_im, example.position_initial_margin)
    near(summary.open_orders_im, example.open_orders_initial_margin)
    const reserved = example.model === 'portfolio' ? undefined : `${example.premium_reserved}`
    assert.equal(summary.open_orders_premium_reserved, reserved)
    const used = Number(summary.position_im) + Number(summary.open_orders_im)
    assert.equal(Math.round(Number(data.total_margin_used) * 1e6), Math.round(used * 1e6))
    for (const id of ids) await cancel(by, id)
  })
}

for (const example of margin.rejection) {
  test(`rejection, ${example.id}: preview and rejection state the same amounts`, async () => {
    const by = await wallet('standard', example.cash)
    const symbol = take(example.instrument)
    const order = { symbol, ...example.order }
    const body = { wallet: by.wallet, execution_mode: 'resting', orders: [order] }
    const preview = (await venue.send('POST', '/risk/simulate/orders', body)).body.data
    const update = (await venue.send('POST', '/order', await placeBody(by, order))).body
    assert.equal(update.status, 'REJECTED')
    assert.equal(update.reason_code, 'insufficient_margin')
    assert.equal(preview.admissible, false)
    assert.deepEqual(preview.scenario, example.scenario)
    assert.deepEqual(update.details.scenario, example.scenario)
    assert.equal(update.details.bound_by, example.bound_by)
    for (const shown of [preview, update.details]) {
      near(shown.required, Number(example.required))
      near(shown.incremental_im, Number(example.required))
      near(shown.incremental_mm, Number(example.incremental_mm))
      assert.deepEqual(
        [shown.equity, shown.consumed_im, shown.consumed_mm],
        [example.cash, '0', '0'],
      )
    }
    const amounts = amountsOf(update.reason)
    for (const [name, amount] of Object.entries(amounts)) {
      assert.equal(update.details[name], amount, name)
    }
    near(amounts['shortfall'], Number(example.required) - Number(example.cash))
    assert.deepEqual(Object.keys(amountsOf(preview.rejection_reason)), Object.keys(amounts))
  })
}

test('a rejection in portfolio mode names its scenario or option floor, as the preview does', async () => {
  const far = { underlying: 'BTC', right: 'call', strike: 200_000, days: 30, iv: 0.6 } as const
  const near30 = { ...far, strike: 110_000 }
  const rows = [
    [near30, '1', '3270', 10_851.6954, 'scenario', { kind: 'SpotChange', id: 'T2' }],
    [far, '10', '1', 15_000, 'option_floor', { kind: 'SpotChange', id: 'T4' }],
  ] as const
  for (const [leg, size, price, required, boundBy, scenario] of rows) {
    const by = await wallet('portfolio', '10000')
    const order = { symbol: take(leg), side: 'Sell', size, price }
    const body = { wallet: by.wallet, execution_mode: 'resting', orders: [order] }
    const preview = (await venue.send('POST', '/risk/simulate/orders', body)).body.data
    const update = (await venue.send('POST', '/order', await placeBody(by, order))).body
    assert.equal(update.reason_code, 'insufficient_margin', JSON.stringify(update))
    assert.deepEqual([preview.admissible, preview.scenario], [false, scenario])
    assert.deepEqual([update.details.scenario, update.details.bound_by], [scenario, boundBy])
    for (const shown of [preview, update.details]) near(shown.required, required)
  }
  const rich = await wallet('portfolio', '20000')
  const order = { symbol: take(far), side: 'Sell', size: '10', price: '1' }
  const body = { wallet: rich.wallet, execution_mode: 'resting', orders: [order] }
  const preview = (await venue.send('POST', '/risk/simulate/orders', body)).body.data
  assert.deepEqual([preview.admissible, preview.rejection_reason], [true, null])
  const placed = (await venue.send('POST', '/order', await placeBody(rich, order))).body
  assert.equal(placed.status, 'ACKED')
  await cancel(rich, placed.order_id)
})

test('a wallet changes its margin mode, reads show it, and the venue refuses a mode whose margin is not met', async () => {
  const by = await wallet('standard', '12000')
  const short = { underlying: 'BTC', right: 'call', strike: 110_000, days: 30, iv: 0.6 } as const
  const change = async (mode: string, signer = by) =>
    venue.send('POST', '/margin-mode', await marginModeBody(by, mode, signer))
  const modes = async () => {
    const { data } = await venue.read(`/portfolio?wallet=${by.wallet}`)
    const grid = await venue.read(`/risk/grid?wallet=${by.wallet}`)
    return [data.margin_mode, data.margin_summary.mode, grid.data.model]
  }
  const first = await change('portfolio')
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.success, true)
  assert.deepEqual(first.body.data, {
    wallet: by.wallet,
    margin_mode: 'portfolio',
    previous_mode: 'standard',
  })
  assert.deepEqual(await modes(), ['portfolio', 'portfolio', 'portfolio'])
  // Ten far calls: 15,000 by the option floor of one model, 100,000 by the short minimum of the other.
  await venue.set('/deposits', { wallet: by.wallet, amount: '10000' })
  await trade(by, { ...short, strike: 200_000, size: -10 }, '1')
  const refused = await change('standard')
  assertError(refused, 409, 'conflict')
  assert.deepEqual([refused.body.success, refused.body.data], [false, null])
  const { required, equity, shortfall } = refused.body.details
  const amounts = `required=${required}, equity=${equity}, shortfall=${shortfall}`
  const text = `Insufficient initial margin in this margin mode: ${amounts}`
  assert.deepEqual([refused.body.message, required], [text, '100000'])
  assert.equal(Number(shortfall).toFixed(6), (100_000 - Number(equity)).toFixed(6))
  assert.deepEqual(await modes(), ['portfolio', 'portfolio', 'portfolio'])
  await venue.set('/deposits', { wallet: by.wallet, amount: '100000' })
  assert.equal((await change('standard')).body.data.previous_mode, 'portfolio')
  assert.deepEqual(await modes(), ['standard', 'standard', 'standard'])
  assertError(await change('defined_risk'), 400, 'invalid_field')
  assertError(await change('portfolio', new WalletKey()), 401, 'unauthorized')
  const body = await marginModeBody(by, 'portfolio')
  const [once, again] = [
    await venue.send('POST', '/margin-mode', body),
    await venue.send('POST', '/margin-mode', body),
  ]
  assert.equal(again.text, once.text, 'the same payload gets the same answer')
  await venue.end('SIGKILL')
  await venue.start()
  assert.deepEqual(
    await modes(),
    ['portfolio', 'portfolio', 'portfolio'],
    'the mode survives a crash',
  )
})

/** Worst scenario of each underlying with a position. */
for (const mode of ['standard', 'portfolio']) {
  test(`the core rejects the sale of a working sell's cover without its margin, ${mode}`, async () => {
    const by = await wallet(mode, '7000')
    const leg = { underlying: 'BTC', right: 'call', days: 30, iv: 0.6 } as const
    const [cover, written] = [100_000, 110_000].map((strike) => take({ ...leg, strike }))
    await trade(by, { ...leg, strike: 100_000, size: 1 }, '6850')
    await send(by, { symbol: written, side: 'Sell', size: '1', price: '9000' }, 'ACKED')
    const sale = { symbol: cover, side: 'Sell', size: '1', price: '6000' }
    const preview = await venue.send('POST', '/risk/simulate/orders', {
      wallet: by.wallet,
      execution_mode: 'resting',
      orders: [sale],
    })
    assert.equal(preview.body.data.admissible, false, preview.text)
    const refused = (await venue.send('POST', '/order', await placeBody(by, sale))).body
    assert.deepEqual([refused.status, refused.reason_code], ['REJECTED', 'insufficient_margin'])
    near(refused.details.required, Number(preview.body.data.required))
    const [working] = (await venue.read(`/orders?wallet=${by.wallet}`)).data
    await cancel(by, working.order_id)
    await send(by, { ...sale, tif: 'ioc' }, 'CANCELED')
  })
}

test('the core does not admit two buys together that each free what they give away', async () => {
  const by = await wallet('standard', '1000000')
  const leg = { underlying: 'BTC', right: 'call', days: 30, iv: 0.6 } as const
  const low = take({ ...leg, strike: 95_000 })
  await venue.set('/instruments', { symbol: low, expiry: startSeconds + 30 * daySeconds })
  await trade(by, { ...leg, strike: 95_000, size: -1 }, '9476.7')
  await trade(by, { ...leg, strike: 100_000, size: -1 }, '6853.9')
  await trade(by, { ...leg, strike: 120_000, size: 2 }, '1395.5')
  const { equity, span_margin: span } = (await venue.read(`/portfolio?wallet=${by.wallet}`)).data
  // A buy reserves the excess over initial margin, so that the wallet can withdraw none of the million.
  const over = Math.floor(Number(equity) - Number(span.initial_margin_required))
  const idle = take({ ...leg, strike: 110_000 })
  const price = String(Math.floor(over / 100))
  await send(by, { symbol: idle, side: 'Buy', size: '100', price }, 'ACKED')
  await send(by, { symbol: low, side: 'Buy', size: '1', price: '21900' }, 'ACKED')
  const second = await placeBody(by, {
    symbol: take({ ...leg, strike: 100_000 }),
    side: 'Buy',
    size: '1',
    price: '18200',
  })
  assert.equal((await venue.send('POST', '/order', second)).body.status, 'REJECTED')
  const { data } = await venue.read(`/portfolio?wallet=${by.wallet}`)
  // The buy of 100 leaves less than 100.
  assert.ok(Number(data.withdrawable_usdc) < 100)
})

async function assertGrid(by: WalletKey, model: string, worst: (name: string) => string) {
  const { data } = await venue.read(`/risk/grid?wallet=${by.wallet}`)
  assert.equal(data.model, model)
  for (const { underlying, scenarios, extended_risk_matrix: matrix } of data.underlyings) {
    assert.equal(scenarios.length, model === 'portfolio' ? 17 : 18, underlying)
    if (matrix.instruments.length === 0) continue
    const name = underlying === 'SKEW' ? 'BTC' : underlying
    const { id, total_pnl } = scenarios[matrix.worst_scenario_index]
    assert.equal(id, worst(name))
    assert.equal(total_pnl, matrix.worst_scenario_pnl)
    const sum = matrix.instruments.reduce(
      (total: number, row: Wire) => total + Number(row.scenario_pnls[matrix.worst_scenario_index]),
      0,
    )
    assert.ok(Math.abs(sum - Number(total_pnl)) < 1e-5, `${sum} is ${total_pnl}`)
  }
  return data
}

/** Asserts an amount with a tolerance: a minute more or less changes it by less, a wrong formula by more. */
function near(text: string | undefined, value: number): void {
  const tolerance = 0.5 + Math.abs(value) * 2e-3
  assert.ok(Math.abs(Number(text) - value) <= tolerance, `${text} is not near ${value}`)
}

/** Returns the legs. `SKEW` is the underlying of examples whose volatilities are not flat: BTC with another surface. */
function legsOf({ legs }: Example): readonly Leg[] {
  const isSkewed = legs.some(({ iv, atm_iv }) => (atm_iv ?? iv) !== iv)
  return isSkewed ? legs.map((leg) => ({ ...leg, underlying: 'SKEW' })) : legs
}

function skewed({ worst }: PortfolioExample): number {
  return worst['BTC']!.raw_pnl
}

/**
 * Records the volatility of a leg's strike, and of the index.
 * @returns its symbol
 */
function take(leg: Omit<Leg, 'size'>): string {
  const key = `${leg.underlying}/${leg.days}`
  const points = surfaces.get(key) ?? new Map<number, number>()
  points.set(leg.strike, leg.iv)
  if (leg.atm_iv) points.set(100_000, leg.atm_iv)
  surfaces.set(key, points)
  const right = leg.right === 'call' ? 'C' : 'P'
  return `${leg.underlying}-${dates.get(leg.days)}-${leg.strike}-${right}`
}

function daysOfSymbol(symbol: string): number {
  const date = symbol.split('-')[1]
  return [...dates].find(([, text]) => text === date)![0]
}

async function wallet(mode = 'standard', amount = '10000000'): Promise<WalletKey> {
  const made = new WalletKey()
  await venue.set('/deposits', { wallet: made.wallet, amount })
  if (mode === 'standard') return made
  const answer = await venue.send('POST', '/margin-mode', await marginModeBody(made, mode))
  assert.equal(answer.status, 200, answer.text)
  return made
}

/** Trades the wallet into a position against a rich wallet. The cost is not part of the margin. */
async function trade(by: WalletKey, leg: Leg, price = '5000'): Promise<void> {
  const symbol = take(leg)
  const size = String(Math.abs(leg.size))
  const [side, opposite] = leg.size > 0 ? ['Buy', 'Sell'] : ['Sell', 'Buy']
  await send(other, { symbol, side: opposite, size, price }, 'ACKED')
  await send(by, { symbol, side, size, price, tif: 'ioc' }, 'FILLED')
}

async function send(by: WalletKey, patch: object, status: string): Promise<void> {
  const answer = await venue.send('POST', '/order', await placeBody(by, { ...patch }))
  assert.equal(answer.body.status, status, answer.text)
}

async function cancel(by: WalletKey, orderId: number): Promise<void> {
  const answer = await venue.send('DELETE', '/order', await cancelBody(by, { order_id: orderId }))
  assert.equal(answer.body.status, 'CANCELED', answer.text)
}

function amountsOf(reason: string): Record<string, string> {
  const pairs = [...reason.matchAll(/(\w+)=(-?[\d.]+)/g)]
  return Object.fromEntries(pairs.map(([, name, amount]) => [name!, amount!]))
}
