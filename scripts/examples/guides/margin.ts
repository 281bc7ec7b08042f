import { randomBytes } from 'node:crypto'
import { connectStrikebook, expectAccepted } from 'strikebook/client'

// Margin: what an order would need, what a short position needs, and the same under portfolio margin.
//   npm start                 in one terminal; once it prints `ready`:
//   npm run example -- margin  in another

const { argv, env } = process
const url = argv[2] ?? env['STRIKEBOOK_URL'] ?? 'http://127.0.0.1:8080'
const privateKey = `0x${randomBytes(32).toString('hex')}`
const client = await connectStrikebook({ url, privateKey })
await client.money.faucet()
console.log(`wallet ${client.wallet}`)
const before = await show('before')

// The call with a bid whose delta is closest to a third
const [call] = (await client.optionsSummary('BTC'))
  .filter((row) => row.bid_price > 0 && row.instrument_name.endsWith('-C'))
  .sort((one, other) => farFromThird(one.greeks.delta) - farFromThird(other.greeks.delta))
if (!call)
  throw new Error('nobody bids for a call: try again in a moment, on the market of `npm start`')
const { instrument_name: symbol, bid_price: bid } = call
const price = String(Number((bid * 0.9).toPrecision(5)))
const sale = { symbol, side: 'Sell', size: '0.1', price } as const

// Previews the sale, then a sale of 100 contracts. Nothing is signed or placed.
const small = await client.risk.simulateOrders([sale])
if (!small.admissible) throw new Error(`the sale is not admissible: ${small.rejection_reason}`)
console.log(`preview: the sale adds ${small.incremental_im} of initial margin`)
const large = await client.risk.simulateOrders([{ ...sale, size: '100' }])
if (large.admissible) throw new Error('the sale of 100 is admissible')
console.log(`preview: a sale of 100 is rejected, because it adds ${large.incremental_im}`)

const sold = expectAccepted(await client.placeOrder({ ...sale, tif: 'ioc' }))
if (sold.status !== 'FILLED') throw new Error(`not sold: ${sold.reason}`)
const standard = await show('after the sale')
if (standard <= before) throw new Error('the short call needs no margin')

// Portfolio margin is the largest weighted loss over scenarios of index and volatility, at least a minimum.
const changed = await client.account.setMarginMode({ marginMode: 'portfolio' })
console.log(`margin mode: ${changed.margin_mode} instead of ${changed.previous_mode}`)
if ((await show('portfolio margin')) === standard)
  throw new Error('both modes need the same margin')
const [grid] = (await client.risk.grid()).underlyings
const [worst] = [...grid!.scenarios].sort(
  (one, other) =>
    Number(one.total_pnl) * Number(one.pnl_weight) -
    Number(other.total_pnl) * Number(other.pnl_weight),
)
const shock = Number(worst!.spot_shock_pct) * 100
console.log(`worst scenario: index ${shock} %, profit ${worst!.total_pnl}`)

// A mode change fails if the account would not meet its initial margin.
await client.account.setMarginMode({ marginMode: 'standard' })

/** Prints the figures of the portfolio. All amounts are decimal text in USD. @returns the margin in use. */
async function show(moment: string): Promise<number> {
  const {
    equity,
    total_margin_used: margin,
    available_balance: available,
  } = await client.portfolio()
  console.log(`${moment}: equity ${equity}, margin ${margin}, available ${available}`)
  return Number(margin)
}

function farFromThird(delta: number): number {
  return Math.abs(delta - 0.33)
}
