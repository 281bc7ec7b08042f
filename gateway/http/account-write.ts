import type { EventLogReader } from '../../engine/memory/event-log.js'
import type { Ring } from '../../engine/memory/ring.js'
import { Result, resultText } from '../../schemas/results.js'
import { engineBusy, type OutcomeListener } from '../command-port.js'
import { type RecordShape, writeSigned } from '../commands/write-order.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import type { Admission } from '../limits/admission.js'
import { detailedFault, readOutcome } from '../outcome.js'
import type { Envelope } from '../read-model/answers.js'
import type { HttpCall } from '../transport.js'
import { answerFault, answerJson } from './http-answer.js'

/** What an account write answers with. */
export interface AccountWrite {
  readonly admission: Admission
  /** Decimal text. */
  readonly nonce: string
  readonly envelope: Envelope
  /** Body of the answer when the engine has accepted; `at` is the outcome's place in the log. */
  readonly bodyOf: (seq: number, log: EventLogReader, at: number) => object
  /** Words of the endpoint for a refusal of the engine; null: the usual ones. */
  readonly faultOf?: (result: Result) => Fault | null
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
    const outcome = readOutcome(log, at, this.#context.names)
    const { result, seq, isUnfunded } = outcome
    const { admission, nonce, bodyOf, faultOf } = this.#write
    admission.settle(result)
    if (isUnfunded) admission.countUnfunded()
    if (result !== Result.Accepted) {
      const fault = faultOf?.(result) ?? detailedFault(outcome) ?? accountWriteFault(result, nonce)
      this.refuse(admission.explain(fault))
    } else answerJson(this.#call, 200, JSON.stringify(bodyOf(seq, log, at)), admission.headers)
  }

  refuse(fault: Fault): void {
    answerFault(this.#call, fault, this.#write.envelope, this.#write.admission.headers)
  }
}

/**
 * Sends the command of a write whose signer and nonce stand in `Signing`; without room it is refused.
 * @param wallet bytes; null: the signer's own.
 * @param fill writes what the command has beside signer, wallet and nonce.
 */
export function sendAccountWrite(
  { port, signing }: GatewayContext,
  record: RecordShape,
  answer: OutcomeListener & { refuse(fault: Fault): void },
  wallet: Uint8Array | null,
  fill: (ring: Ring, at: number) => void,
): void {
  const at = port.claim(record.bytes, record.type, answer)
  if (at === engineBusy) {
    answer.refuse(new Fault(Result.EngineBusy))
    return
  }
  writeSigned(port.ring, at, signing, wallet, signing.nonce[0], signing.nonce[1])
  fill(port.ring, at)
  port.submit()
}

/**
 * Why an account write was refused. It has no order status to be rejected with: a used nonce and an account in
 * liquidation are conflicts.
 * @param nonce decimal text.
 */
export function accountWriteFault(result: Result, nonce: string): Fault {
  const isConflict = result === Result.NonceUsed || result === Result.AccountInLiquidation
  if (!isConflict) return new Fault(result)
  return new Fault(Result.Conflict, {}, resultText(result, { nonce }))
}
