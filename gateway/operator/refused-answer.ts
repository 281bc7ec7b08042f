import { resultRows } from '../../schemas/results.js'
import type { Answer } from '../wire/answers.js'
import type { Fault } from '../wire/fault.js'

/**
 * Returns the HTTP status of a fault. A result that trading answers with 200 is a 409 conflict here, without a change.
 */
export function statusOf({ result }: Fault): number {
  const { http } = resultRows[result]
  return http === 200 ? 409 : http
}

/** Returns a fault as an answer of the operator interface. */
export function faultAnswer(fault: Fault, status = statusOf(fault)): Answer {
  const code = resultRows[fault.result].code ?? 'conflict'
  return { status, body: JSON.stringify({ code, message: fault.message, error: code }) }
}
