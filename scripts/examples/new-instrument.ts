import { expectAccepted } from '../../gateway/client/client-error.js'
import { say } from './say.js'
import { createExampleWallet } from './wallet.js'

// A new strike in a market that lives: the operator lists it, and it trades at once, since the surface of its expiry prices
// every strike.
//   npm start                          in one terminal; when it has said `ready`:
//   npm run example -- new-instrument  in another

const seller = await createExampleWallet()
const buyer = await createExampleWallet()
const { operator } = seller
const rows = await buyer.client.optionsSummary('BTC')
const expiry = Math.max(...rows.map((row) => row.expiration_timestamp))
const listed = rows.filter((row) => row.expiration_timestamp === expiry)
const [head, day] = listed[0]!.instrument_name.split('-')
const strikes = listed.map((row) => Number(row.instrument_name.split('-')[2]))
const strike = Math.max(...strikes) + 500 + 10 * Math.floor(Math.random() * 40)
const symbol = `${head}-${day}-${strike}-C`
await operator.request('POST', '/operator/instruments', {
  body: { symbol, expiry: expiry / 1000 },
})
say(`listed ${symbol}`)
const terms = { symbol, size: '0.1', price: '50' } as const
expectAccepted(await seller.client.placeOrder({ ...terms, side: 'Sell' }))
const bought = expectAccepted(await buyer.client.placeOrder({ ...terms, side: 'Buy' }))
say(`bought 0.1 ${symbol}: ${bought.status}`)
