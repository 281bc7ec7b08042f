import { type DecimalParser, parseAmountMicros, parseStrikeMicros } from '../../schemas/decimal.js'
import type { JsonSchema } from '../../schemas/interface/shape.js'
import { Result } from '../../schemas/results.js'
import { isUnderlying, parseSymbol } from '../../schemas/symbol.js'
import { isZeroAddress, parseAddress } from '../../schemas/wallet.js'
import { Fault } from '../wire/fault.js'
import { kindChecks } from '../wire/json-shape.js'
import {
  invalidDecimal,
  invalidField,
  invalidParameter,
  invalidWallet,
  type JsonObject,
} from '../wire/request-fields.js'
import { quoted } from '../wire/shown-text.js'
import { unknownFieldText } from '../wire/unknown-field.js'
import {
  type BodyScope,
  type Field,
  type Fields,
  field,
  textField,
  type Values,
} from './body-field.js'

const printableText = /^[\x20-\x7e]*$/
/** All control characters except tab, line feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const controlCharacters = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/
const decimalSchema = { type: 'string', format: 'decimal' } as const

/**
 * Reads a body's fields in order. An unknown field, also in a nested object, is reported before every other fault,
 * because a misspelt name is often the reason that another field is missing.
 */
export function readBody<F extends Fields>(fields: F, body: JsonObject): Values<F> | Fault {
  const scope: BodyScope = { body, refusesUnknown: true, unknown: null }
  const values = readObject(fields, body, scope)
  return scope.unknown ?? values
}

/** Reads all fields even after a fault, because an unknown field may follow. */
function readObject<F extends Fields>(
  fields: F,
  body: JsonObject,
  scope: BodyScope,
): Values<F> | Fault {
  const names = Object.keys(fields)
  const unknown = Object.keys(body).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    scope.unknown ??= new Fault(Result.InvalidField, {}, unknownFieldText(unknown, names))
  }
  let fault: Fault | null = null
  const values: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(fields)) {
    const value = readField(one, body[name] ?? undefined, name, scope)
    if (value instanceof Fault) fault ??= value
    else values[name] = value
  }
  return fault ?? (values as Values<F>)
}

function readField(one: Field, json: unknown, name: string, scope: BodyScope): unknown {
  if (json === undefined) {
    return one.isOptional ? one.read(json, name, scope) : missing(name)
  }
  const { isOfKind, wrong } = kindChecks[one.kind]
  return isOfKind(json) ? one.read(json, name, scope) : invalidParameter(name, wrong)
}

function missing(name: string): Fault {
  return new Fault(Result.MissingField, { name })
}

/** The 20 bytes of an address other than zero. */
export const address = textField({ type: 'string', format: 'address' }, (text, name) => {
  const bytes = parseAddress(text)
  if (bytes !== null && !isZeroAddress(bytes, 0)) return bytes
  return invalidWallet(text, name)
})

/** Amount in micros: decimal text above 0. */
export const amount = textField(decimalSchema, (text, name) =>
  aboveZero(name, text, parseAmountMicros),
)

/** Price in micros: decimal text, or a JSON number without an exponent. */
export const price = field({
  schema: { anyOf: [decimalSchema, { type: 'number' }] },
  kind: 'any',
  read(value: unknown, name) {
    if (typeof value !== 'string' && typeof value !== 'number') {
      return invalidParameter(name, 'must be a decimal string or a number')
    }
    return aboveZero(name, String(value), parseStrikeMicros)
  },
})

/** Finite number: a JSON number, or its text. */
export const number = field({
  schema: { anyOf: [{ type: 'number' }, { type: 'string' }] },
  kind: 'any',
  read(value: unknown, name) {
    const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof parsed === 'number' && Number.isFinite(parsed)) return parsed
    return invalidParameter(name, 'must be a number')
  },
})

export function wholeNumber(minimum: number, maximum: number) {
  return field({
    schema: { type: 'integer', minimum, maximum },
    kind: 'any',
    read(value: unknown, name) {
      const isWhole = typeof value === 'number' && Number.isInteger(value)
      if (isWhole && value >= minimum && value <= maximum) return value + 0 // turns -0 into 0
      return invalidParameter(name, `must be an integer from ${minimum} to ${maximum}`)
    },
  })
}

export const underlyingName = textField(
  { type: 'string', pattern: '^[A-Z0-9._]{1,16}$' },
  (text, name) =>
    isUnderlying(text)
      ? text
      : invalidField(name, `must be 1 to 16 characters of A-Z, 0-9, . and _, not ${quoted(text)}`),
)

/** Symbol of an option or perp. */
export const instrumentSymbol = textField({ type: 'string', format: 'symbol' }, (text, name) => {
  const symbol = parseSymbol(text)
  return typeof symbol === 'string' ? invalidField(name, symbol) : symbol
})

/** Printable ASCII of 1 to `lengthMax` characters. */
export function label(lengthMax: number) {
  return textField({ type: 'string', minLength: 1, maxLength: lengthMax }, (text, name) => {
    if (text !== '' && text.length <= lengthMax && printableText.test(text)) return text
    return invalidField(name, `must be 1 to ${lengthMax} printable ASCII characters`)
  })
}

/** Text of 1 to `bytesMax` bytes of UTF-8, without control characters except line ends and tabs. */
export function writing(bytesMax: number) {
  return textField({ type: 'string', minLength: 1, maxLength: bytesMax }, (text, name) => {
    const bytes = Buffer.byteLength(text)
    const isPlain = !controlCharacters.test(text)
    if (isPlain && bytes > 0 && bytes <= bytesMax) return text
    return invalidField(name, `must be 1 to ${bytesMax} bytes of text without control characters`)
  })
}

/** HTTP or HTTPS URL. */
export function webAddress(bytesMax: number) {
  return textField({ type: 'string', format: 'uri', maxLength: bytesMax }, (text, name) => {
    const isWeb = /^https?:\/\/[\x21-\x7e]+$/.test(text) && URL.canParse(text)
    if (isWeb && text.length <= bytesMax) return text
    return invalidField(name, `must be an http or https URL of at most ${bytesMax} characters`)
  })
}

/** Non-empty list of different names, read as their indexes in `names`. */
export function choices<const Names extends readonly string[]>(names: Names) {
  return field({
    schema: {
      type: 'array',
      items: { type: 'string', enum: names },
      minItems: 1,
      uniqueItems: true,
    },
    kind: 'any',
    read(value: unknown, name): readonly number[] | Fault {
      if (!Array.isArray(value)) return invalidParameter(name, 'must be a list')
      const indexes = value.map((one) => names.indexOf(one))
      const isValid = indexes.length > 0 && !indexes.includes(-1)
      if (isValid && new Set(indexes).size === indexes.length) return indexes
      return invalidField(name, `must list one or more of ${names.join(', ')}, each once`)
    },
  })
}

/** Object with these fields. */
export function object<F extends Fields>(fields: F) {
  return field({
    schema: objectSchema(fields),
    kind: 'object',
    read: (value, _, scope) => readObject(fields, value as JsonObject, scope),
  })
}

/** List of `minItems` to `maxItems` objects with these fields. */
export function items<F extends Fields>(fields: F, minItems: number, maxItems: number) {
  return field({
    schema: { type: 'array', items: objectSchema(fields), minItems, maxItems },
    kind: 'any',
    read(value: unknown, name, scope): readonly Values<F>[] | Fault {
      if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) {
        return invalidParameter(name, `must be a list of ${minItems} to ${maxItems} objects`)
      }
      if (value.some((item) => typeof item !== 'object' || item === null)) {
        return invalidParameter(name, 'must be a list of objects')
      }
      const read = value.map((item: JsonObject) => readObject(fields, item, scope))
      const fault = read.find((item) => item instanceof Fault)
      return fault ?? (read as Values<F>[])
    },
  })
}

/** Field that excludes another; exactly one of them is required. @param both Fault if both are present. */
export function unless<Json, Value>(
  present: Field<Json, Value, false>,
  other: string,
  both: Fault,
  neither: Fault,
): Field<Json, Value | null, true> {
  return {
    ...present,
    ...{ isOptional: true, kind: 'any' },
    read(json, name, scope) {
      const hasOther = (scope.body[other] ?? null) !== null
      if (json === undefined) return hasOther ? null : neither
      return hasOther ? both : (readField(present, json, name, scope) as Value | Fault)
    },
  }
}

function objectSchema(fields: Fields): JsonSchema {
  const names = Object.entries(fields)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(([name, { schema }]) => [name, schema])),
    required: names.filter(([, { isOptional }]) => !isOptional).map(([name]) => name),
  }
}

function aboveZero(name: string, text: string, parse: DecimalParser): number | Fault {
  const scaled = parse(text)
  return scaled > 0 ? scaled : invalidDecimal(name, text, scaled, parse)
}
