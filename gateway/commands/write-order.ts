import { assert } from '../../schemas/assert.js'
import { OrderFlag, Route } from '../../schemas/domain.js'
import {
  AnyCommand,
  CommandType,
  PerpTerms,
  PlaceOrderCommand,
} from '../../schemas/generated/commands.js'
import type { RecordSink } from '../../schemas/record-views.js'
import type { Signing } from '../actions/signing.js'
import { writeKey } from '../wire/instrument-key.js'
import type { OrderRequest } from './order-request.js'

/** What a perp action says beside its order or cancel. */
export type PerpValues = Readonly<Pick<PerpTerms, 'asset' | 'expiresMillis'>>

const place = new PlaceOrderCommand()
const command = new AnyCommand()
const perpTerms = new PerpTerms()

/**
 * Writes a PlaceOrder, or a ReplaceOrder when the request names an old order. The buffers of `signing` hold what belongs
 * to this request: wallet, signer, digest, builder.
 * @returns false: the sink has no room.
 */
export function writeOrder(sink: RecordSink, signing: Signing, order: OrderRequest): boolean {
  const isReplacement = order.orderId !== ''
  const type = isReplacement ? CommandType.ReplaceOrder : CommandType.PlaceOrder
  const bytes = PlaceOrderCommand.bytes + (order.terms === null ? 0 : PerpTerms.bytes)
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
  // Replacements trade on the book only.
  place.route = isReplacement ? Route.BookOnly : order.routeIndex
  place.flags = flagsOf(order)
  place.oldOrderId = isReplacement ? Number(order.orderId) : 0
  place.clientIdText = order.clientId
  if (order.builderText !== null) place.u8.set(signing.builder, place.builderAt)
  return true
}

/** Writes the terms of a perp action, which stand at the end of its record. */
export function writePerpTerms({ views, at, recordBytes }: AnyCommand, terms: PerpValues): void {
  perpTerms.over(views, at + recordBytes - PerpTerms.bytes)
  perpTerms.asset = terms.asset
  perpTerms.expiresMillis = terms.expiresMillis
}

/** The header fields of a signed command; `wallet` is null in structs whose signer is the wallet. */
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
