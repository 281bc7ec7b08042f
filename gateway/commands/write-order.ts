import { assert } from '../../schemas/assert.js'
import {
  commandDigestAt,
  commandNonceHighAt,
  commandNonceLowAt,
  commandSignerAt,
  commandWalletAt,
  perpAssetAt,
  perpExpiresMillisAt,
  perpTermsBytes,
  placeBuilderAt,
  placeClientIdAt,
  placeClientIdBytesAt,
  placeFlagsAt,
  placeKeyAt,
  placeOldOrderIdAt,
  placeOrderBytes,
  placePriceMicrosAt,
  placeRouteAt,
  placeSideAt,
  placeSizeLotsAt,
  placeTifAt,
} from '../../schemas/commands.js'
import { OrderFlag, Route } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import type { Signing } from '../actions/signing.js'
import { type CommandPort, engineBusy, type OutcomeListener } from '../link/command-port.js'
import { Fault } from '../wire/fault.js'
import { writeAscii, writeKey } from '../wire/instrument-key.js'
import type { OrderRequest } from './order-request.js'

/** What a perp action says beside its order or cancel. */
export interface PerpTerms {
  /** Id of the instrument, -1 for a number that none can have. */
  readonly asset: number
  /** Last millisecond in which it may be carried out, 0: any. */
  readonly expiresMillis: number
}

/** What a record's header says about it. */
export interface RecordShape {
  readonly type: CommandType
  readonly bytes: number
}

/**
 * Sends a PlaceOrder, or a ReplaceOrder when the request names an old order, to the core. The buffers of
 * `signing` hold what belongs to this request: wallet, signer, digest, builder.
 * @returns a fault (`EngineBusy`) when the ring has no room; nothing was done then.
 */
export function sendOrder(
  port: CommandPort,
  signing: Signing,
  order: OrderRequest,
  listener: OutcomeListener,
): Fault | null {
  const { type, bytes } = orderRecordOf(order)
  const at = port.claim(bytes, type, listener)
  if (at === engineBusy) return new Fault(Result.EngineBusy)
  writeOrder(port.ring, at, signing, order)
  port.submit()
  return null
}

/** Fills in an order's record, whose header of length and type is written. */
export function writeOrder(
  record: RecordViews,
  at: number,
  signing: Signing,
  order: OrderRequest,
): void {
  const { i32, f64, u8 } = record
  const isReplacement = order.orderId !== ''
  writeSigned(record, at, signing, order.wallet, order.nonceHigh, order.nonceLow)
  if (order.isPerp) writePerpTerms(record, at + placeOrderBytes, order)
  else {
    assert(order.option !== null, 'write order: a symbol that does not parse stays in the gateway')
    writeKey(record, at + placeKeyAt, order.option)
  }
  f64[(at + placePriceMicrosAt) >> 3] = order.priceMicros
  f64[(at + placeSizeLotsAt) >> 3] = order.sizeLots
  i32[(at + placeSideAt) >> 2] = order.sideIndex
  i32[(at + placeTifAt) >> 2] = order.tifIndex
  // Replacements trade on the book only.
  i32[(at + placeRouteAt) >> 2] = isReplacement ? Route.BookOnly : order.routeIndex
  i32[(at + placeFlagsAt) >> 2] = flagsOf(order)
  f64[(at + placeOldOrderIdAt) >> 3] = isReplacement ? Number(order.orderId) : 0
  i32[(at + placeClientIdBytesAt) >> 2] = order.clientId.length
  writeAscii(order.clientId, u8, at + placeClientIdAt)
  if (order.builderText !== null) u8.set(signing.builder, at + placeBuilderAt)
}

/** Type and length of an order's record. */
export function orderRecordOf({ isPerp, orderId }: OrderRequest): RecordShape {
  const type = orderId === '' ? CommandType.PlaceOrder : CommandType.ReplaceOrder
  return { type, bytes: placeOrderBytes + (isPerp ? perpTermsBytes : 0) }
}

/** Writes the terms of a perp action behind its record. */
export function writePerpTerms({ i32, f64 }: RecordViews, at: number, terms: PerpTerms): void {
  i32[(at + perpAssetAt) >> 2] = terms.asset
  f64[(at + perpExpiresMillisAt) >> 3] = terms.expiresMillis
}

/** The header fields of a signed command; `wallet` is null in structs whose signer is the wallet. */
export function writeSigned(
  { u32, u8 }: RecordViews,
  at: number,
  signing: Signing,
  wallet: Uint8Array | null,
  nonceHigh: number,
  nonceLow: number,
): void {
  if (wallet !== null) u8.set(wallet, at + commandWalletAt)
  u8.set(signing.signer, at + commandSignerAt)
  u32[(at + commandNonceHighAt) >> 2] = nonceHigh
  u32[(at + commandNonceLowAt) >> 2] = nonceLow
  u8.set(signing.digest, at + commandDigestAt)
}

function flagsOf(order: OrderRequest): number {
  return (
    (order.reduceOnly ? OrderFlag.ReduceOnly : 0) |
    (order.mmpEnabled ? OrderFlag.MmpEnabled : 0) |
    (order.builderText === null ? 0 : OrderFlag.HasBuilder)
  )
}
