import { Result } from '../../schemas/results.js'
import { admitOrder } from '../admission/admission.js'
import {
  type OrderRequest,
  type OrderShape,
  readOrder,
  replacementOrder,
  streamOrder,
} from '../commands/order-request.js'
import { writeOrder } from '../commands/write-order.js'
import { withFaucet } from '../http/faucet-hint.js'
import { orderListener, rejectOrder } from '../http/place-order.js'
import { Fault } from '../wire/fault.js'
import type { JsonObject } from '../wire/request-fields.js'
import type { FrameParts } from './frames.js'
import { type ErrorContext, errorMessage } from './messages.js'
import { orderResult } from './order-result.js'
import { bodyOfFrame, refusesOrder } from './signed-frames.js'

const streamReplacement = { ...replacementOrder, rejectsSymbol: true }

/**
 * Handles the stream's PlaceOrder with the checks of POST /order. Here, an invalid symbol is a rejection.
 * @returns The fault if no OrderResult will follow, or null.
 */
export function placeOrder(frame: JsonObject, parts: FrameParts): Fault | null {
  return refusesOrder(parts) ?? takeOrder(frame, streamOrder, parts)
}

/** Handles the stream's ReplaceOrder like PUT /order, with the same difference. */
export function replaceOrder(frame: JsonObject, parts: FrameParts): Fault | null {
  return refusesOrder(parts) ?? takeOrder(bodyOfFrame(frame), streamReplacement, parts)
}

function takeOrder(
  body: JsonObject,
  shape: OrderShape,
  { context, hub, session }: FrameParts,
): Fault | null {
  const { signing, port, shown } = context
  const { reply } = hub
  const order = readOrder(body, shape, signing)
  if (order instanceof Fault) return order
  signing.digester.order(order, signing.digest)
  const admission = admitOrder(context, order, session.socket.address)
  if (admission instanceof Fault) return admission
  const rejected = admission.lacksAccount ? Result.NoFunds : rejectedResult(order)
  if (rejected !== null) {
    return rejectOrder(context, order, admission, rejected, (outcome, reason) =>
      reply(session, orderResult(order, outcome, withFaucet(context, reason))),
    )
  }
  const arrivedMicros = context.frameMicros()
  const answer = (bytes: Uint8Array) => {
    session.commandsInFlight--
    reply(session, bytes)
    context.onStreamed(arrivedMicros, shape === streamOrder)
  }
  const listener = orderListener(
    context,
    order,
    admission,
    (outcome, reason) => answer(orderResult(order, outcome, withFaucet(context, reason))),
    (fault) => answer(errorMessage(fault, errorContextOf(order))),
  )
  const busy = port.send(listener, (sink) => writeOrder(sink, signing, order, shown))
  if (busy === null) session.commandsInFlight++
  return busy
}

function errorContextOf({ orderId, clientId, nonce }: OrderRequest): ErrorContext {
  const named = clientId === '' ? {} : { client_id: clientId }
  return { request_type: orderId === '' ? 'PlaceOrder' : 'ReplaceOrder', ...named, nonce }
}

/** Returns a rejection that needs no engine, decided after the signature like those of the engine. */
function rejectedResult(order: OrderRequest): Result | null {
  return order.option === null ? Result.SymbolUnparseable : null
}
