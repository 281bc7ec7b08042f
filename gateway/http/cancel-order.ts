import type { OutcomeEvent } from '../../schemas/generated/events.js'
import { Envelope } from '../../schemas/interface/answer.js'
import { admitOrder } from '../admission/admission.js'
import {
  type CancelRequest,
  readCancel,
  valuesOfCancel,
  writeCancel,
} from '../commands/cancel-request.js'
import type { GatewayContext } from '../link/gateway-context.js'
import {
  type OutcomeView,
  type Reason,
  readFacts,
  reasonOf,
  valuesOfFacts,
} from '../link/outcome.js'
import type { HttpCall } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { encodeJson } from '../wire/json-text.js'
import { answerFault, answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'
import { infoOfCancel, orderUpdateText } from './order-update.js'
import { outcomeListener } from './outcome-listener.js'

/**
 * Handles DELETE /order, by order id or client id. Answers with the order update plus `success`, `data` and `error`.
 */
export function cancelOrder(context: GatewayContext, call: HttpCall): Fault | null {
  return cancel(context, call, false)
}

/** Handles DELETE /order_cloid, the alias. Answers with `{success, data, error}`. */
export function cancelByClientId(context: GatewayContext, call: HttpCall): Fault | null {
  return cancel(context, call, true)
}

function cancel(context: GatewayContext, call: HttpCall, isAlias: boolean): Fault | null {
  const { signing } = context
  const body = readJsonBody(call.body)
  const request = body instanceof Fault ? body : readCancel(body, isAlias, signing)
  if (request instanceof Fault) return request
  signing.digester.cancel(request, signing.digest)
  return submitCancel(context, call, request, isAlias)
}

/**
 * Checks signature and limits of a cancel, whose digest is in `Signing`, and sends it to the core.
 * @returns The fault, or null: an answer was or will be sent.
 */
export function submitCancel(
  context: GatewayContext,
  call: HttpCall,
  request: CancelRequest,
  isAlias: boolean,
): Fault | null {
  const { port, signing } = context
  const admission = admitOrder(context, request, call.address)
  if (admission instanceof Fault) return admission
  const envelope = isAlias ? Envelope.Data : Envelope.Bare
  const refuse = (fault: Fault) => answerFault(call, fault, envelope, admission.headers)
  const answer = (outcome: OutcomeView, event: OutcomeEvent) => {
    const update = updateOfCancel(context, call, request, outcome, event)
    const text = isAlias ? wrappedUpdate(outcome, update) : openedUpdate(outcome, update)
    answerJson(call, 200, text, admission.headers)
  }
  const listener = outcomeListener(context, admission, answer, refuse)
  const busy = port.send(listener, (sink) => writeCancel(sink, signing, request))
  if (busy !== null) refuse(busy)
  return null
}

/** Order update as JSON text, and the reason if the order was not cancelled. */
export interface CancelUpdate {
  readonly text: string
  readonly reason: Reason
}

/** Formats the order update of a cancel, with its reason. */
export function updateOfCancel(
  { names, config }: GatewayContext,
  call: HttpCall,
  cancel: CancelRequest,
  outcome: OutcomeView,
  event: OutcomeEvent,
): CancelUpdate {
  const facts = readFacts(event, names.instruments)
  const values = { ...valuesOfFacts(facts), ...valuesOfCancel(cancel) }
  const reason = reasonOf(outcome, () => values)
  const text = orderUpdateText(outcome, reason, infoOfCancel(facts, cancel), {
    wallet: cancel.walletText,
    requestId: call.requestId,
    hasDecimalStrings: config.compat.decimalStrings,
  })
  return { text, reason }
}

function wrappedUpdate(outcome: OutcomeView, { text, reason }: CancelUpdate): string {
  const isSuccess = outcome.status === 'CANCELED'
  return `{"success":${isSuccess},"data":${text},"error":${encodeJson(reason.reason)}}`
}

/** Adds the wrapper's fields to the update: some clients read one, some the other. */
function openedUpdate(outcome: OutcomeView, update: CancelUpdate): string {
  return `${update.text.slice(0, -1)},${wrappedUpdate(outcome, update).slice(1)}`
}
