import { ConnectionError, errorOfAnswer, ProtocolError, RateLimitError } from './client-error.js'
import { KnownRateWindows, type RateWindow } from './known-rate-windows.js'
import type { ReadSessions } from './read-sessions.js'
import { settledBody } from './settled.js'

export type QueryValue = string | number | boolean | undefined
export type Query = Readonly<Record<string, QueryValue>>
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Address, limits and timeouts of a REST client. */
export interface RestOptions {
  /** Base URL without a path, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** Bearer token, for the operator interface. */
  readonly token?: string
  /**
   * Timeout of a request. Default 10,000. The exchange may answer an order with best execution later by its
   * `rpi.auctionMillis`.
   */
  readonly timeoutMillis?: number
  /** Maximum length of an answer. A longer one throws ProtocolError. Default 64 MiB. */
  readonly answerBytesMax?: number
  /**
   * Reaction to a rate limit. `tell` (default) throws RateLimitError. `wait` resends the request when the window ends,
   * and holds back requests that the exchange would already limit.
   */
  readonly rateLimit?: 'tell' | 'wait'
}

/** One request as sent. */
interface Sent {
  /** Path and query. */
  readonly url: string
  readonly body: unknown
  /** Token of the read session. */
  readonly shown: string | null
}

const timeoutMillisDefault = 10_000
const answerBytesMaxDefault = 64 * 1024 * 1024
const unauthorized = 401
/** Read whose answer may be null. */
const nullablePath = '/referrals/code'
/** Read whose parameters are in a body. */
const simulatePath = '/risk/simulate/orders'

/** HTTP with JSON bodies: one request per call, connections kept alive, errors as exceptions. */
export class RestClient {
  readonly url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #timeoutMillis: number
  readonly #answerBytesMax: number
  readonly #waits: boolean
  readonly #windows = new KnownRateWindows()
  /** Read sessions, presented with reads if the exchange requires them. */
  sessions: ReadSessions | null = null

  constructor(options: RestOptions) {
    this.url = options.url.replace(/\/$/, '')
    this.#timeoutMillis = options.timeoutMillis ?? timeoutMillisDefault
    this.#answerBytesMax = options.answerBytesMax ?? answerBytesMaxDefault
    this.#waits = options.rateLimit === 'wait'
    const authorization = options.token ? { authorization: `Bearer ${options.token}` } : {}
    this.#headers = { 'content-type': 'application/json', ...authorization }
  }

  /**
   * Sends a request.
   * @param path Begins with a slash. `query` values of undefined are left out.
   * @returns The parsed answer. `Answer` is the caller's claim about its shape.
   * @throws ApiError (RateLimitError for 429) for a status other than 2xx. ConnectionError for no answer. ProtocolError
   * for a 2xx answer that is too long or not a JSON object or array: an intermediary sent it, not the exchange.
   * @example
   * const info = await client.rest.request<{ chain_id: number }>('GET', '/exchange-info')
   */
  async request<Answer>(
    method: HttpMethod,
    path: string,
    options: { readonly query?: Query; readonly body?: unknown } = {},
  ): Promise<Answer> {
    const body = await settledBody(options.body)
    const sessions = method === 'GET' || path === simulatePath ? this.sessions : null
    for (;;) {
      if (this.#waits) await this.#windows.waitFor(method, path)
      const shown = (await sessions?.shown()) ?? null
      const url = path + queryText(options.query)
      const { status, text } = await this.#exchange(method, path, { url, body, shown })
      const answer = parseAnswer(text)
      if (status >= 200 && status <= 299) return goodAnswer(method, path, answer) as Answer
      const error = errorOfAnswer(status, answer)
      if (status === unauthorized && (await sessions?.refused(shown))) continue
      if (!this.#waits || !(error instanceof RateLimitError)) throw error
      this.#windows.fill(method, path, error)
    }
  }

  /**
   * Returns the last known state of the rate window of this method and path; null if the exchange has not sent it yet.
   * @example
   * const { remaining, limit } = client.rest.rateWindow('POST', '/order') ?? {}
   */
  rateWindow(method: HttpMethod, path: string): RateWindow | null {
    return this.#windows.find(method, path)
  }

  async #exchange(
    method: HttpMethod,
    path: string,
    { url, body, shown }: Sent,
  ): Promise<{ status: number; text: string }> {
    try {
      const session = shown === null ? {} : { authorization: `Bearer ${shown}` }
      const answer = await fetch(this.url + url, {
        method,
        headers: { ...this.#headers, ...session },
        signal: AbortSignal.timeout(this.#timeoutMillis),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      this.#windows.read(method, path, answer.headers)
      return { status: answer.status, text: await textWithin(answer, this.#answerBytesMax) }
    } catch (cause) {
      if (cause instanceof ProtocolError) throw cause
      throw new ConnectionError(`${method} ${path}: no answer`, { cause })
    }
  }
}

/**
 * @throws ProtocolError if the text is longer than `bytesMax`; stops reading there.
 */
async function textWithin({ body }: Response, bytesMax: number): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done: isDone, value } = await reader.read()
    if (isDone) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > bytesMax) {
      void reader.cancel().catch(() => {})
      throw new ProtocolError(`an answer of more than ${bytesMax} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

function queryText(query: Query | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/**
 * @throws ProtocolError if the answer cannot come from the exchange.
 */
function goodAnswer(method: HttpMethod, path: string, answer: unknown): unknown {
  if (typeof answer === 'object' && (answer !== null || path === nullablePath)) return answer
  throw new ProtocolError(`${method} ${path}: the answer is none of the exchange`)
}

function parseAnswer(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text // an intermediary's answer; the caller uses its status only
  }
}
