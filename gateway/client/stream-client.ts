import type { RateLimits } from './answer-types.js'
import { ConnectionError, type ProtocolError } from './client-error.js'
import { ClientSocket, socketUrl } from './client-socket.js'
import { streamShapes, typesOfChannels } from './generated/interface.js'
import { ReconnectPauses } from './reconnect-pauses.js'
import { ResumeMarks } from './resume-marks.js'
import { SessionRenewal } from './session-renewal.js'
import { settled } from './settled.js'
import type { SignedBody } from './signed-actions.js'
import { isOpeningAnswer, isResumeAnswer, type Subscription } from './stream-answers.js'
import { StreamCalls } from './stream-calls.js'
import type {
  CancelAllResult,
  CancelOnDisconnectResult,
  ChannelMessage,
  ChannelName,
  DeadManResult,
  OrderResult,
  RfqAcceptResult,
  RfqStatusUpdate,
  StreamFilters,
  StreamListener,
  StreamMessage,
  StreamOptions,
  ToldMessage,
} from './stream-types.js'

const silenceMillisMaxDefault = 90_000
const looksPerSilence = 3
// A resume goes back a minute: so often it is asked how far the stream was heard, where nothing else may tell.
const refreshMillis = 15_000
const normalClosure = 1000

/**
 * The public stream with its subscriptions kept: reconnects with growing, random pauses, identifies itself, subscribes
 * again, and where the exchange still has what was missed, goes on where it was.
 */
export class StreamClient {
  readonly #options: StreamOptions
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #calls: StreamCalls
  readonly #listeners = new Set<StreamListener>()
  readonly #marks = new ResumeMarks()
  readonly #pauses: ReconnectPauses
  #whenAnswered: (() => void)[] = []
  #socket: ClientSocket | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  #silenceTimer: ReturnType<typeof setInterval> | null = null
  #refreshTimer: ReturnType<typeof setInterval> | null = null
  #heardMillis = 0
  #clockSyncs = 0
  #connections = 0
  /** Frames of this connection that ask for an answer of their own and have none. */
  #unanswered = 0
  #isOpening = false
  /** Where sessions of reads are shown; whoever subscribes waits for the first one. */
  readonly #renewal: SessionRenewal | null
  #closed = false

  constructor(options: StreamOptions) {
    this.#options = options
    this.#pauses = new ReconnectPauses(options)
    this.#calls = new StreamCalls((frame) => this.#send(frame), options.answerMillisMax)
    this.#renewal = options.sessions === undefined ? null : new SessionRenewal(options.sessions)
    this.#listeners.add(options)
    this.#open()
  }

  /**
   * Has one more hear the stream, from the next message on.
   * @returns a function that ends it.
   * @example
   * const end = stream.listen({ onMessage: (message) => console.log(message.type) })
   */
  listen(listener: StreamListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /**
   * Subscribes to a channel and hears what it tells, typed by it: every message of the channel that this stream is told,
   * also by another subscription to it.
   * @returns a function that ends both.
   * @example
   * const end = stream.on('trades', ({ symbol, price, size }) => console.log(symbol, price, size))
   */
  on<Name extends ChannelName>(
    channel: Name,
    hear: (message: ChannelMessage<Name>) => void,
    filters: StreamFilters = {},
  ): () => void {
    const types: readonly string[] = typesOfChannels[channel]
    const mute = this.listen({
      onMessage: (message) => {
        if (types.includes(message.type)) hear(message as ChannelMessage<Name>)
      },
    })
    const end = this.subscribe(channel, filters)
    return () => {
      end()
      mute()
    }
  }

  /**
   * Whether the socket is open now.
   * @example
   * if (!stream.isConnected) console.error('down')
   */
  get isConnected(): boolean {
    return this.#socket?.isOpen === true
  }

  /**
   * Comes when the stream is up and everything that was subscribed to so far has been answered, on whichever connection.
   * @example
   * await stream.answered()
   */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenAnswered.push(resolve)
      this.#checkAnswered()
    })
  }

  /**
   * Subscribes, now and after every reconnect. The stream counts the same channel with the same filters once; it
   * ends there when the last of those who subscribed to it here has ended it.
   * @returns a function that ends this subscription; a second call does nothing.
   * @example
   * const end = stream.subscribe('orderbook', { symbols: [symbol] })
   */
  subscribe(channel: string, filters: StreamFilters = {}): () => void {
    const frame = { type: 'Subscribe', channel, ...filters }
    const key = JSON.stringify(frame)
    const subscription = this.#subscriptions.get(key) ?? { frame, holders: 0 }
    this.#subscriptions.set(key, subscription)
    subscription.holders++
    // Also for a second holder, who is sent its snapshot by that.
    this.#askChannel(subscription, false)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (--subscription.holders > 0) return
      this.#subscriptions.delete(key)
      const others = [...this.#subscriptions.values()]
      if (!others.some((other) => other.frame['channel'] === channel)) this.#marks.forget(channel)
      this.#send({ ...frame, type: 'Unsubscribe' })
    }
  }

  /**
   * Places an order over the stream; `body` is made by `signPlaceOrder`. Orders of one nonce are answered in the
   * order they were sent, each by itself: the exchange repeats the first outcome for the same body.
   * @throws ApiError when the exchange answers with an Error, ConnectionError when the stream is or goes down, or no
   * answer comes in time: the order may then have been placed, `client.safety.actionOutcome` tells by its digest.
   * @example
   * const result = await stream.placeOrder(signPlaceOrder(client.context, terms, client.nextNonce()))
   */
  placeOrder(body: SignedBody): Promise<OrderResult> {
    return this.#command('PlaceOrder', body)
  }

  /**
   * Replaces a working order; `body` is made by `signReplaceOrder`.
   * @throws as `placeOrder`.
   * @example
   * const body = signReplaceOrder(client.context, { orderId, ...terms }, client.nextNonce())
   * const { status } = await stream.replaceOrder(body)
   */
  replaceOrder(body: SignedBody): Promise<OrderResult> {
    return this.#command('ReplaceOrder', body)
  }

  /**
   * Cancels a working order; `body` is made by `signCancelOrder`.
   * @throws as `placeOrder`.
   * @example
   * const body = signCancelOrder(client.context, orderId, client.nextNonce())
   * const { status } = await stream.cancelOrder(body)
   */
  cancelOrder(body: SignedBody): Promise<OrderResult> {
    return this.#command('CancelOrder', body)
  }

  /**
   * Cancels the working order with a client id; `body` is made by `signCancelByClientId`.
   * @throws as `placeOrder`.
   * @example
   * const body = signCancelByClientId(client.context, 'grid-17', client.nextNonce())
   * const { status } = await stream.cancelByClientId(body)
   */
  cancelByClientId(body: SignedBody): Promise<OrderResult> {
    return this.#command('CancelOrderByClientId', body)
  }

  /**
   * Ends the wallet's orders, requests and live quotes of a scope; `body` is made by `signAction`.
   * @throws as `placeOrder`.
   * @example
   * const body = signAction(client.context, 'CancelAll', { scope: 'all' }, client.nextNonce())
   * const { canceled } = await stream.cancelAll(body)
   */
  cancelAll(body: SignedBody): Promise<CancelAllResult> {
    return this.#command('CancelAll', body)
  }

  /**
   * Sets the wallet's dead-man timer; `body` is made by `signAction`.
   * @throws as `placeOrder`.
   * @example
   * const terms = { timeoutMs: 30_000 }
   * await stream.setDeadMan(signAction(client.context, 'SetDeadMan', terms, client.nextNonce()))
   */
  setDeadMan(body: SignedBody): Promise<DeadManResult> {
    return this.#command('SetDeadMan', body)
  }

  /**
   * Ends everything of the wallet when this connection ends, or no longer. It is of the connection as it is now: behind a
   * reconnect (`onConnected`) sign and send another one.
   * @throws as `placeOrder`.
   * @example
   * const body = signCancelOnDisconnect(client.context, true, client.nextNonce())
   * const { bound } = await stream.setCancelOnDisconnect(body)
   */
  setCancelOnDisconnect(body: SignedBody): Promise<CancelOnDisconnectResult> {
    return this.#command('SetCancelOnDisconnect', body)
  }

  /**
   * Time of the exchange, milliseconds since 1970.
   * @throws ConnectionError when the stream is or goes down, or does not answer in time.
   * @example
   * const aheadMillis = (await stream.clockSync()) - Date.now()
   */
  async clockSync(): Promise<number> {
    const frame = { type: 'ClockSync', nonce: `t${++this.#clockSyncs}` }
    return Number((await this.#askUnder(['nonce'], frame, 'ClockSynced'))['server_at'])
  }

  /**
   * How the wallet's rate windows stand, and those of this client's reads of it.
   * @param wallet default: whom the connection is identified as.
   * @throws ApiError when the exchange answers with an Error, ConnectionError as `clockSync`.
   * @example
   * const { windows, reads } = await stream.rateLimits()
   */
  rateLimits(wallet = this.#options.wallet): Promise<RateLimits & StreamMessage> {
    const frame = { type: 'GetRateLimits', ...(wallet === undefined ? {} : { wallet }) }
    return this.#askUnder(wallet === undefined ? [] : ['wallet'], frame, 'RateLimits')
  }

  /**
   * Asks for quotes over the stream; `frame` is made by `signRfqFrame`. Later statuses, and quotes, come to `onMessage`
   * without a subscription. One that a rule of trading refuses has status `failed`. With `autoAcceptLimit` the frame is a
   * SubmitAutoExecuteRfq.
   * @throws as `placeOrder`.
   * @example
   * const frame = signRfqFrame(client.context, { rfqId: randomUUID(), legs }, client.nextNonce())
   * const { status } = await stream.submitRfq(frame)
   */
  submitRfq(frame: SignedBody): Promise<RfqStatusUpdate> {
    return this.#askUnder(['rfq_id'], { type: 'SubmitRfq', ...frame }, 'RfqStatusUpdate')
  }

  /**
   * Trades at a quote; `body` is made by `signAcceptRfqQuote`.
   * @throws as `placeOrder`.
   * @example
   * const body = signAcceptRfqQuote(client.context, { rfqId, quoteId, netPremium }, client.nextNonce())
   * const { status, fill_id } = await stream.acceptRfqQuote(body)
   */
  acceptRfqQuote(body: SignedBody): Promise<RfqAcceptResult> {
    return this.#command('AcceptRfqQuote', body)
  }

  /**
   * Ends the stream for good.
   * @example
   * stream.close()
   */
  close(): void {
    this.#closed = true
    this.#clearTimers()
    this.#socket?.close(normalClosure)
    this.#calls.fail('the stream was closed')
  }

  #open(): void {
    this.#socket = new ClientSocket(socketUrl(this.#options.url, '/ws'), streamShapes, {
      onOpen: () => this.#onOpen(),
      onMessage: (message, text) => this.#onMessage(message, text),
      onMisshapen: (error) => this.#onMisshapen(error),
      onSignal: () => this.#hear(),
      onClose: (code, reason) => this.#onClose(code, reason),
    })
  }

  #onOpen(): void {
    if (this.#closed) {
      this.#socket?.close(normalClosure)
      return
    }
    this.#pauses.opened()
    this.#unanswered = 0
    this.#isOpening = true
    this.#watchSilence()
    this.#marks.begin()
    const { wallet } = this.#options
    if (this.#renewal !== null) this.#showSessions(this.#renewal)
    else if (wallet) this.#ask({ type: 'Authenticate', wallet })
    if (this.#renewal === null) this.#resubscribe()
  }

  /** As if the connection had failed where nothing is signed: it is tried again, less and less often. */
  #showSessions(renewal: SessionRenewal): void {
    const show = (session: string, isFirst: boolean) => {
      this.#ask({ type: 'Authenticate', wallet: this.#options.wallet, session })
      if (isFirst) this.#resubscribe()
    }
    renewal.begin(show, () => this.#socket?.terminate())
  }

  #resubscribe(): void {
    for (const subscription of this.#subscriptions.values()) this.#askChannel(subscription, true)
    this.#checkConnected()
  }

  #checkConnected(): void {
    if (!this.#isOpening || this.#isAwaiting || this.#closed) return
    this.#isOpening = false
    this.#pauses.answered()
    this.#connections++
    const resumed = this.#marks.resumed()
    const { isSetBack } = this.#marks
    for (const listener of this.#listeners)
      listener.onConnected?.(this.#connections, resumed, isSetBack)
    this.#checkAnswered()
  }

  #checkAnswered(): void {
    if (!this.isConnected || this.#isOpening || this.#isAwaiting) return
    for (const resolve of this.#whenAnswered.splice(0)) resolve()
  }

  #onMessage(message: StreamMessage, text: string): void {
    this.#hear()
    this.#calls.take(message)
    const isNew = this.#marks.take(message, text)
    if (isNew)
      for (const listener of this.#listeners)
        listener.onMessage?.(message as unknown as ToldMessage)
    if (isOpeningAnswer(message)) this.#unanswered--
    else if (!isResumeAnswer(message)) return
    this.#checkConnected()
    this.#checkAnswered()
  }

  #onMisshapen(error: ProtocolError): void {
    this.#pauses.misshapen()
    for (const listener of this.#listeners) listener.onError?.(error)
  }

  #onClose(code: number, reason: string): void {
    this.#clearTimers()
    this.#calls.fail('the stream went down before the answer')
    for (const listener of this.#listeners) listener.onDisconnected?.(code, reason)
    if (this.#closed) return
    this.#timer = setTimeout(() => this.#open(), this.#pauses.nextMillis())
  }

  #command<Answer extends StreamMessage>(type: string, body: SignedBody): Promise<Answer> {
    const signed = settled(body)
    if (signed instanceof Promise) return signed.then((ready) => this.#command(type, ready))
    if (!this.isConnected) return Promise.reject(new ConnectionError('the stream is down'))
    return this.#calls.command<Answer>({ type, ...body })
  }

  #askUnder<Answer extends StreamMessage>(
    ids: readonly string[],
    frame: StreamMessage,
    answer: string,
  ): Promise<Answer> {
    const signed = settled(frame)
    if (signed instanceof Promise) return signed.then((ready) => this.#askUnder(ids, ready, answer))
    if (!this.isConnected) return Promise.reject(new ConnectionError('the stream is down'))
    return this.#calls.ask<Answer>(ids, frame, answer)
  }

  #hear(): void {
    this.#heardMillis = performance.now()
  }

  #watchSilence(): void {
    const silenceMillisMax = this.#options.silenceMillisMax ?? silenceMillisMaxDefault
    const lookMillis = silenceMillisMax / looksPerSilence
    this.#hear()
    this.#silenceTimer = setInterval(() => {
      const silentMillis = performance.now() - this.#heardMillis
      if (silentMillis >= silenceMillisMax) this.#socket?.terminate()
      else if (silentMillis >= lookMillis) this.#send({ type: 'ClockSync', nonce: 'alive' })
    }, lookMillis)
    this.#refreshTimer = setInterval(() => this.#refresh(), refreshMillis)
  }

  #clearTimers(): void {
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#silenceTimer) clearInterval(this.#silenceTimer)
    if (this.#refreshTimer) clearInterval(this.#refreshTimer)
    this.#renewal?.end()
    this.#timer = null
    this.#silenceTimer = null
    this.#refreshTimer = null
  }

  /** To subscribe once more to a channel that shows no snapshot is answered by how far it was heard. */
  #refresh(): void {
    const all = [...this.#subscriptions.values()]
    const one = all.find(({ frame }) => ResumeMarks.has(String(frame['channel'])))
    if (one !== undefined && !this.#isOpening) this.#askChannel(one, false)
  }

  /** Whether frames of this connection have no answer. */
  get #isAwaiting(): boolean {
    return this.#unanswered > 0 || this.#marks.isAwaiting
  }

  #askChannel({ frame }: Subscription, mayResume: boolean): void {
    if (!this.isConnected || this.#renewal?.isShown === false) return
    this.#ask({ ...frame, ...this.#marks.ask(String(frame['channel']), mayResume) })
  }

  /** Sends a frame that is answered once by itself: identification or subscription. */
  #ask(frame: StreamMessage): void {
    if (!this.isConnected) return
    this.#unanswered++
    this.#send(frame)
  }

  #send(frame: object): void {
    this.#socket?.send(JSON.stringify(frame))
  }
}
