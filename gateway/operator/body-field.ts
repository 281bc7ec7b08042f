import { usernameBytesMax } from '../../schemas/bounds.js'
import type { JsonSchema } from '../../schemas/interface/shape.js'
import { isUsername } from '../../schemas/username.js'
import type { Fault } from '../wire/fault.js'
import type { FieldKind } from '../wire/json-shape.js'
import { invalidField, type JsonObject } from '../wire/request-fields.js'
import { quoted } from '../wire/shown-text.js'

const uuidPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const usernameText = /^[A-Za-z0-9_]+$/
const usernameRule = `must be 3 to ${usernameBytesMax} letters, digits and underscores, starting with a letter`

/** Body field of the operator port. `Json`: type that clients write; `Value`: type that the venue reads. */
export interface Field<Json = unknown, Value = unknown, IsOptional extends boolean = boolean> {
  readonly schema: JsonSchema
  /** JSON type checked before `read`; `any`: `read` checks it. */
  readonly kind: FieldKind
  /** True if it may be absent or null, in which case `read` gets undefined. */
  readonly isOptional: IsOptional
  read(json: Json | undefined, name: string, scope: BodyScope): Value | Fault
}

/** Body being read, with its settings. */
export interface BodyScope {
  readonly body: JsonObject
  /** True if objects in it may not have unknown fields. */
  readonly refusesUnknown: boolean
  /** First unknown field so far. */
  unknown: Fault | null
}

/** TypeScript type of the JSON that a schema describes. */
type JsonOf<Schema> = Schema extends { enum: readonly (infer Word)[] }
  ? Word
  : Schema extends { const: infer Only }
    ? Only
    : Schema extends { type: 'string' }
      ? string
      : Schema extends { type: 'integer' | 'number' }
        ? number
        : Schema extends { type: 'boolean' }
          ? boolean
          : Schema extends { type: 'array'; items: infer Item }
            ? JsonOf<Item>[]
            : unknown

/** Arguments of `field`. */
interface FieldParts<Schema extends JsonSchema, Value> {
  readonly schema: Schema
  readonly kind: FieldKind
  readonly read: (json: JsonOf<Schema>, name: string, scope: BodyScope) => Value | Fault
}

export function field<const Schema extends JsonSchema, Value>(
  parts: FieldParts<Schema, Value>,
): Field<JsonOf<Schema>, Value, false> {
  return { ...parts, isOptional: false } as Field<JsonOf<Schema>, Value, false>
}

/** Makes a field optional. @param absent Value if it is absent. */
export function optional<Json, Value, Absent>(
  present: Field<Json, Value, false>,
  absent: Absent,
): Field<Json, Value | Absent, true> {
  return {
    ...present,
    isOptional: true,
    read: (json, name, scope) => (json === undefined ? absent : present.read(json, name, scope)),
  }
}

/** Adds a description for the document of the operator port. */
export function about<Json, Value, IsOptional extends boolean>(
  description: string,
  described: Field<Json, Value, IsOptional>,
): Field<Json, Value, IsOptional> {
  return { ...described, schema: { description, ...described.schema } }
}

/** Field with a text. `Json`: the permitted texts. */
export function textField<Value, Json extends string = string>(
  schema: JsonSchema,
  read: (text: string, name: string) => Value | Fault,
): Field<Json, Value, false> {
  const parts = { schema, kind: 'text', read }
  return field(parts as FieldParts<JsonSchema, unknown>) as unknown as Field<Json, Value, false>
}

/** Field with one of several names, read as its index. */
export function choice<const Names extends readonly string[]>(
  names: Names,
  allowed = `one of ${names.join(', ')}`,
) {
  return textField<number, Names[number]>({ type: 'string', enum: names }, (value, name) => {
    const index = names.indexOf(value)
    return index < 0 ? invalidField(name, `must be ${allowed}, not ${quoted(value)}`) : index
  })
}

/** Username in any case, read in lower case. */
export const username = textField(
  { type: 'string', minLength: 3, maxLength: usernameBytesMax },
  (text, name) => {
    const lower = text.toLowerCase()
    return usernameText.test(text) && isUsername(lower) ? lower : invalidField(name, usernameRule)
  },
)

export const uuid = textField({ type: 'string', format: 'uuid' }, (value, name) =>
  uuidPattern.test(value) ? value : invalidField(name, `must be a UUID, not ${quoted(value)}`),
)

// biome-ignore lint/suspicious/noExplicitAny: a table holds fields of every type
type AnyField = Field<any, any>
/** Fields by name, in the order in which they are read. */
export type Fields = Readonly<Record<string, AnyField>>

/** Values of the fields. */
export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<never, infer Value> ? Value : never
}
