import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StrikebookClient } from '../../gateway/client/strikebook-client.js'
import type { RfqLegTerms } from '../../schemas/wire-types.js'
import { say } from './say.js'
import { createExampleWallet } from './wallet.js'

// A taker of the development market buys a call spread, both options or neither, through requests for quote. First it
// reads the quotes and accepts the best one. Then it sets a limit and the exchange accepts the first quote within it.
//   npm start                in one terminal; once it prints `ready`:
//   npm run example -- taker  in another

const underlying = 'BTC'
const size = '0.1'
const limitSlack = 1.1 // of the price just paid for the same combo
const quotesMillisMax = 5000 // longest wait for a first quote
const moreQuotesMillis = 500 // additional time for other providers after the first quote
const pollMillis = 50

const { client } = await createExampleWallet()
const legs = await callSpread(client)
for (const leg of legs) say(`${leg.side} ${leg.size} ${leg.instrument}`)
const paid = await buyAtBestQuote(client, legs)
await buyWithinLimit(client, legs, (paid * limitSlack).toFixed(2))
for (const { symbol, amount } of (await client.portfolio()).positions)
  say(`holds ${amount} ${symbol}`)

/** Returns the first call above the index and, sold against it, the next strike, of the last expiry. */
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

/** Requests quotes and accepts the best one. @returns the price of the combo in USD. */
async function buyAtBestQuote(
  taker: StrikebookClient,
  wanted: readonly RfqLegTerms[],
): Promise<number> {
  const rfqId = randomUUID() // our id of the request, for one use
  await taker.submitRfq({ rfqId, legs: wanted })
  // A faster client subscribes to the stream's `rfq` channel instead.
  const deadlineMillis = Date.now() + quotesMillisMax
  while ((await taker.rfq(rfqId)).quotes.length === 0) {
    if (Date.now() > deadlineMillis) throw new Error('no provider quoted')
    await sleep(pollMillis)
  }
  await sleep(moreQuotesMillis)
  const { quotes } = await taker.rfq(rfqId)
  // Net premiums are from the taker's view: negative if we pay. The best quote is the largest and comes first.
  for (const quote of quotes) say(`quoted ${quote.net_premium} USD for the combo`)
  const best = quotes[0]!
  const accepted = await taker.acceptRfqQuote({
    ...{ rfqId, quoteId: best.quote_id, netPremium: best.net_premium },
  })
  if (accepted.status !== 'executed') throw new Error(`not executed: ${accepted.reason}`)
  say(`accepted: ${accepted.status} at ${best.net_premium} USD`)
  return -Number(best.net_premium)
}

/** Requests quotes with a limit. The exchange executes the first quote within it, without an acceptance by the taker. */
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
    await sleep(pollMillis)
    ;({ status } = await taker.rfq(rfqId))
  }
  if (status !== 'executed') throw new Error(`not within ${autoAcceptLimit} USD: ${status}`)
  say(`within a limit of ${autoAcceptLimit} USD: ${status}`)
}
