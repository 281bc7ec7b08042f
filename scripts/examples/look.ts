import type { OptionSummary } from '../../gateway/client/generated/interface.js'
import { RestClient } from '../../gateway/client/rest-client.js'

// Prints the market, which needs no key:
//   npm start              in one terminal; once it prints `ready`:
//   npm run example -- look   in another

const [url = 'http://127.0.0.1:8080'] = process.argv.slice(2)
const rest = new RestClient({ url })
const query = { currency: 'BTC' }
const { result } = await rest.request<{ result: readonly OptionSummary[] }>(
  'GET',
  '/options-summary',
  { query },
)
for (const { instrument_name: symbol, bid_price, ask_price, mark_price } of result) {
  process.stdout.write(`${symbol}: bid ${bid_price}, ask ${ask_price}, mark ${mark_price}\n`)
}
