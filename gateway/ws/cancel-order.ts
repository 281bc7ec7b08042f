import { admitOrder } from '../admission/admission.js'
import {
  type CancelRequest,
  readCancel,
  valuesOfCancel,
  writeCancel,
} from '../commands/cancel-request.js'
import { outcomeListener } from '../http/outcome-listener.js'
import { readFacts, reasonOf, valuesOfFacts } from '../link/outcome.js'
import { Fault } from '../wire/fault.js'
import type { FrameHandler, FrameParts } from './frames.js'
import { errorMessage } from './messages.js'
import { cancelResult } from './order-result.js'
import { bodyOfFrame, refusesCommand, signedContext } from './signed-frames.js'

/** Handles CancelOrder like DELETE /order, by order id or by client id. */
export const cancelOrder: FrameHandler = (frame, parts) => cancel(frame, parts, false)

/** Handles CancelOrderByClientId like DELETE /order_cloid. */
export const cancelByClientId: FrameHandler = (frame, parts) => cancel(frame, parts, true)

function cancel(
  frame: Parameters<FrameHandler>[0],
  parts: FrameParts,
  byClientId: boolean,
): Fault | null {
  const { context, hub, session } = parts
  const { signing, port, names } = context
  const refused = refusesCommand(parts)
  if (refused !== null) return refused
  const request = readCancel(bodyOfFrame(frame), byClientId, signing)
  if (request instanceof Fault) return request
  signing.digester.cancel(request, signing.digest)
  const admission = admitOrder(context, request, session.socket.address)
  if (admission instanceof Fault) return admission
  const arrivedMicros = context.frameMicros()
  const answer = (bytes: Uint8Array) => {
    session.commandsInFlight--
    hub.reply(session, bytes)
    context.onStreamed(arrivedMicros, false)
  }
  const listener = outcomeListener(
    context,
    admission,
    (outcome, event) => {
      const facts = readFacts(event, names.instruments)
      const values = { ...valuesOfFacts(facts), ...valuesOfCancel(request) }
      const reason = reasonOf(outcome, () => values)
      answer(cancelResult(asked(request, frame), facts, outcome, reason))
    },
    (fault) => answer(errorMessage(fault, signedContext(frame))),
  )
  const busy = port.send(listener, (sink) => writeCancel(sink, signing, request))
  if (busy === null) session.commandsInFlight++
  return busy
}

function asked({ clientId }: CancelRequest, { nonce }: Parameters<FrameHandler>[0]) {
  return { clientId, nonce: nonce as number | string }
}
