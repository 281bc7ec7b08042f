import { parsePriceMicros, parseSizeLots } from '../../schemas/decimal.js'
import { optionTifNames, routeNames, sideNames } from '../../schemas/domain.js'
import { structOf } from '../../schemas/typed-data.js'
import { parseAddress } from '../../schemas/wallet.js'
import { clientIdFault, invalidField, orderIdText } from '../wire/request-fields.js'
import { type Fields, signedFieldsOf } from './action.js'
import {
  boolean,
  choice,
  decimal,
  field,
  optional,
  text,
  textField,
  unsigned,
  wallet,
} from './fields.js'

// Orders and cancels: what their bodies hold and what is signed of it. They come in thousands, so what reads and hashes
// them is written out (commands/order-request.ts, order-digest.ts); names, types, bounds and structs are these.

const orderId = field({
  schema: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }] },
  kind: 'any',
  signedType: 'string',
  sign: (id) => String(Number(id)),
  read: orderIdText,
})
const clientId = textField({ type: 'string', maxLength: 64 }, (id) => clientIdFault(id) ?? id)
const builder = textField(
  { type: 'string', format: 'address' },
  (address, name) => parseAddress(address) ?? invalidField(name, 'is no address'),
)

const terms = {
  symbol: text,
  side: choice(sideNames, 'Buy or Sell'),
  size: decimal(parseSizeLots),
  price: decimal(parsePriceMicros),
  tif: choice(optionTifNames, 'gtc, ioc or fok'),
}
const route = optional(choice(routeNames, 'best_execution, book_only or rfq_only'), null)
const options = {
  client_id: optional(clientId, ''),
  builder_code_address: optional(unsigned(builder), null),
  reduce_only: optional(boolean, false),
  mmp_enabled: optional(unsigned(boolean), false),
}

/** POST /order. */
export const placeFields = { wallet, ...terms, route, ...options }
/** The stream's PlaceOrder. */
export const streamFields = {
  ...{ type: optional(field({ schema: {}, kind: 'any', read: () => null }), null) },
  ...{ ...placeFields, tif: optional(terms.tif, 0) },
}
/** PUT /order: replacements trade on the book only. */
export const replaceFields = { wallet, order_id: orderId, ...terms, ...options }
/** DELETE /order, by one of both. */
export const cancelEitherFields = {
  wallet,
  order_id: optional(orderId, ''),
  client_id: optional(clientId, ''),
}
export const cancelFields = { wallet, order_id: orderId }
export const cancelByClientIdFields = { wallet, client_id: clientId }

/**
 * Structs of orders and cancels by their primary type; that of a PlaceOrder without a route, which has the same primary
 * type, is `PlaceOrderWithoutRoute`. Only what is reduce-only signs that it is.
 */
export const orderStructs = {
  PlaceOrder: structWithout('PlaceOrder', placeFields, 'reduceOnly'),
  PlaceOrderWithoutRoute: structWithout('PlaceOrder', placeFields, 'reduceOnly', 'route'),
  PlaceOrderReduceOnly: structWithout('PlaceOrderReduceOnly', placeFields),
  ReplaceOrder: structWithout('ReplaceOrder', replaceFields, 'reduceOnly'),
  ReplaceOrderReduceOnly: structWithout('ReplaceOrderReduceOnly', replaceFields),
  CancelOrder: structWithout('CancelOrder', cancelFields),
  CancelOrderByClientId: structWithout('CancelOrderByClientId', cancelByClientIdFields),
}

/** Which of them an order signs. @param orderId of the order to replace; '' of a new one. */
export function orderStructName(order: {
  readonly orderId: string
  readonly route: string | null
  readonly reduceOnly: boolean
}) {
  if (order.orderId !== '') return order.reduceOnly ? 'ReplaceOrderReduceOnly' : 'ReplaceOrder'
  if (order.reduceOnly) return 'PlaceOrderReduceOnly'
  return order.route === null ? 'PlaceOrderWithoutRoute' : 'PlaceOrder'
}

/** Which of them a cancel signs: that by client id has no order id. */
export function cancelStructName({ orderId }: { readonly orderId: string }) {
  return orderId === '' ? 'CancelOrderByClientId' : 'CancelOrder'
}

function structWithout(name: string, fields: Fields, ...left: readonly string[]) {
  return structOf(
    name,
    signedFieldsOf(fields).filter((signed) => !left.includes(signed.name)),
  )
}
