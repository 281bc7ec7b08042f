import { RateCategory } from '../../schemas/domain.js'
import type { AnyCommand } from '../../schemas/generated/commands.js'
import type { OutcomeEvent } from '../../schemas/generated/events.js'
import type { BodyShape } from '../../schemas/interface/body.js'
import type { SignedBy } from '../../schemas/interface/write.js'
import { isRejection, Result, resultText } from '../../schemas/results.js'
import { typedDataDigest } from '../../schemas/signing/typed-data-digest.js'
import { sameAddress } from '../../schemas/wallet.js'
import { type Action, type ActionRequest, readAction } from '../actions/action.js'
import type { Values } from '../actions/body-readers.js'
import {
  Admission,
  admit,
  admitSigner,
  checkSignature,
  type SignedRequest,
} from '../admission/admission.js'
import { areReadsSigned } from '../admission/read-session.js'
import { writeSigned } from '../commands/write-order.js'
import type { OutcomeListener } from '../link/command-port.js'
import type { GatewayContext, QueryHistory } from '../link/gateway-context.js'
import { detailedFault, readOutcome } from '../link/outcome.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'
import { type Answer, answerIn, type SingleForm } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import type { JsonValue } from '../wire/json-text.js'
import { invalidField } from '../wire/request-fields.js'
import { answerFault, answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'

/** Accepted write, with its acknowledgement in the log. */
export interface Accepted<F extends BodyShape = BodyShape> {
  readonly context: GatewayContext
  readonly ask: QueryHistory
  readonly values: Values<F>
  /** Lower-case text of the wallet that the body names, or of the signer. */
  readonly wallet: string
  readonly message: ActionRequest['message']
  /** The signed 32-byte digest. */
  readonly digest: Uint8Array
  readonly seq: number
  readonly event: OutcomeEvent
}

/** Part of an action that its row does not define. */
export interface AccountAnswer<
  F extends BodyShape = BodyShape,
  Data extends JsonValue = JsonValue,
> {
  /** Returns the data of the row's answer, or a promise of the answer. */
  dataOf(accepted: Accepted<F>): Data | Promise<Answer<Data>>
  /** Returns why an admitted write is not sent to the core, or null. */
  readonly refuses?: (context: GatewayContext, request: ActionRequest<F>) => Fault | null
  /** Asynchronous check, run last, and never for a signer that this gateway knows to be a stranger. */
  readonly refusesLater?: (waiting: WaitingWrite<F>) => Promise<Fault | null>
  /** Returns an action-specific fault for a rejection by the engine; null: the default. */
  readonly faultOf?: (result: Result, request: ActionRequest<F>) => Fault | null
}

/** Admitted write that waits for an asynchronous check. */
export interface WaitingWrite<F extends BodyShape = BodyShape> {
  readonly context: GatewayContext
  readonly ask: QueryHistory
  readonly values: Values<F>
  /** The signed 32-byte digest. */
  readonly digest: Uint8Array
}

/** Requester of a write, who receives the result. */
export interface WriteRequester<F extends BodyShape = BodyShape> {
  /** Address bytes of the client. */
  readonly address: Uint8Array
  /** Called once the command is claimed, to set fields that no client supplies. */
  onClaimed?(command: AnyCommand): void
  accept(accepted: Accepted<F>, headers: HeaderList): void
  /** The write failed after its signature was checked. */
  refuse(fault: Fault, headers: HeaderList): void
}

/** Signed account action with a parsed body. */
export interface AccountWrite<F extends BodyShape = BodyShape> {
  readonly context: GatewayContext
  readonly ask: QueryHistory
  readonly action: Action<F>
  readonly answer: AccountAnswer<F>
  readonly request: ActionRequest<F>
  readonly requester: WriteRequester<F>
}
type Write = AccountWrite

/** Checks body, signature and limits, sends the command, and answers its result. */
export function writeAccount<F extends BodyShape>(
  context: GatewayContext,
  call: HttpCall,
  action: Action<F>,
  answer: AccountAnswer<F>,
  ask: QueryHistory,
): Fault | null {
  const body = readJsonBody(call.body)
  const request = body instanceof Fault ? body : readAction(action, body, context.signing)
  if (request instanceof Fault) return request
  const { envelope, form } = action.row.answer
  const refuse = (fault: Fault, headers: HeaderList) => answerFault(call, fault, envelope, headers)
  const requester: WriteRequester<F> = {
    address: call.address,
    accept(accepted, headers) {
      const data = answer.dataOf(accepted)
      const send = ({ status, body: text }: Answer) => answerJson(call, status, text, headers)
      if (!(data instanceof Promise)) send(answerIn(form as SingleForm, data, accepted.seq))
      else data.then(send, () => refuse(new Fault(Result.InternalError), headers))
    },
    refuse,
  }
  return submitWrite({ context, ask, action, answer, request, requester })
}

/**
 * Checks signature and limits of a write, whose wallet and nonce are in `Signing`, and sends it to the core.
 * @returns The fault, or null: an answer was or will be sent.
 */
export function submitWrite<F extends BodyShape>(given: AccountWrite<F>): Fault | null {
  const write = given as unknown as Write
  const { context, action, answer, request, requester } = write
  const { signing } = context
  // An asynchronous check must not run for strangers.
  if (answer.refusesLater !== undefined) context.catchUp()
  signing.digest.set(typedDataDigest(signing.domain, action.row.structs[0]!, request.message))
  const admission = admissions[action.row.signedBy](write)
  if (admission instanceof Fault) return admission
  const refuse = (fault: Fault) => requester.refuse(fault, admission.headers)
  const refused = answer.refuses?.(context, request) ?? null
  if (refused !== null) {
    const stranger = admission.refuseUnknown()
    if (stranger !== null) return stranger
    refuse(refused)
    return null
  }
  if (answer.refusesLater === undefined) sendAdmitted(write, admission, refuse)
  else void sendLater(write, admission, refuse, answer.refusesLater)
  return null
}

/** Sends a write whose wallet, signer, nonce and digest are in the thread's `Signing`. */
function sendAdmitted(write: Write, admission: Admission, refuse: (fault: Fault) => void): void {
  const { context, action, requester, request } = write
  const { port, signing } = context
  // A self-signed write names no wallet: the signer is the wallet.
  const wallet = action.row.signedBy === 'owner' ? null : signing.wallet
  const busy = port.send(outcomeOf(write, admission, refuse), (sink) => {
    const command = action.write(sink, request.values)
    if (command === null) return false
    writeSigned(command, signing, wallet, signing.nonce[0], signing.nonce[1])
    requester.onClaimed?.(command)
    return true
  })
  if (busy !== null) refuse(busy)
}

/** Runs the asynchronous check, during which other requests use the thread's `Signing`, then sends. */
async function sendLater(
  write: Write,
  admission: Admission,
  refuse: (fault: Fault) => void,
  refusesLater: NonNullable<AccountAnswer['refusesLater']>,
): Promise<void> {
  const { context, ask, request } = write
  const { signing } = context
  const kept = signing.keep()
  const digest = signing.digest.slice()
  const fault = await refusesLater({ context, ask, values: request.values, digest }).catch(
    () => new Fault(Result.InternalError),
  )
  const refused = fault ?? context.refusesWrites()
  if (refused !== null) return refuse(refused)
  signing.restore(kept)
  // Another request may have arrived during the wait.
  context.port.timestamps.leave()
  sendAdmitted(write, admission, refuse)
}

/** Checks of signature, authorization and rate limit, by the allowed signer. */
const admissions: Readonly<Record<SignedBy, (write: Write) => Admission | Fault>> = {
  wallet: (write) => admit(write.context, signedRequest(write, write.request.wallet)),
  owner: admitOwner,
  operator: admitOperator,
}

function admitOwner(write: Write): Admission | Fault {
  const { context, request } = write
  const { signing } = context
  const unsound = checkSignature(context, signedRequest(write, request.wallet))
  if (unsound !== null) return unsound
  const signed = signedRequest(write, signing.signerText())
  const isNamed = request.wallet === '' || sameAddress(signing.signer, 0, signing.wallet, 0)
  if (!isNamed) return new Admission(context, signed).refuseStranger()
  const { agent } = request.values as { readonly agent?: Uint8Array }
  if (agent !== undefined && sameAddress(signing.signer, 0, agent, 0)) {
    return invalidField('agent', 'must not be the wallet itself')
  }
  return admitSigner(context, signed)
}

/** Admits a signer listed in `operator.signers`. The rate limit applies to the signer. */
function admitOperator(write: Write): Admission | Fault {
  const { context } = write
  const unsound = checkSignature(context, signedRequest(write, ''))
  if (unsound !== null) return unsound
  const signer = context.signing.signerText()
  const admission = new Admission(context, signedRequest(write, signer))
  const { signers } = context.config.operator
  const isSigner = signers.some((address) => address.toLowerCase() === signer)
  return isSigner ? (admission.take() ?? admission) : admission.refuseStranger()
}

/** Returns a write in the form that the limits check. */
function signedRequest(
  { context, requester, action, request }: Write,
  wallet: string,
): SignedRequest {
  const { message, signature } = request
  const isHeardLater = action.row.outlivesAgents && areReadsSigned(context)
  return {
    ...{ address: requester.address, wallet, signature, category: RateCategory.ApiRequest },
    subject: { struct: action.row.structs[0]!, message },
    isOwnersOnly: action.row.isOwnersOnly || isHeardLater,
    isOwnersResort: action.row.isOwnersResort,
  }
}

/** Returns the listener of a signed write that concerns an account and has no order status. */
function outcomeOf(write: Write, admission: Admission, refuse: (fault: Fault) => void) {
  const { context, ask, answer, request, requester } = write
  const { values, message, nonce } = request
  const digest = context.signing.digest.slice()
  const wallet = request.wallet === '' ? context.signing.signerText() : request.wallet
  const onOutcome: OutcomeListener['onOutcome'] = (event) => {
    const outcome = readOutcome(event, context.names)
    const { result, seq, isUnfunded } = outcome
    admission.onDecision(result)
    if (isUnfunded) admission.countFailure()
    if (result !== Result.Accepted) {
      const fault =
        answer.faultOf?.(result, request) ??
        detailedFault(outcome) ??
        accountWriteFault(result, nonce)
      return refuse(admission.explain(fault))
    }
    const accepted = { context, ask, values, message, digest, wallet, seq, event }
    requester.accept(accepted, admission.headers)
  }
  return { onOutcome }
}

/**
 * Returns the fault of a failed account action. It has no order status to be rejected with, so a reason that would
 * reject an order is a conflict, such as a used nonce or an account in liquidation.
 * @param nonce Decimal text.
 */
export function accountWriteFault(result: Result, nonce: string): Fault {
  if (!isRejection(result)) return new Fault(result)
  return new Fault(Result.Conflict, {}, resultText(result, { nonce }))
}
