import type { OutcomeEvent } from '../../schemas/generated/events.js'
import type { RecordSink } from '../../schemas/record-views.js'
import { Result, resultText } from '../../schemas/results.js'
import { type Admission, admit } from '../admission/admission.js'
import { typedDataDigest } from '../auth/typed-data-digest.js'
import {
  type RfqAcceptance,
  type RfqSubmission,
  writeAcceptance,
  writeSubmission,
} from '../commands/rfq-request.js'
import { RateCategory } from '../limits/rate-windows.js'
import type { GatewayContext } from '../link/gateway-context.js'
import {
  detailedFault,
  isErrorResult,
  type OutcomeView,
  type Reason,
  readOutcome,
  reasonOf,
} from '../link/outcome.js'
import { Fault } from '../wire/fault.js'
import { isJsonObject, type JsonObject } from '../wire/request-fields.js'

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

/**
 * Reads all that the log has open where a body names a quote that is not known here: its taker may have heard of it
 * through another gateway.
 */
export function catchUpOn(context: GatewayContext, body: unknown): void {
  const { rfq_id: rfqId, quote_id: quoteId } = isJsonObject(body) ? body : ({} as JsonObject)
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
