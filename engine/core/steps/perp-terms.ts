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

const placed = new PlaceOrderCommand()
const perpTerms = new PerpTerms()

/** Length of the records that may be perp actions, without perp terms. */
const plainBytes: Readonly<Partial<Record<number, number>>> = {
  [CommandType.PlaceOrder]: PlaceOrderCommand.bytes,
  [CommandType.CancelOrder]: CancelOrderCommand.bytes,
  [CommandType.CancelByClientId]: CancelByClientIdCommand.bytes,
}

/**
 * Returns true if providers may be asked about the order. Its record is followed by their indicative rows, not by perp
 * terms.
 */
function isBestExecution(command: AnyCommand): boolean {
  const isPlace = command.recordType === CommandType.PlaceOrder
  return isPlace && placed.of(command).route === Route.BestExecution
}

/** Returns the terms of a perp action, which follow the record of a place or cancel; null for any other command. */
export function perpTermsOf(command: AnyCommand): PerpTerms | null {
  const bytes = plainBytes[command.recordType]
  if (bytes === undefined || command.recordBytes <= bytes) return null
  if (isBestExecution(command)) return null
  return perpTerms.over(command.views, command.at + bytes)
}

/**
 * Returns true if a command was signed as a directive in the signing domain of API wallets. An API wallet of its
 * account may then have signed it. Directives that are commands of their own need the owner's signature.
 */
export function isTradingDirective(command: AnyCommand): boolean {
  return perpTermsOf(command)?.scheme === PerpScheme.Directive
}
