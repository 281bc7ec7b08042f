import {
  competitionMetricNames,
  competitionStateNames,
  marginModeNames,
  rfqStatusNames,
} from '../../schemas/domain.js'
import { parseNonce } from '../../schemas/nonce.js'
import { liquidationModeNames, liquidationStateNames } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { isUnderlying } from '../../schemas/symbol.js'
import { offsetMax } from './answers.js'
import { type ExpiryText, expiryForms, parseExpiry } from './expiry-text.js'
import type { JsonSchema } from './json-shape.js'
import type { QueryReader } from './query-reader.js'
import { quoted } from './shown-text.js'

/** A parameter of a read, stated once: how it stands in the query, and what is read of it. */
export interface Parameter<Value = unknown> {
  readonly schema: JsonSchema
  /** Other names that it may have. */
  readonly aliases: readonly string[]
  readonly isRequired: boolean
  /** What is wrong with it, the reader of the query keeps. */
  read(query: QueryReader, name: string): Value
}

/** Parameters by name, in the order in which they are read. */
// biome-ignore lint/suspicious/noExplicitAny: a table holds parameters of every type
export type Parameters = Readonly<Record<string, Parameter<any>>>

/** What was read of each parameter. */
export type Read<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never
}

/** Expiry by which a query filters; null: any. */
export type ExpiryFilter = ExpiryText | null

/** Statuses by which orders may be asked for, in any case of letters. */
const orderFilters = [
  ...(['ACKED', 'OPEN', 'PARTIALLY_FILLED', 'FILLED'] as const),
  ...(['CANCELED', 'CANCELLED', 'REJECTED'] as const),
] as const
export type OrderFilter = (typeof orderFilters)[number]

/** Intervals of historical theoretical prices, by their name. */
export const theoIntervalMillis = { '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const
export type TheoInterval = keyof typeof theoIntervalMillis
const theoIntervals = Object.keys(theoIntervalMillis) as TheoInterval[]

const textSchema = { type: 'string' }
const addressSchema = { type: 'string', format: 'address' }
const digestText = /^0x[0-9a-f]{64}$/
const nonceText = /^\d{1,20}$/
const cursorText = /^\d{1,16}$/
const transferCursorText = /^(\d{1,16})\.([0-9a-f-]{1,36})$/
const intervalDefault: TheoInterval = '1h'

/** What reads these parameters of a query. */
export function readerOf<P extends Parameters>(parameters: P): (query: QueryReader) => Read<P> {
  const entries = Object.entries(parameters)
  return (query) => {
    const values: Record<string, unknown> = {}
    for (const [name, parameter] of entries) values[name] = parameter.read(query, name)
    return values as Read<P>
  }
}

/** Texts of a pattern. */
function patterned({ source }: RegExp): JsonSchema {
  return { type: 'string', pattern: source }
}

function parameter<Value>(
  schema: JsonSchema,
  read: Parameter<Value>['read'],
  aliases: readonly string[] = [],
): Parameter<Value> {
  return { schema, aliases, isRequired: false, read }
}

/** Whose read it is, in lower case. */
export const wallet: Parameter<string> = {
  ...parameter(addressSchema, (query) => query.wallet()),
  isRequired: true,
}

/** 32 bytes as `0x` and 64 hexadecimal digits, in lower case. */
export const digest: Parameter<string> = {
  ...parameter(patterned(digestText), (query, name) => {
    const given = query.requiredText(name).toLowerCase()
    if (!digestText.test(given)) {
      query.refuse(Result.InvalidParameter, `${name} must be 0x and 64 hexadecimal digits`)
    }
    return given
  }),
  isRequired: true,
}

/** Of a signed action: decimal digits, up to 2^64-1, as two halves; null: none is given. */
export const nonce = parameter(patterned(nonceText), (query, name) => {
  const given = query.text(name)
  if (given === null) return null
  const halves = new Uint32Array(2)
  if (nonceText.test(given) && parseNonce(given, halves)) return halves
  query.refuse(Result.InvalidParameter, `${name} must be an integer from 0 to 2^64-1`)
  return null
})

/** An address in lower case, or null. */
export const address = parameter(addressSchema, (query, name) => query.optionalWallet(name))

export function text(...aliases: readonly string[]) {
  return parameter(textSchema, (query, name) => query.text(name, ...aliases), aliases)
}

export function requiredText(...aliases: readonly string[]): Parameter<string> {
  const read = (query: QueryReader, name: string) => query.requiredText(name, ...aliases)
  return { ...parameter(textSchema, read, aliases), isRequired: true }
}

export function integer<Absent extends number | null>(
  minimum: number,
  maximum: number,
  absent: Absent,
  ...aliases: readonly string[]
): Parameter<number | Absent> {
  const schema = {
    type: 'integer',
    minimum,
    maximum,
    ...(absent === null ? {} : { default: absent }),
  }
  return parameter(
    schema,
    (query, name) => query.integer([name, ...aliases], minimum, maximum, absent),
    aliases,
  )
}

/** `true`, `false`, `1` or `0`. */
export function flag(absent: boolean, ...aliases: readonly string[]) {
  const schema = { type: 'boolean', default: absent }
  return parameter(schema, (query, name) => query.boolean(absent, name, ...aliases), aliases)
}

/** One page of a list. */
export function page(limitMax: number, limitDefault: number) {
  return { limit: integer(1, limitMax, limitDefault), offset: integer(0, offsetMax, 0) }
}

/** What is taken without a meaning: older clients say it still. */
export const ignored = parameter({}, (query, name) => query.has(name))

/** One of some names. */
function oneOf<Name extends string, Absent extends Name | null>(
  names: readonly Name[],
  absent: Absent,
  spelled = (given: string) => given,
): Parameter<Name | Absent> {
  const schema = { type: 'string', enum: names, ...(absent === null ? {} : { default: absent }) }
  return parameter(schema, (query, name) => {
    const given = query.text(name)
    if (given === null) return absent
    const found = names.find((other) => other === spelled(given))
    if (found === undefined) query.refuse(Result.InvalidParameter, noneOf(name, given, names))
    return found ?? absent
  })
}

/** Returns the error for a value that is none of these names. */
function noneOf(name: string, given: string, names: readonly (string | null)[]): string {
  const listed = names.filter((each) => each !== null && each !== '')
  return `${name} must be one of ${listed.join(', ')}, not ${quoted(given)}`
}

/** Options, or futures, which are the perps of the exchange. */
export const kind = oneOf(['option', 'future'], 'option')

export const expiry = parameter(textSchema, (query, name): ExpiryFilter => {
  const given = query.text(name)
  if (given === null) return null
  const expiry = parseExpiry(given)
  if (expiry === null) {
    query.refuse(Result.InvalidParameter, `${name} must be ${expiryForms}, not ${quoted(given)}`)
  }
  return expiry
})

export const orderStatus = oneOf(orderFilters, null, (given) => given.toUpperCase())

export const underlying = parameter(textSchema, (query, name) => {
  const given = query.text(name)
  if (given === null || isUnderlying(given)) return given
  query.refuse(
    Result.InvalidParameter,
    `${name} must be the name of an underlying, such as BTC, not ${quoted(given)}`,
  )
  return null
})

export const interval = oneOf(theoIntervals, intervalDefault)

/** What a page of a list has told as the way to the next one. */
export const cursor = parameter(patterned(cursorText), (query, name) => {
  const given = query.text(name)
  if (given !== null && !cursorText.test(given)) {
    query.refuse(Result.InvalidParameter, 'cursor is none of next_cursor')
  }
  return given === null ? null : Number(given)
})

/** One or more of some names, separated by commas; null: any. */
export function someOf<Name extends string>(
  names: readonly Name[],
): Parameter<readonly Name[] | null> {
  const schema = { type: 'array', items: { type: 'string', enum: names } }
  return parameter(schema, (query, name) => {
    const given = query.text(name)?.split(',') ?? null
    if (given === null) return null
    const found = names.filter((other) => given.includes(other))
    const unknown = given.find((text) => !names.some((other) => other === text))
    if (unknown !== undefined) {
      const list = names.join(', ')
      const text = `${name} must be one or more of ${list}, separated by commas, not ${quoted(unknown)}`
      query.refuse(Result.InvalidParameter, text)
    }
    return found
  })
}

/** Texts separated by commas; null: any. */
export const texts = parameter(
  { type: 'array', items: textSchema },
  (query, name): readonly string[] | null => query.text(name)?.split(',') ?? null,
)

/** Where a page of transfers has ended: the sequence of its last row, and its id. */
export const transferCursor = parameter(patterned(transferCursorText), (query, name) => {
  const given = query.text(name)
  if (given === null) return null
  const match = transferCursorText.exec(given)
  if (match === null) query.refuse(Result.InvalidParameter, 'cursor is none of next_cursor')
  return { seq: Number(match?.[1] ?? 0), id: match?.[2] ?? '' }
})

/** One of some names, as its place; of several aliases all may be given, when they agree. */
function place(names: readonly (string | null)[], column: string, ...aliases: readonly string[]) {
  const schema = { type: 'string', enum: names.filter((name) => name !== null) }
  return parameter(
    schema,
    (query, name) => {
      const given = query.agreedText(name, ...aliases)
      if (given === null) return null
      const found = names.indexOf(given)
      if (found < 0) query.refuse(Result.InvalidParameter, noneOf(column, given, names))
      return found
    },
    aliases,
  )
}

export const liquidationState = place(liquidationStateNames, 'state', 'state')
export const marginMode = place(marginModeNames, 'margin_mode')
export const liquidationMode = place(liquidationModeNames, 'mode')
export const rfqStatus = place(rfqStatusNames, 'status')
export const competitionState = place(competitionStateNames, 'state')
export const competitionMetric = place(competitionMetricNames, 'sort_by')
export const sortOrder = oneOf(['asc', 'desc'], 'desc')
