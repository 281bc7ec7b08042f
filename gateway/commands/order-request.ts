import { lotsPerContract, moneyMicrosMax } from '../../schemas/bounds.js'
import { decimalFaultText, parsePriceMicros, parseSizeLots } from '../../schemas/decimal.js'
import { optionTifNames, routeNames, sideNames } from '../../schemas/domain.js'
import { parseNonce } from '../../schemas/nonce.js'
import { formatSymbol, type InstrumentSymbol, parseOptionSymbol } from '../../schemas/symbol.js'
import { writeAddress } from '../../schemas/wallet.js'
import type { PlaceOrderFields } from '../auth/order-digest.js'
import { Fault } from '../fault.js'
import { BodyFields, signedFields } from './body-fields.js'
import {
  clientIdFault,
  invalidField,
  invalidParameter,
  type JsonObject,
  optionalText,
  orderIdText,
  printable,
  takeWallet,
} from './request-fields.js'
import type { Signing } from './signing.js'

/**
 * A new order as asked for, by POST /order, PUT /order, the stream's PlaceOrder or POST /perp-order. Texts are those
 * received, because they are signed; the numbers are what they mean. `wallet` is the thread's buffer of `Signing`.
 */
export class OrderRequest implements PlaceOrderFields {
  wallet: Uint8Array
  walletText = ''
  symbol = ''
  /**
   * The instrument, a perp too. null when the symbol does not parse, which only the stream lets pass so far (see
   * `symbolDetail`), and for a perp that is not listed.
   */
  option: InstrumentSymbol | null = null
  canonicalSymbol = ''
  symbolDetail = ''
  side = ''
  sideIndex = 0
  size = ''
  sizeLots = 0
  price = ''
  priceMicros = 0
  tif = 'gtc'
  tifIndex = 0
  route: string | null = null
  routeIndex = 0
  clientId = ''
  reduceOnly = false
  reduceOnlyGiven: boolean | null = null
  mmpEnabled = false
  builderText: string | null = null
  /** As received: a number or its decimal text. */
  nonce: number | string = 0
  nonceHigh = 0
  nonceLow = 0
  signature = ''
  /** Whether no agent may have signed it. */
  isOwnersOnly = false
  /** An order of a perp: POST /perp-order (perp-request.ts). */
  isPerp = false
  /** Terms of a perp action (write-order.ts). */
  asset = -1
  expiresMillis = 0
  /** ReplaceOrder: the old order, decimal text without leading zeros; '' in a new order. */
  orderId = ''

  constructor(wallet: Uint8Array) {
    this.wallet = wallet
  }
}

/** What differs between the messages that carry an order. */
export interface OrderShape {
  readonly fields: BodyFields
  /** Replacements have no route: a `route` in their body is an unknown field. */
  readonly hasRoute: boolean
  /** Whether the message names an order to replace. */
  readonly hasOrderId: boolean
  /** Whether a symbol that does not parse is a trading rejection instead of an error (the stream). */
  readonly rejectsSymbol: boolean
}

const terms = { symbol: 'text', side: 'text', size: 'text', price: 'text' } as const
const optional = {
  'client_id?': 'text',
  'builder_code_address?': 'text',
  'reduce_only?': 'boolean',
  'mmp_enabled?': 'boolean',
} as const

export const restOrder: OrderShape = {
  fields: new BodyFields({
    ...{ wallet: 'text', ...terms, tif: 'text', ...signedFields },
    ...{ 'route?': 'text', ...optional },
  }),
  hasRoute: true,
  hasOrderId: false,
  rejectsSymbol: false,
}
export const streamOrder: OrderShape = {
  fields: new BodyFields({
    ...{ 'type?': 'any', wallet: 'text', ...terms, ...signedFields },
    ...{ 'tif?': 'text', 'route?': 'text', ...optional },
  }),
  hasRoute: true,
  hasOrderId: false,
  rejectsSymbol: true,
}
export const replacementOrder: OrderShape = {
  fields: new BodyFields({
    ...{ wallet: 'text', order_id: 'any', ...terms, tif: 'text', ...signedFields },
    ...optional,
  }),
  hasRoute: false,
  hasOrderId: true,
  rejectsSymbol: false,
}

/**
 * Reads an order from JSON: required fields, then types, then values; the first fault of the earliest step
 * is the answer. The signature's text is judged later, with the signature.
 */
export function readOrder(
  body: JsonObject,
  shape: OrderShape,
  signing: Signing,
): OrderRequest | Fault {
  // With `reduce_only: true` the route is signed, so it must be there.
  const alsoRequired = shape.hasRoute && body['reduce_only'] === true ? 'route' : null
  const fault =
    shape.fields.fault(body, signing.refusesUnknownFields, alsoRequired) ?? badNonce(body, signing)
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

/** Reads the nonce into `signing.nonce`. */
export function badNonce(body: JsonObject, signing: Signing): Fault | null {
  if (parseNonce(body['nonce'], signing.nonce)) return null
  return invalidParameter('nonce', 'must be an integer from 0, or its decimal text up to 2^64-1')
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
  order.sideIndex = sideNames.indexOf(order.side as 'Buy')
  if (order.sideIndex < 0) return invalidField('side', 'must be Buy or Sell')
  order.tifIndex = optionTifNames.indexOf(order.tif as 'gtc')
  if (order.tifIndex < 0) return invalidField('tif', 'must be gtc, ioc or fok')
  if (order.route === null) return null
  order.routeIndex = routeNames.indexOf(order.route as 'book_only')
  if (order.routeIndex >= 0) return null
  return invalidField('route', 'must be best_execution, book_only or rfq_only')
}

function readAmounts(order: OrderRequest): Fault | null {
  order.sizeLots = parseSizeLots(order.size)
  if (order.sizeLots < 0) return invalidField('size', decimalFaultText('size', order.sizeLots))
  order.priceMicros = parsePriceMicros(order.price)
  if (order.priceMicros < 0) {
    return invalidField('price', decimalFaultText('price', order.priceMicros))
  }
  return isNotionalTooLarge(order.priceMicros, order.sizeLots)
    ? invalidField('size', 'price times size is too large')
    : null
}

/** Whether price × size reaches 2^53 micros. Exact: near the bound by 128-bit arithmetic. */
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
  return invalidField('builder_code_address', 'is no address')
}
