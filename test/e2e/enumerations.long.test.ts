import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sharedVenue } from './support/shared-venue.js'
import { type Body, WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import type { Wire } from './support/venue.js'

// Sends each name of each enumeration in the documents' requests in another case.

const venue = sharedVenue()
const open = streamPeers(venue)
const by = new WalletKey()
/** Enumerations that the specification reads in any case. */
const anyCase = new Set(['GET /orders status', 'Subscribe option_type', 'Unsubscribe option_type'])
/** Codes other than `invalid_field`, by field name. */
const codes: Readonly<Record<string, string>> = { channel: 'not_found' }
let document: Wire
let streams: Wire
let operated: Wire

before(async () => {
  document = await venue.read('/openapi.json')
  streams = await venue.read('/asyncapi.json')
  operated = await (await fetch(`${venue.operatorUrl}/openapi.json`)).json()
})

/** Place in a body for one of several names. */
interface Enumeration {
  readonly path: readonly (string | number)[]
  readonly names: readonly string[]
}

/** Returns every enumeration of texts below a schema. A list contributes the enumeration of its first item. */
function enumerationsOf(of: Wire, schema: Wire, path: Enumeration['path'] = []): Enumeration[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
  if ($ref !== undefined) {
    return enumerationsOf(of, of.components.schemas[$ref.split('/').at(-1)], path)
  }
  const names = [...(schema.enum ?? []), schema.const].filter((name) => typeof name === 'string')
  return [
    ...(names.length === 0 ? [] : [{ path, names }]),
    ...Object.entries(properties).flatMap(([name, one]) =>
      enumerationsOf(of, one, [...path, name]),
    ),
    ...(items === undefined ? [] : enumerationsOf(of, items, [...path, 0])),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => enumerationsOf(of, one, path)),
  ]
}

/** Returns the names in other cases, except for forms that are names themselves. */
function otherCases(names: readonly string[]): readonly string[] {
  const all = names.flatMap((name) => [
    name.toUpperCase(),
    name.toLowerCase(),
    name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase(),
  ])
  return [...new Set(all)].filter((name) => !names.includes(name))
}

/** Returns a copy with another value at a place, or null if the value lacks that place. */
function withValue(value: Wire, [first, ...rest]: Enumeration['path'], text: string): Wire {
  if (first === undefined) return text
  if (typeof value !== 'object' || value === null) return null
  const below = withValue(value[first] ?? null, rest, text)
  if (below === null) return null
  return Array.isArray(value)
    ? value.toSpliced(Number(first), 1, below)
    : { ...value, [first]: below }
}

function operationsOf(of: Wire): readonly (readonly [string, string, Wire])[] {
  return Object.entries<Wire>(of.paths).flatMap(([path, ofPath]) =>
    Object.entries<Wire>(ofPath).map(
      ([method, operation]) => [method.toUpperCase(), path, operation] as const,
    ),
  )
}

/** A halt has either an underlying or a scope. */
function without({ underlying, ...others }: Wire, [first]: Enumeration['path']): Wire {
  return first === 'scope' || underlying === undefined ? others : { underlying, ...others }
}

const nameOf = (path: Enumeration['path']) => String(path.findLast((part) => part !== 0))

/**
 * Tries each enumeration of a body.
 * @returns the number of names tried
 */
async function tryBody(
  key: string,
  of: Wire,
  { schema, example }: Wire,
  codeOf: (body: Body) => Promise<string | undefined>,
): Promise<number> {
  let tried = 0
  for (const { path, names } of enumerationsOf(of, schema)) {
    if (nameOf(path) === 'type' && path.length === 1) continue
    const wrong = otherCases(names)
      .map((name) => [name, withValue(without(example, path), path, name)] as const)
      .filter(([, body]) => body !== null)
    for (const [name, body] of wrong) {
      const code = await codeOf(body)
      const place = `${key} ${path.join('.')}`
      const expected = anyCase.has(place) ? undefined : (codes[nameOf(path)] ?? 'invalid_field')
      assert.equal(code, expected, `${place}: ${name}`)
      tried++
    }
  }
  return tried
}

test('no body accepts a name in another case', async () => {
  let tried = 0
  for (const [method, path, { requestBody }] of operationsOf(document)) {
    if (requestBody === undefined) continue
    const { schema, example } = requestBody.content['application/json']
    const text = JSON.stringify(example).replaceAll(String(example.wallet), by.wallet)
    const own = { schema, example: JSON.parse(text) }
    tried += await tryBody(`${method} ${path}`, document, own, async (body) => {
      const answer = await venue.send(method, path, body)
      return answer.body.code ?? answer.body.results?.[0].code
    })
  }
  assert.ok(tried > 60, `${tried} names`)
})

test('no operator body accepts a name in another case', async () => {
  let tried = 0
  for (const [method, path, { requestBody }] of operationsOf(operated)) {
    if (requestBody === undefined) continue
    const { schema, example } = requestBody.content['application/json']
    tried += await tryBody(`${method} ${path}`, operated, { schema, example }, async (body) => {
      return (await venue.onOperatorPort(method, path, body)).body.code
    })
  }
  assert.ok(tried > 20, `${tried} names`)
})

test('no frame accepts a name in another case, except for the option type', async () => {
  const peer = await open()
  let tried = 0
  for (const [type, { action, channel }] of Object.entries<Wire>(streams.operations)) {
    if (action !== 'receive' || channel.$ref !== '#/channels/clients') continue
    const { payload: schema, examples } = streams.components.messages[type]
    const example = { ...examples[0].payload }
    if (type.endsWith('ubscribe')) example.channel = 'options_chain'
    tried += await tryBody(type, streams, { schema, example }, async (body) => {
      peer.send(body)
      return (
        await peer.next(
          ({ type: answerType }) => answerType === 'Error' || /ubscribed$/.test(answerType),
        )
      ).code
    })
  }
  assert.ok(tried > 20, `${tried} names`)
})

test('no parameter accepts a name in another case, except for the order status', async () => {
  let tried = 0
  for (const [of, url] of [
    [document, venue.url],
    [operated, venue.operatorUrl],
  ] as const) {
    for (const [method, path, { parameters = [] }] of operationsOf(of)) {
      if (method !== 'GET') continue
      for (const { name, in: place, schema } of parameters) {
        const names = schema.enum ?? schema.items?.enum ?? booleanNames(schema)
        if (place !== 'query' || names === undefined) continue
        for (const wrong of otherCases(names)) {
          const required = parameters.filter((one: Wire) => one.required && one.name !== name)
          const query = new URLSearchParams({ wallet: by.wallet })
          for (const one of required) query.set(one.name, String(one.example ?? by.wallet))
          query.set(name, wrong)
          const headers = { Authorization: `Bearer ${venue.token}` }
          const answer = await fetch(`${url}${path}?${query}`, { headers })
          const { code } = (await answer.json()) as Wire
          const isRead = anyCase.has(`GET ${path} ${name}`)
          assert.equal(code, isRead ? undefined : 'invalid_parameter', `${path} ${name}=${wrong}`)
          tried++
        }
      }
    }
  }
  assert.ok(tried > 20, `${tried} names`)
})

function booleanNames({ type }: Wire): readonly string[] | undefined {
  return type === 'boolean' ? ['true', 'false'] : undefined
}
