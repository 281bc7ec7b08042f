import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { providerMessages } from '../gateway/documents/provider-messages.js'
import { componentsOf, decimal, object } from '../gateway/documents/shapes/shape.js'
import { streamMessages } from '../gateway/documents/stream-messages.js'
import type { JsonSchema } from '../gateway/wire/json-shape.js'
import { channelRows } from '../gateway/ws/channels.js'

// From the table of messages that documents are made of: their types, for who listens by the client.

/** The committed code of these files is this script's output; a test compares the two. */
export const messagesFile = 'gateway/client/generated/stream-messages.ts'

/** What the client holds each message against before anybody hears it. */
export const shapesFile = 'gateway/client/generated/stream-shapes.ts'

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}
const head = `// Generated from gateway/documents/stream-messages.ts: npm run generate
`

const kindLetters: Readonly<Record<string, string>> = {
  ...{ string: 's', integer: 'i', number: 'n', boolean: 'b', null: '0' },
}
const shapesHead = `// Generated from gateway/documents/stream-messages.ts: npm run generate

/**
 * A text names kinds by letters, any of which will do: \`s\` text, \`d\` decimal text, \`n\` number, \`i\` integer, \`b\` true or
 * false, \`0\` null, \`o\` object, \`*\` anything; behind \`=\` stands the text itself. Fields whose names end in \`?\` may be absent or null. A list begins with what
 * it means: \`any\` of some shapes, a \`list\` of one, a \`pair\`.
 */
export type Shape = string | readonly Shape[] | { readonly [field: string]: Shape }

/** Of what the stream tells, by type. */`

/** Code of the types. */
export function generateMessages(): string {
  const entries = Object.entries(streamMessages)
  const named = Object.entries(componentsOf(entries)).map(
    ([name, schema]) => `${wordsOf(schema, '')}export type ${name} = ${typeOf(schema, '')}\n`,
  )
  const messages = entries.map(
    ([type, { summary, schema }]) =>
      `  /** ${summary}. */\n  readonly ${type}: ${typeOf(schema, '  ')}\n`,
  )
  const channels = Object.keys(channelRows).map((channel) => {
    const told = entries.filter(([, message]) => message.channels.some((one) => one === channel))
    return `  ${channel}: [${told.map(([type]) => `'${type}'`).join(', ')}],\n`
  })
  return [
    head,
    named.join('\n'),
    '/** Everything that the stream tells, by its `type`. */',
    `export type StreamMessages = {\n${messages.join('')}}\n`,
    '/** Types of what each channel tells. */',
    `export const typesOfChannels = {\n${channels.join('')}} as const\n`,
  ].join('\n')
}

/** Code of the shapes. */
export function generateShapes(): string {
  const told = Object.entries(streamMessages).map(([type, { schema }]) => [type, schema] as const)
  const provided = Object.entries(providerMessages).map(
    ([type, { fields }]) => [type, object(fields)] as const,
  )
  return [
    shapesHead,
    `export const streamShapes: Readonly<Record<string, Shape>> = ${shapesOf(told)}\n`,
    '/** Of what a quote provider is told. */',
    `export const providerShapes: Readonly<Record<string, Shape>> = ${shapesOf(provided)}\n`,
  ].join('\n')
}

function shapesOf(messages: readonly (readonly [string, JsonSchema])[]): string {
  const named = componentsOf(messages)
  const lines = messages.map(([type, schema]) => {
    return `  ${type}: ${JSON.stringify(shapeOf(schema, named))},\n`
  })
  return `{\n${lines.join('')}}`
}

type Named = Readonly<Record<string, JsonSchema>>

function shapeOf(schema: JsonSchema, named: Named): unknown {
  const { $ref: ref, const: value, enum: values, type, items } = schema
  if (ref === decimal['$ref']) return 'd'
  if (typeof ref === 'string') return shapeOf(named[ref.slice(ref.lastIndexOf('/') + 1)]!, named)
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) return anyOf(choices.map((one) => shapeOf(one, named)))
  if (Array.isArray(type)) {
    return anyOf(type.map((one) => shapeOf({ ...schema, enum: undefined, type: one }, named)))
  }
  if (type === 'array') return listShapeOf(items as JsonSchema, schema, named)
  if (type === 'object') return fieldShapesOf(schema, named)
  if (typeof value === 'string') return `=${value}`
  const word = Array.isArray(values) ? (type ?? 'string') : type
  return kindLetters[String(word)] ?? '*'
}

/** Kinds become one word; whatever else fits is one of a list, texts themselves too. */
function anyOf(shapes: readonly unknown[]): unknown {
  const isKinds = (shape: unknown) => typeof shape === 'string' && !shape.startsWith('=')
  const letters = [...new Set(shapes.filter(isKinds).join(''))].join('')
  const others = shapes.filter((shape) => !isKinds(shape))
  if (others.length === 0) return letters
  return ['any', ...(letters === '' ? [] : [letters]), ...others]
}

function listShapeOf(items: JsonSchema, { minItems, maxItems }: JsonSchema, named: Named): unknown {
  const item = shapeOf(items, named)
  return minItems === 2 && maxItems === 2 ? ['pair', item, item] : ['list', item]
}

function fieldShapesOf({ properties, required = [] }: JsonSchema, named: Named): unknown {
  if (properties === undefined) return 'o'
  const fields = Object.entries(properties as Named).map(([name, field]) => {
    const mark = (required as readonly string[]).includes(name) ? '' : '?'
    return [name + mark, shapeOf(field, named)]
  })
  return Object.fromEntries(fields)
}

function typeOf(schema: JsonSchema, margin: string): string {
  const { $ref: ref, const: value, enum: values, type } = schema
  if (typeof ref === 'string') return ref.slice(ref.lastIndexOf('/') + 1)
  if (value !== undefined) return literal(value)
  if (Array.isArray(values)) return values.map(literal).join(' | ')
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) return choices.map((one) => typeOf(one, margin)).join(' | ')
  if (Array.isArray(type))
    return type.map((one) => typeOf({ ...schema, type: one }, margin)).join(' | ')
  if (type === 'array') return listOf(schema, margin)
  if (type === 'object') return objectOf(schema, margin)
  return plainTypes[String(type)] ?? 'unknown'
}

function listOf({ items, minItems, maxItems }: JsonSchema, margin: string): string {
  const item = typeOf(items as JsonSchema, margin)
  const isPair = minItems === 2 && maxItems === 2
  return isPair ? `readonly [${item}, ${item}]` : `readonly (${item})[]`
}

function objectOf(schema: JsonSchema, margin: string): string {
  const { properties, required = [], additionalProperties } = schema
  if (properties === undefined) {
    const values = additionalProperties as JsonSchema | undefined
    return `{ readonly [name: string]: ${values === undefined ? 'unknown' : typeOf(values, margin)} }`
  }
  const inner = `${margin}  `
  const lines = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(
    ([name, field]) => {
      const mark = (required as readonly string[]).includes(name) ? '' : '?'
      return `${wordsOf(field, inner)}${inner}readonly ${name}${mark}: ${typeOf(field, inner)}\n`
    },
  )
  return `{\n${lines.join('')}${margin}}`
}

function wordsOf({ description }: JsonSchema, margin: string): string {
  // What is said of each code stands in the documents.
  const isLine = typeof description === 'string' && !description.includes('\n')
  return isLine ? `${margin}/** ${description}. */\n` : ''
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function main(root: string): void {
  mkdirSync(dirname(join(root, messagesFile)), { recursive: true })
  writeFileSync(join(root, messagesFile), generateMessages())
  writeFileSync(join(root, shapesFile), generateShapes())
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.cwd())
