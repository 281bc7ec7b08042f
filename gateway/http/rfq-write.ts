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

/** Hears what became of a write. */
export interface RfqListener {
  /** It was accepted, or a rule of trading refuses it: then there is a reason. */
  answer(outcome: OutcomeView, event: OutcomeEvent, reason: Reason): void
  /** It is an error. */
  refuse(fault: Fault): void
}

/**
 * Takes a request for quote, or an acceptance, past signature and limits to the core.
 * @param begin is given how it stands with the limits, and says who hears the outcome.
 * @returns why it is not taken, or null.
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

/** An acceptance as it came in. */
interface AcceptanceParts {
  readonly body: JsonObject
  readonly form: AcceptanceForm
  readonly address: Uint8Array
  /** Takes it further. */
  proceed(acceptance: RfqAcceptance): Fault | null
  /** It is refused later than at once. */
  refuse(fault: Fault): void
}

/**
 * Reads an acceptance. Of a quote that is not known here its taker may have heard through another gateway: then all that
 * the log has open is read. One that the book has let go of, as at a start, stands in the history: what was accepted
 * before is answered again.
 * @returns why it is not taken, or null.
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
  const goOn = (micros: number | null) => {
    // Nobody fills the history's time with ids of his own.
    if (micros === null) limits.countFailure(client, nowMillis())
    const read = micros === null ? known : readAcceptance(body, form, signing, micros)
    const fault = read instanceof Fault ? read : proceed(read)
    if (fault !== null) refuse(fault)
  }
  premiumOf(context, known).then(goOn, () => refuse(new Fault(Result.NotReady)))
  return null
}

async function premiumOf(
  { askHistory }: GatewayContext,
  { rfqId, quoteId }: UnknownQuote,
): Promise<number | null> {
  const query = `rfq_id=${rfqId}&quote_id=${quoteId}`
  const { status, body } = await askHistory(quotePremiumQuestion, query)
  if (status !== okStatus) throw new Error(`history: ${status}`)
  return (JSON.parse(body) as { readonly data?: number | null }).data ?? null
}

function catchUpOn(context: GatewayContext, body: JsonObject): void {
  const { rfq_id: rfqId, quote_id: quoteId } = body
  if (typeof rfqId !== 'string' || typeof quoteId !== 'string') return
  const rfq = context.rfqs.find(rfqId.toLowerCase())
  if (rfq?.quotes.has(quoteId.toLowerCase()) !== true) context.catchUp()
}

/** An outcome that is an error, a nonce of another payload among them. */
function faultOf(outcome: OutcomeView, { nonce }: RfqSubmission | RfqAcceptance): Fault | null {
  const { result } = outcome
  if (result === Result.NonceUsed) {
    return new Fault(Result.Conflict, {}, resultText(result, { nonce }))
  }
  if (!isErrorResult(result)) return null
  return detailedFault(outcome) ?? new Fault(result)
}

/** Values for reasons that the request knows. */
function valuesOf(request: RfqSubmission | RfqAcceptance): Readonly<Record<string, string>> {
  const [first] = 'legs' in request ? request.legs : []
  return first === undefined ? {} : { underlying: first.terms.underlying }
}
