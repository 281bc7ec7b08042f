import { Envelope } from '../../schemas/interface/answer.js'
import { resultRows } from '../../schemas/results.js'
import { encodeJson, type JsonValue } from './json-text.js'
import type { Refusal } from './query-reader.js'
import { boundedMessage } from './shown-text.js'

/** A finished answer: HTTP status and JSON text. */
export interface Answer {
  readonly status: number
  readonly body: string
}

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** E1: one page of rows. @param more fields of the endpoint's own. */
export function listAnswer(
  rows: readonly JsonValue[],
  page: Page,
  seq: number,
  more: Readonly<Record<string, JsonValue>> = {},
): Answer {
  const pagination = { limit: page.limit, offset: page.offset, count: rows.length }
  return ok({ success: true, data: rows, pagination, ...more, as_of_seq: seq })
}

/** E6: rows with a cursor to the next ones, null at the end. */
export function cursorAnswer(
  rows: readonly JsonValue[],
  limit: number,
  nextCursor: string | null,
  seq: number,
): Answer {
  const page = { limit, next_cursor: nextCursor, has_more: nextCursor !== null }
  return ok({ success: true, data: rows, page, error: null, as_of_seq: seq })
}

/** E2: data and a null error. */
export function dataAnswer(data: JsonValue, seq: number): Answer {
  return ok({ success: true, data, error: null, as_of_seq: seq })
}

/** `{success, data}`, the shape of single rows and of /markets. */
export function rowAnswer(data: JsonValue, seq: number): Answer {
  return ok({ success: true, data, as_of_seq: seq })
}

/** E3, E5 and other bare objects. */
export function bareAnswer(
  body: Readonly<Record<string, JsonValue | undefined>>,
  seq: number,
): Answer {
  return ok({ ...body, as_of_seq: seq })
}

/**
 * An error, in the envelope of its endpoint.
 * @param more fields of its own, behind those that every error has.
 */
export function refusedAnswer(
  envelope: Envelope,
  refusal: Refusal,
  more: Readonly<Record<string, JsonValue>> = {},
): Answer {
  const row = resultRows[refusal.result]
  const error = { code: row.code, message: boundedMessage(refusal.message), error: row.code }
  const frame = envelope === Envelope.Bare ? {} : { success: false }
  const data = envelope === Envelope.Data ? { data: null } : {}
  return { status: row.http, body: encodeJson({ ...frame, ...data, ...error, ...more }) }
}

function ok(body: JsonValue): Answer {
  return { status: 200, body: encodeJson(body) }
}
