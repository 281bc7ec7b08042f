import { Result } from '../../schemas/results.js'
import { admit, signedOrder } from '../admission/admission.js'
import { type OrderRequest, readOrder, streamOrder } from '../commands/order-request.js'
import { writeOrder } from '../commands/write-order.js'
import { orderListener, rejectOrder } from '../http/place-order.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { Fault } from '../wire/fault.js'
import type { JsonObject } from '../wire/request-fields.js'
import { type ErrorContext, errorMessage } from './messages.js'
import { orderResult } from './order-result.js'
import type { Session } from './session.js'

/** Queues a reply to one session. */
export type Reply = (session: Session, bytes: Uint8Array) => void

/**
 * The stream's PlaceOrder: the same checks as POST /order; a symbol that does not parse is a rejection here.
 * @returns why there will be no OrderResult, or null.
 */
export function placeOrder(
  context: GatewayContext,
  session: Session,
  frame: JsonObject,
  reply: Reply,
): Fault | null {
  const { signing, port, shown, config } = context
  const refused = context.refusesWrites()
  if (refused !== null) return refused
  // Before anything is spent on it: what must be refused may come in any number.
  const isFull = session.commandsInFlight >= config.stream.commandsInFlightMax
  if (isFull || !context.turn.take(session.turnShare)) return new Fault(Result.EngineBusy)
  const order = readOrder(frame, streamOrder, signing)
  if (order instanceof Fault) return order
  signing.digester.order(order, signing.digest)
  const admission = admit(context, signedOrder(order, session.socket.address))
  if (admission instanceof Fault) return admission
  const rejected = admission.lacksAccount ? Result.NoFunds : rejectedResult(order)
  if (rejected !== null) {
    return rejectOrder(context, order, admission, rejected, (outcome, reason) =>
      reply(session, orderResult(order, outcome, reason)),
    )
  }
  const arrivedMicros = context.frameMicros()
  const answer = (bytes: Uint8Array) => {
    session.commandsInFlight--
    reply(session, bytes)
    context.countStreamed(arrivedMicros)
  }
  const listener = orderListener(
    context,
    order,
    admission,
    (outcome, reason) => answer(orderResult(order, outcome, reason)),
    (fault) => answer(errorMessage(fault, errorContextOf(order))),
  )
  const busy = port.send(listener, (sink) => writeOrder(sink, signing, order, shown))
  if (busy === null) session.commandsInFlight++
  return busy
}

/** What an Error about an order says beside its message, as far as the frame has it. */
export function orderErrorContext(frame: JsonObject): ErrorContext {
  const { client_id: clientId, nonce } = frame
  return {
    ...(typeof clientId === 'string' ? { client_id: clientId.slice(0, 64) } : {}),
    ...(isNonceLike(nonce) ? { nonce } : {}),
  }
}

function errorContextOf({ clientId, nonce }: OrderRequest): ErrorContext {
  const named = clientId === '' ? {} : { client_id: clientId }
  return { request_type: 'PlaceOrder', ...named, nonce }
}

/** Rejections that need no engine; judged after the signature, like those of the engine. */
function rejectedResult(order: OrderRequest): Result | null {
  return order.option === null ? Result.SymbolUnparseable : null
}

function isNonceLike(value: unknown): value is number | string {
  // A number such as 1e400 reads as infinite, which JSON cannot say.
  return Number.isFinite(value) || (typeof value === 'string' && value.length <= 20)
}
