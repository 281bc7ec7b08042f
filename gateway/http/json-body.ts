import { isUtf8 } from 'node:buffer'
import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'
import { parseJson } from '../wire/parse-json.js'
import { isJsonObject, type JsonObject } from '../wire/request-fields.js'

/**
 * Reads a request's body as one JSON object. The last value of a duplicate key wins.
 * @param body Null if it was larger than `bodyBytesMax`.
 * @returns The object, or `PayloadTooLarge`, `InvalidRequest` (no text, no object), `InvalidJson`.
 */
export function readJsonBody(body: Buffer | null): JsonObject | Fault {
  const value = readJson(body)
  if (value instanceof Fault || isJsonObject(value)) return value
  return new Fault(Result.InvalidRequest)
}

/** Reads a body that may also be a bare array. @returns As `readJsonBody`. */
export function readJsonArrayBody(body: Buffer | null): readonly unknown[] | JsonObject | Fault {
  const value = readJson(body)
  if (value instanceof Fault || isJsonObject(value)) return value
  return Array.isArray(value) ? value : new Fault(Result.InvalidRequest)
}

function readJson(body: Buffer | null): unknown {
  if (body === null) return new Fault(Result.PayloadTooLarge)
  if (!isUtf8(body)) return new Fault(Result.InvalidRequest)
  return parseJson(body)
}
