import { expectAccepted, RejectedError } from '../../gateway/client/client-error.js'
import { say } from './say.js'
import { createFaucetWallet } from './wallet.js'

// A first order and its fill: a new wallet gets funds from the faucet, takes the cheapest offer of a call, and reads its
// positions.
//   npm start                      in one terminal; once it prints `ready`:
//   npm run example -- first-order  in another

const size = '0.1'

const client = await createFaucetWallet()
const offers = (await client.optionsSummary('BTC'))
  .filter(({ instrument_name: symbol, ask_price: ask }) => symbol.endsWith('-C') && ask > 0)
  .sort((one, other) => one.ask_price - other.ask_price)
const [offer] = offers
if (offer === undefined) throw new Error('nobody offers a call just now: try again in a moment')
const { instrument_name: symbol, ask_price: ask } = offer
// A price may have five significant digits. It is above the offer, which may move meanwhile.
const price = String(Number((ask * 1.2).toPrecision(5)))
say(`buy ${size} ${symbol} at ${price} or less`)
try {
  const terms = { symbol, side: 'Buy', size, price, tif: 'ioc' } as const
  const order = expectAccepted(await client.placeOrder(terms))
  say(`order ${order.order_id}: ${order.status}`)
} catch (error) {
  if (!(error instanceof RejectedError)) throw error
  say(`rejected (${error.code}): ${error.message}`)
}
for (const fill of await client.fills()) say(`filled ${fill.size} at ${fill.price}`)
for (const { symbol: held, amount } of (await client.portfolio()).positions)
  say(`holds ${amount} ${held}`)
