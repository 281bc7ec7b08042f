import type { EventLogReader } from '../../engine/memory/event-log.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { formatNonce } from '../../schemas/nonce.js'
import { Result } from '../../schemas/results.js'
import { payoutIdsMax, seenCountAt, seenIdsAt, seenValueAt } from '../../schemas/settlement.js'
import { typedStructs } from '../../schemas/typed-data.js'
import { typedDataDigest } from '../auth/typed-data-digest.js'
import type { OutcomeListener } from '../command-port.js'
import { BodyFields, signedFields } from '../commands/body-fields.js'
import { badNonce } from '../commands/order-request.js'
import { invalidField, invalidParameter, takeWallet } from '../commands/request-fields.js'
import type { Signing } from '../commands/signing.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { type Admission, admit } from '../limits/admission.js'
import { RateCategory } from '../limits/rate-windows.js'
import { readOutcome } from '../outcome.js'
import { type Answer, Envelope } from '../read-model/answers.js'
import { payoutsOwnedQuestion } from '../read-model/read-protocol.js'
import type { HttpCall } from '../transport.js'
import { accountWriteFault, sendAccountWrite } from './account-write.js'
import { answerFault, answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'

/** Asks the history store, as it is once it holds everything that clients may have been told. */
export type AskHistory = (path: string, queryText: string) => Promise<Answer>

/** A valid body. Wallet bytes and nonce stand in `Signing` as well. */
interface SeenRequest {
  /** Lower-case text. */
  readonly wallet: string
  /** In the order of the request, repeats kept: so they are signed. */
  readonly ids: readonly number[]
  readonly isSeen: boolean
  /** Decimal text. */
  readonly nonce: string
  readonly signature: string
}

const fields = new BodyFields({
  ...{ wallet: 'text', ids: 'any', ...signedFields, 'seen?': 'boolean' },
})

/** POST /settlement-payouts/seen. */
export function markPayoutsSeen(context: GatewayContext, call: HttpCall, ask: AskHistory): void {
  const request = readRequest(call.body, context.signing)
  const fault = request instanceof Fault ? request : send(context, call, request, ask)
  if (fault !== null) answerFault(call, fault, Envelope.Success)
}

function readRequest(bytes: Buffer | null, signing: Signing): SeenRequest | Fault {
  const body = readJsonBody(bytes)
  if (body instanceof Fault) return body
  const malformed =
    fields.fault(body, signing.refusesUnknownFields) ??
    notIds(body['ids']) ??
    badNonce(body, signing)
  if (malformed !== null) return malformed
  const ids = body['ids'] as readonly number[]
  const wallet = body['wallet'] as string
  const fault = takeWallet(wallet, signing.wallet) ?? wrongIds(ids)
  if (fault !== null) return fault
  return {
    wallet: wallet.toLowerCase(),
    ids,
    isSeen: body['seen'] !== false,
    nonce: formatNonce(signing.nonce[0], signing.nonce[1]),
    signature: body['signature'] as string,
  }
}

function notIds(value: unknown): Fault | null {
  const isList = Array.isArray(value) && value.every((id) => Number.isSafeInteger(id))
  if (isList && value.length >= 1 && value.length <= payoutIdsMax) return null
  return invalidParameter('ids', `must be a list of 1 to ${payoutIdsMax} whole numbers`)
}

function wrongIds(ids: readonly number[]): Fault | null {
  return ids.every((id) => id >= 1) ? null : invalidField('ids', 'must be numbers from 1 on')
}

function send(
  context: GatewayContext,
  call: HttpCall,
  request: SeenRequest,
  ask: AskHistory,
): Fault | null {
  const { signing } = context
  const { wallet, ids, isSeen, nonce, signature } = request
  const message = { wallet, payoutIds: ids.join(','), seen: isSeen, nonce }
  const struct = typedStructs.SetSettlementPayoutSeen
  signing.digest.set(typedDataDigest(signing.domain, struct, message))
  const category = RateCategory.ApiRequest
  const subject = { struct, message }
  const admission = admit(context, { address: call.address, wallet, signature, subject, category })
  if (admission instanceof Fault) return admission
  const answer = new SeenAnswer(context, call, request, admission, ask)
  const record = { bytes: seenIdsAt + ids.length * 8, type: CommandType.MarkPayoutsSeen }
  sendAccountWrite(context, record, answer, signing.wallet, ({ i32, f64 }, at) => {
    i32[(at + seenValueAt) >> 2] = isSeen ? 1 : 0
    i32[(at + seenCountAt) >> 2] = ids.length
    f64.set(ids, (at + seenIdsAt) >> 3)
  })
  return null
}

/** The engine keeps no payouts: how many of the named ones are the wallet's, the history store knows. */
class SeenAnswer implements OutcomeListener {
  readonly #context: GatewayContext
  readonly #call: HttpCall
  readonly #request: SeenRequest
  readonly #admission: Admission
  readonly #ask: AskHistory

  constructor(
    context: GatewayContext,
    call: HttpCall,
    request: SeenRequest,
    admission: Admission,
    ask: AskHistory,
  ) {
    this.#context = context
    this.#call = call
    this.#request = request
    this.#admission = admission
    this.#ask = ask
  }

  onOutcome(log: EventLogReader, at: number): void {
    const { result, seq, isUnfunded } = readOutcome(log, at, this.#context.names)
    this.#admission.settle(result)
    if (isUnfunded) this.#admission.countUnfunded()
    if (result !== Result.Accepted) {
      const fault = accountWriteFault(result, this.#request.nonce)
      this.refuse(this.#admission.explain(fault))
      return
    }
    const { wallet, ids } = this.#request
    this.#ask(payoutsOwnedQuestion, `wallet=${wallet}&ids=${ids.join(',')}`).then(
      (answer) => this.#answer(answer, seq),
      () => this.refuse(new Fault(Result.InternalError)),
    )
  }

  refuse(fault: Fault): void {
    answerFault(this.#call, fault, Envelope.Success, this.#admission.headers)
  }

  #answer({ status, body }: Answer, seq: number): void {
    const { headers } = this.#admission
    if (status !== 200) {
      answerJson(this.#call, status, body, headers)
      return
    }
    const { data: affected } = JSON.parse(body) as { data: number }
    const requested = this.#request.ids.length
    const answer = { success: true, requested, affected, error: null, seq }
    answerJson(this.#call, 200, JSON.stringify(answer), headers)
  }
}
