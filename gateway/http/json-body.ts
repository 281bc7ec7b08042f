import { isUtf8 } from 'node:buffer'
import { Result } from '../../schemas/results.js'
import { isJsonObject, type JsonObject } from '../commands/request-fields.js'
import { Fault } from '../fault.js'

/**
 * Reads a request's body as one JSON object.
 * @param body null when it was larger than `bodyBytesMax`.
 * @returns the object, or `PayloadTooLarge`, `InvalidRequest` (no text, no object), `InvalidJson`. A key
 * given twice has its last value (decision 36).
 */
export function readJsonBody(body: Buffer | null): JsonObject | Fault {
  if (body === null) return new Fault(Result.PayloadTooLarge)
  if (!isUtf8(body)) return new Fault(Result.InvalidRequest)
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return new Fault(Result.InvalidJson)
  }
  return isJsonObject(value) ? value : new Fault(Result.InvalidRequest)
}
