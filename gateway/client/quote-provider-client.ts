import { ApiError, ConnectionError, type ProtocolError } from './client-error.js'
import { ClientSocket, socketUrl } from './client-socket.js'
import { providerShapes, structs } from './generated/interface.js'
import { settled } from './settled.js'
import {
  type RfqLegTexts,
  type RfqQuoteTerms,
  type SignedBody,
  type SigningContext,
  signRfqQuote,
} from './signed-actions.js'
import type { StreamMessage } from './stream-types.js'
import { signTyped } from './typed-request.js'

/** Quote of a provider for one instrument. A side without price or size is not quoted. */
export interface QuoteTerms {
  readonly instrument: string
  readonly bidPrice?: string
  readonly askPrice?: string
  readonly maxBidSize?: string
  readonly maxAskSize?: string
}

/** `rfq_request`: an RFQ of a taker, or an order with best execution that waits for a better price. */
export interface RfqRequest extends StreamMessage {
  readonly type: 'rfq_request'
  readonly rfq_id: string
  /** Sides are the taker's: `buy`, `sell`. */
  readonly legs: readonly RfqLegTexts[]
  /** Wallet of the taker; the zero address for an order, whose taker is not disclosed. */
  readonly taker_wallet: string
  /** Deadline of the first quote, relative to `request_timestamp` (ms since the epoch). */
  readonly response_deadline_ms: number
  readonly request_timestamp: number
  /** True if a quote within the limit executes without an acceptance: for an RFQ the first, for an order the best. */
  readonly auto_execute: boolean
  /** Limit for all legs together, USD; absent if there is none, or it is not disclosed. */
  readonly auto_accept_limit?: string
  /** Order only: limit per contract, disclosed if a quote has nothing else to beat. */
  readonly taker_limit_price?: string
  /** Order only: price per contract that a quote is compared with. */
  readonly reference_price?: string
  /** Order only: minimum improvement on that price, if an improvement is required. */
  readonly min_improvement_tick?: string
  /** Order only: latest time of the decision, relative to `request_timestamp`. */
  readonly auction_deadline_ms?: number
  /** True if a quote must be better than the reference price; otherwise it may be equal. */
  readonly requires_price_improvement: boolean
}

export interface QuoteProviderOptions {
  /** `ws://127.0.0.1:8080/ws/quotes`, or the public http URL. */
  readonly url: string
  readonly context: SigningContext
  /** A nonce never used before. A handshake cannot be repeated. */
  readonly nonce: number
  /** Timeout of the handshake. Default 10,000. */
  readonly timeoutMillis?: number
  /** Time of the handshake, within a minute of the exchange's. Default: now. */
  readonly timestampMillis?: number
  /** Receives every message after the handshake. */
  readonly onMessage?: (message: StreamMessage) => void
  /** The received data is not a message of the exchange. No listener receives it, and the session ends. */
  readonly onError?: (error: ProtocolError) => void
  /** The session has ended. `reason` is that of the close frame. */
  readonly onClosed?: (code: number, reason: string) => void
}

const timeoutMillisDefault = 10_000
const pingMillis = 30_000
const silenceMillisMax = 90_000
const normalClosure = 1000
const unauthorized = 'unauthorized'

/**
 * Session of a quote provider: one signed handshake, then indicative quotes as full snapshots of all rows or of one
 * scope. A snapshot withdraws the rows that it omits. A row that is not repeated within a minute is withdrawn too.
 */
export class QuoteProviderClient {
  readonly #socket: ClientSocket
  readonly #context: SigningContext
  readonly #timer: ReturnType<typeof setInterval>
  #trafficMillis = performance.now()

  private constructor(socket: ClientSocket, context: SigningContext) {
    this.#socket = socket
    this.#context = context
    this.#timer = setInterval(() => this.#checkSilence(), pingMillis)
  }

  /**
   * Opens a session.
   * @throws ApiError with the reason of a rejected handshake. ConnectionError if the socket fails or the answer is
   * late. The error of a remote signer.
   * @example
   * const { context } = providerClient
   * const session = await QuoteProviderClient.connect({ url, context, nonce: providerClient.nextNonce() })
   * session.publish([{ instrument: symbol, bidPrice: '100', maxBidSize: '5' }])
   * session.close()
   */
  static async connect(options: QuoteProviderOptions): Promise<QuoteProviderClient> {
    const { url, context, onMessage, onError, onClosed } = options
    const { timeoutMillis = timeoutMillisDefault } = options
    const opening = JSON.stringify(await settled(signConnectProvider(options)))
    return new Promise((resolve, reject) => {
      let client: QuoteProviderClient | null = null
      const silence = `no answer within ${timeoutMillis} ms`
      const timer = setTimeout(() => socket.terminate(undefined, silence), timeoutMillis)
      const noteTraffic = () => {
        if (client !== null) client.#trafficMillis = performance.now()
      }
      const socket = new ClientSocket(socketUrl(url, '/ws/quotes'), providerShapes, {
        onOpen: () => socket.send(opening),
        onSignal: noteTraffic,
        onMisshapen(error) {
          if (client !== null) onError?.(error)
          else reject(error)
        },
        onMessage(message) {
          noteTraffic()
          if (client !== null) {
            onMessage?.(message)
            return
          }
          clearTimeout(timer)
          if (message.type === 'authenticated') {
            client = new QuoteProviderClient(socket, context)
            resolve(client)
          } else {
            reject(new ApiError(0, unauthorized, String(message['reason']), message))
            socket.close(normalClosure)
          }
        },
        onClose(code, reason) {
          clearTimeout(timer)
          if (client !== null) {
            clearInterval(client.#timer)
            onClosed?.(code, reason)
          } else reject(new ConnectionError(`the session was closed: ${code} ${reason}`))
        },
      })
    })
  }

  /**
   * Publishes all rows without a scope.
   * @example
   * provider.publish([{ instrument: symbol, askPrice: '900', maxAskSize: '5' }])
   */
  publish(rows: readonly QuoteTerms[]): void {
    this.send({ type: 'indicative_quote_update', quotes: rows.map(rowOf) })
  }

  /**
   * Publishes all rows of a scope. Other scopes do not change.
   * @param scope 32 lower-case hexadecimal digits.
   * @example
   * const scope = '000000000000000000000000000000a1'
   * provider.publishScope(scope, [{ instrument: symbol, bidPrice: '700', maxBidSize: '5' }])
   */
  publishScope(scope: string, rows: readonly QuoteTerms[]): void {
    this.send({ type: 'scoped_indicative_quote_update', scope, quotes: rows.map(rowOf) })
  }

  /**
   * Answers an `rfq_request` with a firm quote, which replaces the previous one. A fault arrives as `error` or
   * `qp_margin_rejection`.
   * @returns Resolves when the quote is signed and sent, if the session is open.
   * @throws The error of a remote signer; nothing was sent then.
   * @example
   * const { rfq_id: rfqId, legs } = request
   * const priced = legs.map((leg) => ({ ...leg, price: '1000' }))
   * const netPremium = netPremiumOf(priced)
   * const terms = { rfqId, legs: priced, netPremium, validForMillis: 5000 }
   * await provider.quote(terms, providerClient.nextNonce())
   */
  async quote(terms: RfqQuoteTerms, nonce: number): Promise<void> {
    const signed = settled(signRfqQuote(this.#context, terms, nonce))
    // With a local key the signature is ready, so the quote leaves in this turn.
    this.send(signed instanceof Promise ? await signed : signed)
  }

  /**
   * Declines to quote, or withdraws the quote.
   * @example
   * provider.decline(request.rfq_id)
   */
  decline(rfqId: string): void {
    this.send({ type: 'rfq_response', rfq_id: rfqId, action: 'decline' })
  }

  /**
   * Sends a frame of any type.
   * @example
   * provider.send({ type: 'indicative_quote_update', quotes: [] })
   */
  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame))
  }

  /**
   * Closes the session. The exchange withdraws its rows immediately.
   * @example
   * provider.close()
   */
  close(): void {
    this.#socket.close(normalClosure)
  }

  #checkSilence(): void {
    // A platform without pings does not report the server's pings either, so its silence means nothing.
    const seesPings = this.#socket.ping()
    const silentMillis = performance.now() - this.#trafficMillis
    if (seesPings && silentMillis > silenceMillisMax) this.#socket.terminate()
  }
}

/** Signs the first frame of a session. */
export function signConnectProvider({
  context,
  nonce,
  timestampMillis = Date.now(),
}: Pick<QuoteProviderOptions, 'context' | 'nonce' | 'timestampMillis'>): SignedBody {
  const { domain, signer, wallet } = context
  const message = { wallet, timestamp: String(timestampMillis), nonce }
  const struct = structs.ConnectQuoteProvider
  const signature = signTyped(signer, { domain, struct, message })
  return { type: 'connect_quote_provider', ...message, signature }
}

function rowOf({ instrument, bidPrice, askPrice, maxBidSize, maxAskSize }: QuoteTerms): object {
  return {
    instrument,
    bid_price: bidPrice,
    ask_price: askPrice,
    max_bid_size: maxBidSize,
    max_ask_size: maxAskSize,
  }
}
