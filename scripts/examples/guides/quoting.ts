import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  connectStrikebook,
  expectAccepted,
  netPremiumOf,
  QuoteProviderClient,
  RestClient,
  type RfqRequest,
} from 'strikebook/client'

// Quoting: two-sided quotes under market-maker protection, then a request for quote, as its taker and its provider.
//   npm start                  in one terminal; once it prints `ready`:
//   npm run example -- quoting  in another
// The operator of a venue admits quote providers. Arguments: URL, operator URL, file with the operator's token.

const { argv, env } = process
const url = argv[2] ?? env['STRIKEBOOK_URL'] ?? 'http://127.0.0.1:8080'
const operatorUrl = argv[3] ?? 'http://127.0.0.1:8081'
const tokenFile = argv[4] ?? 'data/operator.token'
const [maker, taker] = [await fundedClient(), await fundedClient()]

// The two calls of the last expiry whose delta is closest to 0.4
const rows = await maker.optionsSummary('ETH')
const last = Math.max(...rows.map((row) => row.expiration_timestamp))
const calls = rows
  .filter((row) => row.expiration_timestamp === last && row.instrument_name.endsWith('-C'))
  .sort((one, other) => farFrom(0.4, one.greeks.delta) - farFrom(0.4, other.greeks.delta))
  .slice(0, 2)
if (calls.some((row) => row.mark_price === 0)) throw new Error('no marks yet: try again')

// Protection: 5 contracts within 5 seconds cancel all quotes of the underlying, and reject new ones for 10 seconds.
const limits = { intervalMs: 5000, frozenTimeMs: 10_000, qtyLimit: '5' }
await maker.account.setMmpConfig({ currency: 'ETH', ...limits })

// One bulk places all quotes, one moves them, one cancels them. They are wide here, so that nobody trades with them.
const placed = await maker.placeOrders(quotes(0.2))
const ids = placed.map(({ data }) => expectAccepted(data!).order_id)
const moves = quotes(0.25).map((quote, index) => ({ ...quote, orderId: ids[index]! }))
const moved = await maker.replaceOrders(moves)
const movedIds = moved.map(({ data }) => expectAccepted(data!).order_id)
const [protection] = await maker.mmpConfigs('ETH')
const { window, qty_limit: limit, frozen } = protection!
console.log(
  `quotes ${movedIds.length} sides; ${window.qty} of ${limit} contracts filled, frozen: ${frozen}`,
)
const canceled = await maker.cancelOrders(movedIds)
if (!canceled.every(({ success }) => success)) throw new Error('not all quotes were canceled')

// The operator's token is in the data folder of the venue.
const operator = new RestClient({ url: operatorUrl, token: readFileSync(tokenFile, 'utf8').trim() })
const admission = { wallet: maker.wallet, status: 'active' }
await operator.request('POST', '/operator/quote-providers', { body: admission })

// The provider quotes its marks. The net premium is the taker's: it pays for buys and receives for sells.
const rfqId = randomUUID() // of the request below; it works once
const marks = new Map(calls.map((row) => [row.instrument_name, row.mark_price.toFixed(2)]))
let ownPremium = ''
const provider = await QuoteProviderClient.connect({
  ...{ url, context: maker.context, nonce: maker.nextNonce() },
  onMessage: (message) => {
    if (message.type === 'error') throw new Error(JSON.stringify(message))
    if (message.type !== 'rfq_request') return
    const { rfq_id: id, legs } = message as RfqRequest
    if (id !== rfqId) return provider.decline(id) // silence would make its taker wait
    const priced = legs.map((leg) => ({ ...leg, price: marks.get(leg.instrument)! }))
    ownPremium = netPremiumOf(priced)
    const terms = { rfqId, legs: priced, netPremium: ownPremium, validForMillis: 5000 }
    void provider.quote(terms, maker.nextNonce())
  },
})

// The taker requests a call spread: both legs or none.
const sides = ['Buy', 'Sell'] as const
const legs = calls.map((row, index) => ({
  ...{ instrument: row.instrument_name, side: sides[index]!, size: '0.1' },
}))
await taker.submitRfq({ rfqId, legs })

// Other providers answer too; the best quote comes first. This program accepts its own.
let rfq = await taker.rfq(rfqId)
const isOwn = (offer: { readonly net_premium: string }) => offer.net_premium === ownPremium
while (!rfq.quotes.some(isOwn)) {
  if (!['sent_to_qps', 'quotes_received'].includes(rfq.status))
    throw new Error(`no quote: ${rfq.status}`)
  await sleep(50)
  rfq = await taker.rfq(rfqId)
}
const { quote_id: quoteId } = rfq.quotes.find(isOwn)!
const accepted = await taker.acceptRfqQuote({ rfqId, quoteId, netPremium: ownPremium })
if (accepted.status !== 'executed') throw new Error(`not executed: ${accepted.status}`)
console.log(`request for quote: ${rfq.quotes.length} quotes, executed at ${ownPremium} USD`)
provider.close()
for (const { side, size, symbol, price } of await maker.fills())
  console.log(`provider: ${side} ${size} ${symbol} at ${price}`)

/** Returns a client of a new wallet with paper money. */
async function fundedClient() {
  const privateKey = `0x${randomBytes(32).toString('hex')}`
  const client = await connectStrikebook({ url, privateKey })
  await client.money.faucet()
  console.log(`wallet ${client.wallet}`)
  return client
}

/** Returns a bid and an ask for each call. The width is a share of the mark. */
function quotes(width: number) {
  return calls.flatMap(({ instrument_name: symbol, mark_price: mark }) => {
    const terms = { symbol, size: '0.1', mmpEnabled: true }
    return [
      { ...terms, side: 'Buy', price: priceText(mark * (1 - width)) },
      { ...terms, side: 'Sell', price: priceText(mark * (1 + width)) },
    ] as const
  })
}

function priceText(price: number): string {
  return String(Number(price.toPrecision(5)))
}

function farFrom(target: number, delta: number): number {
  return Math.abs(delta - target)
}
