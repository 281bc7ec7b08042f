import { bulkItemsMax, decimalCharsMax } from '../../schemas/bounds.js'
import type { JsonSchema } from '../../schemas/interface/shape.js'
import type { TypedField } from '../../schemas/typed-data.js'
import type { Fields } from '../actions/action.js'
import { signedDirectives, termsOf } from '../actions/directive-actions.js'
import { perpShapes } from '../commands/perp-request.js'
import { bareName, type FieldKind, type JsonShape } from '../wire/json-shape.js'
import { described, exactly, flag, list, nullable, object, oneOf } from './shapes/shape.js'

// Schemas of what clients write: made of the tables by which it is read.

export const anyAddress: JsonSchema = {
  type: 'string',
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: 'An address in any case of letters',
}
const amount: JsonSchema = {
  type: 'string',
  pattern: '^-?[0-9]+(\\.[0-9]+)?$',
  maxLength: decimalCharsMax,
  description: 'Decimal number as text, without an exponent; signed exactly as sent',
}
const formats: Readonly<Record<string, JsonSchema>> = { address: anyAddress, decimal: amount }

const nonce = {
  description: 'Works once for its wallet; a number, or above 2^53 a decimal text',
  anyOf: [
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'string', pattern: '^[0-9]{1,20}$' },
  ],
}
const hexWord = { type: 'string', pattern: '^0x[0-9a-fA-F]{1,64}$' }
/** Fields of every signed body, in addition to its own. */
export const signedSchemas = {
  nonce,
  signature: {
    type: 'string',
    pattern: '^0x[0-9a-fA-F]{130}$',
    description: 'r, s and v over the EIP-712 digest of x-signature',
  },
  'signer?': described({}, 'Ignored: the venue recovers the signer'),
}

const kindSchemas: Readonly<Record<FieldKind, JsonSchema>> = {
  text: { type: 'string' },
  boolean: flag,
  integer: { type: 'integer', minimum: 0 },
  object: { type: 'object' },
  list: { type: 'array' },
  any: {},
}

/** A field or parameter as the tables have it, with its format spelled out. */
export function spelledOut(schema: JsonSchema): JsonSchema {
  const { format, ...rest } = schema
  const known = typeof format === 'string' ? formats[format] : undefined
  return known === undefined ? schema : { ...known, ...rest }
}

/** Body of a signed write. */
export function signedBody(fields: Fields): JsonSchema {
  const own = Object.entries(fields).map(([name, { schema, isOptional }]) =>
    isOptional
      ? ([`${name}?`, nullable(spelledOut(schema))] as const)
      : ([name, spelledOut(schema)] as const),
  )
  return object({ ...Object.fromEntries(own), ...signedSchemas })
}

/** A list of such bodies, in an object or bare. */
export function bulkBody(name: string, fields: Fields): JsonSchema {
  const items = list(signedBody(fields), { minItems: 1, maxItems: bulkItemsMax })
  return { anyOf: [object({ [name]: items, 'signer?': {} }), items] }
}

/** Unsigned body. */
export function plainBody(shape: JsonShape): JsonSchema {
  return shaped(shape, { wallet: anyAddress })
}

/** POST /perp-order. */
export function perpBody(): JsonSchema {
  const { body, actions, canonical, cloid, tifs } = perpShapes
  const number = { type: 'string', pattern: canonical.source }
  const id = { type: 'string', pattern: cloid.source }
  const own = {
    ...{ p: number, s: number, c: id, cloid: id, grouping: exactly('na') },
    t: object({ limit: object({ tif: oneOf(tifs) }) }),
  }
  const kinds = Object.entries(actions).map(([type, { list: name, action, entry }]) =>
    shaped(action, {
      ...own,
      type: exactly(type),
      [name]: list(shaped(entry, own), { minItems: 1, maxItems: 1 }),
    }),
  )
  const { 'signer?': signer, ...signed } = signedSchemas
  const parts = object({ r: hexWord, s: hexWord, v: { type: 'integer', minimum: 0 } })
  const signature = { anyOf: [signed.signature, parts] }
  const schemas = { ...signed, signature, wallet: anyAddress, vaultAddress: anyAddress, signer }
  return shaped(body, { ...schemas, action: { oneOf: kinds } })
}

/** Body of a directive, by its path. */
export function directiveBody(key: string): JsonSchema {
  const row = signedDirectives.find((action) => action.key === key)!
  const terms = termsOf(row).map((term) => {
    const isLeftOut = term.name === 'cloid' && key === 'hl_limit_order'
    return [isLeftOut ? `${term.name}?` : term.name, termSchema(term)] as const
  })
  const action = object(Object.fromEntries(terms))
  return object({ account: anyAddress, action, ...signedSchemas })
}

/** @param schemas of fields about which more is known than their kind. */
function shaped(shape: JsonShape, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const fields = Object.entries(shape).map(([spelled, kind]) => {
    const schema = schemas[bareName(spelled)] ?? kindSchemas[kind]
    return [spelled, spelled.endsWith('?') ? nullable(schema) : schema] as const
  })
  return object(Object.fromEntries(fields))
}

function termSchema({ name, type }: TypedField): JsonSchema {
  if (type === 'bool') return flag
  if (type === 'address') return anyAddress
  if (type === 'bytes32') return { type: 'string', pattern: '^0x[0-9a-fA-F]{1,64}$' }
  const bits = Number(type.slice('uint'.length))
  if (bits <= 32) return { type: 'integer', minimum: 0, maximum: 2 ** bits - 1 }
  const texts = [{ type: 'string', pattern: '^[0-9]+$' }]
  if (name === 'cloid') texts.push({ type: 'string', pattern: '^0x[0-9a-fA-F]{32}$' })
  return { anyOf: [{ type: 'integer', minimum: 0 }, ...texts] }
}
