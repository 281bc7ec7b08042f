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

/** DELETE /order, by order id or by client id: answers the order update, with `success`, `data` and `error` beside it. */
export function cancelOrder(context: GatewayContext, call: HttpCall): Fault | null {
  return cancel(context, call, false)
}

/** DELETE /order_cloid, the alias: answers `{success, data, error}`. */
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
 * Takes a cancel, whose digest stands in `Signing`, past signature and limits to the core, and has it answered.
 * @returns why it is not taken, or null.
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

/** JSON text of the order update, and why it is none of a cancelled order. */
export interface CancelUpdate {
  readonly text: string
  readonly reason: Reason
}

/** Order update of a cancel, as JSON text, and its reason. */
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

/** The update with its wrapping beside its fields: some clients read the one, some the other. */
function openedUpdate(outcome: OutcomeView, update: CancelUpdate): string {
  return `${update.text.slice(0, -1)},${wrappedUpdate(outcome, update).slice(1)}`
}
