import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readProjectJson } from '../support/project.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { dateText, type WalletKey } from './support/signed-body.js'
import { eventually, untilPast, Venue, type Wire } from './support/venue.js'

// The worked examples of settlement, run by an outside client. Steps that must precede an expiry are retried with more
// time if the machine was too slow.

interface PriceExample {
  readonly id: string
  readonly segments?: readonly {
    readonly from_ms: number
    readonly count: number
    readonly start: string
    readonly step: string
  }[]
  readonly twap?: string
  readonly trimmed_median_of_means?: string
}

interface PayoutExample {
  readonly id: string
  readonly right: 'call' | 'put'
  readonly strike: string
  readonly settlement_price: string
  readonly size: string
  readonly payoff_per_contract: string
  readonly settlement_value: string
}

interface DustExample {
  readonly right: 'call' | 'put'
  readonly strike: string
  readonly settlement_price: string
  readonly sizes: readonly string[]
  readonly settlement_values: readonly string[]
}

const { settlement } = readProjectJson<{
  settlement: {
    price: readonly PriceExample[]
    payout: readonly PayoutExample[]
    dust: readonly DustExample[]
  }
}>('test/vectors/options.json')

const windowMillis = 1_800_000
const plain = sharedVenue()
const trimmed = new Venue({ arguments: ['--set=settlement.estimator=trimmed_median_of_means'] })
const { fundedWallet, place } = orderActions(plain, '')
let underlyingCount = 0

before(() => trimmed.start())
after(() => trimmed.dispose())

/** Runs independent rows concurrently, since each waits for an expiry. */
async function together<Row>(
  rows: readonly Row[],
  run: (row: Row) => Promise<void>,
): Promise<void> {
  await Promise.all(rows.map(run))
}

/**
 * Retries with a later expiry until `make` ends before it.
 * @param make prepares the state before `expiry`, in Unix seconds
 */
async function beforeExpiry<Made>(
  make: (underlying: string, expiry: number) => Promise<Made>,
): Promise<Made & { underlying: string; expiry: number }> {
  for (let seconds = 3; ; seconds *= 2) {
    const underlying = `EX${++underlyingCount}`
    const expiry = Math.floor(Date.now() / 1000) + seconds
    const made = await make(underlying, expiry)
    if (Date.now() < expiry * 1000) return { ...made, underlying, expiry }
    assert.ok(seconds < 60, 'the option expires before all is done')
  }
}

function symbolOf(underlying: string, right: 'call' | 'put', strike: string): string {
  return `${underlying}-${dateText(30)}-${strike}-${right === 'call' ? 'C' : 'P'}`
}

async function settlementPrice(venue: Venue, symbol: string): Promise<string> {
  const price = async () => (await venue.read(`/orderbook?instrument_id=${symbol}`)).result
  await eventually('a settlement price', async () => (await price()).settlement_price !== 0)
  return String((await price()).settlement_price)
}

// Levels that hold for minutes: each sample carries over to the next, without an age limit.
const isLevels = ({ segments }: PriceExample) =>
  segments?.every(({ from_ms, step }) => step === '0' && from_ms % 1000 === 0) ?? false
const levels = settlement.price.filter((row) => row.twap !== undefined && isLevels(row))

for (const [name, venue] of [
  ['twap', plain],
  ['trimmed_median_of_means', trimmed],
] as const) {
  test(`${name}: the window's samples determine the price`, async () => {
    // Gaps end two of the examples' sums at a carry limit that development does not have.
    const rows = levels.filter(({ id }) => !['st08', 'st09'].includes(id))
    assert.ok(rows.length >= 5)
    await together(rows, async ({ id, segments, ...prices }) => {
      const { symbol, expiry } = await beforeExpiry(async (underlying, expiry) => {
        const listed = symbolOf(underlying, 'call', '100')
        await venue.set('/instruments', { symbol: listed, expiry })
        for (const { from_ms, start } of segments!) {
          const timestamp = expiry * 1000 - windowMillis + from_ms
          await venue.set('/index-prices', { prices: [{ underlying, price: start, timestamp }] })
        }
        return { symbol: listed }
      })
      await untilPast(expiry)
      assert.equal(await settlementPrice(venue, symbol), prices[name], id)
    })
  })
}

/**
 * Trades `sizes` of an option, each with a wallet of its own that bought or sold it; another wallet takes the other
 * side.
 */
async function hold(
  underlying: string,
  expiry: number,
  option: { right: 'call' | 'put'; strike: string },
  sizes: readonly string[],
): Promise<WalletKey[]> {
  const symbol = symbolOf(underlying, option.right, option.strike)
  await plain.set('/instruments', { symbol, expiry })
  await plain.set('/index-prices', { prices: [{ underlying, price: option.strike }] })
  const points = [{ strike: option.strike, iv: '0.6' }]
  await plain.set('/vol-surfaces', { underlying, expiry, points })
  const other = await fundedWallet('1000000000')
  const holders: WalletKey[] = []
  for (const text of sizes) {
    const isShort = text.startsWith('-')
    const size = text.replace('-', '')
    const by = await fundedWallet('1000000')
    const [sell, buy] = isShort ? [by, other] : [other, by]
    await place(sell, { symbol, side: 'Sell', size, price: '1' })
    await place(buy, { symbol, size, price: '1' })
    holders.push(by)
  }
  return holders
}

async function payoutOf({ wallet }: WalletKey): Promise<Wire> {
  const rows = async () => (await plain.read(`/settlement-payouts?wallet=${wallet}`)).data
  await eventually('a payout', async () => (await rows()).length === 1)
  return (await rows())[0]
}

async function settle(underlying: string, expiry: number, price: string): Promise<void> {
  const body = { underlying, expiry, price }
  await untilPast(expiry)
  await eventually('a price that is taken', async () => {
    const answer = await plain.operator('POST', '/settlement-prices', body)
    return answer.status === 200
  })
}

test('payouts are payoff times size, rounded once, for long and short', async () => {
  await together(settlement.payout, async (row) => {
    const { underlying, expiry, holders } = await beforeExpiry(async (name, at) => ({
      holders: await hold(name, at, row, [row.size]),
    }))
    await settle(underlying, expiry, row.settlement_price)
    const payout = await payoutOf(holders[0]!)
    assert.deepEqual(
      [payout.position_size, payout.settlement_price, payout.settlement_value],
      [row.size, row.payoff_per_contract, row.settlement_value],
      row.id,
    )
    assert.equal(payout.underlying_price, row.settlement_price)
    const netMicros = Number(row.settlement_value) * 1e6 - Number(row.size) * 1e6
    assert.ok(Math.abs(Number(payout.net_pnl) * 1e6 - netMicros) <= 1, row.id)
    const { data } = await plain.read(`/portfolio?wallet=${holders[0]!.wallet}`)
    assert.deepEqual(data.positions, [])
    const gained = Math.round((Number(data.equity) - 1_000_000) * 1e6)
    assert.equal(gained, Math.round(Number(payout.net_pnl) * 1e6), row.id)
  })
})

test('rounding dust belongs to no wallet: values are as computed, and the market sums to the dust', async () => {
  await together(settlement.dust, async (row) => {
    const { underlying, expiry, holders } = await beforeExpiry(async (name, at) => ({
      holders: await hold(name, at, row, row.sizes),
    }))
    await settle(underlying, expiry, row.settlement_price)
    const values: string[] = []
    for (const by of holders) values.push((await payoutOf(by)).settlement_value)
    assert.deepEqual(values, row.settlement_values)
  })
})
