import type { ExchangeInfo } from '../../client/answer-types.js'
import { RateLimitError } from '../../client/client-error.js'
import { createNonceSource } from '../../client/nonce-source.js'
import { signedRequest } from '../../client/signed-request.js'
import { connectStrikebook } from '../../client/strikebook-client.js'
import { secondsText } from '../model/numbers.js'
import { demoKey, keptDemoKey, requestFaucet } from './demo-key.js'

// Signs requests of the reference at /docs with the demo key of this browser. Only a venue of the development preset
// serves this script; the reference works without it.

/** Parts of a request of the reference that this file reads or changes. */
interface ReferenceRequest {
  readonly url: string
  readonly method?: string
  readonly loadSpec?: boolean
  body?: unknown
}

/** Parts of an answer that this file reads or changes. */
interface ReferenceAnswer {
  readonly url: string
  text?: string
}

/** Options of the library that shows the reference. */
export interface ReferenceOptions {
  readonly requestInterceptor: (request: ReferenceRequest) => Promise<ReferenceRequest>
  readonly responseInterceptor: (answer: ReferenceAnswer) => ReferenceAnswer
}

const documentPath = '/openapi.json'
const url = location.origin
const tickMillis = 250

/**
 * Shows the state of the demo key above the reference.
 * @param example Wallet and symbol of the examples in the document, which the demo wallet and a listed symbol replace.
 * @returns options for the reference; none while the browser has no demo key.
 */
export async function demoOptions(example: {
  readonly wallet: string
  readonly symbol: string
}): Promise<Partial<ReferenceOptions>> {
  const privateKey = keptDemoKey()
  if (privateKey === null) {
    show('Signed requests need a key.', ['Create a demo wallet', createKey])
    return {}
  }
  const client = await connectStrikebook({ url, privateKey })
  const { wallet, rest, context } = client
  const { perp_source: perpSource } = await rest.request<ExchangeInfo>('GET', '/exchange-info')
  const [listed] = await client.market.instruments({ currency: 'BTC' })
  const symbol = String(listed?.instrument_name ?? example.symbol)
  const signing = { context, perpSource, nextNonce: createNonceSource() }
  show(`This page signs requests with the demo wallet ${wallet}.`, ['Faucet', () => fund(wallet)])
  return {
    requestInterceptor: async (request) => signedByDemo(request, signing),
    responseInterceptor(answer) {
      if (new URL(answer.url, url).pathname !== documentPath || answer.text === undefined) {
        return answer
      }
      answer.text = answer.text
        .replaceAll(example.wallet, wallet)
        .replaceAll(example.symbol, symbol)
      return answer
    },
  }
}

/** Signs a request if its operation is signed. A body that cannot be signed stays, and the venue reports its fault. */
function signedByDemo(
  request: ReferenceRequest,
  signing: Parameters<typeof signedRequest>[2],
): ReferenceRequest {
  const { method = 'GET', body, loadSpec } = request
  if (loadSpec || typeof body !== 'string') return request
  const key = `${method.toUpperCase()} ${new URL(request.url, url).pathname}`
  try {
    const signed = signedRequest(key, JSON.parse(body), signing)
    if (signed !== null) request.body = JSON.stringify(signed)
  } catch {
    // The venue's error is more helpful than this one.
  }
  return request
}

/** Result of a button's work. */
interface Worked {
  readonly text: string
  /** Unix milliseconds until which the button is disabled; null: it stays enabled. */
  readonly untilMillis: number | null
}

async function createKey(): Promise<Worked> {
  const { privateKey } = demoKey()
  const { wallet } = await connectStrikebook({ url, privateKey })
  await fund(wallet)
  location.reload()
  return { text: 'Demo wallet created', untilMillis: null }
}

async function fund(wallet: string): Promise<Worked> {
  try {
    const { usd, nextMillis } = await requestFaucet(url, wallet)
    const text = `The faucet credited ${usd.toLocaleString('en-US')} USD.`
    return { text, untilMillis: nextMillis }
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error
    const untilMillis = Date.now() + error.retryAfterSeconds * 1000
    return { text: 'The faucet allows one grant per minute.', untilMillis }
  }
}

/** Writes a line with a button, whose work returns the text that follows it. */
function show(text: string, [word, work]: readonly [string, () => Promise<Worked>]): void {
  const place = document.getElementById('demo-key')
  if (place === null) return
  const button = document.createElement('button')
  button.textContent = word
  const note = document.createElement('span')
  button.addEventListener('click', async () => {
    try {
      const worked = await work()
      note.textContent = ` ${worked.text}`
      if (worked.untilMillis !== null) countDown(button, word, worked.untilMillis)
    } catch (error) {
      note.textContent = ` ${error instanceof Error ? error.message : String(error)}`
    }
  })
  place.replaceChildren(`${text} `, button, note)
}

/** Disables a button until a time, and shows the remaining seconds on it. */
function countDown(button: HTMLButtonElement, word: string, untilMillis: number): void {
  const leftMillis = untilMillis - Date.now()
  button.disabled = leftMillis > 0
  button.textContent = leftMillis > 0 ? `${word} in ${secondsText(leftMillis)}` : word
  if (leftMillis > 0) setTimeout(() => countDown(button, word, untilMillis), tickMillis)
}
