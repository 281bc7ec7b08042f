import { bulkItemsMax, decimalCharsMax } from '../../schemas/bounds.js'
import type { BodyShape } from '../../schemas/interface/body.js'
import { signedFields } from '../../schemas/interface/directives.js'
import {
  anyAddress,
  type JsonSchema,
  nullable,
  object,
  type Shape,
} from '../../schemas/interface/shape.js'

// Schemas of request bodies, from the rows of the interface.

const formats: Readonly<Record<string, JsonSchema>> = {
  address: { ...anyAddress().schema, description: 'An address in any case of letters' },
  decimal: {
    type: 'string',
    pattern: '^-?[0-9]+(\\.[0-9]+)?$',
    maxLength: decimalCharsMax,
    description: 'Decimal number as text, without an exponent',
  },
}

/** Replaces the custom formats of this venue by patterns, at any depth. A description stays first. */
export function spelledOut(schema: JsonSchema): JsonSchema {
  const within = Object.entries(schema).map(([name, part]) => [name, spelledWithin(part)])
  const { format, ...rest } = Object.fromEntries(within) as JsonSchema
  const known = typeof format === 'string' ? formats[format] : undefined
  if (known === undefined) return Object.fromEntries(within)
  const descriptions = [rest['description'], known['description']].filter(Boolean)
  return { ...known, ...rest, description: descriptions.join('. ') }
}

function spelledWithin(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(spelledWithin)
  return typeof part === 'object' && part !== null ? spelledOut(part as JsonSchema) : part
}

/** Returns the schema of a signed write. @param type type of a stream frame; null: a body over HTTP. */
export function signedBody(body: BodyShape, type: string | null = null): JsonSchema {
  const own = Object.entries(body).map(([name, { schema, description, isOptional }]) => {
    const shape: Shape<unknown> = { schema: { ...spelledOut(schema), description } }
    return isOptional ? ([`${name}?`, nullable(shape)] as const) : ([name, shape] as const)
  })
  const typed: Record<string, Shape<unknown>> = type === null
    ? {}
    : { type: { schema: { type: 'string', const: type } } }
  return object({ ...typed, ...Object.fromEntries(own), ...signedFields }).schema
}

/** Returns the schema of a list of such bodies. */
export function bulkBody(name: string, body: BodyShape): JsonSchema {
  const items = {
    type: 'array',
    items: signedBody(body),
    minItems: 1,
    maxItems: bulkItemsMax,
    description: `1 to ${bulkItemsMax} items, each with its own wallet, nonce and signature; they run in this order in one step`,
  }
  const whole = object({ [name]: { schema: items }, 'signer?': signedFields['signer?'] }).schema
  return { anyOf: [whole, items] }
}
