import { createNonceSource } from '../../gateway/client/nonce-source.js'
import { connectStrikebook } from '../../gateway/client/strikebook-client.js'
import { startVenue } from '../../gateway/testing.js'
import { say } from './say.js'

// A strategy in virtual time, with its own venue inside this process. Every day it buys the nearest-to-the-money call of
// the next expiry at its mark, from a wallet that sells it. After a week it prints the result. Two runs end with the same
// numbers and the same state hash.
//   npm run example -- strategy

const days = 7
const size = '1'
const venue = await startVenue({ config: { feed: 'simulated' }, stepMillis: 4 * 3_600_000 })
const operator = { Authorization: `Bearer ${venue.operatorToken}` }
const nextNonce = createNonceSource(venue.now)
const connect = async (digit: string) => {
  const privateKey = `0x${digit.repeat(64)}`
  const client = await connectStrikebook({ url: venue.url, privateKey, nextNonce })
  const body = JSON.stringify({ wallet: client.wallet, amount: '1000000' })
  const url = `${venue.operatorUrl}/operator/deposits`
  await fetch(url, { method: 'POST', headers: operator, body })
  return client
}
const buyer = await connect('1')
const seller = await connect('2')
for (let day = 0; day < days; day++) {
  const calls = (await buyer.optionsSummary('BTC')).filter(
    ({ instrument_name: symbol, mark_price: mark }) => symbol.endsWith('-C') && mark > 0,
  )
  const expiry = Math.min(...calls.map((row) => row.expiration_timestamp))
  const [nearest] = calls
    .filter((row) => row.expiration_timestamp === expiry)
    .sort((one, other) => distance(one.greeks.delta) - distance(other.greeks.delta))
  const { instrument_name: symbol, mark_price: mark } = nearest!
  const terms = { symbol, size, price: String(Number(mark.toPrecision(5))) }
  await seller.placeOrder({ ...terms, side: 'Sell' })
  const bought = await buyer.placeOrder({ ...terms, side: 'Buy' })
  say(`${new Date(venue.now()).toISOString()} ${symbol} at ${terms.price}: ${bought.status}`)
  await venue.advance('1d')
}
for (const payout of await buyer.settlementPayouts())
  say(`${payout.symbol}: cost ${payout.cost_basis}, paid ${payout.settlement_value}`)
const { equity } = await buyer.portfolio()
const { seq, stateHash } = await venue.advance(0)
say(`equity ${equity} after ${days} days, as of sequence ${seq}, state ${stateHash}`)
await venue.stop()

/** Returns the distance of a delta from 0.5, at the money. */
function distance(delta: number): number {
  return Math.abs(delta - 0.5)
}
