import type { OutcomeEvent } from '../../schemas/generated/events.js'
import type { Admission } from '../admission/admission.js'
import type { OutcomeListener } from '../link/command-port.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { isErrorResult, type OutcomeView, readOutcome } from '../link/outcome.js'
import { Fault } from '../wire/fault.js'

/**
 * Returns the listener of the acknowledgement of an order or cancel.
 * @param answer Receives an acknowledgement with an order status, and its event.
 * @param refuse Receives any other acknowledgement as an error.
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
