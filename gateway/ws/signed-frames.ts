import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'
import type { JsonObject } from '../wire/request-fields.js'
import type { FrameParts } from './frames.js'
import type { ErrorContext } from './messages.js'

// What signed frames have in common. Before anything is spent on one it is asked whether it is taken at all: what must be
// refused may come in any number.

/** Why a signed command is not taken just now (`NotReady`, `SigningDisabled`, `EngineBusy`), or null. */
export function refusesCommand({ context, session }: FrameParts): Fault | null {
  const refused = context.refusesWrites()
  if (refused !== null) return refused
  const isFull = session.commandsInFlight >= context.config.stream.commandsInFlightMax
  return isFull ? new Fault(Result.EngineBusy) : null
}

/** The same of what the turn of the gateway must have time for: all but cancels and writes of the account. */
export function refusesOrder(parts: FrameParts): Fault | null {
  const refused = refusesCommand(parts)
  if (refused !== null) return refused
  const { turn, arrivals } = parts.context
  if (turn.take(parts.session.turnShare)) return null
  arrivals.spare()
  return new Fault(Result.EngineBusy)
}

/** The body that a request with the same fields would have. */
export function bodyOfFrame({ type: _, ...body }: JsonObject): JsonObject {
  return body
}

/** What an Error about a signed frame says beside its message, as far as the frame has it. */
export function signedContext(frame: JsonObject): ErrorContext {
  const { type, client_id: clientId, nonce } = frame
  return {
    ...(typeof type === 'string' ? { request_type: type } : {}),
    ...(typeof clientId === 'string' ? { client_id: clientId.slice(0, 64) } : {}),
    ...(isNonceLike(nonce) ? { nonce } : {}),
  }
}

function isNonceLike(value: unknown): value is number | string {
  // A number such as 1e400 reads as infinite, which JSON cannot say.
  return Number.isFinite(value) || (typeof value === 'string' && value.length <= 20)
}
