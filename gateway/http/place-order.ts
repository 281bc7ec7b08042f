import { noStamp } from '../../engine/memory/order-stamps.js'
import { routeNames } from '../../schemas/domain.js'
import { Envelope } from '../../schemas/interface/answer.js'
import { formatNonce } from '../../schemas/nonce.js'
import { Result, resultRows, resultText } from '../../schemas/results.js'
import { perpOf } from '../../schemas/symbol.js'
import { type Admission, admitOrder } from '../admission/admission.js'
import { typeOf } from '../admission/kept-refusals.js'
import {
  type OrderRequest,
  type OrderShape,
  readOrder,
  replacementOrder,
  restOrder,
} from '../commands/order-request.js'
import { namePerp } from '../commands/perp-request.js'
import { writeOrder } from '../commands/write-order.js'
import type { OutcomeListener } from '../link/command-port.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { type OutcomeView, type Reason, reasonOf } from '../link/outcome.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import type { JsonObject } from '../wire/request-fields.js'
import { withFaucet } from './faucet-hint.js'
import { answerFault, answerJson, noHeaders } from './http-answer.js'
import { readJsonBody } from './json-body.js'
import { infoOfRequest, orderUpdateText, type UpdateOutcome } from './order-update.js'
import { outcomeListener } from './outcome-listener.js'

/** POST /order. */
export function placeOrder(context: GatewayContext, call: HttpCall): Fault | null {
  const body = refusesTurn(context) ?? readJsonBody(call.body)
  if (body instanceof Fault) return body
  const headers = isRouteOmitted(body) ? deprecationHeaders(context) : noHeaders
  const fault = takeOrder(context, call, body, restOrder, headers)
  if (fault !== null) answerFault(call, fault, Envelope.Bare, headers)
  return null
}

/** PUT /order: cancels the old order and places the new one in one engine step. */
export function replaceOrder(context: GatewayContext, call: HttpCall): Fault | null {
  const body = refusesTurn(context) ?? readJsonBody(call.body)
  return body instanceof Fault ? body : takeOrder(context, call, body, replacementOrder, noHeaders)
}

function takeOrder(
  context: GatewayContext,
  call: HttpCall,
  body: JsonObject,
  shape: OrderShape,
  headers: HeaderList,
): Fault | null {
  const { signing } = context
  const order = readOrder(body, shape, signing)
  if (order instanceof Fault) return order
  signing.digester.order(order, signing.digest)
  return submitOrder(context, call, order, headers)
}

/** Whether a new order is refused before it is read; a connection has one request under way. */
export function refusesTurn({ turn, arrivals }: GatewayContext): Fault | null {
  if (turn.take({ turn: 0, taken: 0 })) return null
  arrivals.spare()
  return new Fault(Result.EngineBusy)
}

/** Order update of a new order or a replacement, as JSON text. */
export function updateOfOrder(
  context: GatewayContext,
  call: HttpCall,
  order: OrderRequest,
  outcome: UpdateOutcome,
  reason: Reason,
): string {
  if (order.terms !== null && order.option === null) {
    // Listed since it was asked for: the outcome came behind that.
    const underlying = context.perps.underlyingOf(order.terms.asset)
    if (underlying !== null) namePerp(order, perpOf(underlying))
  }
  const told = withFaucet(context, reason)
  return orderUpdateText(outcome, told, infoOfRequest(order, outcome), {
    wallet: order.walletText,
    requestId: call.requestId,
    hasDecimalStrings: context.config.compat.decimalStrings,
  })
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

/** Tells the client of an order what became of it. */
export type AnswerOrder = (outcome: UpdateOutcome, reason: Reason) => void

/**
 * An order that the gateway rejects alone, under the sequence it has reached.
 * @returns `Unauthorized` for a signer that is not known to act for the wallet, or null.
 */
export function rejectOrder(
  context: GatewayContext,
  order: OrderRequest,
  admission: Admission,
  result: Result,
  answer: AnswerOrder,
): Fault | null {
  const stranger = admission.refuseUnknown()
  if (stranger !== null) return stranger
  const { nonceHigh, nonceLow, wallet } = order
  const refused = { recordType: typeOf(order), wallet, nonceHigh, nonceLow }
  context.port.stamps.refuse(refused, result)
  const reason = resultText(result, valuesOfOrder(order))
  const outcome = {
    seq: context.lastSeq(),
    timeMillis: context.nowMillis(),
    status: 'REJECTED' as const,
    isMmpTriggered: false,
    orderId: 0,
    filledLots: 0,
    kept: null,
  }
  answer(outcome, { reason, code: resultRows[result].code, details: null })
  context.port.stamps.told = noStamp
  return null
}

/** Waits for the outcome of an order. @param refuse is given an outcome that is an error. */
export function orderListener(
  context: GatewayContext,
  order: OrderRequest,
  admission: Admission,
  answer: AnswerOrder,
  refuse: (fault: Fault) => void,
): OutcomeListener {
  const answerOutcome = (outcome: OutcomeView) =>
    answer(
      outcome,
      reasonOf(outcome, () => valuesOfOrder(order)),
    )
  return outcomeListener(context, admission, answerOutcome, refuse)
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
  const admission = admitOrder(context, order, call.address)
  if (admission instanceof Fault) return admission
  const allHeaders = () => [...headers, ...admission.headers]
  const refuse = (fault: Fault) => answerFault(call, fault, Envelope.Bare, allHeaders())
  const answer: AnswerOrder = (outcome, reason) =>
    answerJson(call, 200, updateOfOrder(context, call, order, outcome, reason), allHeaders())
  if (admission.lacksAccount) {
    return rejectOrder(context, order, admission, Result.NoFunds, answer)
  }
  const listener = orderListener(context, order, admission, answer, refuse)
  const { port, shown, signing } = context
  const busy = port.send(listener, (sink) => writeOrder(sink, signing, order, shown))
  if (busy !== null) refuse(busy)
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
