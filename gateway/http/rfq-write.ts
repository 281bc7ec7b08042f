import { RateCategory } from '../../schemas/domain.js'
import type { OutcomeEvent } from '../../schemas/generated/events.js'
import type { RecordSink } from '../../schemas/record-views.js'
import { Result, resultText } from '../../schemas/results.js'
import { typedDataDigest } from '../../schemas/signing/typed-data-digest.js'
import { type Admission, admit } from '../admission/admission.js'
import {
  type AcceptanceForm,
  type RfqAcceptance,
  type RfqSubmission,
  readAcceptance,
  UnknownQuote,
  writeAcceptance,
  writeSubmission,
} from '../commands/rfq-request.js'
import { addressKeyOf } from '../limits/address-limits.js'
import type { GatewayContext } from '../link/gateway-context.js'
import {
  detailedFault,
  isErrorResult,
  type OutcomeView,
  type Reason,
  readOutcome,
  reasonOf,
} from '../link/outcome.js'
import { quotePremiumQuestion } from '../link/read-protocol.js'
import { Fault } from '../wire/fault.js'
import type { JsonObject } from '../wire/request-fields.js'

const okStatus = 200

/** Receives the result of a write. */
export interface RfqListener {
  /** The write was accepted, or a trading rule rejected it, with a reason. */
  answer(outcome: OutcomeView, event: OutcomeEvent, reason: Reason): void
  /** The write failed with an error. */
  refuse(fault: Fault): void
}

/**
 * Checks signature and limits of an RFQ or acceptance, and sends it to the core.
 * @param begin Receives the admission and returns the listener of the acknowledgement.
 * @returns The fault, or null: the listener was or will be called.
 */
export function sendRfq(
  context: GatewayContext,
  request: RfqSubmission | RfqAcceptance,
  address: Uint8Array,
  begin: (admission: Admission) => RfqListener,
): Fault | null {
  const { signing, port, names } = context
  const { wallet, struct, message, signature } = request
  signing.digest.set(typedDataDigest(signing.domain, struct, message))
  const admission = admit(context, {
    ...{ address, wallet, signature, category: RateCategory.OrderPlacement },
    subject: { struct, message },
  })
  if (admission instanceof Fault) return admission
  if (admission.lacksAccount) return new Fault(Result.NoAccount)
  const listener = begin(admission)
  const onOutcome = (event: OutcomeEvent) => {
    const outcome = readOutcome(event, names)
    admission.onDecision(outcome.result)
    const fault = faultOf(outcome, request)
    if (fault !== null) listener.refuse(admission.explain(fault))
    else
      listener.answer(
        outcome,
        event,
        reasonOf(outcome, () => valuesOf(request)),
      )
  }
  const write = (sink: RecordSink) =>
    'legs' in request
      ? writeSubmission(sink, signing, request)
      : writeAcceptance(sink, signing, request)
  const busy = port.send({ onOutcome }, write)
  if (busy !== null) listener.refuse(busy)
  return null
}

/** Acceptance as received. */
interface AcceptanceParts {
  readonly body: JsonObject
  readonly form: AcceptanceForm
  readonly address: Uint8Array
  /** Continues with the acceptance. */
  proceed(acceptance: RfqAcceptance): Fault | null
  /** Receives a fault that is found asynchronously. */
  refuse(fault: Fault): void
}

/**
 * Reads an acceptance. If the quote is unknown here, another gateway may have published it, so reads all of the log
 * first. A quote that the book has dropped, as after a start, is in the history, so that a duplicate acceptance is
 * answered again.
 * @returns The fault, or null: `proceed` or `refuse` was or will be called.
 */
export function takeAcceptance(context: GatewayContext, parts: AcceptanceParts): Fault | null {
  const { limits, nowMillis, rfqs, signing } = context
  const { body, form, address, proceed, refuse } = parts
  catchUpOn(context, body)
  const known = readAcceptance(body, form, signing, rfqs)
  if (!(known instanceof UnknownQuote)) return known instanceof Fault ? known : proceed(known)
  const client = addressKeyOf(address)
  const blocked = limits.refusesRecovery(client, nowMillis())
  if (blocked !== null) return blocked
  const proceedWith = (micros: number | null) => {
    // Prevents clients from flooding the history with invented ids.
    if (micros === null) limits.countFailure(client, nowMillis())
    const read = micros === null ? known : readAcceptance(body, form, signing, micros)
    const fault = read instanceof Fault ? read : proceed(read)
    if (fault !== null) refuse(fault)
  }
  premiumOf(context, known).then(proceedWith, () => refuse(new Fault(Result.NotReady)))
  return null
}

async function premiumOf(
  { queryHistory }: GatewayContext,
  { rfqId, quoteId }: UnknownQuote,
): Promise<number | null> {
  const query = `rfq_id=${rfqId}&quote_id=${quoteId}`
  const { status, body } = await queryHistory(quotePremiumQuestion, query)
  if (status !== okStatus) throw new Error(`history: ${status}`)
  return (JSON.parse(body) as { readonly data?: number | null }).data ?? null
}

function catchUpOn(context: GatewayContext, body: JsonObject): void {
  const { rfq_id: rfqId, quote_id: quoteId } = body
  if (typeof rfqId !== 'string' || typeof quoteId !== 'string') return
  const rfq = context.rfqs.find(rfqId.toLowerCase())
  if (rfq?.quotes.has(quoteId.toLowerCase()) !== true) context.catchUp()
}

/** Returns the error in an acknowledgement, or null. A nonce used by another payload is an error too. */
function faultOf(outcome: OutcomeView, { nonce }: RfqSubmission | RfqAcceptance): Fault | null {
  const { result } = outcome
  if (result === Result.NonceUsed) {
    return new Fault(Result.Conflict, {}, resultText(result, { nonce }))
  }
  if (!isErrorResult(result)) return null
  return detailedFault(outcome) ?? new Fault(result)
}

/** Returns the placeholder values that the request provides for reason texts. */
function valuesOf(request: RfqSubmission | RfqAcceptance): Readonly<Record<string, string>> {
  const [first] = 'legs' in request ? request.legs : []
  return first === undefined ? {} : { underlying: first.terms.underlying }
}
