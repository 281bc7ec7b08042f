import { RfqKind, RfqStatus } from '../../schemas/domain.js'
import {
  type AnyEvent,
  EventType,
  RfqEvent,
  RfqQuoteEvent,
} from '../../schemas/generated/events.js'
import { formatUuid } from '../../schemas/uuid.js'
import { formatAddress } from '../../schemas/wallet.js'
import { RfqBook } from '../link/rfq-book.js'

const rfq = new RfqEvent()
const quote = new RfqQuoteEvent()

/** Kind of a replayed event. */
export type ReplayedRfq =
  /** The event belongs to an auction, or to another wallet's RFQ that started before the replayed range. */
  | 'other'
  | 'published'
  /** The wallet's RFQ started before the replayed range, so its state at the event is unknown. */
  | 'cut'

/**
 * RFQs in their state at each replayed event. Includes those of other wallets, because messages about a wallet's quotes
 * depend on whether another RFQ comes in between.
 */
export class RfqReplay {
  readonly book = new RfqBook()
  readonly #wallet: string
  readonly #known: Pick<RfqBook, 'find'>
  readonly #cut = new Set<string>()

  /**
   * @param known Current state of the RFQs.
   */
  constructor(wallet: string, known: Pick<RfqBook, 'find'>) {
    this.#wallet = wallet
    this.#known = known
  }

  /** Applies an Rfq or RfqQuote event. */
  take(event: AnyEvent): ReplayedRfq {
    const isQuote = event.recordType === EventType.RfqQuote
    return isQuote ? this.#takeQuote(event) : this.#takeRfq(event)
  }

  #takeRfq(event: AnyEvent): ReplayedRfq {
    const { kind, status, createdMillis, u8, walletAt, rfqIdAt } = rfq.of(event)
    if (kind === RfqKind.Auction) return 'other'
    const id = formatUuid(u8, rfqIdAt)
    const isNew = this.book.find(id)?.createdMillis !== createdMillis
    const isOurs = formatAddress(u8, walletAt) === this.#wallet
    if (isNew && status === RfqStatus.Created) this.#cut.delete(id)
    else if (isNew && isOurs) this.#cut.add(id)
    this.book.take(event)
    return this.#cut.has(id) ? 'cut' : 'published'
  }

  #takeQuote(event: AnyEvent): ReplayedRfq {
    const id = formatUuid(event.u8, quote.of(event).rfqIdAt)
    // An unknown RFQ has ended. Its final event, which names the wallet, follows this one.
    if (this.book.find(id) === undefined) {
      return this.#known.find(id)?.wallet === this.#wallet ? 'cut' : 'other'
    }
    this.book.take(event)
    return this.#cut.has(id) ? 'cut' : 'published'
  }
}
