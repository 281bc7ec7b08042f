import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { typedStructs } from '../gateway/actions/typed-structs.js'
import { componentsOf } from '../gateway/documents/components.js'
import { Envelope } from '../schemas/interface/answer.js'
import type { SignedShape } from '../schemas/interface/body.js'
import { channelNames } from '../schemas/interface/channels.js'
import { cancelOnDisconnect } from '../schemas/interface/frames.js'
import { type MessageTable, messageSchema } from '../schemas/interface/message.js'
import { operationRows } from '../schemas/interface/operations.js'
import { providerMessages } from '../schemas/interface/provider-messages.js'
import { signedAccept } from '../schemas/interface/rfq-bodies.js'
import { decimal, type JsonSchema } from '../schemas/interface/shape.js'
import { messages } from '../schemas/interface/streams.js'
import type { WriteRow } from '../schemas/interface/write.js'
import { signedWrites } from '../schemas/interface/writes.js'
import type { StructType } from '../schemas/typed-data.js'

// Generates the client's interface file: types of answers and messages, shapes for checking messages, and the data for its
// signatures. It has no descriptions at run time, so that pages stay small.

/** Output file. A test compares it with the generator's text. */
export const clientFile = 'gateway/client/generated/interface.ts'

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}
const kindLetters: Readonly<Record<string, string>> = {
  ...{ string: 's', integer: 'i', number: 'n', boolean: 'b', null: '0' },
}
/** Path from the folder of the generated file. */
const schemas = '../../../schemas'
const head = `// Generated from schemas/interface: npm run generate

import type { SignedShape } from '${schemas}/interface/body.js'
import type { StructType } from '${schemas}/typed-data.js'
`
const signedWriteType = `/** The part of a signed write that a client needs. */
export interface SignedWrite {
  /** Name of an account action; null: another write. */
  readonly action: string | null
  /** Name of the list in a bulk; null: not a bulk. */
  readonly list: string | null
  /** True if the answer has its content in \`data\`. */
  readonly hasData: boolean
  /** A signature covers one of them. */
  readonly structs: readonly StructType[]
  readonly body: SignedShape
}
`
const shapeType = `/**
 * Shape of a JSON value. A text lists permitted kinds by letter: \`s\` text, \`d\` decimal text, \`n\` number, \`i\` integer,
 * \`b\` boolean, \`0\` null, \`o\` object, \`*\` anything; after \`=\` it is the permitted text itself. Fields whose names end in
 * \`?\` may be absent or null. A list starts with its meaning: \`any\` of several shapes, a \`list\` of one, a \`pair\`.
 */
export type Shape = string | readonly Shape[] | { readonly [field: string]: Shape }
`

/** Returns the code of the client file. */
export function generateClient(): string {
  const entries = Object.entries(messages)
  const schemas = entries.map(([type, row]) => [type, messageSchema(type, row)] as const)
  const answers = Object.entries(operationRows).flatMap(([key, { answer }]) =>
    answer === undefined ? [] : [[key, answer.schema] as const],
  )
  const named = Object.entries(componentsOf([answers, schemas])).map(
    ([name, schema]) => `${wordsOf(schema, '')}export type ${name} = ${typeOf(schema, '')}\n`,
  )
  const bodies = answers.map(([key, schema]) => `  readonly '${key}': ${typeOf(schema, '  ')}\n`)
  const types = schemas.map(([type, schema]) => {
    const { summary, description = '' } = (messages as MessageTable)[type]!
    const words = `${summary}. ${description}`.trim()
    return `  /** ${words} */\n  readonly ${type}: ${typeOf(schema, '  ')}\n`
  })
  const channels = channelNames.map((channel) => {
    const carried = entries.filter(([, row]) => row.channels.some((one) => one === channel))
    return `  ${channel}: [${carried.map(([type]) => `'${type}'`).join(', ')}],\n`
  })
  return [
    head,
    named.join('\n'),
    '/** Successful answers by method and path. */',
    `export type Answers = {\n${bodies.join('')}}\n`,
    '/** Messages of the stream by type. */',
    `export type StreamMessages = {\n${types.join('')}}\n`,
    '/** Types of the messages of each channel. */',
    `export const typesOfChannels = {\n${channels.join('')}} as const\n`,
    shapeType,
    '/** Messages of the stream by type. */',
    `export const streamShapes: Readonly<Record<string, Shape>> = ${shapesOf(messages)}\n`,
    '/** Messages to quote providers by type. */',
    `export const providerShapes: Readonly<Record<string, Shape>> = ${shapesOf(providerMessages)}\n`,
    '/** Structs that clients sign, by name. */',
    `export const structs = ${JSON.stringify(typedStructs)} satisfies Readonly<Record<string, StructType>>\n`,
    signedWriteType,
    '/** Signed writes by method and path, and by type where only the stream has them. */',
    `export const signedWrites = {\n${signedWritesOf().join('')}} satisfies Readonly<Record<string, SignedWrite>>\n`,
    '/** Signed fields of an acceptance. Its body lacks the premium. */',
    `export const signedAcceptance = ${bodyOf(signedAccept)} satisfies SignedShape\n`,
  ].join('\n')
}

/** Returns a line for each signed write: the facts that its signature and its answer need. */
function signedWritesOf(): readonly string[] {
  const names = new Map(
    Object.entries<StructType>(typedStructs).map(([name, { encodeType }]) => [encodeType, name]),
  )
  const rows = { ...signedWrites, SetCancelOnDisconnect: cancelOnDisconnect }
  return Object.entries<WriteRow>(rows).map(([key, row]) => {
    const action = 'action' in row ? `'${row.action}'` : 'null'
    const signed = row.structs.map((struct) => `structs.${names.get(struct.encodeType)}`).join(', ')
    const facts = `action: ${action}, list: ${row.list === null ? 'null' : `'${row.list}'`}`
    const hasData = row.answer.envelope === Envelope.Data
    return `  '${key}': { ${facts}, hasData: ${hasData}, structs: [${signed}], body: ${bodyOf(row.body)} },\n`
  })
}

function bodyOf(body: SignedShape): string {
  const fields = Object.entries(body).map(([name, field]) => {
    const { kind, isOptional, signedType, signedName, signedAbsent, isSignedAsSent } = field
    const signed = { kind, isOptional, signedType, signedName, signedAbsent, isSignedAsSent }
    return [name, signed] as const
  })
  return JSON.stringify(Object.fromEntries(fields))
}

function shapesOf(table: MessageTable): string {
  const schemas = Object.entries(table).map(
    ([type, row]) => [type, messageSchema(type, row)] as const,
  )
  const named = componentsOf(schemas)
  const lines = schemas.map(
    ([type, schema]) => `  ${type}: ${JSON.stringify(shapeOf(schema, named))},\n`,
  )
  return `{\n${lines.join('')}}`
}

const decimalRef = decimal().schema['$ref']

type Named = Readonly<Record<string, JsonSchema>>

function shapeOf(schema: JsonSchema, named: Named): unknown {
  const { $ref: ref, const: value, enum: values, type, items } = schema
  if (ref === decimalRef) return 'd'
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

/** Returns the letters of the permitted kinds, or a list if other shapes are permitted, too. */
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
      const absent = mark === '' ? '' : ' | undefined'
      return `${wordsOf(field, inner)}${inner}readonly ${name}${mark}: ${typeOf(field, inner)}${absent}\n`
    },
  )
  return `{\n${lines.join('')}${margin}}`
}

function wordsOf({ description }: JsonSchema, margin: string): string {
  // Descriptions of several lines, those of codes, are in the documents only.
  const isLine = typeof description === 'string' && !description.includes('\n')
  return isLine ? `${margin}/** ${description}. */\n` : ''
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function main(root: string): void {
  mkdirSync(dirname(join(root, clientFile)), { recursive: true })
  writeFileSync(join(root, clientFile), generateClient())
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.cwd())
