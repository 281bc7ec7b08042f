import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asyncApi } from '../../../gateway/documents/asyncapi.js'
import { recordedExamples } from '../../../gateway/documents/generated/recorded-examples.js'
import { openApi } from '../../../gateway/documents/openapi.js'
import { operatorOpenApi } from '../../../gateway/documents/operator-openapi.js'
import { exampleFault } from '../../support/document-check.js'
import type { ExampleSection } from '../../support/example-recorder.js'
import { testConfig } from '../../support/gateway-rig.js'

// biome-ignore lint/suspicious/noExplicitAny: documents as their readers find them
type Json = any

const venue = { config: testConfig(), version: '1.2.3' }
const renew = 'npm run generate -- examples'
/** Answered by what this file is about. */
const ownPaths = ['/openapi.json', '/asyncapi.json']
const bytesMax = 700_000

/** Operations that answer JSON, and have no example of it. */
function operationsWithout(document: Json): readonly string[] {
  return Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
    Object.entries<Json>(operations)
      .filter(([, { responses }]) => {
        const json = responses[200].content['application/json']
        return json !== undefined && json.examples === undefined && !ownPaths.includes(path)
      })
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
}

test('each example fits its schema in the documents', () => {
  for (const [section, ofSection] of Object.entries(recordedExamples)) {
    for (const [key, named] of Object.entries<object>(ofSection)) {
      for (const example of Object.values(named)) {
        const fault = exampleFault(section as ExampleSection, key, example)
        assert.equal(fault, null, `${section}, ${key}: ${renew} (${fault})`)
      }
    }
  }
})

test('each operation has an example of its answer', () => {
  assert.deepEqual(operationsWithout(openApi(venue)), [], renew)
  assert.deepEqual(operationsWithout(operatorOpenApi(venue)), [], renew)
})

test('the version in an example is that of the venue', () => {
  const { paths } = openApi(venue) as Json
  for (const path of ['/', '/version']) {
    const { examples } = paths[path].get.responses[200].content['application/json']
    assert.equal(examples.answered.value.version, venue.version, path)
  }
})

test('each error of an operation has an example', () => {
  for (const document of [openApi(venue), operatorOpenApi(venue)] as Json[]) {
    for (const [name, { content }] of Object.entries<Json>(document.components.responses)) {
      const { examples = {} } = content['application/json']
      for (const [code, { $ref }] of Object.entries<Json>(examples)) {
        const { value } = document.components.examples[$ref.split('/').at(-1)]
        assert.equal(value.code, code, name)
      }
    }
  }
})

test('each message and frame of the streams has an example', () => {
  const { messages } = asyncApi(venue)['components'] as Json
  const without = Object.keys(messages).filter((type) => messages[type].examples === undefined)
  assert.deepEqual(without, [], renew)
})

test('the documents are small enough for one read', () => {
  for (const document of [openApi(venue), operatorOpenApi(venue), asyncApi(venue)]) {
    assert.ok(JSON.stringify(document).length < bytesMax)
  }
})
