import { say } from './say.js'
import { createExampleWallet } from './wallet.js'

// The operator's side of a new market: an underlying, its index, an option, and the volatility surface that prices it.
// The holder of the operator token publishes indexes and surfaces. Marks follow them immediately.
//   npm start                      in one terminal; once it prints `ready`:
//   npm run example -- own-market  in another

const { client, operator } = await createExampleWallet()
const underlying = `T${Date.now().toString(36).toUpperCase().slice(-6)}` // new on each run
const date = new Date(Date.now() + 30 * 86_400_000)
const day = date.toISOString().slice(0, 10).replaceAll('-', '')
const expiry = date.setUTCHours(8, 0, 0, 0) / 1000
const symbol = `${underlying}-${day}-100-C`
await operator.request('POST', '/operator/instruments', { body: { symbol, expiry } })
for (const price of ['100', '101', '103']) {
  await operator.request('POST', '/operator/index-prices', {
    body: { prices: [{ underlying, price }] },
  })
  // Volatility by strike, interpolated between strikes.
  const points = ['80', '100', '120'].map((strike) => ({ strike, iv: '0.7' }))
  const { seq } = await operator.request<{ seq: number }>('POST', '/operator/vol-surfaces', {
    body: { underlying, expiry, points },
  })
  // `min_seq` makes the read wait for the operator's last change.
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
