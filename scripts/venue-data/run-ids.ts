import { uuidBytes } from '../../schemas/bounds.js'
import { RfqKind } from '../../schemas/domain.js'
import {
  AcceptRfqQuoteCommand,
  AnyCommand,
  BulkCommand,
  CancelOrderCommand,
  CommandType,
  DeclineRfqCommand,
  PlaceOrderCommand,
  QuoteRfqCommand,
} from '../../schemas/generated/commands.js'
import { EventType, OutcomeEvent, RfqEvent, RfqQuoteEvent } from '../../schemas/generated/events.js'
import { formatHex } from '../../schemas/hex.js'
import { RfqQuoteChange } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { formatAddress } from '../../schemas/wallet.js'

const place = new PlaceOrderCommand()
const cancel = new CancelOrderCommand()
const bulk = new BulkCommand()
const quote = new QuoteRfqCommand()
const decline = new DeclineRfqCommand()
const accept = new AcceptRfqQuoteCommand()
const outcome = new OutcomeEvent()
const rfq = new RfqEvent()
const rfqQuote = new RfqQuoteEvent()

type Id = number | string

/** Id that no order has. */
const idOfNone = 2 ** 52

/**
 * Ids that a run assigned to orders, auctions and quotes, by origin. A changed run assigns other ids, because it accepts
 * other orders. Recorded commands that name an id must name the id of the same origin.
 */
export class RunIds {
  /** Recorded number of the batch that is being decided. */
  batchNumber = 0
  readonly #ids = new Map<string, Id>()
  readonly #origins = new Map<Id, string>()

  /** Records the ids in an event of the run. */
  take(views: RecordViews, at: number): void {
    const type = views.i32[(at + 4) >> 2]
    if (type === EventType.Outcome) this.note(outcome.over(views, at))
    else if (type === EventType.Rfq) this.#noteAuction(rfq.over(views, at))
    else if (type === EventType.RfqQuote) this.#noteQuote(rfqQuote.over(views, at))
  }

  /** Records the order id in an acknowledgement. */
  note({ command, facts, gateway, request, result }: OutcomeEvent): void {
    const isOrder = command === CommandType.PlaceOrder || command === CommandType.ReplaceOrder
    if (!isOrder || result < 0 || gateway < 0 || facts.orderId === 0) return
    this.#note(`order ${gateway} ${request}`, facts.orderId)
  }

  /** Returns this run's id of the order that has `id` in the other run. Orders from before the runs keep their id. */
  translated(id: number, other: RunIds): number {
    return this.#of(id, other, idOfNone)
  }

  /** Replaces the ids in a command, in place, by those of this run. */
  translate(command: AnyCommand, other: RunIds): void {
    switch (command.recordType) {
      case CommandType.CancelOrder:
        cancel.of(command).orderId = this.translated(cancel.orderId, other)
        return
      case CommandType.ReplaceOrder:
        place.of(command).oldOrderId = this.translated(place.oldOrderId, other)
        return
      case CommandType.QuoteRfq:
        this.#translateUuid(command, quote.of(command).rfqIdAt, other)
        return
      case CommandType.DeclineRfq:
        this.#translateUuid(command, decline.of(command).rfqIdAt, other)
        return
      case CommandType.AcceptRfqQuote:
        this.#translateUuid(command, accept.of(command).quoteIdAt, other)
        return
      case CommandType.Bulk: {
        const item = new AnyCommand()
        const { count, itemsAt } = bulk.of(command)
        for (let i = 0, at = itemsAt; i < count; i++, at += item.recordBytes) {
          this.translate(item.over(command.views, at), other)
        }
      }
    }
  }

  #noteAuction({ createdMillis, kind, limitMicros, rfqIdAt, u8, walletAt }: RfqEvent): void {
    const id = uuidIn(u8, rfqIdAt)
    if (kind !== RfqKind.Auction || this.#origins.has(id)) return
    const wallet = formatAddress(u8, walletAt)
    this.#note(`auction ${wallet} ${createdMillis} ${limitMicros}`, id)
  }

  #noteQuote({ change, netPremiumMicros, quoteIdAt, u8, walletAt }: RfqQuoteEvent): void {
    if (change !== RfqQuoteChange.Made) return
    this.#note(`quote ${formatAddress(u8, walletAt)} ${netPremiumMicros}`, uuidIn(u8, quoteIdAt))
  }

  /** Records an id by its origin. Equal origins in one batch are numbered in order. */
  #note(what: string, id: Id): void {
    const first = `${this.batchNumber} ${what}`
    let origin = first
    for (let i = 1; this.#ids.has(origin); i++) origin = `${first} ${i}`
    this.#ids.set(origin, id)
    this.#origins.set(id, origin)
  }

  #of<T extends Id>(id: T, other: RunIds, missing: T): T {
    const origin = other.#origins.get(id)
    return origin === undefined ? id : ((this.#ids.get(origin) as T | undefined) ?? missing)
  }

  #translateUuid({ u8 }: AnyCommand, at: number, other: RunIds): void {
    const id = this.#of(uuidIn(u8, at), other, '')
    if (id === '') u8.fill(0, at, at + uuidBytes)
    else u8.set(Buffer.from(id.slice(2), 'hex'), at)
  }
}

function uuidIn(u8: Uint8Array, at: number): string {
  return formatHex(u8, at, uuidBytes)
}
