import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DocumentedSignature, signedExample } from './support/documented-body.js'
import { perpOrderBody } from './support/perp-body.js'
import { type Body, WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// Sends each example of the documents unchanged, except for the sender's wallet, nonce and signature.

const venue = new Venue()
const by = new WalletKey()
const open = streamPeers(venue)
/** Codes that a valid request never gets. */
const unsound = [
  ...['invalid_request', 'invalid_json', 'missing_field', 'invalid_parameter', 'invalid_wallet'],
  ...['signature_verification_failed', 'unsupported_endpoint'],
]
/** Expected errors of examples that name things this venue does not have. */
const refusals: Readonly<Record<string, string>> = {
  // The sender is not one of the operator's signers.
  'POST /user-tier': 'unauthorized',
  // An acceptance signs the premium of a quote, and no quote exists.
  'POST /rfq/accept': 'not_found',
  'POST /liquidation/standard-margin': 'conflict',
  // The code is unknown, or not the referrer's.
  'POST /referrals/set-referrer': 'invalid_field',
}
/** Operator writes sent last, in this order: they affect the same market, and the deletion ends it. */
const lastOfOperator = ['POST /operator/halts', 'DELETE /operator/instruments']
const operatorRefusals: Readonly<Record<string, string>> = {
  'POST /operator/approvals': 'not_found',
  'POST /operator/settlement-prices': 'conflict',
  'POST /operator/usernames': 'not_found',
  'POST /operator/withdrawals': 'not_found',
}
let document: Wire
let streams: Wire
let operated: Wire

before(async () => {
  await venue.start()
  document = await venue.read('/openapi.json')
  streams = await venue.read('/asyncapi.json')
  operated = await (await fetch(`${venue.operatorUrl}/openapi.json`)).json()
  const { example } = document.paths['/order'].post.requestBody.content['application/json']
  const [underlying] = example.symbol.split('-')
  await venue.set('/instruments', { symbol: example.symbol })
  await venue.set('/index-prices', { prices: [{ underlying, price: '100000' }] })
  await venue.set('/deposits', { wallet: by.wallet, amount: '100000' })
})
after(() => venue.dispose())

function operations(
  of: Wire = document,
): readonly (readonly [method: string, path: string, operation: Wire])[] {
  return Object.entries<Wire>(of.paths).flatMap(([path, ofPath]) =>
    Object.entries<Wire>(ofPath).map(
      ([method, operation]) => [method.toUpperCase(), path, operation] as const,
    ),
  )
}

/** Returns a value for a parameter: its example, or one from its schema. */
function exampleOf({ example, schema }: Wire): string {
  const { default: usual, minimum, examples } = schema
  const names = schema.enum ?? schema.items?.enum
  return String(example ?? examples?.[0] ?? names?.[0] ?? usual ?? minimum ?? 'x')
}

/** Asserts that an answer reports no error in the request. */
function assertSound(key: string, { status, body, text }: Wire): void {
  assert.ok(status === 200 || status === 404, `${key}: ${text}`)
  if (status !== 200) assert.equal(body.code, 'not_found', `${key}: ${text}`)
}

test('the venue answers every read with its examples, and with each of its other parameters', async () => {
  for (const [method, path, { parameters, 'x-either': groups = [[]] }] of operations()) {
    if (method !== 'GET' || /^\/(docs|app)/.test(path)) continue
    const inPath = parameters.find((one: Wire) => one.in === 'path')
    const filled = inPath === undefined ? path : path.replace(/\{\w+\}/, exampleOf(inPath))
    const query: readonly Wire[] = parameters.filter((one: Wire) => one.in === 'query')
    const grouped = new Set<string>(groups.flat())
    const optional = query.filter((one) => !one.required && !grouped.has(one.name))
    for (const group of groups) {
      const needed = query.filter((one) => one.required || group.includes(one.name))
      for (const others of [[], ...optional.map((one) => [one])]) {
        const asked = [...needed, ...others].map(
          (one) => [one.name as string, exampleOf(one)] as [string, string],
        )
        const url = `${filled}?${new URLSearchParams(asked)}`
        assertSound(url, await venue.get(url))
      }
    }
  }
})

test('the venue accepts every write as its example shows it, signed as the document says', async () => {
  for (const [method, path, operation] of operations()) {
    if (operation.requestBody === undefined) continue
    const key = `${method} ${path}`
    const { example } = operation.requestBody.content['application/json']
    const signature = operation['x-signature'] as DocumentedSignature | undefined
    const body = await bodyOf(example, signature, path)
    const answer = await venue.send(method, path, body)
    const { code } = answer.body
    const isExpected =
      refusals[key] === undefined ? !unsound.includes(code) : code === refusals[key]
    assert.ok(isExpected, `${key}: ${answer.text}`)
    if (refusals[key] === undefined) {
      assert.ok(code !== 'unauthorized' && code !== 'invalid_field', `${key}: ${answer.text}`)
    }
  }
})

test('the venue answers every frame as its example shows it', async () => {
  const peer = await open()
  const receives = Object.entries<Wire>(streams.operations).filter(
    ([, { action, channel }]) => action === 'receive' && channel.$ref === '#/channels/clients',
  )
  for (const [type, { reply }] of receives) {
    const { examples, 'x-signature': signature } = streams.components.messages[type]
    const { payload } = examples[0]
    const sent =
      signature === undefined ? payload : await signedExample(by, payload, signature, type)
    peer.send(sent)
    const answers = reply.messages.map((one: Wire) => one.$ref.split('/').at(-1))
    const answer = await peer.next((message) => answers.includes(message.type))
    assert.ok(answer.type !== 'Error' || !unsound.includes(answer.code), JSON.stringify(answer))
  }
})

test("the venue answers the operator's reads as their document says", async () => {
  for (const [method, path, { security, responses }] of operations(operated)) {
    if (method !== 'GET') continue
    const token = security === undefined ? 'none' : venue.token
    const shown = path.replace('{part}', path.startsWith('/app') ? 'operator.js' : 'start.js')
    let answer = await venue.onOperatorPort('GET', shown, undefined, token)
    // A stalled machine may report not alive or not ready for a moment.
    await eventually(path, async () => {
      if (answer.status === 503) answer = await venue.onOperatorPort('GET', shown, undefined, token)
      return answer.status !== 503
    })
    assert.equal(answer.status, 200, path)
    const [type = ''] = answer.headers.get('content-type')!.split(';')
    const isNamed = path.endsWith('/{part}') || type in responses[200].content
    assert.ok(isNamed, `${path}: ${type}`)
  }
})

test('the venue accepts every operator write as its example shows it', async () => {
  const writes = operations(operated).filter(([, , { requestBody }]) => requestBody !== undefined)
  const placeOf = ([method, path]: readonly unknown[]) =>
    lastOfOperator.indexOf(`${method} ${path}`)
  for (const [method, path, { requestBody }] of writes.toSorted(
    (one, other) => placeOf(one) - placeOf(other),
  )) {
    const key = `${method} ${path}`
    const { example } = requestBody.content['application/json']
    const answer = await venue.onOperatorPort(method, path, example)
    const refused = operatorRefusals[key]
    if (refused === undefined) assert.equal(answer.status, 200, `${key}: ${answer.text}`)
    else assert.equal(answer.body.code, refused, `${key}: ${answer.text}`)
  }
})

async function bodyOf(
  example: Wire,
  signature: DocumentedSignature | undefined,
  path: string,
): Promise<Body> {
  if (signature === undefined) return { ...example, wallet: by.wallet }
  if (path === '/perp-order') {
    const { a, p, s, c } = example.action.orders[0]
    return perpOrderBody(by, { a, p, s, c })
  }
  const [list] = ['orders', 'cancels', 'replacements'].filter((name) => name in example)
  if (list === undefined) return signedExample(by, example, signature, path)
  return { [list]: [await signedExample(by, example[list][0], signature, path)] }
}
