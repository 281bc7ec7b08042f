import { randomBytes } from 'node:crypto'
import {
  ApiError,
  ConnectionError,
  connectStrikebook,
  digestOfBody,
  expectAccepted,
  RateLimitError,
  RejectedError,
  RestClient,
  SignatureError,
  signPlaceOrder,
} from 'strikebook/client'

// Errors and limits: failed and rejected requests, retries, lost answers, and rate limits.
//   npm start                            in one terminal; once it prints `ready`:
//   npm run example -- errors-and-limits  in another

const { argv, env } = process
const url = argv[2] ?? env['STRIKEBOOK_URL'] ?? 'http://127.0.0.1:8080'
const newKey = () => `0x${randomBytes(32).toString('hex')}`
const client = await connectStrikebook({ url, privateKey: newKey() })
const { wallet, rest, context } = client
console.log(`wallet ${wallet}`)
const [option] = await client.optionsSummary('BTC')
if (!option)
  throw new Error('the venue lists no option: try again in a moment, on the market of `npm start`')
const terms = { symbol: option.instrument_name, side: 'Buy', size: '0.01', price: '1' } as const

// A failed request throws. Act on the class and on `code`; the message is for people and may change.
const invalid = await errorOf(ApiError, client.placeOrder({ ...terms, price: '1.00001' }))
console.log(`failed: ${invalid.status} ${invalid.code}: ${invalid.message}`)
// Another key, which is no agent of the wallet
const stranger = await connectStrikebook({ url, privateKey: newKey(), wallet })
const unauthorized = await errorOf(SignatureError, stranger.placeOrder(terms))
console.log(`failed: ${unauthorized.status} ${unauthorized.code}`)

// A trading rule rejects an order with status REJECTED. `expectAccepted` throws it, with a stable code.
const body = signPlaceOrder(context, { ...terms, clientId: 'once' }, client.nextNonce())
const rejected = await errorOf(RejectedError, send(body))
if (rejected.code !== 'no_funds') throw rejected
console.log(`rejected: ${rejected.code}`)

// Only an accepted action uses up its nonce, so the same body works once there is money.
await client.money.faucet()
const accepted = await send(body)
const { remaining, limit } = rest.rateWindow('POST', '/order')!
console.log(
  `accepted: order ${accepted.order_id}; ${remaining} of ${limit} orders are left in this minute`,
)

// The same body again gets the first result. Another body with its nonce is rejected.
const retried = await send(body)
if (retried.order_id !== accepted.order_id) throw new Error('the retry placed another order')
const reused = await errorOf(
  RejectedError,
  send(signPlaceOrder(context, terms, Number(body['nonce']))),
)
console.log(`retried: same order; another body with the nonce: ${reused.code}`)

// A lost answer: this client gives up after a millisecond, perhaps before the request has left.
const lost = signPlaceOrder(context, { ...terms, clientId: 'lost' }, client.nextNonce())
const hasty = new RestClient({ url, timeoutMillis: 1 })
await hasty.request('POST', '/order', { body: lost }).catch((error: unknown) => {
  if (!(error instanceof ConnectionError)) throw error
  console.log(`lost: ${error.code}`)
})

// The digest tells what happened, as far as the venue has received it. A retry of the same body is safe in any case.
const { status, kept } = await client.safety.actionOutcome(digestOfBody(lost)!)
console.log(`lost: ${status}, memory is complete: ${kept.is_complete}`)
const settled = await send(lost)
const found = await client.orderStatus('lost') // by client id
if (found?.order_id !== settled.order_id) throw new Error('the retry placed another order')
console.log(`settled: order ${found.order_id} is ${found.status}`)

// Over a rate limit: wait, then send the same body. The faucet has one grant a minute for a wallet. With
// `rateLimit: 'wait'` the client waits and sends again by itself.
let limited: unknown = null
while (limited === null) {
  limited = await client.money.faucet().then(
    () => null,
    (error: unknown) => error,
  ) // once more in a new minute
}
if (!(limited instanceof RateLimitError)) throw limited
console.log(`limited: ${limited.code}, retry after ${limited.retryAfterSeconds} seconds`)
for (const window of (await client.safety.rateLimits()).windows) {
  const seconds = Math.ceil(window.reset - Date.now() / 1000)
  console.log(
    `${window.category}: ${window.remaining} of ${window.limit} left for ${seconds} seconds`,
  )
}
const { canceled } = await client.account.cancelAll({ scope: 'all' })
if (canceled !== 2) throw new Error(`${canceled} orders instead of 2 were working`)

/** Sends a signed order. @throws RejectedError if a trading rule rejects it. */
async function send(order: object) {
  return expectAccepted(await rest.request('POST', '/order', { body: order }))
}

/** Returns the error of a request that must fail with one of this class. */
async function errorOf<Kind extends Error>(
  kind: new (...parts: never[]) => Kind,
  request: Promise<unknown>,
): Promise<Kind> {
  const error = await request.then(() => null).catch((reason: unknown) => reason)
  if (!(error instanceof kind)) throw error ?? new Error(`no ${kind.name}`)
  return error
}
