import type { JsonSchema } from '../../wire/json-shape.js'
import {
  count,
  exactly,
  flag,
  integer,
  list,
  nothing,
  nullable,
  object,
  seq,
  text,
} from '../shapes/shape.js'

// Envelopes of answers; the endpoints fill them.

const success = exactly(true)
const asOf = { as_of_seq: seq }
const pagination = object({ limit: count, offset: count, count })

/** An object of its own, as of a sequence. */
export function bare(fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return object({ ...fields, ...asOf })
}

/** One row, or none. */
export function row(data: JsonSchema): JsonSchema {
  return object({ success, data, ...asOf })
}

/** Data and a null error. */
export function data(inner: JsonSchema): JsonSchema {
  return object({ success, data: inner, error: nothing, ...asOf })
}

/** One page of rows. */
export function rows(
  items: JsonSchema,
  more: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return object({ success, data: list(items), pagination, ...more, ...asOf })
}

/** One page of rows, with the way to the next one. */
export function cursorRows(items: JsonSchema): JsonSchema {
  const page = object({ limit: count, next_cursor: nullable(text), has_more: flag })
  return object({ success, data: list(items), page, error: nothing, ...asOf })
}

/** A result in the frame of JSON-RPC; `us` are microseconds of Unix time. */
export function rpc(
  result: JsonSchema,
  more: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const times = { usIn: integer, usOut: integer, usDiff: count }
  return object({ jsonrpc: exactly('2.0'), result, ...more, testnet: flag, ...times, ...asOf })
}
