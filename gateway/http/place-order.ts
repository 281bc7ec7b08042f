import { routeNames } from '../../schemas/domain.js'
import { formatNonce } from '../../schemas/nonce.js'
import { Result, resultRows, resultText } from '../../schemas/results.js'
import { perpOf } from '../../schemas/symbol.js'
import { admit, type SignedRequest } from '../admission/admission.js'
import {
  type OrderRequest,
  readOrder,
  replacementOrder,
  restOrder,
} from '../commands/order-request.js'
import { namePerp } from '../commands/perp-request.js'
import { sendOrder } from '../commands/write-order.js'
import { RateCategory } from '../limits/rate-windows.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { type Reason, reasonOf } from '../link/outcome.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'
import { Envelope } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import type { JsonObject } from '../wire/request-fields.js'
import { answerFault, answerJson, noHeaders } from './http-answer.js'
import { readJsonBody } from './json-body.js'
import { infoOfRequest, orderUpdateText, type UpdateOutcome } from './order-update.js'
import { outcomeListener } from './outcome-listener.js'

/** POST /order. */
export function placeOrder(context: GatewayContext, call: HttpCall): Fault | null {
  const body = refusesTurn(context) ?? readJsonBody(call.body)
  if (body instanceof Fault) return body
  const { signing } = context
  const headers = isRouteOmitted(body) ? deprecationHeaders(context) : noHeaders
  const order = readOrder(body, restOrder, signing)
  if (!(order instanceof Fault)) signing.digester.placeOrder(order, signing.digest)
  const fault = order instanceof Fault ? order : submitOrder(context, call, order, headers)
  if (fault !== null) answerFault(call, fault, Envelope.Bare, headers)
  return null
}

/** PUT /order: cancels the old order and places the new one in one engine step. */
export function replaceOrder(context: GatewayContext, call: HttpCall): Fault | null {
  const body = refusesTurn(context) ?? readJsonBody(call.body)
  if (body instanceof Fault) return body
  const { signing } = context
  const order = readOrder(body, replacementOrder, signing)
  if (order instanceof Fault) return order
  signing.digester.replaceOrder(order, signing.digest)
  return submitOrder(context, call, order)
}

/** Whether a new order is refused before it is read; a connection has one request under way. */
export function refusesTurn({ turn }: GatewayContext): Fault | null {
  return turn.take({ turn: 0, taken: 0 }) ? null : new Fault(Result.EngineBusy)
}

/** Order update of a new order or a replacement, as JSON text. */
export function updateOfOrder(
  context: GatewayContext,
  call: HttpCall,
  order: OrderRequest,
  outcome: UpdateOutcome,
  reason: Reason,
): string {
  if (order.isPerp && order.option === null) {
    // Listed since it was asked for: the outcome came behind that.
    const underlying = context.perps.underlyingOf(order.asset)
    if (underlying !== null) namePerp(order, perpOf(underlying))
  }
  return orderUpdateText(outcome, reason, infoOfRequest(order, outcome.orderId), {
    wallet: order.walletText,
    requestId: call.requestId,
    hasDecimalStrings: context.config.compat.decimalStrings,
  })
}

/** An order as the limits look at it. */
export function signedOrder(order: OrderRequest, address: Uint8Array): SignedRequest {
  const { walletText: wallet, signature, isOwnersOnly } = order
  const category = RateCategory.OrderPlacement
  return { address, wallet, signature, subject: order, category, isOwnersOnly }
}

/** Values of the request for the texts of reasons. */
export function valuesOfOrder(order: OrderRequest): Readonly<Record<string, string>> {
  return {
    symbol: order.canonicalSymbol,
    detail: order.symbolDetail,
    underlying: order.option?.underlying ?? '',
    expiry: String(order.option?.expiryDate ?? ''),
    order_id: order.orderId,
    client_id: order.clientId,
    nonce: formatNonce(order.nonceHigh, order.nonceLow),
    route: routeNames[order.routeIndex],
  }
}

/** A rejection that the gateway decides alone, under the sequence it has reached. */
export function gatewayRejection(
  context: GatewayContext,
  result: Result,
  values: Readonly<Record<string, string>>,
): { readonly outcome: UpdateOutcome; readonly reason: Reason } {
  return {
    outcome: {
      seq: context.lastSeq(),
      timeMillis: context.nowMillis(),
      status: 'REJECTED',
      isMmpTriggered: false,
      orderId: 0,
      filledLots: 0,
    },
    reason: { reason: resultText(result, values), code: resultRows[result].code, details: null },
  }
}

/**
 * Takes a new order or a replacement, whose digest stands in `Signing`, past signature and limits to the core, and has
 * it answered.
 * @returns why it is not taken, or null.
 */
export function submitOrder(
  context: GatewayContext,
  call: HttpCall,
  order: OrderRequest,
  headers: HeaderList = noHeaders,
): Fault | null {
  const admission = admit(context, signedOrder(order, call.address))
  if (admission instanceof Fault) return admission
  const allHeaders = () => [...headers, ...admission.headers]
  const refuse = (fault: Fault) => answerFault(call, fault, Envelope.Bare, allHeaders())
  const answer = (outcome: UpdateOutcome, reason: Reason) =>
    answerJson(call, 200, updateOfOrder(context, call, order, outcome, reason), allHeaders())
  if (!admission.lacksAccount) {
    const listener = outcomeListener(
      context,
      admission,
      (outcome) =>
        answer(
          outcome,
          reasonOf(outcome, () => valuesOfOrder(order)),
        ),
      refuse,
    )
    const busy = sendOrder(context.port, context.signing, order, listener)
    if (busy !== null) refuse(busy)
    return null
  }
  const stranger = admission.refuseUnknown()
  if (stranger !== null) return stranger
  const { outcome, reason } = gatewayRejection(context, Result.NoFunds, valuesOfOrder(order))
  answer(outcome, reason)
  return null
}

function isRouteOmitted(body: JsonObject): boolean {
  return body['route'] === undefined || body['route'] === null
}

function deprecationHeaders(context: GatewayContext): HeaderList {
  const { deprecation, sunset, removalUnix, warning } = context.config.deprecation
  return [
    ['Deprecation', deprecation],
    ['Sunset', sunset],
    ['X-Deprecation-Removal-Unix', String(removalUnix)],
    ['Warning', warning],
  ]
}
