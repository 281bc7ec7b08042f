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

/** Messages of one engine step from the result of an acceptance on. */
interface HeldResult {
  /** Sequence of the result. */
  readonly seq: number
  /** @param answered connection that gets the result as the answer to its command. */
  readonly messages: ((answered: Session | null) => void)[]
}

const noReason: Reason = { reason: null, code: null, details: null }

/**
 * The `rfq` channel: requests for quote of a wallet, to its subscribers and to the connection that has submitted each.
 * A connection that is both is told once.
 */
export class RfqChannel {
  readonly #parts: RfqChannelParts
  /** By id, connections that have submitted it, until it ends. */
  readonly #followers = new Map<string, Set<Session>>()
  /** Connection that the outcome at hand was told to. */
  #refused: Session | null = null
  /** Request whose quotes have changed in this step, and the sequence of that. */
  #changed: { readonly rfq: KnownRfq; seq: number } | null = null
  /** Result of an acceptance, and the messages after it, until the step names the connection that accepted. */
  #held: HeldResult | null = null

  constructor(parts: RfqChannelParts) {
    this.#parts = parts
  }

  /** Everything up to this sequence is told, of events that were read up to another. */
  toldSeq(lastSeq: number): number {
    if (this.#held !== null) return this.#held.seq - 1
    return this.#changed === null ? lastSeq : this.#changed.seq - 1
  }

  /** Tells a connection of a request from now on, until it ends. */
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

  /** Tells the wallet's subscribers what one of its connections is told by itself. */
  tellOthers(
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

  /** A connection was answered that its request is refused. */
  noteRefused(session: Session): void {
    this.#refused = session
  }

  /** The outcome of a request of any gateway that a rule of trading refuses, behind its asker. */
  onRefused(event: OutcomeEvent): void {
    const { audiences, names } = this.#parts
    const session = this.#refused
    this.#refused = null
    this.release(null)
    if (!audiences.isHeard('rfq')) return
    const outcome = readOutcome(event, names)
    const { wallet, clientId: rfqId, instrument } = readFacts(event, names.instruments)
    const reason = reasonOf(outcome, () => ({ underlying: instrument?.underlying ?? '' }))
    const { seq, timeMillis } = outcome
    const facts = { rfqId, wallet, status: RfqStatus.Failed, reason, seq, timeMillis }
    this.tellOthers(wallet, session, seq, () => rfqStatusMessage(facts))
  }

  /** Behind the book. */
  onRfq(event: RfqEvent): void {
    if (event.change !== RfqChange.Status) return
    const rfq = this.#parts.book.find(formatUuid(event.u8, event.rfqIdAt))
    if (rfq === undefined) return
    const { seq, status } = event
    this.#flushUnless(rfq)
    const facts = statusFactsOf(event, rfq, this.#parts.names)
    const quoteId = formatUuid(event.u8, event.quoteIdAt)
    // One that fails as it was to be executed names the quote.
    if (isFinalRfq(status) && rfq.quotes.has(quoteId)) {
      this.#tellAccept(rfq, quoteId, facts.fillId ?? null, facts.reason ?? noReason, seq)
    }
    this.#tell(rfq, seq, () => rfqStatusMessage(facts))
    if (isFinalRfq(status)) {
      this.#changed = null
      this.#followers.delete(rfq.id)
    } else if (this.#changed !== null) this.#changed.seq = seq
  }

  /** Behind the book. */
  onQuote(event: RfqQuoteEvent): void {
    const rfq = this.#parts.book.find(formatUuid(event.u8, event.rfqIdAt))
    const quoteId = formatUuid(event.u8, event.quoteIdAt)
    if (rfq === undefined || !rfq.quotes.has(quoteId)) return
    const { change, seq } = event
    if (change === RfqQuoteChange.Bootstrap || change === RfqQuoteChange.Executed) return
    this.#flushUnless(rfq)
    if (change === RfqQuoteChange.MarginRejected && rfq.kind === RfqKind.Plain) {
      const reason = reasonOfEvent(Result.QuoteNotBorne, event, this.#parts.names, {})
      this.#tellAccept(rfq, quoteId, null, reason, seq)
    }
    this.#changed = { rfq, seq }
  }

  /** What has become of quotes is told at the end of its step, when the status is known, too. */
  onRunEnd(isStepComplete: boolean): void {
    if (!isStepComplete) return
    this.release(null)
    this.#flush()
  }

  /**
   * Sends the result of the acceptance that this step has decided, and the messages after it.
   * @param answered connection that has the result as the answer to its own command; null: none of this gateway.
   * @returns whether there was a result.
   */
  release(answered: Session | null): boolean {
    const held = this.#held
    if (held === null) return false
    this.#held = null
    for (const send of held.messages) send(answered)
    return true
  }

  /** Keeps the channel in the order of its sequence. */
  #flushUnless(rfq: KnownRfq): void {
    if (this.#changed !== null && this.#changed.rfq !== rfq) this.#flush()
  }

  #flush(): void {
    if (this.#changed === null) return
    const { rfq, seq } = this.#changed
    this.#changed = null
    this.#tell(rfq, seq, () => rfqQuotesMessage(rfq, seq))
  }

  #tellAccept(
    rfq: KnownRfq,
    quoteId: string,
    fillId: string | null,
    reason: Reason,
    seq: number,
  ): void {
    this.release(null)
    const encodeOnce = () => acceptResultMessage({ rfqId: rfq.id, quoteId, fillId, reason, seq })
    const followers = this.#followers.get(rfq.id) ?? nobody
    const send = (answered: Session | null) => this.#send(rfq, seq, encodeOnce, followers, answered)
    this.#held = { seq, messages: [send] }
  }

  /** Sends at once, or after the result that is held. */
  #tell(rfq: KnownRfq, seq: number, encodeOnce: () => Uint8Array): void {
    const followers = this.#followers.get(rfq.id) ?? nobody
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
    const told = new Set<Session | null>([except])
    let bytes: Uint8Array | null = null
    const encoded = () => (bytes ??= encodeOnce())
    const tell = (session: Session) => {
      if (told.has(session)) return
      told.add(session)
      deliver(session, encoded())
    }
    if (audiences.isHeard('rfq')) audiences.tell('rfq', wallet, '', seq, encoded, tell)
    for (const session of followers) tell(session)
  }
}

const nobody: ReadonlySet<Session> = new Set()
