import { randomBytes } from 'node:crypto'
import { connectStrikebook, expectAccepted } from 'strikebook/client'

// Quick start: takes money from the faucet, buys an option, and reads its fill and its position.
//   npm start                      in one terminal; once it prints `ready`:
//   npm run example -- quick-start  in another

const { argv, env } = process
const url = argv[2] ?? env['STRIKEBOOK_URL'] ?? 'http://127.0.0.1:8080'
const privateKey = `0x${randomBytes(32).toString('hex')}` // its address is the wallet
const client = await connectStrikebook({ url, privateKey })
const { amount } = await client.money.faucet()
console.log(`wallet ${client.wallet} has ${amount} USD`)

// The cheapest call that somebody offers
const [offer] = (await client.optionsSummary('BTC'))
  .filter((row) => row.ask_price > 0 && row.instrument_name.endsWith('-C'))
  .sort((one, other) => one.ask_price - other.ask_price)
if (!offer)
  throw new Error('nobody offers a call: try again in a moment, on the market of `npm start`')
const { instrument_name: symbol, ask_price: ask } = offer

// A limit above the offer, because the market moves. A price has at most five significant figures.
const price = String(Number((ask * 1.2).toPrecision(5)))
const terms = { symbol, side: 'Buy', size: '0.01', price, tif: 'ioc' } as const
const order = expectAccepted(await client.placeOrder(terms))
if (order.status !== 'FILLED') throw new Error(`the order is ${order.status}: ${order.reason}`)
console.log(`order ${order.order_id}: ${order.status}`)

for (const fill of await client.fills())
  console.log(`${fill.side} ${fill.size} ${fill.symbol} at ${fill.price}`)
const { positions } = await client.portfolio()
const held = positions.find((position) => position.symbol === symbol)
if (!held) throw new Error(`the position in ${symbol} is missing`)
console.log(`holds ${held.amount} ${symbol}`)
