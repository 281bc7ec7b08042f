import { resultRows } from '../../schemas/results.js'
import type { Answer } from '../wire/answers.js'
import type { Fault } from '../wire/fault.js'

/** Status of a refusal: what trading answers with 200 and a status is a plain conflict here, nothing changed. */
export function statusOf({ result }: Fault): number {
  const { http } = resultRows[result]
  return http === 200 ? 409 : http
}

/** A refusal as the operator interface says it. */
export function faultAnswer(fault: Fault, status = statusOf(fault)): Answer {
  const code = resultRows[fault.result].code ?? 'conflict'
  return { status, body: JSON.stringify({ code, message: fault.message, error: code }) }
}
