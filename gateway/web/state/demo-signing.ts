import type { ExchangeInfo } from '../../client/answer-types.js'
import { RateLimitError } from '../../client/client-error.js'
import { createNonceSource } from '../../client/nonce-source.js'
import { signedRequest } from '../../client/signed-request.js'
import { connectStrikebook } from '../../client/strikebook-client.js'
import { askFaucet, demoKey, keptDemoKey } from './demo-key.js'

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
    show('Signed requests need a key.', ['Create a demo key', createKey])
    return {}
  }
  const client = await connectStrikebook({ url, privateKey })
  const { wallet, rest, context } = client
  const { perp_source: perpSource } = await rest.request<ExchangeInfo>('GET', '/exchange-info')
  const [listed] = await client.market.instruments({ currency: 'BTC' })
  const symbol = String(listed?.instrument_name ?? example.symbol)
  const signing = { context, perpSource, nextNonce: createNonceSource() }
  show(`Requests from this page are signed with the demo key, wallet ${wallet}.`, [
    'Faucet',
    () => fund(wallet),
  ])
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

async function createKey(): Promise<string> {
  const { privateKey } = demoKey()
  const { wallet } = await connectStrikebook({ url, privateKey })
  await fund(wallet)
  location.reload()
  return 'Demo key created'
}

async function fund(wallet: string): Promise<string> {
  try {
    return `The faucet paid ${(await askFaucet(url, wallet)).usd.toLocaleString('en-US')} USD.`
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error
    return `The faucet pays again in ${error.retryAfterSeconds} s.`
  }
}

/** Writes a line with a button, whose work returns the next line. */
function show(text: string, [word, work]: readonly [string, () => Promise<string>]): void {
  const place = document.getElementById('demo-key')
  if (place === null) return
  const button = document.createElement('button')
  button.textContent = word
  const note = document.createElement('span')
  button.addEventListener('click', async () => {
    try {
      note.textContent = ` ${await work()}`
    } catch (error) {
      note.textContent = ` ${error instanceof Error ? error.message : String(error)}`
    }
  })
  place.replaceChildren(`${text} `, button, note)
}
