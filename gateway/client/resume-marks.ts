import type { StreamMessage } from './stream-types.js'

/** Where each message of a channel that can be resumed belongs. */
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

/** What was heard of a channel. */
interface Mark {
  /** All up to here was heard; what is behind it a resume brings. null: not known. */
  seq: number | null
  /** Texts of messages at it and, while resumes are awaited, behind it, with their sequences: they may come again. */
  readonly texts: Map<string, number>
  /** Highest sequence that a message or an answer has named on this connection. */
  heardSeq: number
  /** Resumes of this connection that have no answer. */
  awaited: number
  /** Whether something may have been missed before this connection. */
  hasGap: boolean
}

/**
 * How far a stream was heard on each channel that can be resumed, so that the next connection goes on there, and what that
 * one tells twice is heard once. A mark stands still until every resume of its channel is answered: a connection that
 * breaks in between begins at the same place.
 */
export class ResumeMarks {
  readonly #marks = new Map<string, Mark>()
  /** Subscribe frames without an answer, in their order, which is that of the answers. */
  #asked: { readonly channel: string; readonly isResume: boolean }[] = []
  #isSetBack = false

  /** Whether resumes are awaited. */
  get isAwaiting(): boolean {
    return [...this.#marks.values()].some(({ awaited }) => awaited > 0)
  }

  /** Whether this connection's exchange is at a sequence below one that was heard before: it was set up from a backup. */
  get isSetBack(): boolean {
    return this.#isSetBack
  }

  /** Channels of which nothing was missed before this connection. */
  resumed(): ReadonlySet<string> {
    const whole = [...this.#marks].filter(([, { hasGap }]) => !hasGap)
    return new Set(whole.map(([channel]) => channel))
  }

  /** A new connection. */
  begin(): void {
    this.#asked = []
    this.#isSetBack = false
    for (const mark of this.#marks.values()) {
      mark.awaited = 0
      mark.heardSeq = 0
      mark.hasGap = mark.seq === null
    }
  }

  /** A subscription begins, or is made again. @returns what its frame says beside channel and filters. */
  ask(channel: string, mayResume: boolean): Readonly<Record<string, unknown>> {
    const mark = resumable.has(channel) ? this.#markOf(channel) : null
    const isResume = mark !== null && mayResume && mark.seq !== null
    this.#asked.push({ channel, isResume })
    if (mark === null) return {}
    if (!isResume) return { as_of_seq: true }
    mark.awaited++
    // Messages may share a sequence: that of the last ones comes again.
    const isShared = [...mark.texts.values()].includes(mark.seq!)
    return { as_of_seq: true, from_seq: isShared ? mark.seq! - 1 : mark.seq }
  }

  /** Nobody is subscribed any more. */
  forget(channel: string): void {
    this.#marks.delete(channel)
  }

  /** Whether to subscribe once more says how far the stream was heard, and nothing else. */
  static has(channel: string): boolean {
    return resumable.has(channel)
  }

  /** Hears a message. @param text as it came. @returns whether it is new. */
  take(message: StreamMessage, text: string): boolean {
    const channel = channelsOfTypes[message.type]
    if (channel !== undefined) return this.#takeTold(channel, message, text)
    if (message.type === 'Subscribed') this.#onAck(message)
    else if (message.type === 'Resumed') this.#onResumed(message, false)
    else if (message.type === 'Error' && message['request_type'] === 'Subscribe') {
      if (message['code'] === 'resume_unavailable') this.#onResumed(message, true)
      else this.#onAck(message)
    }
    return true
  }

  #takeTold(channel: string, message: StreamMessage, text: string): boolean {
    const mark = this.#marks.get(channel)
    const seq = Number(message['seq'] ?? 0)
    if (mark === undefined || mark.seq === null) return true
    if (mark.texts.has(text)) return false
    if (seq >= mark.seq) {
      mark.texts.set(text, seq)
      mark.heardSeq = Math.max(mark.heardSeq, seq)
      settle(mark)
    }
    return true
  }

  /** The answer to the oldest frame. */
  #onAck({ type, as_of_seq: asOf }: StreamMessage): void {
    const asked = this.#asked.shift()
    const mark = asked === undefined ? undefined : this.#marks.get(asked.channel)
    if (asked === undefined || mark === undefined) return
    const isTaken = type === 'Subscribed' && typeof asOf === 'number'
    if (asked.isResume && !isTaken) {
      // Refused, or an exchange that knows no resume.
      mark.awaited--
      mark.hasGap = true
      settle(mark)
    } else if (isTaken && !asked.isResume) this.#raise(seqOf(asOf), mark)
  }

  /** All was told up to a sequence on channels whose subscriptions are not behind it. */
  #raise(seq: number, own: Mark): void {
    own.seq ??= seq
    for (const mark of this.#marks.values()) {
      if (mark.seq === null) continue
      mark.heardSeq = Math.max(mark.heardSeq, seq)
      settle(mark)
    }
  }

  #onResumed({ channel, as_of_seq: asOf }: StreamMessage, isGap: boolean): void {
    const mark = this.#marks.get(String(channel))
    if (mark === undefined || mark.awaited === 0) return
    mark.awaited--
    mark.hasGap ||= isGap
    if (isGap && mark.seq !== null && seqOf(asOf) < mark.seq) this.#setBack(mark, seqOf(asOf))
    mark.heardSeq = Math.max(mark.heardSeq, seqOf(asOf))
    settle(mark)
  }

  /** What comes now has sequences that were heard once, and is new all the same. */
  #setBack(mark: Mark, seq: number): void {
    mark.seq = seq
    mark.texts.clear()
    this.#isSetBack = true
  }

  #markOf(channel: string): Mark {
    let mark = this.#marks.get(channel)
    if (mark === undefined) {
      mark = { seq: null, texts: new Map(), heardSeq: 0, awaited: 0, hasGap: true }
      this.#marks.set(channel, mark)
    }
    return mark
  }
}

const seqOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Moves a mark to what was heard, once no resume is awaited. */
function settle(mark: Mark): void {
  if (mark.awaited > 0 || mark.seq === null || mark.heardSeq <= mark.seq) return
  mark.seq = mark.heardSeq
  for (const [text, seq] of mark.texts) if (seq < mark.seq) mark.texts.delete(text)
}
