import type { EventLogReader } from '../../engine/memory/event-log.js'
import type { OutcomeListener } from '../command-port.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import type { Admission } from '../limits/admission.js'
import { isErrorResult, type OutcomeView, readOutcome } from '../outcome.js'

/**
 * Waits for the outcome of an order or a cancel.
 * @param answer is given an outcome that has an order status, with its place in the log.
 * @param refuse is given any other, as the error that it is.
 */
export function outcomeListener(
  { names }: GatewayContext,
  admission: Admission,
  answer: (outcome: OutcomeView, log: EventLogReader, at: number) => void,
  refuse: (fault: Fault) => void,
): OutcomeListener {
  return {
    onOutcome(log, at) {
      const outcome = readOutcome(log, at, names)
      admission.settle(outcome.result)
      if (isErrorResult(outcome.result)) refuse(admission.explain(new Fault(outcome.result)))
      else answer(outcome, log, at)
    },
  }
}
