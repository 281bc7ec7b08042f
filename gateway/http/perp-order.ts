import { perpActionDigest, perpSourceOf } from '../../schemas/signing/perp-action-hash.js'
import { OrderRequest } from '../commands/order-request.js'
import { asksForPerpOrder, readPerpRequest } from '../commands/perp-request.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { HttpCall } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { submitCancel } from './cancel-order.js'
import { readJsonBody } from './json-body.js'
import { refusesTurn, submitOrder } from './place-order.js'

/**
 * Handles POST /perp-order: one order or one cancel of a perp. Once its digest is computed, an action takes the path of
 * an option order or cancel.
 */
export function actOnPerp(context: GatewayContext, call: HttpCall): Fault | null {
  const { signing, perps, config } = context
  const body = readJsonBody(call.body)
  if (body instanceof Fault) return body
  // Only the body shows whether this is an order. A cancel is always accepted.
  const refused = asksForPerpOrder(body) ? refusesTurn(context) : null
  if (refused !== null) return refused
  const underlyingOf = (asset: number) => perps.underlyingOf(asset)
  const read = readPerpRequest(body, signing, underlyingOf)
  if (read instanceof Fault) return read
  const { action, context: hashed, request } = read
  signing.digest.set(perpActionDigest(action, hashed, perpSourceOf(config)))
  return request instanceof OrderRequest
    ? submitOrder(context, call, request)
    : submitCancel(context, call, request, false)
}
