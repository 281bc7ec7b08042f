import { setTimeout as sleep } from 'node:timers/promises'
import type { OptionSummary } from '../../gateway/client/generated/interface.js'
import { LocalBook } from '../../gateway/client/local-book.js'
import { RestClient } from '../../gateway/client/rest-client.js'
import { StreamClient } from '../../gateway/client/stream-client.js'

// Keeps a local order book of one option from the stream, and prints its best prices on each change for a few seconds.
//   npm start                     in one terminal; once it prints `ready`:
//   npm run example -- local-book  in another

const watchMillis = 5000

const [url = 'http://127.0.0.1:8080'] = process.argv.slice(2)
const rest = new RestClient({ url })
const query = { currency: 'BTC' }
const { result } = await rest.request<{ result: readonly OptionSummary[] }>(
  'GET',
  '/options-summary',
  { query },
)
const symbol = result.find(
  ({ bid_price, ask_price }) => bid_price > 0 && ask_price > 0,
)?.instrument_name
if (symbol === undefined) throw new Error('nobody quotes just now: try again in a moment')

const stream = new StreamClient({ url })
const book = new LocalBook({ stream, rest, symbol, onChange: show })
await sleep(watchMillis)
show(book)
book.close()
stream.close()

function show({ bids, asks, seq, state }: LocalBook): void {
  const [bid, ask] = [bids[0], asks[0]].map((best) =>
    best === undefined ? 'nobody' : `${best.size} at ${best.price}`,
  )
  process.stdout.write(`${symbol} as of ${seq}, ${state}: bid ${bid}, ask ${ask}\n`)
}
