import { Route } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CancelByClientIdCommand,
  CancelOrderCommand,
  CommandType,
  PerpTerms,
  PlaceOrderCommand,
} from '../../../schemas/generated/commands.js'
import { PerpScheme } from '../../../schemas/record-values.js'

const routed = new PlaceOrderCommand()
const perpTerms = new PerpTerms()

/** Length of the records that may be perp actions, without its terms. */
const plainBytes: Readonly<Partial<Record<number, number>>> = {
  [CommandType.PlaceOrder]: PlaceOrderCommand.bytes,
  [CommandType.CancelOrder]: CancelOrderCommand.bytes,
  [CommandType.CancelByClientId]: CancelByClientIdCommand.bytes,
}

/** Whether an order is one for which providers may be asked: what stands behind its record is what they show. */
function isBestExecution(command: AnyCommand): boolean {
  const isPlace = command.recordType === CommandType.PlaceOrder
  return isPlace && routed.of(command).route === Route.BestExecution
}

/** Terms of a perp action, behind the record of a place or cancel; null: it is none. */
export function perpTermsOf(command: AnyCommand): PerpTerms | null {
  const bytes = plainBytes[command.recordType]
  if (bytes === undefined || command.recordBytes <= bytes) return null
  if (isBestExecution(command)) return null
  return perpTerms.over(command.views, command.at + bytes)
}

/**
 * Whether a command was signed as a directive of the domain for trading keys: those of its wallet may have signed it. By
 * their owners alone are signed those directives that are commands of their own.
 */
export function isTradingDirective(command: AnyCommand): boolean {
  return perpTermsOf(command)?.scheme === PerpScheme.Directive
}
