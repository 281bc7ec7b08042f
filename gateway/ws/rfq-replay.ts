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

/** What an event that is read again is. */
export type ReplayedRfq =
  /** Of an auction, or of a request of others whose beginning was not read. */
  | 'other'
  | 'told'
  /** Of a request of the wallet that began before what was read: what it says cannot be told as it was. */
  | 'cut'

/**
 * Requests for quote as they stood at the events that are read again; those of others too, since what is told of a wallet's
 * quotes depends on whether another request comes between.
 */
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
    if (kind === RfqKind.Auction) return 'other'
    const id = formatUuid(u8, rfqIdAt)
    const isNew = this.book.find(id)?.createdMillis !== createdMillis
    const isOurs = formatAddress(u8, walletAt) === this.#wallet
    if (isNew && status === RfqStatus.Created) this.#cut.delete(id)
    else if (isNew && isOurs) this.#cut.add(id)
    this.book.take(event)
    return this.#cut.has(id) ? 'cut' : 'told'
  }

  #takeQuote(event: AnyEvent): ReplayedRfq {
    const id = formatUuid(event.u8, quote.of(event).rfqIdAt)
    // One that nobody knows any more has ended, and its end, which names the wallet, comes behind this.
    if (this.book.find(id) === undefined) {
      return this.#known.find(id)?.wallet === this.#wallet ? 'cut' : 'other'
    }
    this.book.take(event)
    return this.#cut.has(id) ? 'cut' : 'told'
  }
}
