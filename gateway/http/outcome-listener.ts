import type { OutcomeEvent } from '../../schemas/generated/events.js'
import type { Admission } from '../admission/admission.js'
import type { OutcomeListener } from '../link/command-port.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { isErrorResult, type OutcomeView, readOutcome } from '../link/outcome.js'
import { Fault } from '../wire/fault.js'

/**
 * Waits for the outcome of an order or a cancel.
 * @param answer is given an outcome that has an order status, with its place in the log.
 * @param refuse is given any other, as the error that it is.
 */
export function outcomeListener(
  { names }: GatewayContext,
  admission: Admission,
  answer: (outcome: OutcomeView, event: OutcomeEvent) => void,
  refuse: (fault: Fault) => void,
): OutcomeListener {
  return {
    onOutcome(event) {
      const outcome = readOutcome(event, names)
      admission.onDecision(outcome.result)
      if (isErrorResult(outcome.result)) refuse(admission.explain(new Fault(outcome.result)))
      else answer(outcome, event)
    },
  }
}
