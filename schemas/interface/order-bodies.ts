import {
  clientIdBytesMax,
  lotsPerContract,
  microsPerUsd,
  priceMicrosMax,
  significantFiguresMax,
  sizeLotsMax,
} from '../bounds.js'
import { optionTifNames, routeNames, sideNames } from '../domain.js'
import * as body from './body.js'

// Bodies of orders and cancels, over HTTP and the stream, and their structs.

const wallet = body.wallet('Wallet that trades')
const orderId = body.orderId('Id of the order, assigned by the venue; signed as decimal text')
const clientId = body.clientId(
  `Client id of the order: at most ${clientIdBytesMax} printable ASCII characters, chosen by the client`,
)

const terms = {
  symbol: body.text(
    'Symbol of the option: `UNDERLYING-YYYYMMDD-STRIKE-C` or `-P`; the date may also be `30JUN26`. Signed as sent',
  ),
  side: body.choice(sideNames, 'Side of the order', 'Buy or Sell'),
  size: body.size(
    `Size in contracts: above 0, at most ${sizeLotsMax / lotsPerContract}, with at most ` +
      `${Math.log10(lotsPerContract)} decimals`,
  ),
  price: body.price(
    `Limit price in USD per contract: above 0, at most ${priceMicrosMax / microsPerUsd}, with at most ` +
      `${significantFiguresMax} significant figures and ${Math.log10(microsPerUsd)} decimals`,
  ),
  tif: body.choice(
    optionTifNames,
    'Time in force. `gtc` rests until it is canceled. `ioc` cancels the part that does not trade on arrival. `fok` ' +
      'trades in full on arrival or not at all',
    'gtc, ioc or fok',
  ),
}
const route = body.optional(
  body.choice(
    routeNames,
    '`best_execution`: an auction among quote providers if it can improve the price, then the order book. ' +
      '`book_only`: ' +
      'the order book only. `rfq_only`: reserved, always rejected. Absent (deprecated): `best_execution`, signed ' +
      'without a ' +
      'route',
    'best_execution, book_only or rfq_only',
  ),
  null,
)
const options = {
  client_id: body.optional(clientId, ''),
  builder_code_address: body.optional(
    body.unsigned(body.builder('Address of the builder that earns a share of the fees')),
    null,
  ),
  reduce_only: body.optional(
    body.boolean('True if the order may only reduce a position; it signs another struct'),
    false,
  ),
  mmp_enabled: body.optional(
    body.unsigned(
      body.boolean(
        'True if market-maker protection (MMP) counts the fills of the order and may cancel it',
      ),
    ),
    false,
  ),
}

/** A new order. */
export const placeBody = { wallet, ...terms, route, ...options }
/** A new order over the stream, whose time in force may be absent. */
export const streamPlaceBody = { ...placeBody, tif: body.optional(terms.tif, 0) }
/** A replacement. It trades on the book only. */
export const replaceBody = { wallet, order_id: orderId, ...terms, ...options }
/** A cancel by order id or by client id. */
export const cancelEitherBody = {
  wallet,
  order_id: body.optional(orderId, ''),
  client_id: body.optional(clientId, ''),
}
/** A cancel by order id. */
export const cancelBody = { wallet, order_id: orderId }
/** A cancel by client id. */
export const cancelByClientIdBody = { wallet, client_id: clientId }

/** Structs of orders and cancels. Only a reduce-only order signs that it is one. */
export const orderStructs = {
  PlaceOrder: body.structOfBody('PlaceOrder', placeBody, 'reduceOnly'),
  // Another struct with the same primary type.
  PlaceOrderWithoutRoute: body.structOfBody('PlaceOrder', placeBody, 'reduceOnly', 'route'),
  PlaceOrderReduceOnly: body.structOfBody('PlaceOrderReduceOnly', placeBody),
  ReplaceOrder: body.structOfBody('ReplaceOrder', replaceBody, 'reduceOnly'),
  ReplaceOrderReduceOnly: body.structOfBody('ReplaceOrderReduceOnly', replaceBody),
  CancelOrder: body.structOfBody('CancelOrder', cancelBody),
  CancelOrderByClientId: body.structOfBody('CancelOrderByClientId', cancelByClientIdBody),
}
