import type { EventLogReader } from '../../engine/memory/event-log.js'
import { Result, resultText } from '../../schemas/results.js'
import type { OutcomeListener } from '../command-port.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import type { Admission } from '../limits/admission.js'
import { readOutcome } from '../outcome.js'
import type { Envelope } from '../read-model/answers.js'
import type { HttpCall } from '../transport.js'
import { answerFault, answerJson } from './http-answer.js'

/** What an account write answers with. */
export interface AccountWrite {
  readonly admission: Admission
  /** Decimal text. */
  readonly nonce: string
  readonly envelope: Envelope
  /** Body of the answer when the engine has accepted. */
  readonly bodyOf: (seq: number) => object
}

/** Waits for the outcome of a signed write that concerns an account and has no order status. */
export class AccountWriteAnswer implements OutcomeListener {
  readonly #context: GatewayContext
  readonly #call: HttpCall
  readonly #write: AccountWrite

  constructor(context: GatewayContext, call: HttpCall, write: AccountWrite) {
    this.#context = context
    this.#call = call
    this.#write = write
  }

  onOutcome(log: EventLogReader, at: number): void {
    const { result, seq, isUnfunded } = readOutcome(log, at, this.#context.names)
    const { admission, nonce, bodyOf } = this.#write
    admission.settle(result)
    if (isUnfunded) admission.countUnfunded()
    if (result !== Result.Accepted) this.refuse(accountWriteFault(result, nonce))
    else answerJson(this.#call, 200, JSON.stringify(bodyOf(seq)), admission.headers)
  }

  refuse(fault: Fault): void {
    answerFault(this.#call, fault, this.#write.envelope, this.#write.admission.headers)
  }
}

/**
 * Why an account write was refused. It has no order status to be rejected with: a used nonce is a conflict.
 * @param nonce decimal text.
 * @see rest-and-signing.md 1.5
 */
export function accountWriteFault(result: Result, nonce: string): Fault {
  if (result !== Result.NonceUsed) return new Fault(result)
  return new Fault(Result.Conflict, {}, resultText(Result.NonceUsed, { nonce }))
}
