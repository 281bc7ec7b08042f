import { Result } from '../../schemas/results.js'
import { writeAddress } from '../../schemas/wallet.js'
import { type OrderRequest, readOrder, restOrder } from '../commands/order-request.js'
import { domainView, orderLayout } from '../commands/signature-details.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { addressKeyOf } from '../limits/address-limits.js'
import type { JsonValue } from '../read-model/json-text.js'
import type { HttpCall } from '../transport.js'
import { answerFault, answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'

type Json = Readonly<Record<string, JsonValue>>

/**
 * POST /order/debug: what this venue hashes of an order, and whose signature it takes it for. Nothing is placed, and
 * nothing is said that the sender could not work out from its own body. It costs the client's address a failed recovery.
 */
export function debugOrder(context: GatewayContext, call: HttpCall): void {
  const answer = look(context, call)
  if (answer instanceof Fault) answerFault(call, answer)
  else answerJson(call, 200, JSON.stringify(answer))
}

function look(context: GatewayContext, call: HttpCall): Json | Fault {
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
  return orderDetails(context, order)
}

/** The fault of a new order with what was hashed as its details, where its signature was the fault; not on mainnet-alpha. */
export function explained(context: GatewayContext, order: OrderRequest, fault: Fault): Fault {
  const isSigned = fault.result === Result.SignatureFailed || fault.result === Result.Unauthorized
  const isNew = !order.isPerp && order.orderId === ''
  if (!isSigned || !isNew || context.config.preset === 'mainnet-alpha') return fault
  return new Fault(fault.result, {}, fault.message, orderDetails(context, order))
}

/** What was hashed of a new order, and who signed it: by the layout that its body stands for, and by the other one. */
function orderDetails(context: GatewayContext, order: OrderRequest): Json {
  const { signing } = context
  writeAddress(order.walletText, signing.wallet, 0)
  const own = recovered(context, order, order.route)
  const otherRoute = order.route === null ? 'best_execution' : null
  const other = order.reduceOnly ? null : recovered(context, order, otherRoute)
  const isOther = own['recovered_address'] !== order.walletText && other !== null
  return {
    ...own,
    domain: domainView(signing.domain),
    is_wallet: own['recovered_address'] === order.walletText,
    matches_other_layout:
      isOther && other['recovered_address'] === order.walletText ? other['layout']! : null,
  }
}

/** One layout of the order: its digest, its texts, and the address that the signature recovers to. */
function recovered({ signing }: GatewayContext, order: OrderRequest, route: string | null): Json {
  const given = order.route
  order.route = route
  signing.digester.placeOrder(order, signing.digest)
  order.route = given
  const isSound = signing.recover(order.signature) === null
  const { layout, fields } = orderLayout(order, route)
  return {
    layout,
    digest: `0x${Buffer.from(signing.digest).toString('hex')}`,
    recovered_address: isSound ? signing.signerText() : null,
    fields,
  }
}
