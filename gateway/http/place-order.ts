import { noTimestamp } from '../../engine/memory/order-timestamps.js'
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

/** Handles POST /order. */
export function placeOrder(context: GatewayContext, call: HttpCall): Fault | null {
  const body = refusesTurn(context) ?? readJsonBody(call.body)
  if (body instanceof Fault) return body
  const headers = isRouteOmitted(body) ? deprecationHeaders(context) : noHeaders
  const fault = takeOrder(context, call, body, restOrder, headers)
  if (fault !== null) answerFault(call, fault, Envelope.Bare, headers)
  return null
}

/** Handles PUT /order: cancels the old order and places the new one in one engine step. */
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

/** Returns why a new order fails before it is read, or null. A connection has one request at a time. */
export function refusesTurn({ turn, arrivals }: GatewayContext): Fault | null {
  if (turn.take({ turn: 0, taken: 0 })) return null
  arrivals.spare()
  return new Fault(Result.EngineBusy)
}

/** Formats the order update of a new order or replacement as JSON. */
export function updateOfOrder(
  context: GatewayContext,
  call: HttpCall,
  order: OrderRequest,
  outcome: UpdateOutcome,
  reason: Reason,
): string {
  if (order.terms !== null && order.option === null) {
    // The perp was listed after the order was read, and before its acknowledgement.
    const underlying = context.perps.underlyingOf(order.terms.asset)
    if (underlying !== null) namePerp(order, perpOf(underlying))
  }
  const withHint = withFaucet(context, reason)
  return orderUpdateText(outcome, withHint, infoOfRequest(order, outcome), {
    wallet: order.walletText,
    requestId: call.requestId,
    hasDecimalStrings: context.config.compat.decimalStrings,
  })
}

/** Returns the placeholder values that the request provides for reason texts. */
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

/** Answers an order. */
export type AnswerOrder = (outcome: UpdateOutcome, reason: Reason) => void

/**
 * Rejects an order in the gateway, at its current sequence.
 * @returns `Unauthorized` for a signer not known to act for the wallet, or null.
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
  context.port.timestamps.refuse(refused, result)
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
  context.port.timestamps.decidedRow = noTimestamp
  return null
}

/** Returns the listener of an order's acknowledgement. @param refuse Receives an acknowledgement that is an error. */
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
 * Checks signature and limits of a new order or replacement, whose digest is in `Signing`, and sends it to the core.
 * @returns The fault, or null: an answer was or will be sent.
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
