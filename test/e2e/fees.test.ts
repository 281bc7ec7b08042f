import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { orderActions } from './support/order-actions.js'
import { expirySeconds, symbolOf, WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// The worked examples of fees, run by an outside client on a venue with their schedule.

const schedule = {
  makerRate: '0.0002',
  takerRate: '0.0005',
  builderShare: '0.5',
  settlement: '0.00015',
}
const settings = Object.entries(schedule).map(([name, value]) => `--set=fees.${name}=${value}`)
const venue = new Venue({ arguments: settings })
const [ether, bitcoin] = [symbolOf('ETH', 3500), symbolOf('BTC', 110_000)]
const { fundedWallet, place, cancelAll } = orderActions(venue, ether)
const open = streamPeers(venue)

before(async () => {
  await venue.start()
  const prices = [
    { underlying: 'ETH', price: '3200' },
    { underlying: 'BTC', price: '100000' },
  ]
  await venue.set('/index-prices', { prices })
  const points = [
    { strike: '1000', iv: '0.6' },
    { strike: '200000', iv: '0.6' },
  ]
  for (const symbol of [ether, bitcoin]) await venue.set('/instruments', { symbol })
  for (const { underlying } of prices) {
    await venue.set('/vol-surfaces', { underlying, expiry: expirySeconds(), points })
  }
})
after(() => venue.dispose())

/**
 * Lets a buyer take a seller's resting order.
 * @returns the wallets, and both sides' view of the fill
 */
async function trade(terms: Wire, sold: Wire = {}, bought: Wire = {}) {
  const [maker, taker] = [await fundedWallet(), await fundedWallet()]
  const resting = await place(maker, { ...terms, side: 'Sell', ...sold })
  assert.equal(resting.status, 'ACKED', JSON.stringify(resting))
  const taken = await place(taker, { ...terms, side: 'Buy', ...bought })
  assert.equal(taken.status, 'FILLED', JSON.stringify(taken))
  return { maker, taker, makerFill: await fillOf(maker), takerFill: await fillOf(taker) }
}

async function fillOf({ wallet }: WalletKey): Promise<Wire> {
  const rows = async () => (await venue.read(`/fills?wallet=${wallet}`)).data
  await eventually('the fill is in the history', async () => (await rows()).length > 0)
  return (await rows())[0]
}

async function listedBuilder(): Promise<WalletKey> {
  const builder = new WalletKey()
  await venue.set('/builders', { builder: builder.wallet, status: 'active' })
  return builder
}

/** Returns the cash of a wallet without shorts and working orders. */
async function cashOf({ wallet }: WalletKey): Promise<string> {
  return (await venue.read(`/portfolio?wallet=${wallet}`)).data.withdrawable_usdc
}

const examples = [
  { symbol: ether, price: '100', size: '1', maker: '0.64', taker: '1.6' },
  { symbol: ether, price: '0.5', size: '10', maker: '0.625', taker: '0.625' },
  { symbol: bitcoin, price: '3270.2', size: '1', maker: '20', taker: '50' },
  { symbol: bitcoin, price: '80.9', size: '1', maker: '10.1125', taker: '10.1125' },
]

for (const { maker, taker, ...terms } of examples) {
  test(`${terms.size} of ${terms.symbol} at ${terms.price}: ${maker} and ${taker}`, async () => {
    const done = await trade(terms)
    assert.deepEqual([done.makerFill.fee, done.takerFill.fee], [maker, taker])
    assert.equal(done.takerFill.builder_code_fee, null)
    const premium = Number(terms.price) * Number(terms.size)
    assert.equal(Number(await cashOf(done.taker)), round(1_000_000 - premium - Number(taker)))
    const trades = (await venue.read(`/trades?symbol=${terms.symbol}`)).data
    const row = trades.find((one: Wire) => one.trade_id === done.takerFill.trade_id)
    assert.deepEqual([row.maker_fee, row.taker_fee], [maker, taker])
  })
}

test('the builder of the order gets half of a fee, and the stream reports it', async () => {
  const builder = await listedBuilder()
  const named = { builder_code_address: builder.wallet }
  const maker = await fundedWallet()
  const peer = await open(`?wallet=${maker.wallet}`)
  await peer.subscribe('fills')
  const terms = { price: '100', size: '1' }
  await place(maker, { ...terms, side: 'Sell', ...named })
  const taker = await fundedWallet()
  await place(taker, { ...terms, side: 'Buy' })
  for (const fill of [await peer.next('Fill'), await fillOf(maker)]) {
    assert.equal(fill.builder_code_address, builder.wallet)
    assert.deepEqual([fill.fee, fill.builder_code_fee], ['0.64', '0.32'])
  }
  assert.equal((await fillOf(taker)).builder_code_address, null)
  await eventually('its cash', async () => (await cashOf(builder)) === '0.32')
})

test('an unlisted or suspended builder earns nothing, nor does the wallet of the order itself', async () => {
  const [stranger, suspended] = [new WalletKey(), await listedBuilder()]
  await venue.set('/builders', { builder: suspended.wallet, status: 'suspended' })
  const terms = { price: '100', size: '1' }
  for (const builder of [stranger, suspended]) {
    const { takerFill } = await trade(terms, {}, { builder_code_address: builder.wallet })
    assert.deepEqual([takerFill.fee, takerFill.builder_code_fee], ['1.6', '0'])
    assert.equal(await cashOf(builder), '0')
  }
  const [maker, own] = [await fundedWallet(), await fundedWallet()]
  await venue.set('/builders', { builder: own.wallet, status: 'active' })
  await place(maker, { ...terms, side: 'Sell' })
  await place(own, { ...terms, side: 'Buy', builder_code_address: own.wallet })
  assert.equal(await cashOf(own), '999898.4')
})

test('a working buy reserves premium and fee, up to the last cent of available cash', async () => {
  const by = await fundedWallet('101.6')
  const one = { side: 'Buy', price: '100', size: '1' }
  const more = await place(by, { ...one, size: '1.00000001' })
  assert.equal(more.status, 'REJECTED')
  assert.equal(more.reason_code, 'insufficient_cash')
  const preview = async (size: string) => {
    const orders = [{ ...one, size, symbol: ether }]
    const body = { wallet: by.wallet, execution_mode: 'resting', orders }
    return (await venue.send('POST', '/risk/simulate/orders', body)).body.data
  }
  assert.equal((await preview('1.00000001')).admissible, false)
  assert.equal((await preview('1')).required, '101.6')
  assert.equal((await place(by, one)).status, 'ACKED')
  const { margin_summary: summary } = (await venue.read(`/portfolio?wallet=${by.wallet}`)).data
  assert.equal(summary.open_orders_premium_reserved, '101.6')
  assert.equal(summary.open_orders_im, '101.6')
  await cancelAll(by)
  assert.equal(await cashOf(by), '101.6')
})

test('the instrument list states the rates in basis points', async () => {
  const rows = (await venue.read('/instrument-specs')).result
  const row = rows.find((one: Wire) => one.instrument_id === ether)
  assert.deepEqual([row.maker_fee_bps, row.taker_fee_bps], [2, 5])
})

longTest('paid fees stay paid after a restart', async () => {
  const builder = await listedBuilder()
  const terms = { price: '100', size: '1' }
  const { maker, taker } = await trade(terms, {}, { builder_code_address: builder.wallet })
  await venue.end()
  await venue.start()
  assert.deepEqual([await cashOf(taker), await cashOf(builder)], ['999898.4', '0.8'])
  // Buying back at the price of the sale costs just the fees of both trades.
  await place(await fundedWallet(), { ...terms, side: 'Sell' })
  assert.equal((await place(maker, { ...terms, side: 'Buy' })).status, 'FILLED')
  assert.equal(await cashOf(maker), '999997.76')
})

function round(usd: number): number {
  return Math.round(usd * 1e6) / 1e6
}

test('GET /fees returns the schedule that the venue was started with', async () => {
  const { enabled, options, settlement, builder } = await venue.read('/fees')
  assert.equal(enabled, true)
  assert.deepEqual(options, { maker_rate: '0.0002', taker_rate: '0.0005', price_cap: '0.125' })
  assert.deepEqual(settlement, { rate: '0.00015', payoff_cap: '0.125' })
  assert.deepEqual(builder, { share: '0.5' })
})
