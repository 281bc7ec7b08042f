import { assert } from '../../schemas/assert.js'
import { OrderFlag, Route, Side } from '../../schemas/domain.js'
import {
  AnyCommand,
  AuctionTerms,
  CommandType,
  IndicativeRow,
  PerpTerms,
  PlaceOrderCommand,
} from '../../schemas/generated/commands.js'
import type { RecordSink } from '../../schemas/record-views.js'
import type { Signing } from '../actions/signing.js'
import { numbersOf } from '../quotes/row-numbers.js'
import type { RowsAgainst } from '../quotes/rows-against.js'
import { writeKey } from '../wire/instrument-key.js'
import type { OrderRequest } from './order-request.js'

/** Fields of a perp action in addition to its order or cancel. */
export type PerpValues = Readonly<Pick<PerpTerms, 'asset' | 'expiresMillis' | 'scheme'>>

const place = new PlaceOrderCommand()
const command = new AnyCommand()
const perpTerms = new PerpTerms()
const auctionTerms = new AuctionTerms()
const indicative = new IndicativeRow()

/**
 * Writes a PlaceOrder, or a ReplaceOrder if the request names an old order. The buffers of `signing` hold the wallet,
 * signer, digest and builder of this request.
 * @param against Finds provider rows to trade against; null: no auction.
 * @returns False if the sink has no room.
 */
export function writeOrder(
  sink: RecordSink,
  signing: Signing,
  order: OrderRequest,
  against: RowsAgainst | null,
): boolean {
  const isReplacement = order.orderId !== ''
  const type = isReplacement ? CommandType.ReplaceOrder : CommandType.PlaceOrder
  const shown = against !== null && mayBeAuctioned(order, against) ? against : null
  const rowsBytes = shown === null ? 0 : AuctionTerms.bytes + shown.count * IndicativeRow.bytes
  const bytes = PlaceOrderCommand.bytes + (order.terms === null ? rowsBytes : PerpTerms.bytes)
  const at = sink.tryClaim(bytes, type)
  if (at < 0) return false
  place.over(sink.views, at)
  writeSigned(command.of(place), signing, order.wallet, order.nonceHigh, order.nonceLow)
  if (order.terms !== null) writePerpTerms(command, order.terms)
  else {
    assert(order.option !== null, 'write order: a symbol that does not parse stays in the gateway')
    writeKey(place.key, order.option)
  }
  place.priceMicros = order.priceMicros
  place.sizeLots = order.sizeLots
  place.side = order.sideIndex
  place.tif = order.tifIndex
  // Replacements trade only on the book.
  place.route = isReplacement ? Route.BookOnly : order.routeIndex
  place.flags = flagsOf(order)
  place.oldOrderId = isReplacement ? Number(order.orderId) : 0
  place.clientIdText = order.clientId
  if (order.builderText !== null) place.u8.set(signing.builder, place.builderAt)
  if (shown !== null) writeRows(shown)
  return true
}

/** True if an order goes to a provider auction before the book, and providers have rows against it. */
function mayBeAuctioned(order: OrderRequest, against: RowsAgainst): boolean {
  const { orderId, routeIndex, sideIndex, symbol, terms, walletText } = order
  const isSingle = orderId === '' && terms === null && routeIndex === Route.BestExecution
  return isSingle && against.find(symbol, sideIndex, walletText)
}

/** Writes the provider rows after the order. */
function writeRows(shown: RowsAgainst): void {
  const { count } = shown
  let at = place.at + PlaceOrderCommand.bytes
  auctionTerms.over(place.views, at).count = count
  at += AuctionTerms.bytes
  for (let index = 0; index < count; index++, at += IndicativeRow.bytes) {
    const row = shown.row(index)
    const { askLots, askMicros, bidLots, bidMicros } = numbersOf(row)
    indicative.over(place.views, at)
    indicative.bidMicros = bidMicros
    indicative.askMicros = askMicros
    indicative.sizeLots = place.side === Side.Buy ? askLots : bidLots
    indicative.account = row.scope.owner!.account
  }
}

/** Writes the terms of a perp action to the end of its record. */
export function writePerpTerms({ views, at, recordBytes }: AnyCommand, terms: PerpValues): void {
  perpTerms.over(views, at + recordBytes - PerpTerms.bytes)
  perpTerms.asset = terms.asset
  perpTerms.scheme = terms.scheme
  perpTerms.expiresMillis = terms.expiresMillis
}

/** Writes the header fields of a signed command. `wallet` is null for structs whose signer is the wallet. */
export function writeSigned(
  signed: AnyCommand,
  signing: Signing,
  wallet: Uint8Array | null,
  nonceHigh: number,
  nonceLow: number,
): void {
  if (wallet !== null) signed.u8.set(wallet, signed.walletAt)
  signed.u8.set(signing.signer, signed.signerAt)
  signed.nonceHigh = nonceHigh
  signed.nonceLow = nonceLow
  signed.u8.set(signing.digest, signed.digestAt)
}

function flagsOf(order: OrderRequest): number {
  return (
    (order.reduceOnly ? OrderFlag.ReduceOnly : 0) |
    (order.mmpEnabled ? OrderFlag.MmpEnabled : 0) |
    (order.builderText === null ? 0 : OrderFlag.HasBuilder)
  )
}
