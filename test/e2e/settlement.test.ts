import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { expiringOptions, type Held } from './support/expiring-options.js'
import { payoutsSeenBody, symbolOf, type WalletKey } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import { assertError, eventually, untilPast, Venue, type Wire } from './support/venue.js'

const venue = new Venue()
const hold = expiringOptions(venue)

before(() => venue.start())
after(() => venue.dispose())

async function statusOf(symbol: string): Promise<string> {
  const { data } = await venue.read('/markets')
  const rows = data.flatMap((each: Wire) => each.instruments)
  const row = rows.find((each: Wire) => each.id === symbol)
  // The list omits settled options.
  return row === undefined ? 'SETTLED' : row.status
}

async function untilStatus({ symbol, expiry }: Held, status: string): Promise<void> {
  await untilPast(expiry)
  await eventually(status, async () => (await statusOf(symbol)) === status, 120_000)
}

async function payoutsOf(by: WalletKey, filter = ''): Promise<Wire[]> {
  return (await venue.read(`/settlement-payouts?wallet=${by.wallet}${filter}`)).data
}

async function cashOf(by: WalletKey): Promise<Wire> {
  return (await venue.read(`/portfolio?wallet=${by.wallet}`)).data
}

function priceBody({ underlying, expiry }: Held, price: string) {
  return { underlying, expiry, price }
}

test('a full window settles by itself: payouts, cash, positions and listings agree', async () => {
  const observed = [
    [1800, '104900'],
    [900, '105100'],
  ] as const
  const held = await hold({ underlying: 'FULL', observed })
  const { symbol, strike, expiry, seller, buyer } = held
  await untilStatus(held, 'SETTLED')

  const payoff = 105_000 - strike
  const row = {
    symbol,
    expiry_ts: expiry,
    settlement_price: String(payoff),
    settlement_entry_price: '3000',
    ledger_applied: true,
    is_seen: false,
    underlying_price: '105000',
    fee: '0',
    borne: '0',
  }
  const long = {
    ...row,
    wallet: buyer.wallet,
    position_size: '2',
    settlement_value: String(2 * payoff),
    cost_basis: '6000',
    net_pnl: String(2 * payoff - 6000),
  }
  const short = {
    ...row,
    wallet: seller.wallet,
    position_size: '-2',
    settlement_value: String(-2 * payoff),
    cost_basis: '-6000',
    net_pnl: String(6000 - 2 * payoff),
  }
  for (const [by, wanted] of [
    [buyer, long],
    [seller, short],
  ] as const) {
    const rows = await payoutsOf(by)
    const { id, created_at, ...payout } = rows[0]
    assert.equal(rows.length, 1)
    assert.ok(Number.isInteger(id) && id >= 1)
    assert.ok(created_at >= expiry * 1000)
    assert.deepEqual(payout, wanted)
    const portfolio = await cashOf(by)
    assert.deepEqual(portfolio.positions, [])
    assert.equal(Number(portfolio.equity), 1_000_000 + Number(wanted.net_pnl))
    assert.equal(portfolio.total_margin_used, '0')
  }
  const listed = await venue.operator('POST', '/instruments', { symbol, expiry })
  assert.deepEqual([listed.status, listed.body.result], [200, 'MARKET_EXPIRED'])
  const book = (await venue.read(`/orderbook?instrument_id=${symbol}`)).result
  assert.deepEqual([book.settlement_price, book.estimated_delivery_price], [105_000, 105_000])
})

test('portfolio subscribers receive the expired position, then its removal and their cash', async () => {
  const held = await hold({ underlying: 'HEARD', right: 'P', observed: [[5, '99000']] })
  const { symbol, strike, seller, buyer } = held
  const peer = await StreamPeer.open(venue, `?wallet=${buyer.wallet}`)
  await peer.subscribe('portfolio')
  await peer.next(({ kind }) => kind === 'Initial')
  await untilStatus(held, 'EXPIRED_PENDING_PRICE')
  await venue.set('/settlement-prices', priceBody(held, '98765.4321'))

  const message = await peer.next('PositionExpired')
  const payoff = (strike - 98_765.4321).toFixed(4)
  const { timestamp, seq, ...fields } = message
  assert.ok(timestamp >= held.expiry * 1000 && seq > 0)
  assert.deepEqual(fields, {
    type: 'PositionExpired',
    wallet_address: buyer.wallet,
    symbol,
    position_size: '2',
    settlement_price: payoff,
    settlement_value: (2 * Number(payoff)).toFixed(4),
    settlement_entry_price: '3000',
    cost_basis: '6000',
    net_pnl: (2 * Number(payoff) - 6000).toFixed(4),
    underlying_price: '98765.4321',
    fee: '0',
    borne: '0',
  })
  const update = await peer.next(({ kind }) => kind === 'PositionUpdate')
  assert.deepEqual([update.position.symbol, update.position.amount], [symbol, '0'])
  assert.equal(update.position.realized_pnl, fields.net_pnl)
  const balance = await peer.next(({ kind }) => kind === 'BalanceUpdate')
  assert.equal(Number(balance.cash), 1_000_000 - 6000 + 2 * Number(payoff))
  assert.equal(balance.cash, balance.equity)
  assert.equal((await payoutsOf(seller)).length, 1)
  peer.close()
})

test('until its price is set an expired option has the value that its samples so far would pay', async () => {
  const observed = [
    [900, '104000'],
    [100, '105000'],
  ] as const
  const held = await hold({ underlying: 'SOFAR', observed })
  const { symbol, underlying, strike, buyer } = held
  await untilStatus(held, 'EXPIRED_PENDING_PRICE')
  // 800 samples of one level and 100 of the other; later index changes no longer count.
  await venue.set('/index-prices', { prices: [{ underlying, price: '120000' }] })
  const mean = 104_111.111111
  const { positions } = await cashOf(buyer)
  const worth = 2 * Math.max(0, mean - strike)
  assert.equal(Number(positions[0].notional_value).toFixed(6), worth.toFixed(6))
  const book = async () => (await venue.read(`/orderbook?instrument_id=${symbol}`)).result
  const open = await book()
  assert.deepEqual([open.estimated_delivery_price, open.settlement_price], [mean, 0])
  await venue.set('/settlement-prices', priceBody(held, '104000'))
  const settled = await book()
  assert.deepEqual([settled.estimated_delivery_price, settled.settlement_price], [104_000, 104_000])
})

test('without enough samples an expiry waits for the operator, whose first price is final', async () => {
  const held = await hold({ underlying: 'WAITS', observed: [[2, '100000']] })
  const { symbol, strike, buyer } = held
  const early = await venue.operator('POST', '/settlement-prices', {
    ...priceBody(held, '100000'),
    expiry: held.expiry + 3600,
  })
  assertError(early, 404, 'not_found')
  await untilStatus(held, 'EXPIRED_PENDING_PRICE')
  const waits = { underlying: held.underlying, expiry: held.expiry }
  const pending = async () => (await venue.operatorState()).venue.expiries_pending
  await eventually('the expiry pends', async () => (await pending()).count === 1)
  assert.deepEqual((await pending()).expiries, [waits])
  assert.match(await venue.metrics(), /^strikebook_expiries_waiting\{kind="price"\} 1$/m)
  assert.deepEqual(await payoutsOf(buyer), [])
  const again = await venue.operator('POST', '/instruments', { symbol, expiry: held.expiry })
  assert.equal(again.body.result, 'MARKET_PENDING_SETTLEMENT')
  const delisted = await venue.operator('DELETE', '/instruments', { symbol })
  assertError(delisted, 409, 'conflict')
  assert.match(delisted.body.message, /MARKET_PENDING_SETTLEMENT/)

  const price = String(strike + 1000)
  const set = await venue.set('/settlement-prices', priceBody(held, price))
  assert.deepEqual([set.result, set.changed, set.price], ['SETTLEMENT_PRICE_SET', true, price])
  await untilStatus(held, 'SETTLED')
  assert.deepEqual(await pending(), { count: 0, expiries: [] })
  assert.match(await venue.metrics(), /^strikebook_expiries_waiting\{kind="price"\} 0$/m)
  const same = await venue.set('/settlement-prices', priceBody(held, price))
  assert.deepEqual([same.result, same.changed], ['SETTLEMENT_PRICE_ALREADY_SET', false])
  const other = await venue.operator('POST', '/settlement-prices', priceBody(held, '1'))
  assertError(other, 409, 'conflict')
  assert.equal((await payoutsOf(buyer))[0].settlement_value, '2000')
})

test('creditors share what there is: rows state the reduction and the debtor', async () => {
  const held = await hold({ underlying: 'LACKS', observed: [[2, '100000']] })
  const { strike, seller, buyer } = held
  await untilStatus(held, 'EXPIRED_PENDING_PRICE')
  // 2 × 800,000 are owed; 1,000,000 and a premium of 6,000 are available.
  await venue.set('/settlement-prices', priceBody(held, String(strike + 800_000)))
  await untilStatus(held, 'SETTLED')
  const [owed] = await payoutsOf(seller)
  assert.deepEqual([owed.settlement_value, owed.borne], ['-1600000', '0'])
  const [paid] = await payoutsOf(buyer)
  assert.deepEqual(
    [paid.settlement_price, paid.settlement_value, paid.borne, paid.net_pnl],
    ['800000', '1006000', '594000', '1000000'],
  )
  assert.equal(Number((await cashOf(seller)).equity), 0)
  assert.equal(Number((await cashOf(buyer)).equity), 2_000_000)
  const { data } = await venue.read(`/liquidation/history?wallet=${seller.wallet}`)
  assert.equal(data[0].new_state, 'liquidated')
  const { insurance_paid, shared, uncovered } = data[0].details
  assert.deepEqual([insurance_paid, shared, uncovered], ['0', '594000', '0'])
})

test('the venue refuses a settlement price before the expiry, for an unknown expiry, and an invalid one', async () => {
  const symbol = symbolOf('BTC', 110_000)
  await venue.set('/instruments', { symbol })
  const expiry = symbol.slice(4, 12)
  const send = (body: object) => venue.operator('POST', '/settlement-prices', body)
  assertError(await send({ underlying: 'BTC', expiry, price: '1' }), 409, 'conflict')
  assertError(await send({ underlying: 'NONE', expiry, price: '1' }), 404, 'not_found')
  assertError(await send({ underlying: 'BTC', price: '1' }), 400, 'missing_field')
  assertError(await send({ underlying: 'BTC', expiry, price: '0' }), 400, 'invalid_field')
})

test('payouts can be filtered by symbol and page, and only their wallet marks them as seen', async () => {
  const held = await hold({ underlying: 'SEEN', observed: [[1800, '101000']] })
  const { symbol, seller, buyer } = held
  await untilStatus(held, 'SETTLED')
  const [row] = await payoutsOf(buyer, `&symbol=${symbol}&limit=1`)
  assert.deepEqual(await payoutsOf(buyer, '&offset=1'), [])
  assert.deepEqual(await payoutsOf(buyer, '&ledger_applied=false'), [])
  assert.deepEqual(await payoutsOf(buyer, `&symbol=${symbolOf('BTC', 1)}`), [])
  const unread = await venue.get(`/settlement-payouts?wallet=${buyer.wallet}&symbol=none`)
  assertError(unread, 400, 'invalid_parameter')
  assert.equal(unread.body.message, 'symbol must be the id or symbol of an instrument')
  const [others] = await payoutsOf(seller)

  const send = (body: object) => venue.send('POST', '/settlement-payouts/seen', body)
  const ids = [row.id, row.id, others.id, 1_000_000]
  const body = await payoutsSeenBody(buyer, { ids })
  for (const answer of [await send(body), await send(body)]) {
    const { seq, ...said } = answer.body
    assert.equal(answer.status, 200, answer.text)
    assert.ok(seq > 0)
    assert.deepEqual(said, { success: true, requested: 4, affected: 1, error: null })
  }
  assert.equal((await payoutsOf(buyer))[0].is_seen, true)
  assert.equal((await payoutsOf(seller))[0].is_seen, false)
  const unseen = await send(await payoutsSeenBody(buyer, { ids: [row.id], seen: false }))
  assert.equal(unseen.body.affected, 1)
  assert.equal((await payoutsOf(buyer))[0].is_seen, false)

  const stranger = await payoutsSeenBody(buyer, { ids: [row.id] }, seller)
  assertError(await send(stranger), 401, 'unauthorized')
  const used = await payoutsSeenBody(buyer, { ids: [1], nonce: body['nonce'] })
  assertError(await send(used), 409, 'conflict')
  for (const [wrong, code] of [
    [[], 'invalid_parameter'],
    [Array(101).fill(1), 'invalid_parameter'],
    [[0], 'invalid_field'],
    [['1'], 'invalid_parameter'],
    [[1.5], 'invalid_parameter'],
    [1, 'invalid_parameter'],
  ] as const) {
    assertError(await send(await payoutsSeenBody(buyer, { ids: wrong })), 400, code)
  }
  assertError(await send(await payoutsSeenBody(buyer, {})), 400, 'missing_field')
  const owned = await venue.get(`/settlement-payouts/owned?wallet=${buyer.wallet}&ids=${row.id}`)
  assertError(owned, 404, 'not_found')
})

longTest(
  'killed right after the price, the venue pays each position once and shows it; at its start it prices an expiry missed while down by the window',
  async () => {
    const held = await hold({ underlying: 'KILLED', observed: [[3, '100000']] })
    const { strike, seller, buyer } = held
    await untilStatus(held, 'EXPIRED_PENDING_PRICE')
    await venue.set('/settlement-prices', priceBody(held, String(strike + 500)))
    await venue.end('SIGKILL')
    await venue.start()
    await untilStatus(held, 'SETTLED')
    const rows = [...(await payoutsOf(seller)), ...(await payoutsOf(buyer))]
    assert.deepEqual(
      rows.map(({ settlement_value }) => settlement_value),
      ['-1000', '1000'],
    )
    const seen = await payoutsSeenBody(buyer, { ids: [rows[1].id] })
    assert.equal((await venue.send('POST', '/settlement-payouts/seen', seen)).status, 200)
    const later = await hold({ underlying: 'DOWN', observed: [[1800, '103000']] })
    await venue.end('SIGKILL')
    await untilPast(later.expiry)
    await venue.start()
    await eventually(
      'the payout marked as seen',
      async () => (await payoutsOf(buyer))[0]?.is_seen === true,
    )
    const after = [...(await payoutsOf(seller)), ...(await payoutsOf(buyer))]
    assert.deepEqual(after, [rows[0], { ...rows[1], is_seen: true }])
    assert.equal(Number((await cashOf(buyer)).equity), 1_000_000 - 6000 + 1000)
    assert.equal(Number((await cashOf(seller)).equity), 1_000_000 + 6000 - 1000)
    const again = await venue.set('/settlement-prices', priceBody(held, String(strike + 500)))
    assert.equal(again.changed, false)
    await untilStatus(later, 'SETTLED')
    assert.equal((await payoutsOf(later.buyer))[0].underlying_price, '103000')
  },
)

test('the insurance fund is credited once per deposit id', async () => {
  const body = { amount: '1000', deposit_id: 'first' }
  const answers = [
    await venue.set('/insurance-fund', body),
    await venue.set('/insurance-fund', body),
  ]
  assert.deepEqual(
    answers.map(({ result, changed }) => [result, changed]),
    [
      ['DEPOSIT_CREDITED', true],
      ['DEPOSIT_ALREADY_CREDITED', false],
    ],
  )
  const shown = async () => (await venue.operatorState()).venue.funds
  const funds = {
    fees: '0',
    in_transit: '0',
    insurance: '1000',
    clearing: '0',
    insurance_deposits: '1000',
  }
  await eventually('the fund', async () => (await shown()).insurance === '1000')
  const { dust, ...balances } = await shown()
  assert.deepEqual(balances, funds)
  const gauge = (kind: string) =>
    new RegExp(`^strikebook_fund_balance_usd\\{kind="${kind}"\\} (.*)$`, 'm')
  const metrics = await venue.metrics()
  assert.equal(gauge('insurance').exec(metrics)?.[1], '1000')
  assert.equal(gauge('dust').exec(metrics)?.[1], dust)
  const wrong = await venue.operator('POST', '/insurance-fund', { amount: '-1' })
  assertError(wrong, 400, 'invalid_field')
})
