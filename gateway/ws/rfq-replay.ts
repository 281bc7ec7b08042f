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

/** What an event that is read again is to the requests for quote of a wallet. */
export type ReplayedRfq =
  /** Of somebody else, or an auction. */
  | 'other'
  /** Everything of its request was read, from its beginning. */
  | 'whole'
  /** Its request began before what was read: what it says cannot be told as it was. */
  | 'cut'

/** Requests for quote of one wallet as they stood at the events that are read again. */
export class RfqReplay {
  readonly book = new RfqBook()
  readonly #wallet: string
  readonly #known: Pick<RfqBook, 'find'>
  readonly #cut = new Set<string>()

  /** @param known as they stand now. */
  constructor(wallet: string, known: Pick<RfqBook, 'find'>) {
    this.#wallet = wallet
    this.#known = known
  }

  /** Takes in an Rfq or RfqQuote event. */
  take(event: AnyEvent): ReplayedRfq {
    const isQuote = event.recordType === EventType.RfqQuote
    return isQuote ? this.#takeQuote(event) : this.#takeRfq(event)
  }

  #takeRfq(event: AnyEvent): ReplayedRfq {
    const { kind, status, createdMillis, u8, walletAt, rfqIdAt } = rfq.of(event)
    if (kind === RfqKind.Auction || formatAddress(u8, walletAt) !== this.#wallet) return 'other'
    const id = formatUuid(u8, rfqIdAt)
    const isNew = this.book.find(id)?.createdMillis !== createdMillis
    if (isNew && status === RfqStatus.Created) this.#cut.delete(id)
    else if (isNew) this.#cut.add(id)
    this.book.take(event)
    return this.#cut.has(id) ? 'cut' : 'whole'
  }

  #takeQuote(event: AnyEvent): ReplayedRfq {
    const id = formatUuid(event.u8, quote.of(event).rfqIdAt)
    // One that nobody knows any more has ended, and its end, which names the wallet, comes behind this.
    if (this.book.find(id) === undefined) {
      return this.#known.find(id)?.wallet === this.#wallet ? 'cut' : 'other'
    }
    this.book.take(event)
    return this.#cut.has(id) ? 'cut' : 'whole'
  }
}
