import {
  competitionMetricNames,
  competitionStateNames,
  marginModeNames,
  rfqStatusNames,
} from '../domain.js'
import type { ExpiryText } from '../expiry-text.js'
import { liquidationModeNames, liquidationStateNames } from '../record-values.js'
import type { JsonSchema } from './shape.js'

// Parameters of queries, as data. A kind has one reader (gateway/wire/parameter-readers.ts).

/** Kinds of parameters. */
export type ParameterKind =
  | 'wallet'
  | 'address'
  | 'digest'
  | 'nonce'
  | 'text'
  | 'integer'
  | 'flag'
  | 'name'
  | 'anyCaseName'
  | 'names'
  | 'texts'
  | 'place'
  | 'expiry'
  | 'underlying'
  | 'cursor'
  | 'transferCursor'
  | 'ignored'

/** One parameter of a query. */
export interface Parameter<Value = unknown> {
  readonly kind: ParameterKind
  readonly description: string
  readonly schema: JsonSchema
  /** Other names that clients may use for it. */
  readonly aliases: readonly string[]
  readonly isRequired: boolean
  /** Value of an absent one. */
  readonly absent: unknown
  /** Names that it chooses from. */
  readonly names: readonly (string | null)[]
  /** Carries the type of the value; never present. */
  readonly value?: Value
}

/** Parameters by name, in the order in which they are read. */
// biome-ignore lint/suspicious/noExplicitAny: a table holds parameters of every type
export type Parameters = Readonly<Record<string, Parameter<any>>>

/** Values of parameters. */
export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never
}

/** Expiry that a query filters by; null: any. */
export type ExpiryFilter = ExpiryText | null

/** Statuses that `GET /orders` filters by, in any case of letters. */
const orderFilters = [
  ...(['ACKED', 'OPEN', 'PARTIALLY_FILLED', 'FILLED'] as const),
  ...(['CANCELED', 'CANCELLED', 'REJECTED'] as const),
] as const
export type OrderFilter = (typeof orderFilters)[number]

/** Intervals between points of a history, by name. */
export const theoIntervalMillis = { '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const
export type TheoInterval = keyof typeof theoIntervalMillis
export const theoIntervals = Object.keys(theoIntervalMillis) as TheoInterval[]
const intervalDefault: TheoInterval = '1h'

/** Largest `offset` of a list. */
export const offsetMax = 100_000

const textSchema = { type: 'string' }
const addressSchema = { type: 'string', format: 'address' }

/** The wallet that the read is about. */
export const wallet: Parameter<string> = {
  ...parameter('wallet', addressSchema, 'Wallet to read'),
  isRequired: true,
}

/** 32 bytes. */
export const digest: Parameter<string> = {
  ...parameter('digest', patterned('^0x[0-9a-f]{64}$'), 'EIP-712 digest of the signed action'),
  isRequired: true,
}

/** A signed nonce, as two halves; null: none. */
export function nonce(description: string): Parameter<Uint32Array | null> {
  return parameter('nonce', patterned('^\\d{1,20}$'), description)
}

/** An address in lower case; null: none. */
export function address(description: string): Parameter<string | null> {
  return parameter('address', addressSchema, description)
}

export function text(description: string, ...aliases: readonly string[]): Parameter<string | null> {
  return { ...parameter('text', textSchema, description), aliases }
}

export function requiredText(
  description: string,
  ...aliases: readonly string[]
): Parameter<string> {
  return { ...parameter('text', textSchema, description), aliases, isRequired: true }
}

export function integer<Absent extends number | null>(
  [minimum, maximum]: readonly [number, number],
  absent: Absent,
  description: string,
  ...aliases: readonly string[]
): Parameter<number | Absent> {
  const schema = withDefault({ type: 'integer', minimum, maximum }, absent)
  return { ...parameter('integer', schema, description), absent, aliases }
}

/** `true`, `false`, `1` or `0`. */
export function flag(
  absent: boolean,
  description: string,
  ...aliases: readonly string[]
): Parameter<boolean> {
  const schema = { type: 'boolean', default: absent }
  return { ...parameter('flag', schema, description), absent, aliases }
}

/** One page of a list. */
export function page(limitMax: number, limitDefault: number) {
  return {
    limit: integer([1, limitMax], limitDefault, 'Maximum number of rows'),
    offset: integer([0, offsetMax], 0, 'Number of rows to skip'),
  }
}

/** One of some names. */
export function oneOf<Name extends string, Absent extends Name | null>(
  names: readonly Name[],
  absent: Absent,
  description: string,
): Parameter<Name | Absent> {
  const schema = withDefault({ type: 'string', enum: names }, absent)
  return { ...parameter('name', schema, description), absent, names }
}

/** One or more of some names, separated by commas; null: any. */
export function someOf<Name extends string>(
  names: readonly Name[],
  description: string,
): Parameter<readonly Name[] | null> {
  const schema = { type: 'array', items: { type: 'string', enum: names } }
  return { ...parameter('names', schema, description), names }
}

/** Texts separated by commas; null: any. */
export function texts(description: string): Parameter<readonly string[] | null> {
  return parameter('texts', { type: 'array', items: textSchema }, description)
}

/** Accepted without a meaning, for old clients. */
export function ignored(description: string): Parameter<boolean> {
  return parameter('ignored', {}, description)
}

/** Options, or futures: the perps of the exchange. */
export const kind = oneOf(['option', 'future'], 'option', '`option`, or `future` for perps')

export const expiry: Parameter<ExpiryFilter> = parameter(
  'expiry',
  textSchema,
  'Expiry as `YYYY-MM-DD`, as `YYYYMMDD`, or in Unix seconds',
)

export const orderStatus: Parameter<OrderFilter | null> = {
  ...oneOf(
    orderFilters,
    null,
    'Status to filter by, not case-sensitive; `OPEN`: all working orders; absent: all',
  ),
  kind: 'anyCaseName',
}

export const underlying: Parameter<string | null> = parameter(
  'underlying',
  textSchema,
  'Underlying to filter by; absent: all',
)

export const interval = oneOf(theoIntervals, intervalDefault, 'Time between two points')

/** Points of a history. */
export const pointRange = { interval, limit: integer([1, 100], 100, 'Maximum number of points') }

/** `next_cursor` of the previous page. */
export const cursor: Parameter<number | null> = parameter(
  'cursor',
  patterned('^\\d{1,16}$'),
  'Value of `next_cursor` from the previous page',
)

/** `next_cursor` of a page of transfers: sequence and id of its last row. */
export const transferCursor: Parameter<{ readonly seq: number; readonly id: string } | null> =
  parameter(
    'transferCursor',
    patterned('^(\\d{1,16})\\.([0-9a-f-]{1,36})$'),
    'Value of `next_cursor` from the previous page',
  )

/** A span of time, from its first millisecond to the one before its last. */
export const span = {
  from_ts_ms: integer(
    [0, Number.MAX_SAFE_INTEGER],
    null,
    'Start of the time range in Unix milliseconds, inclusive',
  ),
  to_ts_ms: integer(
    [0, Number.MAX_SAFE_INTEGER],
    null,
    'End of the time range in Unix milliseconds, exclusive',
  ),
}

/** One of some names, read as its place among them. With aliases, all may be given if they agree. */
function place(
  names: readonly (string | null)[],
  description: string,
  ...aliases: readonly string[]
): Parameter<number | null> {
  const schema = { type: 'string', enum: names.filter((name) => name !== null) }
  return { ...parameter('place', schema, description), names, aliases }
}

export const liquidationState = place(
  liquidationStateNames,
  'Liquidation state after the change',
  'state',
)
export const marginMode = place(marginModeNames, 'Margin model of the wallet')
export const liquidationMode = place(liquidationModeNames, 'Mode of the liquidation')
export const rfqStatus = place(rfqStatusNames, 'Status of the request')
export const competitionState = place(competitionStateNames, 'State of the competition')
export const competitionMetric = place(
  competitionMetricNames,
  'Metric of the rank; absent: the primary metric of the competition',
)
export const sortOrder = oneOf(
  ['asc', 'desc'],
  'desc',
  '`desc`: best rank first; `asc`: best rank last',
)

// Function declarations, because the parameters above are built while this file loads.

function parameter<Value>(
  kind: ParameterKind,
  schema: JsonSchema,
  description: string,
): Parameter<Value> {
  return { kind, description, schema, aliases: [], isRequired: false, absent: null, names: [] }
}

function patterned(pattern: string): JsonSchema {
  return { type: 'string', pattern }
}

function withDefault(schema: JsonSchema, absent: string | number | null): JsonSchema {
  return absent === null ? schema : { ...schema, default: absent }
}
