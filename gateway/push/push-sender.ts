import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, type RequestOptions, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type WebPush from 'web-push'
import { pushPointBytes } from '../../schemas/bounds.js'
import { endpointFaultOf, hostOf, type PushRules } from '../wire/push-endpoint.js'
import { AddressRefused, type Resolve, type VettedAddress, vettedAddress } from './address-guard.js'
import type { PushNotice, PushOutcome } from './push-notice.js'
import type { VapidKeys } from './vapid-keys.js'

export interface PushSenderOptions extends PushRules {
  readonly keys: VapidKeys
  readonly subject: string
  readonly timeoutMillis: number
  readonly maxAgeSeconds: number
  readonly resolve: Resolve
}

/** Limit of an answer, which is discarded. */
const answerBytesMax = 16_384
const tooMany = 429
const contentEncoding = 'aes128gcm'
/** Push services accept tokens for hours longer. */
const tokenMillis = 3_600_000
const tokensMax = 256
const freeSocketMillis = 30_000
const agentOptions = { keepAlive: true, maxFreeSockets: 8, timeout: freeSocketMillis }

interface Token {
  readonly text: string
  readonly untilMillis: number
}

/**
 * Makes one attempt at a notification: encrypts it for its browser, and sends it to the push service in its
 * subscription. The endpoint is untrusted: its resolved address is checked, and the connection goes to exactly that
 * address. Follows no redirects. Limits the wait for an answer, and discards it.
 */
export class PushSender {
  readonly #options: PushSenderOptions
  readonly #agents = {
    'http:': new HttpAgent(agentOptions),
    'https:': new HttpsAgent(agentOptions),
  }
  #webPush: typeof WebPush | null = null
  /** By origin of the push service. */
  readonly #tokens = new Map<string, Token>()

  constructor(options: PushSenderOptions) {
    this.#options = options
  }

  async send(notice: PushNotice): Promise<PushOutcome> {
    const { allowPrivate, resolve } = this.#options
    if (endpointFaultOf(notice.endpoint, this.#options) !== null) return { kind: 'refused' }
    const url = new URL(notice.endpoint)
    try {
      const vetted = await vettedAddress(hostOf(url), allowPrivate, resolve)
      const { headers, body } = await this.#encrypted(notice)
      const answer = await this.#post(url, vetted, headers, body)
      return outcomeOf(answer)
    } catch (error) {
      if (error instanceof AddressRefused) return { kind: 'refused' }
      return error instanceof Unencryptable ? { kind: 'failed' } : { kind: 'retry', afterMillis: 0 }
    }
  }

  /**
   * @throws Unencryptable
   */
  async #encrypted({ endpoint, keys, payload }: PushNotice) {
    // Loaded lazily, when there is something to send.
    this.#webPush ??= (await import('web-push')).default
    const { maxAgeSeconds } = this.#options
    const bytes = Buffer.from(keys, 'base64')
    const [p256dh, auth] = [bytes.subarray(0, pushPointBytes), bytes.subarray(pushPointBytes)]
    const target = {
      endpoint,
      keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
    }
    try {
      return this.#webPush.generateRequestDetails(target, JSON.stringify(payload), {
        headers: { Authorization: this.#tokenFor(new URL(endpoint).origin, this.#webPush) },
        contentEncoding,
        TTL: maxAgeSeconds,
        urgency: payload.type === 'liquidation' ? 'high' : 'normal',
      })
    } catch {
      throw new Unencryptable()
    }
  }

  /**
   * Returns a token that identifies the venue. Signing costs three times as much as encrypting, so tokens are reused.
   */
  #tokenFor(origin: string, webPush: typeof WebPush): string {
    const known = this.#tokens.get(origin)
    if (known !== undefined && Date.now() < known.untilMillis) return known.text
    const { keys, subject } = this.#options
    const { publicKey, privateKey } = keys
    const signed = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, contentEncoding)
    const text = signed.Authorization
    if (this.#tokens.size >= tokensMax) this.#tokens.clear()
    this.#tokens.set(origin, { text, untilMillis: Date.now() + tokenMillis })
    return text
  }

  /**
   * @throws Error for a network failure or a timeout.
   */
  #post(
    url: URL,
    vetted: VettedAddress,
    headers: Readonly<Record<string, string | number | string[]>>,
    body: Buffer | null,
  ): Promise<IncomingMessage> {
    const host = hostOf(url)
    const protocol = url.protocol as 'http:' | 'https:'
    const options: RequestOptions = {
      ...{ protocol, host, path: url.pathname + url.search, method: 'POST', headers },
      ...(url.port === '' ? {} : { port: url.port }),
      agent: this.#agents[protocol],
      lookup: onlyTo(vetted.address),
      signal: AbortSignal.timeout(this.#options.timeoutMillis),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: vetted.isPublic,
    }
    return new Promise((resolve, reject) => {
      const request = protocol === 'https:' ? requestHttps(options) : requestHttp(options)
      request.on('error', reject)
      request.on('response', (answer: IncomingMessage) => {
        dismiss(answer)
        resolve(answer)
      })
      request.end(body)
    })
  }
}

/** The browser's keys are invalid, or the payload is too large. */
class Unencryptable extends Error {}

/** Pins the connection to the checked address, without another lookup. */
function onlyTo(address: string): LookupFunction {
  const family = isIP(address)
  return (_, options, found) => {
    if (options.all === true) found(null, [{ address, family }])
    else found(null, address, family)
  }
}

/** Discards the rest of an answer, up to a limit. */
function dismiss(answer: IncomingMessage): void {
  let bytes = 0
  answer.on('error', () => {})
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > answerBytesMax) answer.destroy()
  })
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): PushOutcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered' }
  if (statusCode === 404 || statusCode === 410) return { kind: 'gone' }
  const isTemporary = statusCode === tooMany || statusCode >= 500
  if (!isTemporary) return { kind: 'failed' }
  return { kind: 'retry', afterMillis: retryMillisOf(headers['retry-after']) }
}

/** Parses seconds or a date; 0 if it is absent. */
function retryMillisOf(text: string | undefined): number {
  if (text === undefined) return 0
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0
}
