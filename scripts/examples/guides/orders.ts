import { randomBytes } from 'node:crypto'
import { connectStrikebook, expectAccepted } from 'strikebook/client'

// Orders: resting, replaced, in bulk, post-only, immediate-or-cancel, reduce-only; then all are canceled.
//   npm start                 in one terminal; once it prints `ready`:
//   npm run example -- orders  in another

const { argv, env } = process
const url = argv[2] ?? env['STRIKEBOOK_URL'] ?? 'http://127.0.0.1:8080'
const privateKey = `0x${randomBytes(32).toString('hex')}`
const client = await connectStrikebook({ url, privateKey })
await client.money.faucet()
console.log(`wallet ${client.wallet}`)

// The quoted call whose delta is closest to a half
const [option] = (await client.optionsSummary('BTC'))
  .filter(({ bid_price: bid, ask_price: ask }) => bid > 0 && ask > 0)
  .sort((one, other) => farFromHalf(one.greeks.delta) - farFromHalf(other.greeks.delta))
if (!option) throw new Error('nobody quotes: try again in a moment, on the market of `npm start`')
const { instrument_name: symbol, mark_price: mark, ask_price: ask, bid_price: bid } = option

// A gtc order far below the market rests. The client id is ours; no two working orders share one.
const low = priceText(mark / 2)
const buy = { symbol, side: 'Buy', price: low, tif: 'gtc' } as const
const grid = { ...buy, clientId: 'grid-1' }
const order = expectAccepted(await client.placeOrder({ ...grid, size: '0.02' }))
console.log(`resting: order ${order.order_id}`)

// A replacement is the new order or nothing. It has a new id, a new place in the queue, and the whole size.
const replacement = { ...grid, size: '0.03', orderId: order.order_id }
const replaced = expectAccepted(await client.replaceOrder(replacement))
console.log(`replaced: order ${order.order_id} by ${replaced.order_id}`)

// Each item of a bulk has its own signature and its own result. The second size is not above 0.
const [good, bad] = await client.placeOrders([
  { ...buy, size: '0.01', clientId: 'grid-2' },
  { ...buy, size: '0', clientId: 'grid-3' },
])
if (!good?.success || bad?.code !== 'invalid_field') throw new Error('unexpected results')
console.log(`bulk: order ${good.data?.order_id}, then ${bad.error}`)

// Perps have post-only orders, options do not: `alo` rests, or is rejected if it would trade.
const perp = (await client.perps()).find(({ underlying }) => underlying === 'BTC')
if (!perp) throw new Error('BTC has no perp')
const postOnly = { asset: perp.asset, side: 'Buy', size: '0.01', price: '50000' } as const
const resting = expectAccepted(await client.placePerpOrder({ ...postOnly, tif: 'alo' }))
console.log(`post-only: order ${resting.order_id} of ${perp.symbol}`)

// An ioc order trades on arrival. The part that does not trade is canceled.
const taking = { ...buy, size: '0.02', price: priceText(ask * 1.1), tif: 'ioc' } as const
const bought = expectAccepted(await client.placeOrder(taking))
if (Number(bought.filled_size) === 0) throw new Error('nothing traded')
console.log(`ioc: ${bought.status}, ${bought.filled_size} contracts`)

// A reduce-only order sells no more than the position.
const terms = {
  symbol,
  side: 'Sell',
  size: '0.01',
  price: priceText(bid * 0.9),
  tif: 'ioc',
} as const
const sold = expectAccepted(await client.placeOrder({ ...terms, reduceOnly: true }))
if (Number(sold.filled_size) === 0) throw new Error('nothing traded')
console.log(`reduce-only: ${sold.status}, ${sold.filled_size} contracts`)

// One order by its client id, then all others at once
const canceled = expectAccepted(await client.cancelByClientId('grid-1'))
const { canceled: others } = await client.account.cancelAll({ scope: 'all' })
console.log(`canceled: order ${canceled.order_id} and ${others} others`)
const left = await client.orders({ status: 'open' })
if (others !== 2 || left.length > 0) throw new Error(`${left.length} orders are left`)

/** Returns a price as decimal text with at most five significant figures. */
function priceText(price: number): string {
  return String(Number(price.toPrecision(5)))
}

function farFromHalf(delta: number): number {
  return Math.abs(delta - 0.5)
}
