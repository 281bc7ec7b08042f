import { RfqStatus } from '../../schemas/domain.js'
import { Envelope } from '../../schemas/interface/answer.js'
import type { AcceptedQuote, Rfq, SubmittedRfq } from '../../schemas/interface/rfq.js'
import { Result } from '../../schemas/results.js'
import { type RfqAcceptance, type RfqSubmission, readSubmission } from '../commands/rfq-request.js'
import { engineConfigOf } from '../config/engine-config.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { OutcomeView } from '../link/outcome.js'
import type { HttpCall } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { rfqJson } from '../wire/rfq-text.js'
import { answerFault, answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'
import { refusesTurn } from './place-order.js'
import { sendRfq, takeAcceptance } from './rfq-write.js'

/** Handles POST /rfq/request. A request that violates a trading rule gets status `failed`. */
export function submitRfq(context: GatewayContext, call: HttpCall): Fault | null {
  const body = refusesTurn(context) ?? readJsonBody(call.body)
  if (body instanceof Fault) return body
  const submission = readSubmission(body, 'submit', context.signing)
  if (submission instanceof Fault) return submission
  return sendRfq(context, submission, call.address, (admission) => ({
    refuse: (fault) => answerFault(call, fault, Envelope.Bare, admission.headers),
    answer(outcome, event, { reason, code, details }) {
      const isFailed = outcome.result !== Result.Accepted
      const status = isFailed ? RfqStatus.Failed : event.facts.rfqStatus
      const rfq = submittedJson(context, submission, outcome, status)
      const why = isFailed ? { reason, reason_code: code, details } : {}
      const payload: SubmittedRfq = { ...rfq, ...why, seq: outcome.seq }
      answerJson(call, 200, JSON.stringify(payload), admission.headers)
    },
  }))
}

/** Handles POST /rfq/accept. */
export function acceptRfqQuote(context: GatewayContext, call: HttpCall): Fault | null {
  const body = refusesTurn(context) ?? readJsonBody(call.body)
  if (body instanceof Fault) return body
  return takeAcceptance(context, {
    ...{ body, form: 'accept', address: call.address },
    proceed: (acceptance) => accept(context, call, acceptance),
    refuse: (fault) => answerFault(call, fault),
  })
}

function accept(context: GatewayContext, call: HttpCall, acceptance: RfqAcceptance): Fault | null {
  const { rfqId, quoteId } = acceptance
  return sendRfq(context, acceptance, call.address, (admission) => ({
    refuse: (fault) => answerFault(call, fault, Envelope.Bare, admission.headers),
    answer(outcome, event, { reason, code, details }) {
      const isFailed = outcome.result !== Result.Accepted
      const payload: AcceptedQuote = {
        rfq_id: rfqId,
        quote_id: quoteId,
        ...(isFailed
          ? { status: 'failed', fill_id: '', reason, reason_code: code, details }
          : { status: 'executed', fill_id: String(event.facts.fillId) }),
        seq: outcome.seq,
      }
      answerJson(call, 200, JSON.stringify(payload), admission.headers)
    },
  }))
}

/** Formats an RFQ in its state when the submission is answered; for a duplicate, in its original state. */
function submittedJson(
  { config }: GatewayContext,
  { rfqId, legs }: RfqSubmission,
  { timeMillis }: OutcomeView,
  status: RfqStatus,
): Rfq {
  const lifeMillis = status === RfqStatus.Failed ? 0 : engineConfigOf(config).rfq.lifetimeMillis
  return rfqJson({
    ...{ rfqId, status, legs, quotes: [] },
    underlying: legs[0]!.terms.underlying,
    createdMillis: timeMillis,
    expiresMillis: timeMillis + lifeMillis,
  })
}
