import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { componentsOf } from '../gateway/documents/shape.js'
import { streamMessages } from '../gateway/documents/stream-messages.js'
import type { JsonSchema } from '../gateway/wire/json-shape.js'
import { channelRows } from '../gateway/ws/channels.js'

// From the table of messages that documents are made of: their types, for who listens by the client.

/** The committed code of this file is this script's output; a test compares the two. */
export const messagesFile = 'gateway/client/generated/stream-messages.ts'

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}
const head = `// Generated from gateway/documents/stream-messages.ts: npm run generate-messages
`

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
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.cwd())
