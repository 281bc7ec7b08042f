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
  PublishedMessage,
  RfqAcceptResult,
  RfqStatusUpdate,
  StreamFilters,
  StreamListener,
  StreamMessage,
  StreamOptions,
} from './stream-types.js'

const silenceMillisMaxDefault = 90_000
const checksPerSilence = 3
// A resume reaches back one minute, so the client refreshes the resume position at this interval on quiet channels.
const refreshMillis = 15_000
const normalClosure = 1000

/**
 * Client of the public stream. Reconnects with backoff, identifies itself and restores its subscriptions. Resumes where
 * it stopped if the exchange still retains the missed messages.
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
  #trafficMillis = 0
  #clockSyncs = 0
  #connections = 0
  /** Authenticate and Subscribe frames of this connection that have no answer yet. */
  #unanswered = 0
  #isOpening = false
  /** Renews the read session of the stream. Subscriptions wait for the first session. */
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
   * Adds a listener, which receives every message from now on.
   * @returns A function that removes the listener.
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
   * Subscribes to a channel with a typed listener. The listener receives every message of the channel on this stream,
   * including those of other subscriptions to it.
   * @returns A function that ends the subscription and removes the listener.
   * @example
   * const end = stream.on('trades', ({ symbol, price, size }) => console.log(symbol, price, size))
   */
  on<Name extends ChannelName>(
    channel: Name,
    hear: (message: ChannelMessage<Name>) => void,
    filters: StreamFilters = {},
  ): () => void {
    const types: readonly string[] = typesOfChannels[channel]
    const unlisten = this.listen({
      onMessage: (message) => {
        if (types.includes(message.type)) hear(message as ChannelMessage<Name>)
      },
    })
    const end = this.subscribe(channel, filters)
    return () => {
      end()
      unlisten()
    }
  }

  /**
   * True while the socket is open.
   * @example
   * if (!stream.isConnected) console.error('down')
   */
  get isConnected(): boolean {
    return this.#socket?.isOpen === true
  }

  /**
   * Resolves when the stream is up and the exchange has answered every subscription so far, on any connection.
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
   * Subscribes, now and after every reconnect. Subscriptions with the same channel and filters share one on the
   * exchange, which ends with the last of them.
   * @returns A function that ends this subscription. A second call does nothing.
   * @example
   * const end = stream.subscribe('orderbook', { symbols: [symbol] })
   */
  subscribe(channel: string, filters: StreamFilters = {}): () => void {
    const frame = { type: 'Subscribe', channel, ...filters }
    const key = JSON.stringify(frame)
    const subscription = this.#subscriptions.get(key) ?? { frame, holders: 0 }
    this.#subscriptions.set(key, subscription)
    subscription.holders++
    // Sent again for a second holder, so that it receives a snapshot.
    this.#subscribeChannel(subscription, false)
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
   * Places an order over the stream. `signPlaceOrder` makes `body`. The exchange answers orders with the same nonce in
   * the order they were sent, one answer each, and repeats the first result for an identical body.
   * @throws ApiError if the exchange answers with an Error. ConnectionError if the stream is down, goes down, or no
   * answer arrives in time. The exchange may then have placed the order: query its digest with
   * `client.safety.actionOutcome`.
   * @example
   * const result = await stream.placeOrder(signPlaceOrder(client.context, terms, client.nextNonce()))
   */
  placeOrder(body: SignedBody): Promise<OrderResult> {
    return this.#command('PlaceOrder', body)
  }

  /**
   * Replaces a working order. `signReplaceOrder` makes `body`.
   * @throws The errors of `placeOrder`.
   * @example
   * const body = signReplaceOrder(client.context, { orderId, ...terms }, client.nextNonce())
   * const { status } = await stream.replaceOrder(body)
   */
  replaceOrder(body: SignedBody): Promise<OrderResult> {
    return this.#command('ReplaceOrder', body)
  }

  /**
   * Cancels a working order. `signCancelOrder` makes `body`.
   * @throws The errors of `placeOrder`.
   * @example
   * const body = signCancelOrder(client.context, orderId, client.nextNonce())
   * const { status } = await stream.cancelOrder(body)
   */
  cancelOrder(body: SignedBody): Promise<OrderResult> {
    return this.#command('CancelOrder', body)
  }

  /**
   * Cancels the working order with a client id. `signCancelByClientId` makes `body`.
   * @throws The errors of `placeOrder`.
   * @example
   * const body = signCancelByClientId(client.context, 'grid-17', client.nextNonce())
   * const { status } = await stream.cancelByClientId(body)
   */
  cancelByClientId(body: SignedBody): Promise<OrderResult> {
    return this.#command('CancelOrderByClientId', body)
  }

  /**
   * Cancels the wallet's orders, RFQs and live quotes within a scope. `signAction` makes `body`.
   * @throws The errors of `placeOrder`.
   * @example
   * const body = signAction(client.context, 'CancelAll', { scope: 'all' }, client.nextNonce())
   * const { canceled } = await stream.cancelAll(body)
   */
  cancelAll(body: SignedBody): Promise<CancelAllResult> {
    return this.#command('CancelAll', body)
  }

  /**
   * Sets the wallet's dead-man timer. `signAction` makes `body`.
   * @throws The errors of `placeOrder`.
   * @example
   * const terms = { timeoutMs: 30_000 }
   * await stream.setDeadMan(signAction(client.context, 'SetDeadMan', terms, client.nextNonce()))
   */
  setDeadMan(body: SignedBody): Promise<DeadManResult> {
    return this.#command('SetDeadMan', body)
  }

  /**
   * Turns cancel-on-disconnect on or off: when this connection closes, the exchange cancels everything of the wallet.
   * The setting belongs to the current connection, so sign and send it again after each reconnect (`onConnected`).
   * @throws The errors of `placeOrder`.
   * @example
   * const body = signCancelOnDisconnect(client.context, true, client.nextNonce())
   * const { bound } = await stream.setCancelOnDisconnect(body)
   */
  setCancelOnDisconnect(body: SignedBody): Promise<CancelOnDisconnectResult> {
    return this.#command('SetCancelOnDisconnect', body)
  }

  /**
   * Returns the time of the exchange in milliseconds since 1970.
   * @throws ConnectionError if the stream is down, goes down, or no answer arrives in time.
   * @example
   * const aheadMillis = (await stream.clockSync()) - Date.now()
   */
  async clockSync(): Promise<number> {
    const frame = { type: 'ClockSync', nonce: `t${++this.#clockSyncs}` }
    return Number((await this.#requestUnder(['nonce'], frame, 'ClockSynced'))['server_at'])
  }

  /**
   * Returns the state of the wallet's rate windows, and of this client's reads of the wallet.
   * @param wallet Default: the wallet of the connection.
   * @throws ApiError if the exchange answers with an Error. ConnectionError as in `clockSync`.
   * @example
   * const { windows, reads } = await stream.rateLimits()
   */
  rateLimits(wallet = this.#options.wallet): Promise<RateLimits & StreamMessage> {
    const frame = { type: 'GetRateLimits', ...(wallet === undefined ? {} : { wallet }) }
    return this.#requestUnder(wallet === undefined ? [] : ['wallet'], frame, 'RateLimits')
  }

  /**
   * Requests quotes over the stream. `signRfqFrame` makes `frame`. Later statuses and quotes arrive in `onMessage`
   * without a subscription. A request that violates a trading rule returns status `failed`. With `autoAcceptLimit` the
   * frame is a SubmitAutoExecuteRfq.
   * @throws The errors of `placeOrder`.
   * @example
   * const frame = signRfqFrame(client.context, { rfqId: randomUUID(), legs }, client.nextNonce())
   * const { status } = await stream.submitRfq(frame)
   */
  submitRfq(frame: SignedBody): Promise<RfqStatusUpdate> {
    return this.#requestUnder(['rfq_id'], { type: 'SubmitRfq', ...frame }, 'RfqStatusUpdate')
  }

  /**
   * Accepts a quote and trades with it. `signAcceptRfqQuote` makes `body`.
   * @throws The errors of `placeOrder`.
   * @example
   * const body = signAcceptRfqQuote(client.context, { rfqId, quoteId, netPremium }, client.nextNonce())
   * const { status, fill_id } = await stream.acceptRfqQuote(body)
   */
  acceptRfqQuote(body: SignedBody): Promise<RfqAcceptResult> {
    return this.#command('AcceptRfqQuote', body)
  }

  /**
   * Closes the stream. It does not reconnect.
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
      onSignal: () => this.#noteTraffic(),
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
    if (this.#renewal !== null) this.#presentSessions(this.#renewal)
    else if (wallet) this.#ask({ type: 'Authenticate', wallet })
    if (this.#renewal === null) this.#resubscribe()
  }

  /** Presents the sessions. Drops the connection if one cannot be signed, so that it is retried with backoff. */
  #presentSessions(renewal: SessionRenewal): void {
    const show = (session: string, isFirst: boolean) => {
      this.#ask({ type: 'Authenticate', wallet: this.#options.wallet, session })
      if (isFirst) this.#resubscribe()
    }
    renewal.begin(show, () => this.#socket?.terminate())
  }

  #resubscribe(): void {
    for (const subscription of this.#subscriptions.values())
      this.#subscribeChannel(subscription, true)
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
    this.#noteTraffic()
    this.#calls.take(message)
    const isNew = this.#marks.take(message, text)
    if (isNew)
      for (const listener of this.#listeners)
        listener.onMessage?.(message as unknown as PublishedMessage)
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

  #requestUnder<Answer extends StreamMessage>(
    ids: readonly string[],
    frame: StreamMessage,
    answer: string,
  ): Promise<Answer> {
    const signed = settled(frame)
    if (signed instanceof Promise)
      return signed.then((ready) => this.#requestUnder(ids, ready, answer))
    if (!this.isConnected) return Promise.reject(new ConnectionError('the stream is down'))
    return this.#calls.ask<Answer>(ids, frame, answer)
  }

  #noteTraffic(): void {
    this.#trafficMillis = performance.now()
  }

  #watchSilence(): void {
    const silenceMillisMax = this.#options.silenceMillisMax ?? silenceMillisMaxDefault
    const checkMillis = silenceMillisMax / checksPerSilence
    this.#noteTraffic()
    this.#silenceTimer = setInterval(() => {
      const silentMillis = performance.now() - this.#trafficMillis
      if (silentMillis >= silenceMillisMax) this.#socket?.terminate()
      else if (silentMillis >= checkMillis) this.#send({ type: 'ClockSync', nonce: 'alive' })
    }, checkMillis)
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

  /** Subscribes again to a channel that sends no snapshot. The acknowledgement updates the resume position. */
  #refresh(): void {
    const all = [...this.#subscriptions.values()]
    const one = all.find(({ frame }) => ResumeMarks.has(String(frame['channel'])))
    if (one !== undefined && !this.#isOpening) this.#subscribeChannel(one, false)
  }

  /** True while frames of this connection have no answer. */
  get #isAwaiting(): boolean {
    return this.#unanswered > 0 || this.#marks.isAwaiting
  }

  #subscribeChannel({ frame }: Subscription, mayResume: boolean): void {
    if (!this.isConnected || this.#renewal?.isShown === false) return
    this.#ask({ ...frame, ...this.#marks.ask(String(frame['channel']), mayResume) })
  }

  /** Sends a frame that gets its own answer: Authenticate or Subscribe. */
  #ask(frame: StreamMessage): void {
    if (!this.isConnected) return
    this.#unanswered++
    this.#send(frame)
  }

  #send(frame: object): void {
    this.#socket?.send(JSON.stringify(frame))
  }
}
