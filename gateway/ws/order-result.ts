import { formatLots } from '../../schemas/decimal.js'
import { Side, sideNames } from '../../schemas/domain.js'
import type { OrderStatusName } from '../../schemas/wire-types.js'
import type { OrderRequest } from '../commands/order-request.js'
import type { UpdateOutcome } from '../http/order-update.js'
import type { OrderFacts, Reason } from '../link/outcome.js'
import { encode } from './messages.js'

/**
 * Returns an OrderResult, the answer to every order of the stream, assembled by hand for speed. Texts of a validated
 * order need no escape; those that a client chooses freely are escaped.
 */
export function orderResult(
  order: OrderRequest,
  outcome: UpdateOutcome,
  { reason, code, details }: Reason,
): Uint8Array {
  const { canonicalSymbol, clientId, nonce } = order
  const isRejected = outcome.status === 'REJECTED'
  const orderId = isRejected || outcome.orderId === 0 ? 'null' : outcome.orderId
  const symbol = order.option === null ? JSON.stringify(canonicalSymbol) : `"${canonicalSymbol}"`
  return Buffer.from(
    `{"type":"OrderResult","order_id":${orderId},"status":"${outcome.status}","symbol":${symbol}` +
      `,"side":"${order.side}","price":"${order.price}","size":"${order.size}"` +
      (reason === null ? '' : `,"reason":${JSON.stringify(reason)}`) +
      `,"nonce":${typeof nonce === 'number' ? nonce : `"${nonce}"`}` +
      `,"client_id":${clientId === '' ? 'null' : JSON.stringify(clientId)}` +
      `,"filled_size":"${isRejected ? '0' : formatLots(outcome.filledLots)}"` +
      `,"reason_code":${code === null ? 'null' : `"${code}"`}` +
      `,"details":${details === null ? 'null' : JSON.stringify(details)}` +
      `,"mmp_triggered":${outcome.isMmpTriggered},"seq":${outcome.seq}}`,
  )
}

/** Cancel request, as received. */
export interface ReceivedCancel {
  /** '' for a cancel by order id. */
  readonly clientId: string
  readonly nonce: number | string
}

/**
 * Returns the OrderResult of a cancel, which describes the order concerned. For an unknown order the symbol is empty,
 * price and size are `0`, and the side is `Buy`.
 */
export function cancelResult(
  { clientId, nonce }: ReceivedCancel,
  facts: OrderFacts,
  outcome: UpdateOutcome,
  { reason, code, details }: Reason,
): Uint8Array {
  const isRejected = outcome.status === 'REJECTED'
  const isKnown = facts.orderId !== 0
  const named = isKnown ? facts.clientId : clientId
  return encode({
    type: 'OrderResult',
    order_id: isRejected || outcome.orderId === 0 ? null : outcome.orderId,
    status: outcome.status as OrderStatusName,
    symbol: isKnown ? (facts.instrument?.symbol ?? '') : '',
    side: isKnown ? facts.side : sideNames[Side.Buy],
    price: isKnown ? facts.price : '0',
    size: isKnown ? facts.size : '0',
    ...(reason === null ? {} : { reason }),
    nonce,
    client_id: named === '' ? null : named,
    filled_size: isRejected ? '0' : formatLots(outcome.filledLots),
    reason_code: code,
    details,
    mmp_triggered: outcome.isMmpTriggered,
    seq: outcome.seq,
  })
}
