import { formatLots } from '../../schemas/decimal.js'
import type { OrderRequest } from '../commands/order-request.js'
import type { UpdateOutcome } from '../http/order-update.js'
import type { Reason } from '../link/outcome.js'

/**
 * OrderResult: the answer of every order of the stream, so its text is put together by hand. Texts
 * of an order that was read are within their grammar; those a client may choose freely are escaped.
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
