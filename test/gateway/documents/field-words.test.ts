import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asyncApi } from '../../../gateway/documents/asyncapi.js'
import { allFieldWords } from '../../../gateway/documents/field-words.js'
import { openApi } from '../../../gateway/documents/openapi.js'
import { operatorOpenApi } from '../../../gateway/documents/operator-openapi.js'
import { streamFrames } from '../../../gateway/documents/stream-frames.js'
import { hubRig } from '../../support/hub-rig.js'

type Json = Readonly<Record<string, unknown>>

const { config } = hubRig().context
const venue = { config, version: '1.2.3' }
const http = [openApi(venue), operatorOpenApi(venue)]
const streams = asyncApi(venue)

/** Schemas of a document that stand within another, each with where it does; what points elsewhere is not followed. */
function* fieldsIn(schema: unknown, place: string): Generator<readonly [string, Json]> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [word, part] of Object.entries(schema)) {
    if (word === 'examples' || word === 'example') continue
    if (word === 'properties') {
      for (const [name, field] of Object.entries(part as Json)) {
        yield [`${place} ${name}`, field as Json]
      }
    }
    yield* fieldsIn(part, place)
  }
}

/** Fields of bodies and frames, and parameters. */
function* requestFields(): Generator<readonly [string, Json]> {
  for (const document of http) {
    for (const [path, operations] of Object.entries(document['paths'] as Json)) {
      for (const [method, operation] of Object.entries(operations as Record<string, Json>)) {
        const place = `${method} ${path}`
        yield* fieldsIn(operation['requestBody'], place)
        for (const parameter of operation['parameters'] as Json[]) {
          yield [`${place} ?${parameter['name']}`, parameter]
        }
      }
    }
  }
  const { messages } = streams['components'] as { readonly messages: Json }
  const operations = streams['operations'] as Record<
    string,
    { readonly action: string; readonly messages: readonly { readonly $ref: string }[] }
  >
  const heard = Object.values(operations)
    .filter(({ action }) => action === 'receive')
    .map((operation) => operation.messages[0]!.$ref.split('/').pop()!)
  assert.ok(heard.length > Object.keys(streamFrames(config)).length)
  for (const type of heard) yield* fieldsIn((messages[type] as Json)['payload'], type)
}

test('every field and parameter of every request says what it means', () => {
  const mute = [...requestFields()].filter(
    ([, { description, const: value }]) => !description && value === undefined,
  )
  assert.deepEqual(
    mute.map(([place]) => place),
    [],
  )
})

test('every word of the table is said somewhere', () => {
  const said = [...requestFields()].map(([, { description }]) => String(description))
  const unsaid = allFieldWords.filter((words) => !said.some((text) => text.startsWith(words)))
  assert.deepEqual(unsaid, [])
})
