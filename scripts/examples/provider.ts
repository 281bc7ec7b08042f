import type { OptionSummary } from '../../gateway/client/generated/interface.js'
import { netPremiumOf } from '../../gateway/client/net-premium-of.js'
import { QuoteProviderClient, type RfqRequest } from '../../gateway/client/quote-provider-client.js'
import { say } from './say.js'
import { createExampleWallet } from './wallet.js'

// A quote provider of the development market. It publishes indicative prices for every ETH option. It answers requests
// for quote, and best-execution orders that reach its prices, with firm, signed quotes slightly better than those of the
// paper market maker. It runs until it is stopped.
//   npm start                   in one terminal; once it prints `ready`:
//   npm run example -- provider  in another
//   npm run example -- quoting   in a third one

const underlying = 'ETH'
const halfSpreadShare = 0.01 // of the mark
const priceMin = 0.01
const size = '1'
const validForMillis = 5000
const publishMillis = 10_000 // rows that are not repeated within a minute expire

const { client, operator } = await createExampleWallet()
// The operator admits quote providers.
const body = { wallet: client.wallet, status: 'active' }
await operator.request('POST', '/operator/quote-providers', { body })

const provider = await QuoteProviderClient.connect({
  ...{ url: client.rest.url, context: client.context, nonce: client.nextNonce() },
  onMessage: (message) => {
    if (message.type === 'rfq_request') void answer(message as RfqRequest)
    // Errors in a quote, or fills by others: only for information.
    else say(JSON.stringify(message))
  },
  onClosed: (code, reason) => {
    say(`session closed: ${code} ${reason}`)
    process.exit(1)
  },
})
say('connected: waiting for requests, such as those of `npm run example -- quoting`; Ctrl+C stops')
await publish()
setInterval(publish, publishMillis)

/** Publishes indicative prices. Each message replaces the previous one. */
async function publish(): Promise<void> {
  const rows = (await client.optionsSummary(underlying)).filter(isPriced)
  provider.publish(
    rows.map((row) => ({
      instrument: row.instrument_name,
      bidPrice: priceOf(row, 'sell'),
      askPrice: priceOf(row, 'buy'),
      ...{ maxBidSize: size, maxAskSize: size },
    })),
  )
}

/** Quotes all legs of a request, or declines. Silence would make the taker wait. */
async function answer({ rfq_id: rfqId, legs }: RfqRequest): Promise<void> {
  const rows = (await client.optionsSummary(underlying)).filter(isPriced)
  const priced = legs.flatMap((leg) => {
    const row = rows.find((each) => each.instrument_name === leg.instrument)
    if (row === undefined || Number(leg.size) > Number(size)) return []
    return [{ ...leg, price: priceOf(row, leg.side) }]
  })
  if (priced.length < legs.length) {
    provider.decline(rfqId)
    say(`declined ${rfqId}`)
    return
  }
  const netPremium = netPremiumOf(priced)
  await provider.quote({ rfqId, legs: priced, netPremium, validForMillis }, client.nextNonce())
  say(`quoted ${netPremium} USD for ${rfqId}`)
}

/** Returns the price per contract that the taker pays or receives, in whole cents. `side` is the taker's. */
function priceOf({ mark_price: mark }: OptionSummary, side: string): string {
  const price = side === 'buy' ? mark * (1 + halfSpreadShare) : mark * (1 - halfSpreadShare)
  return Math.max(price, priceMin).toFixed(2)
}

function isPriced({ mark_iv: volatility }: OptionSummary): boolean {
  return volatility > 0 // 0: there is no mark yet
}
