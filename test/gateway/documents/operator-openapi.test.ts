import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { operatorDocuments } from '../../../gateway/documents/operator-documents.js'
import { operatorKeys, operatorOpenApi } from '../../../gateway/documents/operator-openapi.js'
import { operatorEndpoints } from '../../../gateway/operator/operator-endpoints.js'
import { type OperatorRow, operatorRows } from '../../../schemas/interface/operator.js'
import { testConfig } from '../../support/gateway-rig.js'

const venue = { config: testConfig({ 'operator.token': 'a-secret-word' }), version: '1.2.3' }
const document = operatorOpenApi(venue)
const pages = operatorDocuments(venue)
const notes: Readonly<Record<string, OperatorRow>> = operatorRows

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  assert.ok(valid, JSON.stringify(errors))
})

test('every write has an example and an answer', () => {
  const writes = operatorKeys.filter((key) => notes[key]!.example !== undefined)
  assert.deepEqual(writes.sort(), Object.keys(operatorEndpoints).sort())
  for (const key of writes) assert.ok(notes[key]!.answer !== undefined, key)
})

test('operations that need a token name the scope, and no text there is a secret', () => {
  for (const [path, operations] of Object.entries(document['paths'] as Record<string, object>)) {
    const isSecret = path.startsWith('/operator/') || path === '/user-tier'
    for (const [method, operation] of Object.entries(operations)) {
      assert.equal('security' in operation, isSecret, path)
      if (!isSecret) continue
      const { scope } = notes[`${method.toUpperCase()} ${path}`]!
      assert.deepEqual(operation.security, [{ operatorToken: scope === null ? [] : [scope] }])
      assert.equal(operation['x-scope'], scope ?? undefined)
    }
  }
  assert.doesNotMatch(JSON.stringify(document), /a-secret-word/)
})

test('the page of the operator and its parts come from the operator port', async () => {
  const page = await pages['/docs']!()
  const policy = page.headers?.find(([name]) => name === 'Content-Security-Policy')?.[1]
  assert.match(policy ?? '', /^default-src 'none'; script-src 'self'/)
  const named = [...String(page.body).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(
    ([, path]) => path!,
  )
  assert.ok(named.length >= 4)
  for (const path of named) assert.equal((await pages[path]!()).status, 200, path)
  const text = String((await pages['/openapi.json']!()).body)
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(document)))
})
