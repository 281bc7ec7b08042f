// Building blocks of the JSON values that the venue sends. One expression gives the JSON Schema that documents show, with
// a description of every field, and the TypeScript type that code writes or reads.

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A JSON value: its schema, and its type. */
export interface Shape<Json> {
  readonly schema: JsonSchema
  /** Carries the type; never present. */
  readonly json?: Json
}

/** TypeScript type of the JSON value of a shape. */
export type JsonOf<S> = S extends Shape<infer Json> ? Json : never

/** Fields of an object by name. A name that ends in `?` may be absent. */
export type ShapeFields = Readonly<Record<string, Shape<unknown>>>

type Flat<T> = { readonly [Name in keyof T]: T[Name] }

/** TypeScript type of an object with these fields. */
export type ObjectOf<F extends ShapeFields> = Flat<
  {
    readonly [Name in keyof F as Name extends `${string}?` ? never : Name]: JsonOf<F[Name]>
  } & {
    readonly [Name in keyof F as Name extends `${infer Bare}?` ? Bare : never]?:
      | JsonOf<F[Name]>
      | undefined
  }
>

/** Shared schemas of the documents, by name. */
const components = new Map<string, JsonSchema>()

const decimalPattern = '^-?[0-9]+(\\.[0-9]+)?$'

/** Returns the schema of a component; undefined: no shape has this name. */
export function componentSchema(name: string): JsonSchema | undefined {
  return components.get(name)
}

/** Adds a schema to the components of the documents. @returns a reference to it. */
export function component(name: string, schema: JsonSchema): JsonSchema {
  components.set(name, schema)
  return { $ref: `#/components/schemas/${name}` }
}

/** Returns an object that the documents define once, under its name. */
export function named<const F extends ShapeFields>(name: string, fields: F): Shape<ObjectOf<F>> {
  return { schema: component(name, object(fields).schema) }
}

/** Returns an object. */
export function object<const F extends ShapeFields>(
  fields: F,
  description?: string,
): Shape<ObjectOf<F>> {
  const properties = Object.entries(fields).map(([name, { schema }]) => [bareName(name), schema])
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'))
  const schema = {
    type: 'object',
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
  }
  return { schema: said(schema, description) }
}

/** Returns an object whose names are data: values by name. */
export function mapOf<Json>(
  values: Shape<Json>,
  description?: string,
): Shape<Readonly<Record<string, Json>>> {
  return { schema: said({ type: 'object', additionalProperties: values.schema }, description) }
}

export function list<Json>(
  items: Shape<Json>,
  description?: string,
  bounds: JsonSchema = {},
): Shape<readonly Json[]> {
  return { schema: said({ type: 'array', items: items.schema, ...bounds }, description) }
}

/** Returns a list of exactly two items. */
export function pair<Json>(items: Shape<Json>, description?: string): Shape<readonly [Json, Json]> {
  return { schema: list(items, description, { minItems: 2, maxItems: 2 }).schema }
}

/**
 * Returns a shape whose value may be null. A list of types is only for plain values: some client generators write code that
 * does not compile for an enumeration or an object with such a list.
 */
export function nullable<Json>(shape: Shape<Json>, description?: string): Shape<Json | null> {
  const { description: own, ...rest } = shape.schema
  const { type, enum: names } = rest
  const words = description ?? (own as string | undefined)
  if (typeof type === 'string' && type !== 'object' && names === undefined) {
    return { schema: said({ ...rest, type: [type, 'null'] }, words) }
  }
  const choices = Array.isArray(rest['anyOf']) ? rest['anyOf'] : [rest]
  return { schema: said({ anyOf: [...choices, { type: 'null' }] }, words) }
}

/** Returns a shape that is one of several. */
export function anyOf<const S extends readonly Shape<unknown>[]>(
  shapes: S,
  description?: string,
): Shape<JsonOf<S[number]>> {
  return { schema: said({ anyOf: shapes.map(({ schema }) => schema) }, description) }
}

/** Returns a shape that is exactly one of several. */
export function choice<const S extends readonly Shape<unknown>[]>(
  shapes: S,
  description?: string,
): Shape<JsonOf<S[number]>> {
  return { schema: said({ oneOf: shapes.map(({ schema }) => schema) }, description) }
}

/** Returns names in lower case. */
export function lowerCase<const Names extends readonly string[]>(
  names: Names,
): readonly Lowercase<Names[number]>[] {
  return names.map((name) => name.toLowerCase() as Lowercase<Names[number]>)
}

/** Returns a text that is one of some names. '' and null are never sent and left out. */
export function oneOf<const Names extends readonly (string | null)[]>(
  names: Names,
  description?: string,
): Shape<Exclude<Names[number], '' | null>> {
  const texts = names.filter((name) => name !== null && name !== '')
  return { schema: said({ type: 'string', enum: texts }, description) }
}

/** Returns a text that is one of some names, or empty. */
export function oneOfOrEmpty<const Names extends readonly (string | null)[]>(
  names: Names,
  description: string,
): Shape<Exclude<Names[number], null> | ''> {
  const { schema } = oneOf(names)
  return { schema: said({ ...schema, enum: [...(schema['enum'] as string[]), ''] }, description) }
}

/** Returns a value that is always the same. */
export function exactly<const Value extends string | number | boolean>(
  value: Value,
  description?: string,
): Shape<Value> {
  return { schema: said({ type: typeof value, const: value }, description) }
}

/** Returns a shape with another description. */
export function described<Json>(shape: Shape<Json>, description: string): Shape<Json> {
  return { schema: { ...shape.schema, description } }
}

/** Returns a field that is kept for old clients. */
export function deprecated<Json>(shape: Shape<Json>): Shape<Json> {
  return { schema: { ...shape.schema, deprecated: true } }
}

// Kinds of values. Each takes the description of its field; items of a list have none.

export const nothing = kind<null>({ type: 'null' })
export const text = kind<string>({ type: 'string' })
export const number = kind<number>({ type: 'number' })
export const flag = kind<boolean>({ type: 'boolean' })
export const integer = kind<number>({ type: 'integer' })
/** A number from 0. */
export const positive = kind<number>({ type: 'number', minimum: 0 })
/** An integer from 0. */
export const count = kind<number>({ type: 'integer', minimum: 0 })
/** An integer from 1. */
export const positiveInteger = kind<number>({ type: 'integer', minimum: 1 })
export const millis = kind<number>({ type: 'integer', minimum: 0 }, 'in Unix milliseconds')
export const seconds = kind<number>({ type: 'integer', minimum: 0 }, 'in Unix seconds')
/** A time as ISO 8601 text in UTC. */
export const iso = kind<string>({ type: 'string', format: 'date-time' }, 'in UTC')
export const uuid = kind<string>({ type: 'string', format: 'uuid' })
/** Any JSON value. */
export const anything = kind<unknown>({})

export const address = kind<string>(
  component('Address', {
    type: 'string',
    pattern: '^0x[0-9a-f]{40}$',
    description: 'Address in lower case',
    examples: ['0x0123456789abcdef0123456789abcdef01234567'],
  }),
)
/** An address in any case of letters, as requests have it. */
export const anyAddress = kind<string>({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' })
export const decimal = kind<string>(
  component('Decimal', {
    type: 'string',
    pattern: decimalPattern,
    description: 'Decimal number as text, without an exponent',
    examples: ['1250.5'],
  }),
)
export const digest = kind<string>(
  component('Digest', {
    type: 'string',
    pattern: '^0x[0-9a-f]{64}$',
    description: '32 bytes in hexadecimal',
  }),
)
export const nonce = kind<number | string>(
  component('Nonce', {
    description: 'Nonce as received: a number, or decimal text above 2^53',
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^[0-9]{1,20}$' },
    ],
  }),
)
export const seq = kind<number>(
  component('Sequence', {
    type: 'integer',
    minimum: 0,
    description:
      'Sequence number: position in the sequence of all events. A read with min_seq waits until its answer ' +
      'includes that event',
  }),
)

/** Name of a field without the mark of an optional one. */
export function bareName(name: string): string {
  return name.endsWith('?') ? name.slice(0, -1) : name
}

/** Returns a kind of values. @param unit of every such value; it follows the first phrase of the description. */
export function kind<Json>(
  schema: JsonSchema,
  unit?: string,
): (description?: string) => Shape<Json> {
  return (description) => ({ schema: said(schema, withUnit(description, unit)) })
}

function withUnit(description: string | undefined, unit: string | undefined): string | undefined {
  if (description === undefined || unit === undefined) return description
  return description.replace(/^[^;.]+/, (phrase) => `${phrase}, ${unit}`)
}

function said(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description }
}
