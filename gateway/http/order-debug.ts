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
 * POST /order/debug: what this venue hashes of an order, and whose signature it takes it for. Nothing is placed, and
 * nothing is said that the sender could not work out from its own body. It costs the client's address a failed recovery.
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
