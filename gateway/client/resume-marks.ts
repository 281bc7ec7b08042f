import type { StreamMessage } from './stream-types.js'

/** Channel of each message type that can be resumed. */
const channelsOfTypes: Readonly<Record<string, string>> = {
  Trade: 'trades',
  MarketUpdate: 'market_updates',
  OrderUpdate: 'order_updates',
  Fill: 'fills',
  LiquidationStateChange: 'liquidation',
  RfqStatusUpdate: 'rfq',
  RfqQuotes: 'rfq',
  RfqAcceptResult: 'rfq',
}
const resumable: ReadonlySet<string> = new Set(Object.values(channelsOfTypes))

/** Resume position of a channel. */
interface Mark {
  /** All messages up to here were received; a resume brings later ones. null: unknown. */
  seq: number | null
  /**
   * Texts of messages at `seq` and, while resumes are pending, after it, with their sequences. They may be repeated.
   */
  readonly texts: Map<string, number>
  /** Highest sequence in a message or answer on this connection. */
  receivedSeq: number
  /** Resumes of this connection without an answer. */
  awaited: number
  /** True if messages may have been missed before this connection. */
  hasGap: boolean
}

/**
 * Resume positions of a stream, per resumable channel. The next connection resumes from there, and repeated messages
 * are delivered once. A position does not advance until every resume of its channel is answered, so that a connection
 * that breaks in between resumes from the same place.
 */
export class ResumeMarks {
  readonly #marks = new Map<string, Mark>()
  /** Subscribe frames without an answer, in order. Answers arrive in the same order. */
  #requests: { readonly channel: string; readonly isResume: boolean }[] = []
  #isSetBack = false

  /** True while resumes are pending. */
  get isAwaiting(): boolean {
    return [...this.#marks.values()].some(({ awaited }) => awaited > 0)
  }

  /** True if the exchange is at a lower sequence than one received before: it was restored from a backup. */
  get isSetBack(): boolean {
    return this.#isSetBack
  }

  /** Returns the channels that missed nothing before this connection. */
  resumed(): ReadonlySet<string> {
    const whole = [...this.#marks].filter(([, { hasGap }]) => !hasGap)
    return new Set(whole.map(([channel]) => channel))
  }

  /** Resets the state for a new connection. */
  begin(): void {
    this.#requests = []
    this.#isSetBack = false
    for (const mark of this.#marks.values()) {
      mark.awaited = 0
      mark.receivedSeq = 0
      mark.hasGap = mark.seq === null
    }
  }

  /** Notes a subscription or its repetition. @returns Fields of its frame in addition to channel and filters. */
  ask(channel: string, mayResume: boolean): Readonly<Record<string, unknown>> {
    const mark = resumable.has(channel) ? this.#markOf(channel) : null
    const isResume = mark !== null && mayResume && mark.seq !== null
    this.#requests.push({ channel, isResume })
    if (mark === null) return {}
    if (!isResume) return { as_of_seq: true }
    mark.awaited++
    // Messages may share a sequence, so request the last one again.
    const isShared = [...mark.texts.values()].includes(mark.seq!)
    return { as_of_seq: true, from_seq: isShared ? mark.seq! - 1 : mark.seq }
  }

  /** Forgets a channel without subscriptions. */
  forget(channel: string): void {
    this.#marks.delete(channel)
  }

  /** True if subscribing again only returns the current sequence. */
  static has(channel: string): boolean {
    return resumable.has(channel)
  }

  /** Takes a message. @param text Its original text. @returns True if it is new. */
  take(message: StreamMessage, text: string): boolean {
    const channel = channelsOfTypes[message.type]
    if (channel !== undefined) return this.#takeChannelMessage(channel, message, text)
    if (message.type === 'Subscribed') this.#onAck(message)
    else if (message.type === 'Resumed') this.#onResumed(message, false)
    else if (message.type === 'Error' && message['request_type'] === 'Subscribe') {
      if (message['code'] === 'resume_unavailable') this.#onResumed(message, true)
      else this.#onAck(message)
    }
    return true
  }

  #takeChannelMessage(channel: string, message: StreamMessage, text: string): boolean {
    const mark = this.#marks.get(channel)
    const seq = Number(message['seq'] ?? 0)
    if (mark === undefined || mark.seq === null) return true
    if (mark.texts.has(text)) return false
    if (seq >= mark.seq) {
      mark.texts.set(text, seq)
      mark.receivedSeq = Math.max(mark.receivedSeq, seq)
      settle(mark)
    }
    return true
  }

  /** Handles the answer to the oldest frame. */
  #onAck({ type, as_of_seq: asOf }: StreamMessage): void {
    const request = this.#requests.shift()
    const mark = request === undefined ? undefined : this.#marks.get(request.channel)
    if (request === undefined || mark === undefined) return
    const isAccepted = type === 'Subscribed' && typeof asOf === 'number'
    if (request.isResume && !isAccepted) {
      // The exchange rejected it, or does not support resuming.
      mark.awaited--
      mark.hasGap = true
      settle(mark)
    } else if (isAccepted && !request.isResume) this.#raise(seqOf(asOf), mark)
  }

  /** Advances every channel to a sequence up to which all messages have been received. */
  #raise(seq: number, own: Mark): void {
    own.seq ??= seq
    for (const mark of this.#marks.values()) {
      if (mark.seq === null) continue
      mark.receivedSeq = Math.max(mark.receivedSeq, seq)
      settle(mark)
    }
  }

  #onResumed({ channel, as_of_seq: asOf }: StreamMessage, isGap: boolean): void {
    const mark = this.#marks.get(String(channel))
    if (mark === undefined || mark.awaited === 0) return
    mark.awaited--
    mark.hasGap ||= isGap
    if (isGap && mark.seq !== null && seqOf(asOf) < mark.seq) this.#setBack(mark, seqOf(asOf))
    mark.receivedSeq = Math.max(mark.receivedSeq, seqOf(asOf))
    settle(mark)
  }

  /** Accepts messages with sequences seen before: they are new after a restore. */
  #setBack(mark: Mark, seq: number): void {
    mark.seq = seq
    mark.texts.clear()
    this.#isSetBack = true
  }

  #markOf(channel: string): Mark {
    let mark = this.#marks.get(channel)
    if (mark === undefined) {
      mark = { seq: null, texts: new Map(), receivedSeq: 0, awaited: 0, hasGap: true }
      this.#marks.set(channel, mark)
    }
    return mark
  }
}

const seqOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Advances a position to what was received, once no resume is pending. */
function settle(mark: Mark): void {
  if (mark.awaited > 0 || mark.seq === null || mark.receivedSeq <= mark.seq) return
  mark.seq = mark.receivedSeq
  for (const [text, seq] of mark.texts) if (seq < mark.seq) mark.texts.delete(text)
}
