import { noTimestamp } from '../../engine/memory/order-timestamps.js'
import { rateCategoryNames } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import type { CancelRequest } from '../commands/cancel-request.js'
import { OrderRequest } from '../commands/order-request.js'
import { RateLimitFault } from '../limits/rate-limit-fault.js'
import { failuresName } from '../limits/request-limits.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { Fault } from '../wire/fault.js'

/**
 * Records for `GET /orders/why` that this gateway alone fails an order or a cancel, for its signature or its window: no
 * journal has it. Only its answer remains, so its timestamps end here.
 */
export function keepRefusal(
  { port }: GatewayContext,
  subject: OrderRequest | CancelRequest,
  fault: Fault,
): void {
  const { nonceHigh, nonceLow, wallet } = subject
  const recordType = typeOf(subject)
  const { timestamps } = port
  const details = fault instanceof RateLimitFault ? windowOf(fault) : []
  timestamps.refuse({ recordType, wallet, nonceHigh, nonceLow }, fault.result, details)
  timestamps.answerDecided()
  timestamps.decidedRow = noTimestamp
}

/** Returns the type of the command that the request would have become. */
export function typeOf(subject: OrderRequest | CancelRequest): CommandType {
  const isOrder = subject instanceof OrderRequest
  const hasOrderId = subject.orderId !== ''
  if (isOrder) return hasOrderId ? CommandType.ReplaceOrder : CommandType.PlaceOrder
  return hasOrderId ? CommandType.CancelOrder : CommandType.CancelByClientId
}

/** Names of rate windows by their number in a row of timestamps. */
export const windowNames: readonly string[] = [...rateCategoryNames, failuresName]
/** Places of the details in the row of a request that a rate window failed. */
export const windowDetails = { limit: 0, retryAfterSeconds: 1, name: 2 } as const

function windowOf({ category, verdict }: RateLimitFault): readonly number[] {
  return [verdict.limit, verdict.retryAfterSeconds, windowNames.indexOf(category)]
}
