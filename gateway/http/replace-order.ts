import { readOrder, replacementOrder } from '../commands/order-request.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import type { HttpCall } from '../transport.js'
import { answerFault } from './http-answer.js'
import { readJsonBody } from './json-body.js'
import { refusesTurn, submitOrder } from './place-order.js'

/** PUT /order: cancels the old order and places the new one in one engine step. */
export function replaceOrder(context: GatewayContext, call: HttpCall): void {
  const fault = send(context, call)
  if (fault !== null) answerFault(call, fault)
}

function send(context: GatewayContext, call: HttpCall): Fault | null {
  const { signing } = context
  const refused = refusesTurn(context)
  if (refused !== null) return refused
  const body = readJsonBody(call.body)
  if (body instanceof Fault) return body
  const order = readOrder(body, replacementOrder, signing)
  if (order instanceof Fault) return order
  signing.digester.replaceOrder(order, signing.digest)
  return submitOrder(context, call, order)
}
