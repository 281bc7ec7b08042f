import type { Ring } from '../../engine/memory/ring.js'
import { assert } from '../../schemas/assert.js'
import {
  CommandType,
  commandDigestAt,
  commandNonceHighAt,
  commandNonceLowAt,
  commandSignerAt,
  commandWalletAt,
  keyExpiryDateAt,
  keyRightAt,
  keyStrikeMicrosAt,
  keyUnderlyingAt,
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
import { Result } from '../../schemas/results.js'
import type { OptionSymbol } from '../../schemas/symbol.js'
import { type CommandPort, engineBusy, type OutcomeListener } from '../command-port.js'
import { Fault } from '../fault.js'
import type { OrderRequest } from './order-request.js'
import type { Signing } from './signing.js'

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
  const isReplacement = order.orderId !== ''
  const type = isReplacement ? CommandType.ReplaceOrder : CommandType.PlaceOrder
  const at = port.claim(placeOrderBytes, type, listener)
  if (at === engineBusy) return new Fault(Result.EngineBusy)
  const ring = port.ring
  writeSigned(ring, at, signing, order.wallet, order.nonceHigh, order.nonceLow)
  assert(order.option !== null, 'send order: a symbol that does not parse stays in the gateway')
  writeKey(ring, at + placeKeyAt, order.option)
  ring.f64[(at + placePriceMicrosAt) >> 3] = order.priceMicros
  ring.f64[(at + placeSizeLotsAt) >> 3] = order.sizeLots
  ring.i32[(at + placeSideAt) >> 2] = order.sideIndex
  ring.i32[(at + placeTifAt) >> 2] = order.tifIndex
  // Replacements trade on the book only (rest-and-signing.md 1.3).
  ring.i32[(at + placeRouteAt) >> 2] = isReplacement ? Route.BookOnly : order.routeIndex
  ring.i32[(at + placeFlagsAt) >> 2] = flagsOf(order)
  ring.f64[(at + placeOldOrderIdAt) >> 3] = isReplacement ? Number(order.orderId) : 0
  ring.i32[(at + placeClientIdBytesAt) >> 2] = order.clientId.length
  writeAscii(order.clientId, ring.u8, at + placeClientIdAt)
  if (order.builderText !== null) ring.u8.set(signing.builder, at + placeBuilderAt)
  port.submit()
  return null
}

/** The header fields of a signed command; `wallet` is null in structs whose signer is the wallet. */
export function writeSigned(
  ring: Ring,
  at: number,
  signing: Signing,
  wallet: Uint8Array | null,
  nonceHigh: number,
  nonceLow: number,
): void {
  if (wallet !== null) ring.u8.set(wallet, at + commandWalletAt)
  ring.u8.set(signing.signer, at + commandSignerAt)
  ring.u32[(at + commandNonceHighAt) >> 2] = nonceHigh
  ring.u32[(at + commandNonceLowAt) >> 2] = nonceLow
  ring.u8.set(signing.digest, at + commandDigestAt)
}

/** Writes text whose characters are known to be ASCII. */
export function writeAscii(text: string, target: Uint8Array, at: number): void {
  for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i)
}

function writeKey(ring: Ring, at: number, option: OptionSymbol): void {
  writeAscii(option.underlying, ring.u8, at + keyUnderlyingAt)
  ring.i32[(at + keyExpiryDateAt) >> 2] = option.expiryDate
  ring.i32[(at + keyRightAt) >> 2] = option.right
  ring.f64[(at + keyStrikeMicrosAt) >> 3] = option.strikeMicros
}

function flagsOf(order: OrderRequest): number {
  return (
    (order.reduceOnly ? OrderFlag.ReduceOnly : 0) |
    (order.mmpEnabled ? OrderFlag.MmpEnabled : 0) |
    (order.builderText === null ? 0 : OrderFlag.HasBuilder)
  )
}
