import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asyncApi } from '../../../gateway/documents/asyncapi.js'
import { openApi } from '../../../gateway/documents/openapi.js'
import { operatorOpenApi } from '../../../gateway/documents/operator-openapi.js'
import { operatorEndpoints } from '../../../gateway/operator/operator-endpoints.js'
import { frames } from '../../../schemas/interface/frames.js'
import { hubRig } from '../../support/hub-rig.js'

type Json = Readonly<Record<string, unknown>>

const { config } = hubRig().context
const venue = { config, version: '1.2.3' }
const http = [openApi(venue), operatorOpenApi(venue)]
const streams = asyncApi(venue)

/** Visits the schemas within another, each with its place. References are not followed. */
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

/** Visits the fields of answers, errors and stream messages, and of the named schemas. */
function* answerFields(): Generator<readonly [string, Json]> {
  for (const document of http) {
    for (const [path, operations] of Object.entries(document['paths'] as Json)) {
      for (const [method, operation] of Object.entries(operations as Record<string, Json>)) {
        yield* fieldsIn(operation['responses'], `${method} ${path}`)
      }
    }
  }
  const { messages } = streams['components'] as { readonly messages: Json }
  for (const type of typesOf('send')) yield* fieldsIn((messages[type] as Json)['payload'], type)
  for (const document of [...http, streams]) {
    const { responses, schemas } = document['components'] as Record<string, Json>
    yield* fieldsIn(responses, 'responses')
    for (const [name, schema] of Object.entries(schemas!)) yield* fieldsIn(schema, name)
  }
}

/** Returns the types of the messages that the venue receives or sends. */
function typesOf(wanted: 'receive' | 'send'): readonly string[] {
  const operations = streams['operations'] as Record<
    string,
    { readonly action: string; readonly messages: readonly { readonly $ref: string }[] }
  >
  return Object.values(operations)
    .filter(({ action }) => action === wanted)
    .map((operation) => operation.messages[0]!.$ref.split('/').pop()!)
}

/** Fields that say nothing of themselves but what form they have. */
function mute(fields: Iterable<readonly [string, Json]>): readonly string[] {
  const isMute = ([, { description, const: value }]: readonly [string, Json]) =>
    value === undefined && !description
  return [...fields].filter(isMute).map(([place]) => place)
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
  const heard = typesOf('receive')
  assert.ok(heard.length > Object.keys(frames).length)
  for (const type of heard) yield* fieldsIn((messages[type] as Json)['payload'], type)
}

test('every field and parameter of every request has a description', () => {
  assert.deepEqual(mute(requestFields()), [])
})

test('every field of every answer, error and message has a description', () => {
  const fields = [...answerFields()]
  assert.ok(fields.length > 2000, `${fields.length}`)
  assert.deepEqual(mute(fields), [])
})

test('every description of a field of the operator port is used', () => {
  const saidBy = (fields: Iterable<readonly [string, Json]>) =>
    [...fields].map(([, { description }]) => String(description))
  const unsaid = (words: readonly string[], said: readonly string[]) =>
    words.filter((word) => !said.some((text) => text.startsWith(word)))
  const words = Object.values(operatorEndpoints).flatMap(({ fields }) =>
    Object.values(fields).map(({ schema }) => String(schema['description'])),
  )
  assert.ok(words.length > 30, `${words.length}`)
  assert.deepEqual(unsaid(words, saidBy(requestFields())), [])
})
