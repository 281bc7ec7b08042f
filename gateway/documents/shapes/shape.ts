import type { JsonSchema } from '../../../schemas/interface/shape.js'
import * as kinds from '../../../schemas/interface/shape.js'

// Building blocks of schemas of requests. A field whose name ends in `?` may be absent.

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

export const text: JsonSchema = { type: 'string' }
export const flag: JsonSchema = { type: 'boolean' }
export const integer: JsonSchema = { type: 'integer' }
export const uuid: JsonSchema = { type: 'string', format: 'uuid' }
export const decimal = kinds.decimal().schema
export const seq = kinds.seq().schema
