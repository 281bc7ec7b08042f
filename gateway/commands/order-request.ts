import { lotsPerContract, moneyMicrosMax } from '../../schemas/bounds.js'
import { formatMicros } from '../../schemas/decimal.js'
import { Route, Side, Tif } from '../../schemas/domain.js'
import type { BodyShape } from '../../schemas/interface/body.js'
import { placeBody, replaceBody, streamPlaceBody } from '../../schemas/interface/order-bodies.js'
import { formatSymbol, type InstrumentSymbol, parseOptionSymbol } from '../../schemas/symbol.js'
import { writeAddress } from '../../schemas/wallet.js'
import { bodyFieldsOf } from '../actions/action.js'
import { readField } from '../actions/body-readers.js'
import type { OrderFields } from '../actions/order-digest.js'
import type { Signing } from '../actions/signing.js'
import type { BodyFields } from '../wire/body-fields.js'
import { exactProduct } from '../wire/exact-decimal.js'
import { Fault } from '../wire/fault.js'
import type { FieldKind } from '../wire/json-shape.js'
import {
  badNonce,
  clientIdFault,
  invalidField,
  type JsonObject,
  optionalText,
  orderIdText,
  takeWallet,
} from '../wire/request-fields.js'
import { printable, quoted } from '../wire/shown-text.js'
import type { PerpValues } from './write-order.js'

/**
 * New order as requested by POST /order, PUT /order, the stream's PlaceOrder or POST /perp-order. Keeps the received
 * texts, because they are signed, next to their parsed values. `wallet` is the thread's buffer in `Signing`.
 */
export class OrderRequest implements OrderFields {
  wallet: Uint8Array
  walletText = ''
  symbol = ''
  /**
   * The instrument, option or perp. Null for an invalid symbol, which only the stream allows here (see `symbolDetail`),
   * and for a perp that is not listed.
   */
  option: InstrumentSymbol | null = null
  canonicalSymbol = ''
  symbolDetail = ''
  side = ''
  sideIndex: Side = Side.Buy
  size = ''
  sizeLots = 0
  price = ''
  priceMicros = 0
  tif = 'gtc'
  tifIndex: Tif = Tif.Gtc
  route: string | null = null
  routeIndex: Route = Route.BestExecution
  clientId = ''
  reduceOnly = false
  reduceOnlyGiven: boolean | null = null
  mmpEnabled = false
  builderText: string | null = null
  /** Nonce as received: a number or its decimal text. */
  nonce: number | string = 0
  nonceHigh = 0
  nonceLow = 0
  signature = ''
  /** True if an agent may not sign it. */
  isOwnersOnly = false
  /** Values of a perp action (perp-request.ts); null for other actions. */
  terms: PerpValues | null = null
  /** Order to replace, decimal text without leading zeros; '' for a new order. */
  orderId = ''

  constructor(wallet: Uint8Array) {
    this.wallet = wallet
  }
}

/** Differences between the messages that contain an order. */
export interface OrderShape {
  readonly fields: BodyFields
  /** Replacements have no route: a `route` in their body is an unknown field. */
  readonly hasRoute: boolean
  /** True if the message names an order to replace. */
  readonly hasOrderId: boolean
  /** True if an invalid symbol is a trading rejection instead of an error (the stream). */
  readonly rejectsSymbol: boolean
}

export const restOrder = shapeOf(placeBody)
export const streamOrder = { ...shapeOf(streamPlaceBody, { 'type?': 'any' }), rejectsSymbol: true }
export const replacementOrder = shapeOf(replaceBody)

function shapeOf(fields: BodyShape, more: Readonly<Record<string, FieldKind>> = {}): OrderShape {
  return {
    fields: bodyFieldsOf(fields, more),
    hasRoute: 'route' in fields,
    hasOrderId: 'order_id' in fields,
    rejectsSymbol: false,
  }
}

/**
 * Reads an order from JSON. Checks required fields, then types, then values, and returns the first fault. The
 * signature's text is checked later, with the signature.
 */
export function readOrder(
  body: JsonObject,
  shape: OrderShape,
  signing: Signing,
): OrderRequest | Fault {
  // With `reduce_only: true` the signature covers the route, so it is required.
  const alsoRequired = shape.hasRoute && body['reduce_only'] === true ? 'route' : null
  const fault =
    shape.fields.fault(body, signing.refusesUnknownFields, alsoRequired) ??
    badNonce(body, signing.nonce)
  if (fault !== null) return fault
  const orderId = shape.hasOrderId ? orderIdText(body['order_id']) : ''
  if (orderId instanceof Fault) return orderId
  const order = new OrderRequest(signing.wallet)
  order.orderId = orderId
  return readValues(body, shape, order, signing) ?? order
}

function readValues(
  body: JsonObject,
  shape: OrderShape,
  order: OrderRequest,
  signing: Signing,
): Fault | null {
  const walletText = body['wallet'] as string
  const walletFault = takeWallet(walletText, order.wallet)
  if (walletFault !== null) return walletFault
  order.walletText = walletText.toLowerCase()
  order.symbol = body['symbol'] as string
  order.side = body['side'] as string
  order.size = body['size'] as string
  order.price = body['price'] as string
  order.tif = optionalText(body, 'tif') ?? 'gtc'
  order.route = shape.hasRoute ? optionalText(body, 'route') : null
  order.clientId = optionalText(body, 'client_id') ?? ''
  order.builderText = optionalText(body, 'builder_code_address')
  order.reduceOnlyGiven = (body['reduce_only'] ?? null) as boolean | null
  order.reduceOnly = order.reduceOnlyGiven === true
  order.mmpEnabled = body['mmp_enabled'] === true
  order.nonce = body['nonce'] as number | string
  order.nonceHigh = signing.nonce[0]
  order.nonceLow = signing.nonce[1]
  order.signature = body['signature'] as string
  return (
    readSymbol(order, shape) ??
    readNames(order) ??
    readAmounts(order) ??
    clientIdFault(order.clientId) ??
    badBuilder(order, signing)
  )
}

function readSymbol(order: OrderRequest, shape: OrderShape): Fault | null {
  const option = parseOptionSymbol(order.symbol)
  if (typeof option !== 'string') {
    order.option = option
    order.canonicalSymbol = formatSymbol(option)
    return null
  }
  order.symbolDetail = option
  order.canonicalSymbol = printable(order.symbol)
  return shape.rejectsSymbol ? null : invalidField('symbol', option)
}

function readNames(order: OrderRequest): Fault | null {
  const side = readField(placeBody.side, order.side, 'side')
  if (typeof side !== 'number') return side
  const tif = readField(placeBody.tif, order.tif, 'tif')
  if (typeof tif !== 'number') return tif
  order.sideIndex = side as Side
  order.tifIndex = tif as Tif
  if (order.route === null) return null
  const route = readField(placeBody.route, order.route, 'route')
  if (typeof route !== 'number') return route
  order.routeIndex = route as Route
  return null
}

function readAmounts(order: OrderRequest): Fault | null {
  const lots = readField(placeBody.size, order.size, 'size')
  if (typeof lots !== 'number') return lots
  const micros = readField(placeBody.price, order.price, 'price')
  if (typeof micros !== 'number') return micros
  order.sizeLots = lots
  order.priceMicros = micros
  const large = notionalFault(micros, lots)
  return large === null ? null : invalidField('size', large)
}

/** Returns the fault of price × size, as the end of a sentence; null if it is in range. */
export function notionalFault(priceMicros: number, sizeLots: number): string | null {
  if (!isNotionalTooLarge(priceMicros, sizeLots)) return null
  const cost = exactProduct(priceMicros, sizeLots)
  return `price times size is ${cost} USD; at most ${formatMicros(moneyMicrosMax)} is allowed`
}

/** True if price × size reaches 2^53 micros. Exact: uses 128-bit arithmetic near the limit. */
export function isNotionalTooLarge(priceMicros: number, sizeLots: number): boolean {
  const notionalMicros = (priceMicros / lotsPerContract) * sizeLots
  const closeness = notionalMicros / moneyMicrosMax
  if (closeness < 0.999) return false
  if (closeness > 1.001) return true
  const limit = BigInt(moneyMicrosMax) * BigInt(lotsPerContract)
  return BigInt(priceMicros) * BigInt(sizeLots) > limit
}

function badBuilder(order: OrderRequest, signing: Signing): Fault | null {
  if (order.builderText === null || writeAddress(order.builderText, signing.builder, 0)) return null
  return invalidField(
    'builder_code_address',
    `must be 0x followed by 40 hexadecimal digits, not ${quoted(order.builderText)}`,
  )
}
