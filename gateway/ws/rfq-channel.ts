import { isFinalRfq, RfqKind, RfqStatus } from '../../schemas/domain.js'
import type { OutcomeEvent, RfqEvent, RfqQuoteEvent } from '../../schemas/generated/events.js'
import { RfqChange, RfqQuoteChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { formatUuid } from '../../schemas/uuid.js'
import {
  type OutcomeNames,
  type Reason,
  readFacts,
  readOutcome,
  reasonOf,
  reasonOfEvent,
} from '../link/outcome.js'
import type { KnownRfq, RfqBook } from '../link/rfq-book.js'
import type { Audiences } from './audience-table.js'
import {
  acceptResultMessage,
  rfqQuotesMessage,
  rfqStatusMessage,
  statusFactsOf,
} from './rfq-messages.js'
import type { Session } from './session.js'

export interface RfqChannelParts {
  readonly audiences: Audiences
  readonly book: RfqBook
  readonly names: OutcomeNames
  readonly deliver: (session: Session, bytes: Uint8Array) => void
}

/** Messages of one engine step, starting with the result of an acceptance. */
interface HeldResult {
  /** Sequence of the result. */
  readonly seq: number
  /**
   * @param answered Connection that gets the result as the answer to its command.
   */
  readonly messages: ((answered: Session | null) => void)[]
}

const noReason: Reason = { reason: null, code: null, details: null }

/**
 * The `rfq` channel. Sends a wallet's RFQs to its subscribers and to the connection that submitted each. A connection
 * that is both receives each message once.
 */
export class RfqChannel {
  readonly #parts: RfqChannelParts
  /** Connections that submitted an RFQ, by its id, until it ends. */
  readonly #followers = new Map<string, Set<Session>>()
  /** Connection that received the current acknowledgement. */
  #refused: Session | null = null
  /** RFQ whose quotes changed in this step, and the sequence of the change. */
  #changed: { readonly rfq: KnownRfq; seq: number } | null = null
  /**
   * Result of an acceptance, and the messages after it, held until the step identifies the connection that accepted.
   */
  #held: HeldResult | null = null

  constructor(parts: RfqChannelParts) {
    this.#parts = parts
  }

  /** Returns the sequence up to which everything has been sent, given the sequence read so far. */
  sentSeq(lastSeq: number): number {
    if (this.#held !== null) return this.#held.seq - 1
    return this.#changed === null ? lastSeq : this.#changed.seq - 1
  }

  /** Sends a connection the messages of an RFQ from now on, until it ends. */
  follow(rfqId: string, session: Session): void {
    const sessions = this.#followers.get(rfqId) ?? new Set()
    this.#followers.set(rfqId, sessions.add(session))
  }

  isFollowed(rfqId: string, session: Session): boolean {
    return this.#followers.get(rfqId)?.has(session) === true
  }

  unfollow(rfqId: string, session: Session): void {
    const sessions = this.#followers.get(rfqId)
    sessions?.delete(session)
    if (sessions?.size === 0) this.#followers.delete(rfqId)
  }

  /** Sends to the wallet's subscribers, except the connection that gets its own answer. */
  notifyOthers(
    wallet: string,
    session: Session | null,
    seq: number,
    encodeOnce: () => Uint8Array,
  ): void {
    const { audiences, deliver } = this.#parts
    audiences.tell('rfq', wallet, '', seq, encodeOnce, (member, bytes) => {
      if (member !== session) deliver(member, bytes)
    })
  }

  /** Notes the connection that was answered with a rejection. */
  noteRefused(session: Session): void {
    this.#refused = session
  }

  /** Handles the acknowledgement of an RFQ of any gateway that a trading rule rejects, after its requester was answered. */
  onRefused(event: OutcomeEvent): void {
    const { audiences, names } = this.#parts
    const session = this.#refused
    this.#refused = null
    this.release(null)
    if (!audiences.hasSubscribers('rfq')) return
    const outcome = readOutcome(event, names)
    const { wallet, clientId: rfqId, instrument } = readFacts(event, names.instruments)
    const reason = reasonOf(outcome, () => ({ underlying: instrument?.underlying ?? '' }))
    const { seq, timeMillis } = outcome
    const facts = { rfqId, wallet, status: RfqStatus.Failed, reason, seq, timeMillis }
    this.notifyOthers(wallet, session, seq, () => rfqStatusMessage(facts))
  }

  /** Handles an event that the book has already applied. */
  onRfq(event: RfqEvent): void {
    if (event.change !== RfqChange.Status) return
    const rfq = this.#parts.book.find(formatUuid(event.u8, event.rfqIdAt))
    if (rfq === undefined) return
    const { seq, status } = event
    this.#flushUnless(rfq)
    const facts = statusFactsOf(event, rfq, this.#parts.names)
    const quoteId = formatUuid(event.u8, event.quoteIdAt)
    // A failed execution names the quote.
    if (isFinalRfq(status) && rfq.quotes.has(quoteId)) {
      this.#holdResult(rfq, quoteId, facts.fillId ?? null, facts.reason ?? noReason, seq)
    }
    this.#tell(rfq, seq, () => rfqStatusMessage(facts))
    if (isFinalRfq(status)) {
      this.#changed = null
      this.#followers.delete(rfq.id)
    } else if (this.#changed !== null) this.#changed.seq = seq
  }

  /** Handles an event that the book has already applied. */
  onQuote(event: RfqQuoteEvent): void {
    const rfq = this.#parts.book.find(formatUuid(event.u8, event.rfqIdAt))
    const quoteId = formatUuid(event.u8, event.quoteIdAt)
    if (rfq === undefined || !rfq.quotes.has(quoteId)) return
    const { change, seq } = event
    if (change === RfqQuoteChange.Bootstrap || change === RfqQuoteChange.Executed) return
    this.#flushUnless(rfq)
    if (change === RfqQuoteChange.MarginRejected && rfq.kind === RfqKind.Plain) {
      const reason = reasonOfEvent(Result.QuoteNotBorne, event, this.#parts.names, {})
      this.#holdResult(rfq, quoteId, null, reason, seq)
    }
    this.#changed = { rfq, seq }
  }

  /** Sends changed quotes at the end of their step, when the status is known too. */
  onRunEnd(isStepComplete: boolean): void {
    if (!isStepComplete) return
    this.release(null)
    this.#flush()
  }

  /**
   * Sends the result of the acceptance that this step has decided, and the messages after it.
   * @param answered Connection that gets the result as the answer to its own command; null: none of this gateway.
   * @returns True if there was a result.
   */
  release(answered: Session | null): boolean {
    const held = this.#held
    if (held === null) return false
    this.#held = null
    for (const send of held.messages) send(answered)
    return true
  }

  /** Keeps the messages of the channel in sequence order. */
  #flushUnless(rfq: KnownRfq): void {
    if (this.#changed !== null && this.#changed.rfq !== rfq) this.#flush()
  }

  #flush(): void {
    if (this.#changed === null) return
    const { rfq, seq } = this.#changed
    this.#changed = null
    this.#tell(rfq, seq, () => rfqQuotesMessage(rfq, seq))
  }

  #holdResult(
    rfq: KnownRfq,
    quoteId: string,
    fillId: string | null,
    reason: Reason,
    seq: number,
  ): void {
    this.release(null)
    const encodeOnce = () => acceptResultMessage({ rfqId: rfq.id, quoteId, fillId, reason, seq })
    const followers = this.#followers.get(rfq.id) ?? noSessions
    const send = (answered: Session | null) => this.#send(rfq, seq, encodeOnce, followers, answered)
    this.#held = { seq, messages: [send] }
  }

  /** Sends immediately, or after the held result. */
  #tell(rfq: KnownRfq, seq: number, encodeOnce: () => Uint8Array): void {
    const followers = this.#followers.get(rfq.id) ?? noSessions
    const send = () => this.#send(rfq, seq, encodeOnce, followers, null)
    if (this.#held === null) send()
    else this.#held.messages.push(send)
  }

  /** Sends once to each subscriber and follower. */
  #send(
    { wallet }: KnownRfq,
    seq: number,
    encodeOnce: () => Uint8Array,
    followers: ReadonlySet<Session>,
    except: Session | null,
  ): void {
    const { audiences, deliver } = this.#parts
    const sent = new Set<Session | null>([except])
    let bytes: Uint8Array | null = null
    const encoded = () => (bytes ??= encodeOnce())
    const tell = (session: Session) => {
      if (sent.has(session)) return
      sent.add(session)
      deliver(session, encoded())
    }
    if (audiences.hasSubscribers('rfq')) audiences.tell('rfq', wallet, '', seq, encoded, tell)
    for (const session of followers) tell(session)
  }
}

const noSessions: ReadonlySet<Session> = new Set()
