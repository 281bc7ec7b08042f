import { underlyingBytesMax, usernameBytesMax } from '../../schemas/bounds.js'
import {
  type DecimalParser,
  formatMicros,
  parseAmountMicros,
  parseSignedMicros,
} from '../../schemas/decimal.js'
import type { JsonSchema } from '../../schemas/interface/shape.js'
import { isUsername } from '../../schemas/username.js'
import { isZeroAddress, parseAddress } from '../../schemas/wallet.js'
import type { TypedValue } from '../auth/typed-data-digest.js'
import type { Fault } from '../wire/fault.js'
import type { FieldKind } from '../wire/json-shape.js'
import {
  invalidDecimal,
  invalidField,
  invalidParameter,
  invalidWallet,
  type JsonObject,
} from '../wire/request-fields.js'
import { quoted } from '../wire/shown-text.js'

/**
 * A field of a signed body, stated once: how it stands in JSON, how it is signed, and what it means here.
 * `Json` is what a client writes, `Value` what is read of it.
 */
export interface Field<Json = unknown, Value = unknown, IsOptional extends boolean = boolean> {
  readonly schema: JsonSchema
  /** What every look at a body's types asks of it; `any`: `shapeFault` or `read` does. */
  readonly kind: FieldKind
  /** Whether it may be absent or null; it is read and signed as undefined then. */
  readonly isOptional: IsOptional
  /** EIP-712 type; null: the field is not signed. */
  readonly signedType: string | null
  /** Name in the signed struct; null: that of the JSON in camel case. */
  readonly signedName: string | null
  /** What is signed of it. */
  sign(json: Json | undefined): TypedValue
  /** What it lacks within, or is of a wrong type, where `kind` cannot tell. */
  shapeFault(json: unknown, name: string): Fault | null
  read(json: Json | undefined, name: string, scope: BodyScope): Value | Fault
}

/** The body that a field stands in. */
export interface BodyScope {
  readonly body: JsonObject
  /** Whether objects in it may have no other fields than those known. */
  readonly refusesUnknown: boolean
  /** The first unknown field in it, as far as it was read. */
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

/** What a field has of its own. */
interface FieldParts<Schema extends JsonSchema, Value> {
  readonly schema: Schema
  readonly kind: FieldKind
  readonly signedType?: string
  readonly sign?: (json: JsonOf<Schema>) => TypedValue
  readonly shapeFault?: Field['shapeFault']
  readonly read: (json: JsonOf<Schema>, name: string, scope: BodyScope) => Value | Fault
}

const uuidPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const decimalSchema = { type: 'string', format: 'decimal' } as const
const usernameText = /^[A-Za-z0-9_]+$/
const usernameRule = `must be 3 to ${usernameBytesMax} letters, digits and underscores, a letter first`
const sha256Text = /^sha256:[0-9a-f]{64}$/
const printableText = /^[\x20-\x7e]+$/

export function field<const Schema extends JsonSchema, Value>(
  parts: FieldParts<Schema, Value>,
): Field<JsonOf<Schema>, Value, false> {
  const { schema, kind, signedType = null } = parts
  const whole: FieldParts<Schema, Value> & Pick<Field, 'signedName' | 'shapeFault'> = {
    sign: (json) => json as TypedValue,
    shapeFault: () => null,
    ...parts,
    signedName: null,
  }
  return { ...whole, schema, kind, signedType, isOptional: false } as Field<
    JsonOf<Schema>,
    Value,
    false
  >
}

/** A field that may be absent: it is read as `absent`, and signed as `signed`, then. */
export function optional<Json, Value, Absent>(
  present: Field<Json, Value, false>,
  absent: Absent,
  signed: TypedValue = '',
): Field<Json, Value | Absent, true> {
  return {
    ...present,
    isOptional: true,
    sign: (json) => (json === undefined ? signed : present.sign(json)),
    read: (json, name, scope) => (json === undefined ? absent : present.read(json, name, scope)),
  }
}

/** A field of the body alone. */
export function unsigned<Json, Value, IsOptional extends boolean>(
  signed: Field<Json, Value, IsOptional>,
): Field<Json, Value, IsOptional> {
  return { ...signed, signedType: null }
}

/** A field that is signed under a name of its own. */
export function signedAs<Json, Value, IsOptional extends boolean>(
  signedName: string,
  signed: Field<Json, Value, IsOptional>,
): Field<Json, Value, IsOptional> {
  return { ...signed, signedName }
}

/** A field that is signed letter by letter as it came. */
export function asReceived<Value>(
  signed: Field<string, Value, false>,
): Field<string, Value, false> {
  return { ...signed, sign: (json) => json! }
}

/** A field that is a text, signed as it is. `Json`: the texts that it may be. */
export function textField<Value, Json extends string = string>(
  schema: JsonSchema,
  read: (text: string, name: string) => Value | Fault,
): Field<Json, Value, false> {
  const parts = { schema, kind: 'text', signedType: 'string', read }
  return field(parts as FieldParts<JsonSchema, unknown>) as unknown as Field<Json, Value, false>
}

/** Decimal text as a scaled integer. @param parse returns a negative fault for a text that is not allowed. */
export function decimal(parse: DecimalParser) {
  return textField(decimalSchema, (text, name) => {
    const scaled = parse(text)
    return scaled < 0 ? invalidDecimal(name, text, scaled, parse) : scaled
  })
}

/** An address in 20 bytes, signed in lower case. */
function address(
  read: (bytes: Uint8Array | null, name: string, text: string) => Uint8Array | Fault,
): Field<string, Uint8Array, false> {
  return {
    ...textField({ type: 'string', format: 'address' }, (text, name) =>
      read(parseAddress(text), name, text),
    ),
    signedType: 'address',
    sign: (text) => text!.toLowerCase(),
  }
}

/** A name of a wallet in any case, signed as it came and read in lower case: ASCII alone has one for each letter. */
export const username = textField(
  { type: 'string', minLength: 3, maxLength: usernameBytesMax },
  (text, name) => {
    const lower = text.toLowerCase()
    return usernameText.test(text) && isUsername(lower) ? lower : invalidField(name, usernameRule)
  },
)

/** The wallet that acts, or another: it is not zero. */
export const wallet = address((bytes, name, text) =>
  bytes === null || isZeroAddress(bytes, 0) ? invalidWallet(text, name) : bytes,
)

/** An address that may act for a wallet. */
export const agent = address((bytes, name, text) => {
  if (bytes === null) return invalidField(name, `is no address (${quoted(text)})`)
  return isZeroAddress(bytes, 0) ? invalidField(name, 'is the zero address') : bytes
})

/** Text that is judged elsewhere. */
export const text = textField({ type: 'string' }, (value) => value)

/** One of several names, as its place among them. */
export function choice<const Names extends readonly string[]>(
  names: Names,
  allowed = `one of ${names.join(', ')}`,
) {
  return textField<number, Names[number]>({ type: 'string', enum: names }, (value, name) => {
    const index = names.indexOf(value)
    return index < 0 ? invalidField(name, `must be ${allowed}, not ${quoted(value)}`) : index
  })
}

export const uuid = textField({ type: 'string', format: 'uuid' }, (value, name) =>
  uuidPattern.test(value) ? value : invalidField(name, `must be a UUID, not ${quoted(value)}`),
)

/** A SHA-256 digest: `sha256:` and 64 hexadecimal digits in lower case. */
export const sha256 = textField({ type: 'string', pattern: sha256Text.source }, (value, name) =>
  sha256Text.test(value)
    ? value
    : invalidField(name, 'must be sha256: and 64 hexadecimal digits in lower case'),
)

/** Printable ASCII of 1 to `charsMax` characters. */
export function printable(charsMax: number) {
  return textField({ type: 'string', minLength: 1, maxLength: charsMax }, (value, name) => {
    if (printableText.test(value) && value.length <= charsMax) return value
    return invalidField(name, `must be 1 to ${charsMax} printable ASCII characters`)
  })
}

/** Name of an underlying; whether there are instruments of it, the engine knows. */
export const underlying = textField(
  { type: 'string', minLength: 1, maxLength: underlyingBytesMax },
  (value, name) => {
    const fits = value.length > 0 && value.length <= underlyingBytesMax
    if (fits && /^[\x21-\x7e]+$/.test(value)) return value
    return invalidField(name, 'must be a listed underlying')
  },
)

export function integer(minimum: number, maximum: number) {
  return field({
    schema: { type: 'integer', minimum, maximum },
    kind: 'integer',
    signedType: 'uint64',
    read(value, name) {
      if (value >= minimum && value <= maximum) return value
      return invalidField(name, `must be from ${minimum} to ${maximum}, not ${value}`)
    },
  })
}

/** A whole number from 0. */
export const count = field({
  schema: { type: 'integer', minimum: 0 },
  kind: 'any',
  signedType: 'uint64',
  shapeFault(value, name) {
    const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    return isCount ? null : invalidParameter(name, 'must be an integer from 0')
  },
  read: (value) => value,
})

export const boolean = field({
  schema: { type: 'boolean' },
  kind: 'boolean',
  signedType: 'bool',
  read: (value) => value,
})

/** A limit in micros, as decimal text; 0, like '', is none. */
export function limit(microsMax: number) {
  return textField(decimalSchema, (value, name) => {
    const micros = value === '' ? 0 : parseAmountMicros(value)
    if (micros < 0) return invalidDecimal(name, value, micros, parseAmountMicros)
    return micros > microsMax
      ? invalidField(name, `is more than ${formatMicros(microsMax)} (${quoted(value)})`)
      : micros
  })
}

/** An amount in micros, as decimal text that may be below 0. */
export const signedAmount = textField(decimalSchema, (value, name) => {
  const micros = parseSignedMicros(value)
  return Number.isNaN(micros)
    ? invalidField(name, `must be a decimal amount, not ${quoted(value)}`)
    : micros
})
