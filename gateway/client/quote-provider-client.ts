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

/** What a provider quotes for one instrument; a side without a price or a size is no quote. */
export interface QuoteTerms {
  readonly instrument: string
  readonly bidPrice?: string
  readonly askPrice?: string
  readonly maxBidSize?: string
  readonly maxAskSize?: string
}

/** An `rfq_request`: what a taker wants a price of, or an order by best execution that waits for a better one. */
export interface RfqRequest extends StreamMessage {
  readonly type: 'rfq_request'
  readonly rfq_id: string
  /** Their sides are the taker's: `buy`, `sell`. */
  readonly legs: readonly RfqLegTexts[]
  /** The zero address of an order: its taker is not named. */
  readonly taker_wallet: string
  /** How long a first quote is in time, from `request_timestamp` (ms since the epoch) on. */
  readonly response_deadline_ms: number
  readonly request_timestamp: number
  /** Whether a quote within a limit is executed without an acceptance: the first, or of those for an order the best. */
  readonly auto_execute: boolean
  /** Limit for all legs together, USD; absent where there is none, or it is not told. */
  readonly auto_accept_limit?: string
  /** Of an order: limit of a contract, told where nothing else is to be beaten. */
  readonly taker_limit_price?: string
  /** Of an order: price of a contract that a quote is measured by. */
  readonly reference_price?: string
  /** Of an order: by how much at least a quote is to be better than that, where it has to be. */
  readonly min_improvement_tick?: string
  /** Of an order: when it is decided at the latest, from `request_timestamp` on. */
  readonly auction_deadline_ms?: number
  /** Whether a quote has to be better than the reference price: else it has to be as good. */
  readonly requires_price_improvement: boolean
}

export interface QuoteProviderOptions {
  /** `ws://127.0.0.1:8080/ws/quotes`, or the public http URL. */
  readonly url: string
  readonly context: SigningContext
  /** Never used before: a handshake is never repeated. */
  readonly nonce: number
  /** A handshake without an answer ends after this; default 10,000. */
  readonly timeoutMillis?: number
  /** Time of the handshake, at most a minute off the exchange's. Default: now. */
  readonly timestampMillis?: number
  /** Every message behind the handshake. */
  readonly onMessage?: (message: StreamMessage) => void
  /** What came is no message of the exchange: nobody hears it, and the session ends. */
  readonly onError?: (error: ProtocolError) => void
  /** The session has ended; `reason` is that of the close frame. */
  readonly onClosed?: (code: number, reason: string) => void
}

const timeoutMillisDefault = 10_000
const pingMillis = 30_000
const silenceMillisMax = 90_000
const normalClosure = 1000
const unauthorized = 'unauthorized'

/**
 * A session of a quote provider: signed once, then indicative quotes as full snapshots, of all rows or of one scope.
 * What a snapshot leaves out is withdrawn; what does not come again within a minute is, too.
 */
export class QuoteProviderClient {
  readonly #socket: ClientSocket
  readonly #context: SigningContext
  readonly #timer: ReturnType<typeof setInterval>
  #heardMillis = performance.now()

  private constructor(socket: ClientSocket, context: SigningContext) {
    this.#socket = socket
    this.#context = context
    this.#timer = setInterval(() => this.#look(), pingMillis)
  }

  /**
   * Opens a session.
   * @throws ApiError whose message is the reason of the refusal; ConnectionError when the socket fails, or nothing is
   * answered in time; what a remote signer throws.
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
      const hear = () => {
        if (client !== null) client.#heardMillis = performance.now()
      }
      const socket = new ClientSocket(socketUrl(url, '/ws/quotes'), providerShapes, {
        onOpen: () => socket.send(opening),
        onSignal: hear,
        onMisshapen(error) {
          if (client !== null) onError?.(error)
          else reject(error)
        },
        onMessage(message) {
          hear()
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
   * All rows without a scope.
   * @example
   * provider.publish([{ instrument: symbol, askPrice: '900', maxAskSize: '5' }])
   */
  publish(rows: readonly QuoteTerms[]): void {
    this.send({ type: 'indicative_quote_update', quotes: rows.map(rowOf) })
  }

  /**
   * All rows of a scope; other scopes stay as they are.
   * @param scope 32 lower-case hexadecimal digits.
   * @example
   * const scope = '000000000000000000000000000000a1'
   * provider.publishScope(scope, [{ instrument: symbol, bidPrice: '700', maxBidSize: '5' }])
   */
  publishScope(scope: string, rows: readonly QuoteTerms[]): void {
    this.send({ type: 'scoped_indicative_quote_update', scope, quotes: rows.map(rowOf) })
  }

  /**
   * Answers an `rfq_request` with a firm quote, in the place of the one before. What is wrong with it comes as `error`
   * or `qp_margin_rejection`.
   * @returns comes when it is signed and sent, if the session stands still.
   * @throws what a remote signer throws: nothing was sent then.
   * @example
   * const { rfq_id: rfqId, legs } = request
   * const priced = legs.map((leg) => ({ ...leg, price: '1000' }))
   * const netPremium = netPremiumOf(priced)
   * const terms = { rfqId, legs: priced, netPremium, validForMillis: 5000 }
   * await provider.quote(terms, providerClient.nextNonce())
   */
  async quote(terms: RfqQuoteTerms, nonce: number): Promise<void> {
    const signed = settled(signRfqQuote(this.#context, terms, nonce))
    // A key has signed already: its quote leaves in this turn.
    this.send(signed instanceof Promise ? await signed : signed)
  }

  /**
   * Will not quote, or takes its quote back.
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
   * Ends the session: its rows go at once.
   * @example
   * provider.close()
   */
  close(): void {
    this.#socket.close(normalClosure)
  }

  #look(): void {
    // Where the platform has no pings, and shows none, silence says nothing.
    const seesPings = this.#socket.ping()
    const silentMillis = performance.now() - this.#heardMillis
    if (seesPings && silentMillis > silenceMillisMax) this.#socket.terminate()
  }
}

/** First frame of a session. */
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
