import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'
import type { JsonObject } from '../wire/request-fields.js'
import type { FrameParts } from './frames.js'
import type { ErrorContext } from './messages.js'

// Common parts of signed frames. Cheap checks run before any work is spent on a frame, because rejected frames may
// arrive in any number.

/** Returns why a signed command cannot be accepted now (`NotReady`, `SigningDisabled`, `EngineBusy`), or null. */
export function refusesCommand({ context, session }: FrameParts): Fault | null {
  const refused = context.refusesWrites()
  if (refused !== null) return refused
  const isFull = session.commandsInFlight >= context.config.stream.commandsInFlightMax
  return isFull ? new Fault(Result.EngineBusy) : null
}

/** Like `refusesCommand`, and limits a turn of the gateway to its budget. Not for cancels and account actions. */
export function refusesOrder(parts: FrameParts): Fault | null {
  const refused = refusesCommand(parts)
  if (refused !== null) return refused
  const { turn, arrivals } = parts.context
  if (turn.take(parts.session.turnShare)) return null
  arrivals.spare()
  return new Fault(Result.EngineBusy)
}

/** Returns the body of the equivalent HTTP request. */
export function bodyOfFrame({ type: _, ...body }: JsonObject): JsonObject {
  return body
}

/** Returns the context of an Error about a signed frame, from those fields that are valid. */
export function signedContext(frame: JsonObject): ErrorContext {
  const { type, client_id: clientId, nonce } = frame
  return {
    ...(typeof type === 'string' ? { request_type: type } : {}),
    ...(typeof clientId === 'string' ? { client_id: clientId.slice(0, 64) } : {}),
    ...(isNonceLike(nonce) ? { nonce } : {}),
  }
}

function isNonceLike(value: unknown): value is number | string {
  // A number such as 1e400 parses as infinite, which JSON cannot represent.
  return Number.isFinite(value) || (typeof value === 'string' && value.length <= 20)
}
