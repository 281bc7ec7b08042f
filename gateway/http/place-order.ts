import { routeNames } from '../../schemas/domain.js'
import type { OutcomeEvent } from '../../schemas/generated/events.js'
import { formatNonce } from '../../schemas/nonce.js'
import { Result, resultRows, resultText } from '../../schemas/results.js'
import { perpOf } from '../../schemas/symbol.js'
import type { OutcomeListener } from '../command-port.js'
import { type OrderRequest, readOrder, restOrder } from '../commands/order-request.js'
import { namePerp } from '../commands/perp-request.js'
import type { JsonObject } from '../commands/request-fields.js'
import { sendOrder } from '../commands/write-order.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { type Admission, admit, type SignedRequest } from '../limits/admission.js'
import { RateCategory } from '../limits/rate-windows.js'
import { isErrorResult, type Reason, readOutcome, reasonOf } from '../outcome.js'
import { Envelope } from '../read-model/answers.js'
import type { HeaderList, HttpCall } from '../transport.js'
import { answerFault, answerJson, noHeaders } from './http-answer.js'
import { readJsonBody } from './json-body.js'
import { infoOfRequest, orderUpdateText, type UpdateOutcome } from './order-update.js'

/** POST /order. */
export function placeOrder(context: GatewayContext, call: HttpCall): void {
  const busy = refusesTurn(context)
  if (busy !== null) {
    answerFault(call, busy)
    return
  }
  const body = readJsonBody(call.body)
  if (body instanceof Fault) {
    answerFault(call, body)
    return
  }
  const headers = isRouteOmitted(body) ? deprecationHeaders(context) : noHeaders
  const order = readOrder(body, restOrder, context.signing)
  const fault = order instanceof Fault ? order : send(context, call, order, headers)
  if (fault !== null) answerFault(call, fault, Envelope.Bare, headers)
}

/** Whether a new order is refused before it is read; a connection has one request under way. */
export function refusesTurn({ turn }: GatewayContext): Fault | null {
  return turn.take({ turn: 0, taken: 0 }) ? null : new Fault(Result.EngineBusy)
}

/**
 * Waits for the outcome of a new order or a replacement, whose answers have one shape.
 */
class OrderAnswer implements OutcomeListener {
  readonly #context: GatewayContext
  readonly #call: HttpCall
  readonly #order: OrderRequest
  readonly #admission: Admission
  readonly #headers: HeaderList

  constructor(
    context: GatewayContext,
    call: HttpCall,
    order: OrderRequest,
    admission: Admission,
    headers: HeaderList,
  ) {
    this.#context = context
    this.#call = call
    this.#order = order
    this.#admission = admission
    this.#headers = headers
  }

  onOutcome(event: OutcomeEvent): void {
    const outcome = readOutcome(event, this.#context.names)
    this.#admission.settle(outcome.result)
    if (isErrorResult(outcome.result))
      this.refuse(this.#admission.explain(new Fault(outcome.result)))
    else {
      this.answer(
        outcome,
        reasonOf(outcome, () => valuesOfOrder(this.#order)),
      )
    }
  }

  answer(outcome: UpdateOutcome, reason: Reason): void {
    const text = updateOfOrder(this.#context, this.#call, this.#order, outcome, reason)
    answerJson(this.#call, 200, text, this.#allHeaders())
  }

  refuse(fault: Fault): void {
    answerFault(this.#call, fault, Envelope.Bare, this.#allHeaders())
  }

  #allHeaders(): HeaderList {
    return [...this.#headers, ...this.#admission.headers]
  }
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
  const answer = new OrderAnswer(context, call, order, admission, headers)
  if (!admission.lacksAccount) {
    const busy = sendOrder(context.port, context.signing, order, answer)
    if (busy !== null) answer.refuse(busy)
    return null
  }
  const stranger = admission.refuseUnknown()
  if (stranger !== null) return stranger
  const rejection = gatewayRejection(context, Result.NoFunds, valuesOfOrder(order))
  answer.answer(rejection.outcome, rejection.reason)
  return null
}

function send(
  context: GatewayContext,
  call: HttpCall,
  order: OrderRequest,
  headers: HeaderList,
): Fault | null {
  const { signing } = context
  signing.digester.placeOrder(order, signing.digest)
  return submitOrder(context, call, order, headers)
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
