import {
  count,
  described,
  exactly,
  flag,
  integer,
  list,
  nothing,
  nullable,
  type ObjectOf,
  object,
  type Shape,
  type ShapeFields,
  seq,
  text,
} from './shape.js'

/**
 * Fields that an error adds to `code`, `message` and `error`: none, `success`, or `success` and `data`. An endpoint has one
 * envelope for its answers and its errors.
 */
export const Envelope = { Bare: 0, Success: 1, Data: 2 } as const
export type Envelope = (typeof Envelope)[keyof typeof Envelope]

/** Place of the data in an answer: all of it, fields next to the sequence, the field `data`, a list, or `result`. */
export type AnswerForm = 'whole' | 'bare' | 'row' | 'data' | 'page' | 'rpc'

/** A successful answer. `Data`: type of its content, without the fields of the envelope. */
export interface Answer<Data> extends Shape<unknown> {
  readonly envelope: Envelope
  readonly form: AnswerForm
  /** Carries the type; never present. */
  readonly data?: Data
}

/** Content of a page. `More`: fields of the answer next to its rows. */
export interface PageOf<Row, More = unknown> {
  readonly rows: readonly Row[]
  readonly more: More
}

/** Type of the content of an answer. */
export type DataOf<Row> = Row extends { readonly answer: Answer<infer Data> } ? Data : never

const success = exactly(true, 'Always true: the request succeeded')
const error = nothing('Always null: the request succeeded')
const asOf = { as_of_seq: seq('Sequence of the latest event that the answer includes') }
const limit = count('Maximum number of rows')

/** `{limit, offset, count}` of one page. */
export const pagination = object(
  {
    limit,
    offset: count('Number of rows skipped before these'),
    count: count('Number of rows in this answer'),
  },
  'Position of these rows in the list',
)

/** Any value, without the fields of an envelope. @param envelope of the errors of the endpoint. */
export function whole<Json>(shape: Shape<Json>, envelope: Envelope = Envelope.Bare): Answer<Json> {
  return { envelope, form: 'whole', schema: shape.schema }
}

/** One object without an envelope. */
export function bare<const F extends ShapeFields>(fields: F): Answer<ObjectOf<F>> {
  return { envelope: Envelope.Bare, form: 'bare', schema: object({ ...fields, ...asOf }).schema }
}

/** One object without an envelope, or null. */
export function bareOrNull<const F extends ShapeFields>(fields: F): Answer<ObjectOf<F> | null> {
  return { envelope: Envelope.Bare, form: 'bare', schema: nullable(bare(fields)).schema }
}

/** `{success, data}`: one row. */
export function row<Json>(data: Shape<Json>): Answer<Json> {
  return {
    envelope: Envelope.Success,
    form: 'row',
    schema: object({ success, data: content(data), ...asOf }).schema,
  }
}

/** `{success, data, error}`. */
export function data<Json>(inner: Shape<Json>): Answer<Json> {
  return {
    envelope: Envelope.Data,
    form: 'data',
    schema: object({ success, data: content(inner), error, ...asOf }).schema,
  }
}

/** One page of rows. @param more fields next to the rows. */
export function rows<Json, const More extends ShapeFields = Record<never, never>>(
  items: Shape<Json>,
  description: string,
  more?: More,
): Answer<PageOf<Json, ObjectOf<More>>> {
  const fields = { success, data: list(items, description), pagination, ...more, ...asOf }
  return { envelope: Envelope.Success, form: 'page', schema: object(fields).schema }
}

/** One page of rows, with the cursor of the next one. */
export function cursorRows<Json>(
  items: Shape<Json>,
  description: string,
): Answer<PageOf<Json, ObjectOf<Record<never, never>>>> {
  const page = object(
    {
      limit,
      next_cursor: nullable(
        text('Value of `cursor` for the next page; null: this is the last page'),
      ),
      has_more: flag('True if there are more pages'),
    },
    'Position of the next page',
  )
  const fields = { success, data: list(items, description), page, error, ...asOf }
  return { envelope: Envelope.Success, form: 'page', schema: object(fields).schema }
}

/** A JSON-RPC result. `Data`: the result. @param more fields next to it. */
export function rpc<Json>(result: Shape<Json>, more: ShapeFields = {}): Answer<Json> {
  const fields = {
    jsonrpc: exactly('2.0', 'Version of JSON-RPC'),
    result,
    ...more,
    testnet: flag('True on a test network'),
    usIn: integer('Time at which the request arrived, in Unix microseconds'),
    usOut: integer('Time at which the answer left, in Unix microseconds'),
    usDiff: count('Time from request to answer, in microseconds'),
    ...asOf,
  }
  return { envelope: Envelope.Bare, form: 'rpc', schema: object(fields).schema }
}

function content<Json>(shape: Shape<Json>): Shape<Json> {
  return 'description' in shape.schema ? shape : described(shape, 'Content of the answer')
}
