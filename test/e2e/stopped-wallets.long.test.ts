import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import {
  type Body,
  developmentDomain,
  placeBody,
  symbolOf,
  WalletKey,
} from './support/signed-body.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// Wallets that trade within the rules, at the caps, on venues that constantly check their invariants.

const smallest = '0.00000001'
const itemsPerBulk = 50
const watching = [
  '--set=invariants.checkMillis=20',
  ...['tier2', 'market_maker'].map((tier) => `--set=limits.${tier}.ordersPerMinute=1000000`),
]
const presets = {
  development: new Venue({ arguments: watching }),
  'mainnet-alpha': new Venue({
    arguments: ['--preset=mainnet-alpha', ...watching],
    token: 'e2e-operator-token',
  }),
} as const
const domains = {
  development: developmentDomain,
  'mainnet-alpha': { name: 'Strikebook', chainId: 999 },
} as const
type PresetName = keyof typeof presets

const symbol = symbolOf('BTC', 110_000)

before(async () => {
  for (const venue of Object.values(presets)) {
    await venue.start()
    await listMarket(venue, [symbol])
  }
})
after(async () => {
  for (const venue of Object.values(presets)) await venue.dispose()
})

async function funded(venue: Venue, amount: string, tier = 'tier2'): Promise<WalletKey> {
  const by = new WalletKey()
  await venue.set('/deposits', { wallet: by.wallet, amount })
  await venue.set('/tiers', { wallet: by.wallet, tier })
  return by
}

/**
 * Rests orders in bulks.
 * @returns the number that rest
 */
async function rest(name: PresetName, by: WalletKey, orders: readonly Body[]): Promise<number> {
  let resting = 0
  for (let from = 0; from < orders.length; from += itemsPerBulk) {
    const items = orders
      .slice(from, from + itemsPerBulk)
      .map((patch) => placeBody(by, { symbol, ...patch }, by, domains[name]))
    const { status, body, text } = await presets[name].send(
      'POST',
      '/bulk_order',
      await Promise.all(items),
    )
    assert.equal(status, 200, text)
    for (const item of body) {
      if (item.data?.status === 'ACKED') resting++
      else assert.fail(JSON.stringify(item))
    }
  }
  return resting
}

const gauge = async (venue: Venue, name: string): Promise<number> =>
  Number(new RegExp(`^strikebook_${name} (\\S+)$`, 'm').exec(await venue.metrics())![1])

/** Waits until every wallet has been checked from now on. */
async function checked(venue: Venue): Promise<void> {
  const before = await gauge(venue, 'invariant_looks_total')
  await eventually(
    'checks',
    async () => (await gauge(venue, 'invariant_looks_total')) > before + 12,
  )
}

/** Asserts that another wallet's order is accepted, no check found anything, and no wallet is stopped. */
async function mustTrade(name: PresetName): Promise<void> {
  const venue = presets[name]
  await checked(venue)
  assert.equal(await gauge(venue, 'invariant_breaches_total'), 0, venue.log().slice(-2000))
  const other = await funded(venue, '100000')
  const order = await placeBody(other, { symbol, price: '50', size: '1' }, other, domains[name])
  const { body, text } = await venue.send('POST', '/order', order)
  assert.equal(body.status, 'ACKED', text)
}

async function markOf(venue: Venue): Promise<number> {
  const { result } = await venue.read('/options-summary?currency=BTC')
  return result.find((row: Wire) => row.instrument_name === symbol).mark_price
}

for (const name of Object.keys(presets) as PresetName[]) {
  const venue = presets[name]

  test(`${name}: a wallet with 50 USD rests 400 of the smallest bids, and all wallets keep trading, after a restart too`, async () => {
    const by = await funded(venue, '50')
    const bids = Array.from({ length: 400 }, (_, i) => {
      return { side: 'Buy', size: smallest, price: String(2000 + (i % 50)) }
    })
    assert.equal(await rest(name, by, bids), 400)
    await mustTrade(name)
    assert.equal(await venue.end('SIGTERM'), 0)
    await venue.start()
    await mustTrade(name)
  })
}

test('development: a wallet with 50 USD rests 300 of the smallest asks below the mark, and all wallets keep trading', async () => {
  const venue = presets.development
  const by = await funded(venue, '50')
  const mark = Math.floor(await markOf(venue))
  const asks = Array.from({ length: 300 }, (_, i) => {
    return { side: 'Sell', size: smallest, price: String(mark - 1 - (i % 20)) }
  })
  assert.equal(await rest('development', by, asks), 300)
  await mustTrade('development')
})

test("development: the index moves by 3 and by 50 % over a market maker's 2,000 asks, and all wallets keep trading", async () => {
  const venue = presets.development
  const maker = await funded(venue, '500000000', 'market_maker')
  const asks = Array.from({ length: 2000 }, (_, i) => {
    const size = (0.1 + (i % 97) * 0.00123457).toFixed(8)
    return { side: 'Sell', size, price: String(4000 + (i % 400)) }
  })
  assert.equal(await rest('development', maker, asks), 2000)
  await mustTrade('development')
  for (const price of ['103000', '150000', '75000']) {
    await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price }] })
    await mustTrade('development')
  }
})
