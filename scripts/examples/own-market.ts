import { say } from './say.js'
import { createExampleWallet } from './wallet.js'

// The operator's side of a market of one's own: an underlying that nobody else has, its index, an option, the surface that
// prices it. Indexes and surfaces come from whoever holds the operator's token; marks follow them at once.
//   npm start                      in one terminal; when it has said `ready`:
//   npm run example -- own-market  in another

const { client, operator } = await createExampleWallet()
const underlying = `T${Date.now().toString(36).toUpperCase().slice(-6)}` // another one each time
const date = new Date(Date.now() + 30 * 86_400_000)
const day = date.toISOString().slice(0, 10).replaceAll('-', '')
const expiry = date.setUTCHours(8, 0, 0, 0) / 1000
const symbol = `${underlying}-${day}-100-C`
await operator.request('POST', '/operator/instruments', { body: { symbol, expiry } })
for (const price of ['100', '101', '103']) {
  await operator.request('POST', '/operator/index-prices', {
    body: { prices: [{ underlying, price }] },
  })
  // Volatility by strike; in between it is interpolated.
  const points = ['80', '100', '120'].map((strike) => ({ strike, iv: '0.7' }))
  const { seq } = await operator.request<{ seq: number }>('POST', '/operator/vol-surfaces', {
    body: { underlying, expiry, points },
  })
  // A read that is to see what the operator has just done names its sequence.
  const { result } = await client.rest.request<{ result: readonly Summary[] }>(
    'GET',
    '/options-summary',
    { query: { currency: underlying, min_seq: seq } },
  )
  const { mark_price: mark, greeks } = result[0]!
  say(`${symbol}: index ${price}, mark ${mark}, delta ${greeks.delta.toFixed(2)}`)
}

interface Summary {
  readonly mark_price: number
  readonly greeks: { readonly delta: number }
}
