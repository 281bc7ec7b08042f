import type { EventLogReader } from '../../engine/memory/event-log.js'
import type { OutcomeListener } from '../command-port.js'
import {
  type CancelRequest,
  readCancel,
  sendCancel,
  valuesOfCancel,
} from '../commands/cancel-request.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { isErrorResult, readFacts, readOutcome, reasonOf, valuesOfFacts } from '../outcome.js'
import { Envelope } from '../read-model/answers.js'
import { encodeJson } from '../read-model/json-text.js'
import type { HttpCall } from '../transport.js'
import { answerFault, answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'
import { infoOfFacts, orderUpdateText } from './order-update.js'

/** DELETE /order, by order id or by client id: answers the bare order update. */
export function cancelOrder(context: GatewayContext, call: HttpCall): void {
  cancel(context, call, false)
}

/** DELETE /order_cloid, the alias: answers `{success, data, error}` (decision 7). */
export function cancelByClientId(context: GatewayContext, call: HttpCall): void {
  cancel(context, call, true)
}

function cancel(context: GatewayContext, call: HttpCall, isAlias: boolean): void {
  const fault = send(context, call, isAlias)
  if (fault !== null) answerFault(call, fault, envelopeOf(isAlias))
}

function send(context: GatewayContext, call: HttpCall, isAlias: boolean): Fault | null {
  const body = readJsonBody(call.body)
  if (body instanceof Fault) return body
  const request = readCancel(body, isAlias, context.signing)
  if (request instanceof Fault) return request
  const answer = new CancelAnswer(context, call, request, isAlias)
  return sendCancel(context.port, context.signing, request, answer)
}

class CancelAnswer implements OutcomeListener {
  readonly #context: GatewayContext
  readonly #call: HttpCall
  readonly #request: CancelRequest
  readonly #isAlias: boolean

  constructor(context: GatewayContext, call: HttpCall, request: CancelRequest, isAlias: boolean) {
    this.#context = context
    this.#call = call
    this.#request = request
    this.#isAlias = isAlias
  }

  onOutcome(log: EventLogReader, at: number): void {
    const { names, config } = this.#context
    const outcome = readOutcome(log, at, names)
    if (isErrorResult(outcome.result)) {
      answerFault(this.#call, new Fault(outcome.result), envelopeOf(this.#isAlias))
      return
    }
    const facts = readFacts(log, at, names.instruments)
    const values = { ...valuesOfFacts(facts), ...valuesOfCancel(this.#request) }
    const reason = reasonOf(outcome, () => values)
    const text = orderUpdateText(outcome, reason, infoOfFacts(facts), {
      wallet: this.#request.walletText,
      requestId: this.#call.requestId,
      hasDecimalStrings: config.compat.decimalStrings,
    })
    answerJson(
      this.#call,
      200,
      this.#isAlias ? aliasText(outcome.status, text, reason.reason) : text,
    )
  }
}

function aliasText(status: string, update: string, reason: string | null): string {
  return `{"success":${status === 'CANCELED'},"data":${update},"error":${encodeJson(reason)}}`
}

function envelopeOf(isAlias: boolean): Envelope {
  return isAlias ? Envelope.Data : Envelope.Bare
}
