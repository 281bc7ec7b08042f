import type { OutcomeEvent } from '../../schemas/generated/events.js'
import { Result } from '../../schemas/results.js'
import type { OutcomeListener } from '../command-port.js'
import { type OrderRequest, readOrder, streamOrder } from '../commands/order-request.js'
import type { JsonObject } from '../commands/request-fields.js'
import { sendOrder } from '../commands/write-order.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { gatewayRejection, signedOrder, valuesOfOrder } from '../http/place-order.js'
import { type Admission, admit } from '../limits/admission.js'
import { isErrorResult, readOutcome, reasonOf } from '../outcome.js'
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
  const { signing, port, config } = context
  const refused = context.refusesWrites()
  if (refused !== null) return refused
  // Before anything is spent on it: what must be refused may come in any number.
  const isFull = session.commandsInFlight >= config.stream.commandsInFlightMax
  if (isFull || !context.turn.take(session.turnShare)) return new Fault(Result.EngineBusy)
  const order = readOrder(frame, streamOrder, signing)
  if (order instanceof Fault) return order
  signing.digester.placeOrder(order, signing.digest)
  const admission = admit(context, signedOrder(order, session.socket.address))
  if (admission instanceof Fault) return admission
  const rejected = admission.lacksAccount ? Result.NoFunds : rejectedResult(order)
  if (rejected !== null) {
    const stranger = admission.refuseUnknown()
    if (stranger !== null) return stranger
    const { outcome, reason } = gatewayRejection(context, rejected, valuesOfOrder(order))
    reply(session, orderResult(order, outcome, reason))
    return null
  }
  const listener = new StreamOrderAnswer(context, session, order, admission, reply)
  const fault = sendOrder(port, signing, order, listener)
  if (fault === null) session.commandsInFlight++
  return fault
}

/** What an Error about an order says beside its message, as far as the frame has it. */
export function orderErrorContext(frame: JsonObject): ErrorContext {
  const { client_id: clientId, nonce } = frame
  return {
    ...(typeof clientId === 'string' ? { client_id: clientId.slice(0, 64) } : {}),
    ...(isNonceLike(nonce) ? { nonce } : {}),
  }
}

class StreamOrderAnswer implements OutcomeListener {
  readonly #context: GatewayContext
  readonly #session: Session
  readonly #order: OrderRequest
  readonly #admission: Admission
  readonly #reply: Reply
  readonly #arrivedMicros: number

  constructor(
    context: GatewayContext,
    session: Session,
    order: OrderRequest,
    admission: Admission,
    reply: Reply,
  ) {
    this.#context = context
    this.#session = session
    this.#order = order
    this.#admission = admission
    this.#reply = reply
    this.#arrivedMicros = context.frameMicros()
  }

  onOutcome(event: OutcomeEvent): void {
    const order = this.#order
    this.#session.commandsInFlight--
    const outcome = readOutcome(event, this.#context.names)
    this.#admission.settle(outcome.result)
    const bytes = isErrorResult(outcome.result)
      ? errorMessage(this.#admission.explain(new Fault(outcome.result)), {
          request_type: 'PlaceOrder',
          ...(order.clientId === '' ? {} : { client_id: order.clientId }),
          nonce: order.nonce,
        })
      : orderResult(
          order,
          outcome,
          reasonOf(outcome, () => valuesOfOrder(order)),
        )
    this.#reply(this.#session, bytes)
    this.#context.countStreamed(this.#arrivedMicros)
  }
}

/** Rejections that need no engine; judged after the signature, like those of the engine. */
function rejectedResult(order: OrderRequest): Result | null {
  return order.option === null ? Result.SymbolUnparseable : null
}

function isNonceLike(value: unknown): value is number | string {
  // A number such as 1e400 reads as infinite, which JSON cannot say.
  return Number.isFinite(value) || (typeof value === 'string' && value.length <= 20)
}
