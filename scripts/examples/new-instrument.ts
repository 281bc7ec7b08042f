import { expectAccepted } from '../../gateway/client/client-error.js'
import { say } from './say.js'
import { createExampleWallet } from './wallet.js'

// A new strike in a running market: the operator lists it, and it trades immediately, because the volatility surface of
// its expiry prices every strike.
//   npm start                          in one terminal; once it prints `ready`:
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
// The mark is the price: others would take an offer far below it immediately.
const markOf = async () =>
  (await buyer.client.optionsSummary('BTC')).find((row) => row.instrument_name === symbol)
    ?.mark_price ?? 0
let mark = 0
while (mark === 0) mark = await markOf()
const terms = { symbol, size: '0.1', price: String(Number(mark.toPrecision(3))) } as const
expectAccepted(await seller.client.placeOrder({ ...terms, side: 'Sell' }))
const bought = expectAccepted(await buyer.client.placeOrder({ ...terms, side: 'Buy' }))
say(`bought 0.1 ${symbol}: ${bought.status}`)
