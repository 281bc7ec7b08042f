import { type AnswerForm, Envelope, type PageOf } from '../../schemas/interface/answer.js'
import { resultRows } from '../../schemas/results.js'
import { encodeJson, type JsonValue, type RawJson } from './json-text.js'
import type { Refusal } from './query-reader.js'
import { boundedMessage } from './shown-text.js'

/** Complete answer: HTTP status and JSON text. `Data`: type of its content. */
export interface Answer<Data = unknown> {
  readonly status: number
  readonly body: string
  /** Carries the type; never present. */
  readonly data?: Data
}

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** Form without rows. */
export type SingleForm = Exclude<AnswerForm, 'page' | 'rpc'>

const bodies = {
  whole: (data: JsonValue) => data,
  bare: (data: JsonValue, seq: number) => ({ ...(data as Fields), as_of_seq: seq }),
  row: (data: JsonValue, seq: number) => ({ success: true, data, as_of_seq: seq }),
  data: (data: JsonValue, seq: number) => ({ success: true, data, error: null, as_of_seq: seq }),
} as const satisfies Record<SingleForm, (data: JsonValue, seq: number) => JsonValue>

type Fields = Readonly<Record<string, JsonValue | undefined>>

/** Formats E1: one page of rows. @param more Additional fields of the endpoint. */
export function listAnswer<Row extends JsonValue, More extends Fields = Record<never, never>>(
  rows: readonly Row[],
  page: Page,
  seq: number,
  more?: More,
): Answer<PageOf<Row, More>> {
  const pagination = { limit: page.limit, offset: page.offset, count: rows.length }
  return ok({ success: true, data: rows, pagination, ...more, as_of_seq: seq })
}

/** Formats E6: rows with a cursor to the next page, null at the end. */
export function cursorAnswer<Row extends JsonValue>(
  rows: readonly Row[],
  limit: number,
  nextCursor: string | null,
  seq: number,
): Answer<PageOf<Row>> {
  const page = { limit, next_cursor: nextCursor, has_more: nextCursor !== null }
  return ok({ success: true, data: rows, page, error: null, as_of_seq: seq })
}

/** Formats E2: data and a null error. */
export function dataAnswer<Data extends JsonValue>(
  data: Data | RawJson<Data>,
  seq: number,
): Answer<Data> {
  return ok(bodies.data(data, seq))
}

/** Formats `{success, data}`, the shape of single rows and of /markets. */
export function rowAnswer<Data extends JsonValue>(
  data: Data | RawJson<Data>,
  seq: number,
): Answer<Data> {
  return ok(bodies.row(data, seq))
}

/** Formats E3, E5 and other bare objects. */
export function bareAnswer<Data extends Fields>(body: Data, seq: number): Answer<Data> {
  return ok(bodies.bare(body, seq))
}

/** Formats any value without the fields of an envelope. */
export function wholeAnswer<Data extends JsonValue>(data: Data): Answer<Data> {
  return ok(data)
}

/** Formats data in the form of its row. */
export function answerIn<Data extends JsonValue>(
  form: SingleForm,
  data: Data,
  seq: number,
): Answer<Data> {
  return ok(bodies[form](data, seq))
}

/**
 * Formats an error in the envelope of its endpoint.
 * @param more Fields after those of every error.
 */
export function refusedAnswer(
  envelope: Envelope,
  refusal: Refusal,
  more: Readonly<Record<string, JsonValue>> = {},
): Answer<never> {
  const row = resultRows[refusal.result]
  const error = { code: row.code, message: boundedMessage(refusal.message), error: row.code }
  const frame = envelope === Envelope.Bare ? {} : { success: false }
  const data = envelope === Envelope.Data ? { data: null } : {}
  return { status: row.http, body: encodeJson({ ...frame, ...data, ...error, ...more }) }
}

function ok(body: JsonValue): Answer<never> {
  return { status: 200, body: encodeJson(body) }
}
