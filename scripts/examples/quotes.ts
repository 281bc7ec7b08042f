import { setTimeout as sleep } from 'node:timers/promises'
import { expectAccepted } from '../../gateway/client/client-error.js'
import type { OptionSummary } from '../../gateway/client/generated/interface.js'
import type { OrderTerms, SideName } from '../../schemas/wire-types.js'
import { say } from './say.js'
import { createFaucetWallet } from './wallet.js'

// A small market maker: two-sided quotes around the marks of a few options. Bulk replaces move them with the marks, and
// one bulk cancel ends them. Market-maker protection cancels all quotes of a currency at once if too many trade within
// a short time.
//   npm start                 in one terminal; once it prints `ready`:
//   npm run example -- quotes in another

const underlying = 'BTC'
const optionsMax = 3
const size = '0.1'
const halfSpreadShare = 0.03 // of the mark
const rounds = 3
const roundMillis = 1000

const client = await createFaucetWallet()
await client.account.setMmpConfig({
  currency: underlying,
  intervalMs: 5000, // window in which fills are summed
  frozenTimeMs: 10_000, // pause after protection triggers; 0: until resetMmp
  qtyLimit: '1', // contracts
})
const symbols = (await marks()).slice(0, optionsMax).map((row) => row.instrument_name)
const placed = await client.placeOrders(await quotesNow())
let orderIds = placed.map(({ data }) => expectAccepted(data!).order_id)
say(`quotes ${symbols.join(', ')}`)
for (let round = 0; round < rounds; round++) {
  await sleep(roundMillis)
  const quotes = await quotesNow()
  const replaced = await client.replaceOrders(
    orderIds.map((orderId, index) => ({ ...quotes[index]!, orderId })),
  )
  const moved = replaced.filter(({ data }) => data?.order_id != null)
  // A quote that traded, or that protection cancelled, cannot be replaced.
  orderIds = replaced.map(({ data }, index) => data?.order_id ?? orderIds[index]!)
  say(`moved ${moved.length} of ${replaced.length} quotes`)
}
await client.cancelOrders(orderIds)
const working = await client.orders({ status: 'OPEN' })
say(`ended: ${working.length} orders left, ${(await client.fills()).length} fills`)

/** Returns the options with a mark, highest mark first. */
async function marks(): Promise<readonly OptionSummary[]> {
  const rows = await client.optionsSummary(underlying)
  return rows
    .filter(({ mark_price: mark }) => mark > 0)
    .sort((one, other) => other.mark_price - one.mark_price)
}

async function quotesNow(): Promise<readonly OrderTerms[]> {
  const rows = (await marks()).filter((row) => symbols.includes(row.instrument_name))
  return rows
    .sort((one, other) => one.instrument_name.localeCompare(other.instrument_name))
    .flatMap(({ instrument_name: symbol, mark_price: mark }) => [
      termsOf(symbol, 'Buy', mark * (1 - halfSpreadShare)),
      termsOf(symbol, 'Sell', mark * (1 + halfSpreadShare)),
    ])
}

function termsOf(symbol: string, side: SideName, usd: number): OrderTerms {
  // A price may have five significant digits.
  return { symbol, side, size, price: String(Number(usd.toPrecision(5))), mmpEnabled: true }
}
