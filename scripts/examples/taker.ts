import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StrikebookClient } from '../../gateway/client/strikebook-client.js'
import type { RfqLegTerms } from '../../schemas/wire-types.js'
import { say } from './say.js'
import { createExampleWallet } from './wallet.js'

// A taker of the development market buys a call spread, two options at once or none, by requests for quote: first it
// looks at what providers quote and accepts the best, then it names a limit and leaves the rest to the exchange.
//   npm start                in one terminal; when it has said `ready`:
//   npm run example -- taker  in another

const underlying = 'BTC'
const size = '0.1'
const limitSlack = 1.1 // of what the same package has cost a moment ago
const quotesMillisMax = 5000 // providers answer within this
const moreQuotesMillis = 500 // what we give the others behind the first
const lookMillis = 50

const { client } = await createExampleWallet()
const legs = await callSpread(client)
for (const leg of legs) say(`${leg.side} ${leg.size} ${leg.instrument}`)
const paid = await buyAtBestQuote(client, legs)
await buyWithinLimit(client, legs, (paid * limitSlack).toFixed(2))
for (const { symbol, amount } of (await client.portfolio()).positions)
  say(`holds ${amount} ${symbol}`)

/** The first call above the index, and the next strike sold against it, as far ahead as there are. */
async function callSpread(taker: StrikebookClient): Promise<readonly RfqLegTerms[]> {
  const rows = await taker.optionsSummary(underlying)
  const expiry = Math.max(...rows.map((row) => row.expiration_timestamp))
  const [lower, upper] = rows
    .filter((row) => row.expiration_timestamp === expiry && row.instrument_name.endsWith('-C'))
    .filter(({ greeks: { delta } }) => delta > 0 && delta < 0.5)
    .sort((one, other) => other.greeks.delta - one.greeks.delta)
  if (lower === undefined || upper === undefined) throw new Error('the venue lists no call spread')
  return [
    { instrument: lower.instrument_name, side: 'Buy', size },
    { instrument: upper.instrument_name, side: 'Sell', size },
  ]
}

/** Asks, looks, accepts. @returns what the package has cost, USD. */
async function buyAtBestQuote(
  taker: StrikebookClient,
  wanted: readonly RfqLegTerms[],
): Promise<number> {
  const rfqId = randomUUID() // our own name for the request; it works once
  await taker.submitRfq({ rfqId, legs: wanted })
  // A client that is in a hurry subscribes to the stream's `rfq` channel instead.
  const deadlineMillis = Date.now() + quotesMillisMax
  while ((await taker.rfq(rfqId)).quotes.length === 0) {
    if (Date.now() > deadlineMillis) throw new Error('nobody has quoted')
    await sleep(lookMillis)
  }
  await sleep(moreQuotesMillis)
  const { quotes } = await taker.rfq(rfqId)
  // Net premiums are in our view, so what we pay is below 0, and the best quote, which comes first, is the largest.
  for (const quote of quotes) say(`quoted ${quote.net_premium} USD for the package`)
  const best = quotes[0]!
  const accepted = await taker.acceptRfqQuote({
    ...{ rfqId, quoteId: best.quote_id, netPremium: best.net_premium },
  })
  if (accepted.status !== 'executed') throw new Error(`not executed: ${accepted.reason}`)
  say(`accepted: ${accepted.status} at ${best.net_premium} USD`)
  return -Number(best.net_premium)
}

/** The first quote that costs no more than the limit is executed at once, without another word from us. */
async function buyWithinLimit(
  taker: StrikebookClient,
  wanted: readonly RfqLegTerms[],
  autoAcceptLimit: string,
): Promise<void> {
  const rfqId = randomUUID()
  await taker.submitRfq({ rfqId, legs: wanted, autoAcceptLimit })
  const deadlineMillis = Date.now() + quotesMillisMax
  let { status } = await taker.rfq(rfqId)
  while (status !== 'executed' && Date.now() < deadlineMillis) {
    await sleep(lookMillis)
    ;({ status } = await taker.rfq(rfqId))
  }
  if (status !== 'executed') throw new Error(`not within ${autoAcceptLimit} USD: ${status}`)
  say(`within a limit of ${autoAcceptLimit} USD: ${status}`)
}
