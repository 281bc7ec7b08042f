import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { dateText, expirySeconds, symbolOf, type WalletKey } from './support/signed-body.js'
import { call, ether, put, startTradedMarket, tradesCount } from './support/traded-market.js'
import {
  type Answer,
  assertError,
  assertKeys,
  isoPattern,
  Venue,
  type Wire,
} from './support/venue.js'

const venue = new Venue()
let taker: WalletKey

before(async () => {
  await venue.start()
  ;({ taker } = await startTradedMarket(venue))
})
after(() => venue.dispose())

const read = (path: string) => venue.read(path)

const walletReads = ['/orders', '/orders/status', '/fills', '/portfolio', '/user-tier']

test('the service reads answer: health, ready, version, exchange-info', async () => {
  const health = await venue.get('/health')
  assert.deepEqual(health.body, { status: 'ok' })
  assert.ok(Math.abs(Date.parse(health.headers.get('date')!) - Date.now()) < 60_000)
  const ready = await read('/ready')
  assert.equal(ready.status, 'ready')
  assert.ok(ready.components.length > 0)
  for (const component of ready.components) {
    assert.equal(typeof component.name, 'string')
    assert.equal(component.ready, true)
  }
  const version = await read('/version')
  assertKeys(version, 'version commit ref build_time signing_chain_id')
  assert.equal(version.signing_chain_id, 31337)
  const info = await read('/exchange-info')
  assert.equal(info.chain_id, 31337)
  assert.deepEqual(info.signing_domain, { name: 'Strikebook', version: '1' })
  assert.equal(info.hl_builder_address, null)
  assert.equal(info.deposit_router_address, null)
  assert.equal(info.portfolio_margin_deposits_enabled, false)
  assert.equal(info.preset, 'development')
  assert.equal(info.perp_source, 'Strikebook/31337')
  assert.equal(info.max_bulk_items, 50)
  assert.equal(info.max_rfq_legs, 10)
  assert.match(info.exchange_address, /^0x[0-9a-f]{40}$/)
})

test('/instruments has its envelope, fields and filters', async () => {
  const body = await read('/instruments')
  assert.equal(body.jsonrpc, '2.0')
  assert.equal(typeof body.testnet, 'boolean')
  assert.equal(body.usDiff, body.usOut - body.usIn)
  assert.ok(Math.abs(body.usIn / 1000 - Date.now()) < 60_000)
  assert.ok(Number.isSafeInteger(body.as_of_seq))
  assert.deepEqual(
    body.result.map((row: Wire) => row.instrument_name).sort(),
    [call, put, ether].sort(),
  )
  const row = body.result.find((each: Wire) => each.instrument_name === put)
  const { instrument_id, creation_timestamp, tick_size_steps, ...rest } = row
  assert.ok(Number.isSafeInteger(instrument_id))
  assert.ok(Math.abs(creation_timestamp - Date.now()) < 600_000)
  assert.deepEqual(tick_size_steps.slice(0, 3), [
    { above_price: 0.1, tick_size: 0.00001 },
    { above_price: 1, tick_size: 0.0001 },
    { above_price: 10, tick_size: 0.001 },
  ])
  assert.deepEqual(rest, {
    instrument_name: put,
    kind: 'option',
    instrument_type: 'linear',
    option_type: 'put',
    price_index: 'btc_usd',
    settlement_period: 'day',
    settlement_currency: 'USDC',
    base_currency: 'BTC',
    counter_currency: 'USD',
    quote_currency: 'USD',
    expiration_timestamp: expirySeconds() * 1000,
    option_token_address: null,
    rfq: true,
    orderbook: true,
    is_active: true,
    strike: 90000.5,
    contract_size: 1,
    tick_size: 0.000001,
    min_trade_amount: 0.00000001,
    maker_commission: 0,
    taker_commission: 0,
    block_trade_commission: 0,
    block_trade_min_trade_amount: rest.block_trade_min_trade_amount,
    block_trade_tick_size: rest.block_trade_tick_size,
  })
  const count = async (query: string) => (await read(`/instruments${query}`)).result.length
  assert.equal(await count('?currency=BTC'), 2)
  assert.equal(await count('?currency=BTC&kind=option'), 2)
  assert.equal(await count('?currency=NOPE'), 0)
  assert.equal(await count('?expired=true'), 0)
  assert.equal(await count('?expired=0'), 3)
  for (const query of ['?expired=yes', '?kind=spot', '?expired=']) {
    assertError(await venue.get(`/instruments${query}`), 400, 'invalid_parameter')
  }
})

test('/markets has a row per underlying and expiry, with previous day prices', async () => {
  const { success, data, as_of_seq } = await read('/markets')
  assert.equal(success, true)
  assert.ok(Number.isSafeInteger(as_of_seq))
  assert.equal(data.length, 2)
  const found = data.find((row: Wire) => row.underlying === 'BTC')
  assert.equal(found.expiry, expirySeconds())
  assert.equal(found.index_price, '100000')
  assert.ok(Math.abs(Number(found.atm_vol) - 0.6) < 0.001)
  assert.equal(found.total_volume_24h, String(100_000 * 0.5 * tradesCount))
  assert.equal(found.total_open_interest, '2.5')
  assertKeys(found, 'prev_day_price')
  const instrument = found.instruments.find((row: Wire) => row.id === call)
  assert.equal(instrument.strike, '110000')
  assert.equal(instrument.option_type, 'call')
  assert.equal(instrument.status, 'ACTIVE')
  assert.equal(instrument.trading_mode, 'orderbook|rfq')
  assert.equal(instrument.open_interest, '2.5')
  assert.equal(instrument.volume_24h, '250000')
  assert.equal(instrument.option_token_address, null)
  assert.ok(Math.abs(Number(instrument.mark_iv) - 0.6) < 0.001)
  assert.match(instrument.updated_at, isoPattern)
  assertKeys(instrument, 'prev_day_px instrument_id underlying expiry')
  const bare = await read('/markets?include_instruments=false')
  assert.equal('instruments' in bare.data[0], false)
  assertError(await venue.get('/markets?include_instruments=2'), 400, 'invalid_parameter')
})

test('/orderbook answers by id, by name and by depth', async () => {
  const { result, ...envelope } = await read(`/orderbook?instrument_id=${call}`)
  assert.equal(envelope.jsonrpc, '2.0')
  assert.equal('error' in envelope, false)
  assert.deepEqual(result.bids, [[3000, 2.5]])
  assert.deepEqual(result.asks, [[3500, 7.5]])
  assert.equal(result.best_bid_price, 3000)
  assert.equal(result.best_bid_amount, 2.5)
  assert.equal(result.best_ask_price, 3500)
  assert.equal(result.best_ask_amount, 7.5)
  assert.equal(result.last_price, 3500)
  assert.equal(result.state, 'open')
  assert.equal(result.instrument_name, call)
  assert.equal(result.index_price, 100000)
  assert.equal(result.underlying_price, 100000)
  assert.equal(result.open_interest, 2.5)
  assert.equal(result.settlement_price, 0)
  assert.deepEqual(
    { ...result.stats },
    {
      high: 3500,
      low: 3500,
      price_change: result.stats.price_change,
      volume: 2.5,
      volume_usd: result.stats.volume_usd,
    },
  )
  assertKeys(
    result,
    'timestamp change_id mark_price underlying_index min_price max_price interest_rate estimated_delivery_price option_token_address',
  )
  assert.ok(result.mark_price > 0)
  const listed = await read('/instruments?currency=BTC')
  const { instrument_id } = listed.result.find((row: Wire) => row.instrument_name === call)
  for (const query of [
    `instrument_id=${instrument_id}`,
    `instrument_name=${call}`,
    `symbol=${call}`,
    `instrument_id=${call.replace('110000', '110000.0')}`,
  ]) {
    const same = await read(`/orderbook?${query}&depth=1`)
    assert.equal(same.result?.instrument_name, call, query)
  }
  for (const id of [symbolOf('BTC', 1), '99999', symbolOf('NOPE', 1)]) {
    const missing = await read(`/orderbook?instrument_id=${id}`)
    assert.equal(missing.jsonrpc, '2.0')
    assert.equal(missing.result, null)
    assert.deepEqual(missing.error, { code: 13020, message: 'not_found' })
  }
  assertError(await venue.get('/orderbook'), 400, 'missing_field')
  for (const depth of ['0', '1001', '-1', 'x', '1.5', '']) {
    const answer = await venue.get(`/orderbook?instrument_id=${call}&depth=${depth}`)
    assertError(answer, 400, 'invalid_parameter')
  }
})

test('/options-summary has prices, volatilities, greeks and filters', async () => {
  const { result } = await read('/options-summary?currency=BTC')
  assert.equal(result.length, 2)
  const row = result.find((each: Wire) => each.instrument_name === call)
  assert.equal(row.bid_price, 3000)
  assert.equal(row.ask_price, 3500)
  assert.equal(row.mid_price, 3250)
  assert.equal(row.last, 3500)
  assert.equal(row.underlying_index, 'BTC_USD')
  assert.equal(row.underlying_price, 100000)
  assert.equal(row.open_interest, 2.5)
  assert.equal(row.volume, 2.5)
  assert.equal(row.expiration_timestamp, expirySeconds() * 1000)
  assert.ok(row.instrument_id >= 1)
  assert.ok(Math.abs(row.mark_iv - 0.6) < 0.001)
  assert.ok(row.theoretical_price > 0)
  assert.ok(row.greeks.delta > 0 && row.greeks.delta < 1)
  assert.ok(row.greeks.gamma > 0 && row.greeks.vega > 0 && row.greeks.theta < 0)
  assert.equal(typeof row.greeks.rho, 'number')
  assert.equal(row.best_bid_size, 2.5)
  assert.equal('rfq_provider_quotes' in row, false)
  const [quiet] = (await read('/options-summary?currency=ETH')).result
  assert.deepEqual(
    [quiet.bid_price, quiet.ask_price, quiet.mid_price, quiet.last, quiet.volume],
    [0, 0, 0, null, 0],
  )
  const date = dateText()
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
  const count = async (query: string) => (await read(`/options-summary?${query}`)).result.length
  assert.equal(await count(`expiry=${day}`), 3)
  assert.equal(await count(`expiry=${expirySeconds()}`), 3)
  assert.equal(await count('expiry=2031-01-01'), 0)
  const asked = await read('/options-summary?include_rfq_provider_quotes=true&limit=5')
  assert.deepEqual(asked.result[0].rfq_provider_quotes, [])
  const alias = await read('/options-summary?rfq_provider_quotes=1&provider_quotes_limit=1')
  assert.deepEqual(alias.result[0].rfq_provider_quotes, [])
  for (const query of [
    'expiry=tomorrow',
    'expiry=2031-13-01',
    'expiry=2031-02-30',
    'include_rfq_provider_quotes=maybe',
    'rfq_provider_quotes_limit=0',
    'rfq_provider_quotes_limit=101',
  ]) {
    assertError(await venue.get(`/options-summary?${query}`), 400, 'invalid_parameter')
  }
})

test('every read answers HEAD without a body', async () => {
  const paths = [
    '/health',
    '/ready',
    '/version',
    '/exchange-info',
    '/instruments',
    '/markets',
    `/orderbook?instrument_id=${call}`,
    '/trades',
    '/options-summary',
    ...walletReads.map((path) => {
      const order = path === '/orders/status' ? '&order_id=1' : ''
      return `${path}?wallet=${taker.wallet}${order}`
    }),
    `/authorized-agents?wallet=${taker.wallet}`,
  ]
  for (const path of paths) {
    const answer = await venue.send('HEAD', path)
    assert.equal(answer.status, 200, path)
    assert.equal(answer.text, '', path)
  }
})

test('min_seq waits for a future event, and gives up after two seconds', async () => {
  let now = (await read('/markets')).as_of_seq
  assert.ok((await read(`/markets?min_seq=${now}`)).as_of_seq >= now)
  const change = async (price: number): Promise<Answer> => {
    now = (await read('/markets')).as_of_seq
    const waiting = venue.get(`/orders?wallet=${taker.wallet}&min_seq=${now + 1}`)
    await sleep(50)
    await venue.set('/index-prices', { prices: [{ underlying: 'ETH', price: String(price) }] })
    return waiting
  }
  let answer = await change(3101)
  // On a stalled machine the change itself may take more than those two seconds.
  for (let price = 3102; answer.status === 503 && price < 3110; price++)
    answer = await change(price)
  assert.equal(answer.status, 200, answer.text)
  assert.ok(answer.body.as_of_seq > now)
  const startMillis = performance.now()
  assertError(await venue.get(`/markets?min_seq=${now + 1_000_000}`), 503, 'not_ready')
  const tookMillis = performance.now() - startMillis
  assert.ok(tookMillis > 1500, `${tookMillis} ms`)
  assertError(await venue.get('/markets?min_seq=x'), 400, 'invalid_parameter')
})

test('/exchange-info lists a new perp immediately for a client that waits for its listing', async () => {
  const { seq } = await venue.set('/instruments', { symbol: 'DOGE-PERP' })
  const { perps, as_of_seq } = await read(`/exchange-info?min_seq=${seq}`)
  assert.ok(as_of_seq >= seq)
  assert.equal(perps.at(-1).symbol, 'DOGE-PERP')
  const tooFar = await venue.get(`/exchange-info?min_seq=${Number.MAX_SAFE_INTEGER}`)
  assertError(tooFar, 503, 'not_ready')
})
