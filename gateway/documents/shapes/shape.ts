import type { JsonSchema } from '../../wire/json-shape.js'
import { orderIdOfFillWords } from '../../wire/package-fill.js'

// Building blocks of schemas of answers and messages. A field whose name ends in `?` may be absent.

/** Shared schemas of a document, by name. */
const named = new Map<string, JsonSchema>()

/** Adds a schema to `components`. @returns a reference to it. */
export function component(name: string, schema: JsonSchema): JsonSchema {
  named.set(name, schema)
  return { $ref: `#/components/schemas/${name}` }
}

/**
 * The named shapes that a part of a document refers to, and those that these refer to; each stands behind the ones that it
 * refers to, because there are generators of clients that write them out in the order of the document.
 */
export function componentsOf(value: unknown): Readonly<Record<string, JsonSchema>> {
  const visited = new Set<string>()
  const placed: Record<string, JsonSchema> = {}
  const place = (part: unknown): void => {
    for (const name of [...namesIn(part)].sort()) {
      const schema = named.get(name)
      if (schema === undefined || visited.has(name)) continue
      visited.add(name)
      place(schema)
      placed[name] = schema
    }
  }
  place(value)
  return placed
}

/** Names of the shapes that a part refers to itself. */
function namesIn(part: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof part !== 'object' || part === null) return names
  for (const [key, inner] of Object.entries(part)) {
    if (key === '$ref') names.add(String(inner).slice(String(inner).lastIndexOf('/') + 1))
    else namesIn(inner, names)
  }
  return names
}

export function object(fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = Object.entries(fields).map(([name, schema]) => [
    name.replace(/\?$/, ''),
    schema,
  ])
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'))
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  }
}

export function list(items: JsonSchema, bounds: JsonSchema = {}): JsonSchema {
  return { type: 'array', items, ...bounds }
}

/** Values under names that no schema knows. */
export function mapOf(values: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: values }
}

export function oneOf(names: readonly (string | null)[]): JsonSchema {
  const texts = names.filter((name) => name !== null && name !== '')
  return { type: 'string', enum: texts }
}

export function exactly(value: string | number | boolean): JsonSchema {
  return { type: typeof value, const: value }
}

export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: names } = schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const withNull = { ...schema, type: [type, 'null'] }
  return Array.isArray(names) ? { ...withNull, enum: [...names, null] } : withNull
}

export function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description }
}

export const nothing: JsonSchema = { type: 'null' }
export const text: JsonSchema = { type: 'string' }
export const number: JsonSchema = { type: 'number' }
export const flag: JsonSchema = { type: 'boolean' }
export const integer: JsonSchema = { type: 'integer' }
export const count: JsonSchema = { type: 'integer', minimum: 0 }
export const orderOfFill: JsonSchema = {
  type: 'integer',
  minimum: 1,
  description: orderIdOfFillWords,
}
export const millis: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'Unix time in milliseconds',
}
export const seconds: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'Unix time in seconds',
}
export const iso: JsonSchema = { type: 'string', format: 'date-time', description: 'UTC' }
export const uuid: JsonSchema = { type: 'string', format: 'uuid' }

export const address = component('Address', {
  type: 'string',
  pattern: '^0x[0-9a-f]{40}$',
  description: 'An address in lower case',
  examples: ['0x0123456789abcdef0123456789abcdef01234567'],
})
export const decimal = component('Decimal', {
  type: 'string',
  pattern: '^-?[0-9]+(\\.[0-9]+)?$',
  description: 'A decimal number as text, without an exponent',
  examples: ['1250.5'],
})
export const digest = component('Digest', {
  type: 'string',
  pattern: '^0x[0-9a-f]{64}$',
  description: '32 bytes',
})
export const nonce = component('Nonce', {
  description: 'As it was sent: above 2^53 a decimal text',
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^[0-9]{1,20}$' },
  ],
})
export const seq = component('Sequence', {
  type: 'integer',
  minimum: 0,
  description:
    'Place in the one sequence of events; a read with min_seq waits until it includes it',
})
