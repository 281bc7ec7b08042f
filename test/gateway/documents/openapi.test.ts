import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openApi } from '../../../gateway/documents/openapi.js'
import { operationsOf, pageKeys } from '../../../gateway/documents/operation-list.js'
import { documentHandlers } from '../../../gateway/documents/served-documents.js'
import { signatureText } from '../../../gateway/documents/signed-values.js'
import { servedPaths } from '../../../gateway/http/served-paths.js'
import { Compressor } from '../../../gateway/transport/compressor.js'
import { operationRows } from '../../../schemas/interface/operations.js'
import { hubRig } from '../../support/hub-rig.js'
import { quietStatus } from '../../support/quiet-status.js'

const rig = hubRig()
const { config } = rig.context
const document = openApi({ config, version: '1.2.3' })

function keysOfDocument(): readonly string[] {
  const paths = document['paths'] as Record<string, Record<string, object>>
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    .map((key) => key.replace(/\{\w+\}$/, ''))
    .sort()
}

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  assert.ok(valid, JSON.stringify(errors))
})

test('code generators can read the names of shared responses', () => {
  const { responses } = document['components'] as { readonly responses: object }
  assert.deepEqual(
    Object.keys(responses).filter((name) => !/^\w+$/.test(name)),
    [],
  )
})

/** Parts of the pages: no client calls them. */
const ofPages = ['POST /app/chain-rpc']

test('the document has every method of every served path, and no other', () => {
  const compressor = new Compressor()
  const served = servedPaths({
    context: rig.context,
    reads: rig.reads,
    degraded: () => [],
    status: () => quietStatus,
    compressor,
    documents: documentHandlers(rig.context, compressor),
    components: () => [],
    refusesReads: () => null,
  })
  const keys = [...served].flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  )
  const documented = keys.filter((key) => !ofPages.includes(key)).sort()
  assert.deepEqual([keysOfDocument(), keys.length - documented.length], [documented, 1])
})

test('every served operation has a row, and every row is served', () => {
  const keys = operationsOf(config)
    .map(({ key }) => key)
    .sort()
  const answered = Object.keys(operationRows).filter(
    (key) => operationRows[key]!.answer !== undefined,
  )
  assert.deepEqual(Object.keys(operationRows).sort(), keys)
  assert.deepEqual([...answered, ...pageKeys].sort(), keys)
})

test('an acceptance has its own codes for an ended request', () => {
  const paths = document['paths'] as Record<string, { readonly post: { responses: object } }>
  const conflicts = (path: string) => {
    const { 409: response } = paths[path]!.post.responses as Record<number, { $ref: string }>
    const { responses } = document['components'] as { readonly responses: Record<string, object> }
    const named = responses[response!.$ref.split('/').at(-1)!]
    const codes = /"enum":(\[[^\]]*\])/.exec(JSON.stringify(named))
    return JSON.parse(codes?.[1] ?? '[]') as readonly string[]
  }
  assert.deepEqual(conflicts('/rfq/accept'), ['conflict', 'rfq_already_filled', 'rfq_closed'])
  assert.deepEqual(conflicts('/rfq/request'), ['conflict'])
})

test('the same tables and configuration make the same bytes', () => {
  const again = openApi({ config, version: '1.2.3' })
  assert.equal(JSON.stringify(again), JSON.stringify(document))
})

test('a named schema comes after those that it refers to', () => {
  const { schemas } = document['components'] as { readonly schemas: Record<string, object> }
  const names = Object.keys(schemas)
  const referred = Object.entries(schemas).map(([name, schema]) =>
    [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, inner]) => [name, inner as string] as const,
    ),
  )
  assert.ok(referred.flat().length > 10)
  for (const [name, inner] of referred.flat()) {
    assert.ok(names.indexOf(inner) < names.indexOf(name), `${name} refers to ${inner}`)
    assert.ok(names.includes(inner), inner)
  }
})

test('each signed value is in the body under its name, or its origin is documented', () => {
  for (const { key, body, signature } of operationsOf(config)) {
    if (signature === null) continue
    const { types } = signatureText(signature, config) as { types: readonly SignedForm[] }
    const names = JSON.stringify([body!.schema])
    for (const { primaryType, types: structs, values = {} } of types) {
      for (const { name } of structs[primaryType]!) {
        const plain = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
        assert.ok(name in values || names.includes(`"${plain}":`), `${key}: ${name}`)
      }
    }
  }
})

interface SignedForm {
  readonly primaryType: string
  readonly types: Readonly<Record<string, readonly { readonly name: string }[]>>
  readonly values?: Readonly<Record<string, string>>
}
