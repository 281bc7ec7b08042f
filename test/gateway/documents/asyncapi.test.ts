import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { asyncApi } from '../../../gateway/documents/asyncapi.js'
import { frameTypes } from '../../../gateway/ws/frames.js'
import { channelRows } from '../../../schemas/interface/channels.js'
import { frames } from '../../../schemas/interface/frames.js'
import { messages } from '../../../schemas/interface/streams.js'
import { testConfig } from '../../support/gateway-rig.js'
import { projectPath } from '../../support/project.js'

const patterns = [
  /type: '([A-Z]\w+)'/g,
  /"type":"([A-Z]\w+)"/g,
  /'(\w+Result)'/g,
  /(Competition\w+): PushKind\.\w+/g,
]

/** Types of messages, as the sources spell them. */
function typesIn(...folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(projectPath(folder)).map((name) => projectPath(`${folder}/${name}`)),
  )
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  const found = texts.flatMap((text) => patterns.flatMap((one) => [...text.matchAll(one)]))
  return [...new Set(found.map(([, type]) => type!))].sort()
}

const config = testConfig()
const document = asyncApi({ config, version: '1.2.3' }) as {
  readonly components: {
    readonly messages: Record<string, { readonly payload: { readonly title: string } }>
  }
}

test('the document is valid AsyncAPI 3', () => {
  const path = '@asyncapi/specs/schemas/3.0.0-without-$id.json'
  const schema = createRequire(import.meta.url)(path) as object
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  assert.ok(validate(JSON.parse(JSON.stringify(document))), JSON.stringify(validate.errors))
})

test('the document has every accepted frame, and no other', () => {
  assert.deepEqual(Object.keys(frames).sort(), [...frameTypes].sort())
})

test('the document has every message of the code, and no other', () => {
  assert.deepEqual(Object.keys(messages).sort(), typesIn('gateway/ws', 'gateway/read-model/feeds'))
})

test('every channel has a message', () => {
  const documented = new Set(Object.values(messages).flatMap(({ channels }) => channels))
  assert.deepEqual([...documented].sort(), Object.keys(channelRows).sort())
})

test('no reference has other fields, which AsyncAPI ignores', () => {
  const texts = JSON.stringify(document.components).match(/\{[^{}]*"\$ref"[^{}]*\}/g) ?? []
  assert.ok(texts.length > 100)
  assert.deepEqual(
    texts.filter((text) => Object.keys(JSON.parse(text)).length > 1),
    [],
  )
})

test('the payload of a message has the title of its type', () => {
  const messages = Object.entries(document.components.messages)
  assert.deepEqual(
    messages.map(([, { payload }]) => payload.title),
    messages.map(([type]) => type),
  )
})
