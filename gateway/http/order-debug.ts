import { Result } from '../../schemas/results.js'
import { orderDetails } from '../admission/signature-details.js'
import { readOrder, restOrder } from '../commands/order-request.js'
import { addressKeyOf } from '../limits/address-limits.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { HttpCall } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'

/**
 * Handles POST /order/debug: returns the digest that the venue computes for an order, and the signer that it recovers.
 * Places nothing, and reveals nothing that the sender could not compute. Counts as a failed recovery of the client's
 * address.
 */
export function debugOrder(context: GatewayContext, call: HttpCall): Fault | null {
  if (context.config.preset === 'mainnet-alpha') return new Fault(Result.UnsupportedEndpoint)
  const { limits, nowMillis, signing } = context
  const client = addressKeyOf(call.address)
  const blocked = limits.refusesRecovery(client, nowMillis())
  if (blocked !== null) return blocked
  const body = readJsonBody(call.body)
  if (body instanceof Fault) return body
  const order = readOrder(body, restOrder, signing)
  if (order instanceof Fault) return order
  limits.countFailure(client, nowMillis())
  signing.digester.order(order, signing.digest)
  const signer = signing.signerOf(order.signature, signing.digest)
  answerJson(call, 200, JSON.stringify(orderDetails(signing, order, signer)))
  return null
}
