import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DocumentedSignature, signedExample } from './support/documented-body.js'
import { type Body, connectBody, WalletKey } from './support/signed-body.js'
import { StreamPeer, streamPeers } from './support/stream-peer.js'
import { Venue, type Wire } from './support/venue.js'

// A client sends 200,000 characters in each text field of each request and frame. Any answer repeats at most 64 of them
// and stays small.

const longLength = 200_000
/** Limit for one answer, or for all messages that answer one frame. */
const answerBytesMax = 4096
const echoMax = 64
/** Characters in a query: a longer request line is invalid. */
const queryLength = 2_000

const limits = ['default', 'tier1', 'tier2', 'market_maker'].flatMap((tier) =>
  ['ordersPerMinute', 'cancelsPerMinute', 'apiRequestsPerMinute'].map(
    (name) => `--set=limits.${tier}.${name}=1000000`,
  ),
)
const venue = new Venue({ arguments: limits })
const open = streamPeers(venue)
const by = new WalletKey()
let document: Wire
let streams: Wire
let operated: Wire

before(async () => {
  await venue.start()
  document = await venue.read('/openapi.json')
  streams = await venue.read('/asyncapi.json')
  operated = await (await fetch(`${venue.operatorUrl}/openapi.json`)).json()
  const { example } = document.paths['/order'].post.requestBody.content['application/json']
  await venue.set('/instruments', { symbol: example.symbol })
  const [underlying] = example.symbol.split('-')
  await venue.set('/index-prices', { prices: [{ underlying, price: '100000' }] })
  await venue.set('/deposits', { wallet: by.wallet, amount: '100000' })
  await venue.set('/quote-providers', { wallet: by.wallet, status: 'active' })
})
after(() => venue.dispose())

/** Returns long replacements of a text: nonsense, hexadecimal, and the text with zeros after and before it. */
function longTexts(text: string, length = longLength): readonly string[] {
  const padded = /^\d+$/.test(text) ? `${text}.` : text
  return [
    '\u00e9'.repeat(length / 2),
    `0x${'a'.repeat(length)}`,
    `${padded}${'0'.repeat(length)}`,
    `${'0'.repeat(length)}${text}`,
  ]
}

/** Yields every copy of a value with one of its texts made long; numbers count as texts. */
function* withLongText(value: Wire): Generator<Wire> {
  if (typeof value === 'string' || typeof value === 'number') yield* longTexts(String(value))
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const long of withLongText(item)) yield value.toSpliced(index, 1, long)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      for (const long of withLongText(part)) yield { ...value, [name]: long }
    }
    yield { ...value, ['x'.repeat(longLength)]: 1 }
  }
}

const runs = /(x{65}|a{65}|0{65}|\u00e9{65}|\?{65}|(\\u00e9){65})/i

function faultOf(text: string): string | null {
  if (Buffer.byteLength(text) > answerBytesMax) return `${Buffer.byteLength(text)} bytes`
  return runs.test(text) ? `an echo of more than ${echoMax} characters` : null
}

class Faults {
  readonly #faults = new Set<string>()

  note(place: string, text: string): void {
    const fault = faultOf(text)
    if (fault !== null) this.#faults.add(`${place}: ${fault}: ${text.slice(0, 160)}`)
  }

  assertNone(): void {
    assert.deepEqual([...this.#faults], [])
  }
}

/** Returns the name of the field that a copy has made long. */
function placeOf(copy: Wire, path = ''): string {
  if (typeof copy === 'string') return copy.length > 1000 ? path : ''
  if (typeof copy !== 'object' || copy === null) return ''
  for (const [name, part] of Object.entries(copy)) {
    if (name.length > 1000) return `${path}.<name>`
    const found = placeOf(part, `${path}.${name}`)
    if (found !== '') return found
  }
  return ''
}

function operationsOf(of: Wire): readonly (readonly [string, string, Wire])[] {
  return Object.entries<Wire>(of.paths).flatMap(([path, ofPath]) =>
    Object.entries<Wire>(ofPath).map(
      ([method, operation]) => [method.toUpperCase(), path, operation] as const,
    ),
  )
}

async function sent(url: string, method: string, body: Wire, token?: string): Promise<string> {
  const headers = {
    'Content-Type': 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  }
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
  return answer.text()
}

/** Returns the body signed, if it can be signed. */
async function signedOrNot(
  body: Body,
  signature: DocumentedSignature | undefined,
  path: string,
): Promise<Body> {
  if (signature === undefined) return body
  const { nonce, signature: given, ...rest } = body
  const isOwn = placeOf({ nonce, signature: given }) !== ''
  if (isOwn) return body
  try {
    return await signedExample(by, { nonce, ...rest }, signature, path)
  } catch {
    return body
  }
}

test('a write with a long text in any field gets a short answer', async () => {
  const faults = new Faults()
  for (const [method, path, { requestBody, 'x-signature': signature }] of operationsOf(document)) {
    if (requestBody === undefined) continue
    const { example } = requestBody.content['application/json']
    const [list] = ['orders', 'cancels', 'replacements'].filter((name) => name in example)
    const base = list === undefined || path === '/risk/simulate/orders' ? example : example[list][0]
    for (const copy of withLongText(base)) {
      // A valid signature gets it further; with the example's signature the error shows what was hashed.
      for (const body of [
        await signedOrNot(copy, signature, path),
        { ...copy, wallet: by.wallet },
      ]) {
        const whole = base === example ? body : { [list!]: [body] }
        const text = await sent(`${venue.url}${path}`, method, whole)
        faults.note(`${method} ${path} ${placeOf(copy)}`, text)
      }
    }
  }
  faults.assertNone()
})

test('a read with a long text in any parameter gets a short answer', async () => {
  const faults = new Faults()
  const fill = ({ example, schema }: Wire): string =>
    String(example ?? schema.examples?.[0] ?? schema.enum?.[0] ?? schema.default ?? 'x')
  for (const [method, path, { parameters = [] }] of operationsOf(document)) {
    if (method !== 'GET' || /^\/(docs|app|openapi|asyncapi)/.test(path)) continue
    const asked = parameters.filter((one: Wire) => one.in === 'query' || one.in === 'path')
    const names = [...asked.map((one: Wire) => one.name), 'x'.repeat(queryLength)]
    for (const name of names) {
      for (const long of longTexts('1', queryLength)) {
        let filled = path
        const query = new URLSearchParams()
        for (const one of asked) {
          const value = one.name === name ? long : fill(one)
          if (one.in === 'path') filled = filled.replace(`{${one.name}}`, encodeURIComponent(value))
          else if (one.required || one.name === name) query.set(one.name, value)
        }
        if (name.length > 1000) query.set(name, '1')
        const answer = await fetch(`${venue.url}${filled}?${query}`)
        const text = await answer.text()
        if (answer.status !== 200) faults.note(`GET ${path} ${name.slice(0, 40)}`, text)
        else if (runs.test(text)) faults.note(`GET ${path} ${name.slice(0, 40)}`, text)
      }
    }
  }
  faults.assertNone()
})

test('a frame with a long text in any field gets short answers', async () => {
  const faults = new Faults()
  const peer = await open()
  const receives = Object.entries<Wire>(streams.operations).filter(
    ([, { action, channel }]) => action === 'receive' && channel.$ref === '#/channels/clients',
  )
  for (const [type] of receives) {
    const { examples, 'x-signature': signature } = streams.components.messages[type]
    const { payload } = examples[0]
    for (const copy of withLongText(payload)) {
      const from = peer.messages.length
      peer.send(await signedOrNot(copy, signature, type))
      await peer.settle(0)
      await settled(peer, from)
      const text = JSON.stringify(
        peer.messages.slice(from).filter((one) => one.type !== 'ClockSynced'),
      )
      faults.note(`${type} ${placeOf(copy)}`, text)
    }
  }
  faults.assertNone()
})

/** Waits for the answer, since commands are answered after a later ClockSync. */
async function settled(peer: StreamPeer, from: number): Promise<void> {
  const isAnswered = () => peer.messages.slice(from).some(({ type }) => type !== 'ClockSynced')
  for (let looks = 0; looks < 20 && !isAnswered(); looks++) await sleep(2)
}

test('a provider frame with a long text in any field gets a short answer', async () => {
  const faults = new Faults()
  const receives = Object.entries<Wire>(streams.operations).filter(
    ([, { action, channel }]) => action === 'receive' && channel.$ref !== '#/channels/clients',
  )
  let peer: StreamPeer | null = null
  for (const [type] of receives) {
    const { payload } = streams.components.messages[type].examples[0]
    for (const copy of withLongText(payload)) {
      const isFirst = payload.type === 'connect_quote_provider'
      if (isFirst || peer === null || peer.closed !== null) {
        peer?.close()
        peer = await StreamPeer.open(venue, '/quotes')
        if (!isFirst) await peer.ask(await connectBody(by), 'authenticated')
      }
      const from = peer.messages.length
      peer.send(JSON.stringify(copy))
      await sleep(isFirst ? 10 : 4)
      faults.note(`${type} ${placeOf(copy)}`, JSON.stringify(peer.messages.slice(from)))
    }
  }
  peer?.close()
  faults.assertNone()
})

test('an operator write with a long text in any field gets a short answer', async () => {
  const faults = new Faults()
  for (const [method, path, { requestBody }] of operationsOf(operated)) {
    if (requestBody === undefined) continue
    const { example } = requestBody.content['application/json']
    for (const copy of withLongText(example)) {
      const text = await sent(`${venue.operatorUrl}${path}`, method, copy, venue.token)
      faults.note(`${method} ${path} ${placeOf(copy)}`, text)
    }
  }
  faults.assertNone()
})

test('a long path, method, header or stream query gets a short answer', async () => {
  const faults = new Faults()
  const long = 'x'.repeat(queryLength)
  const requests = [
    ['GET', `/${long}`, {}],
    ['POST', `/${long}`, {}],
    ['GET', `/v1/directives/${long}`, {}],
    ['POST', `/v1/actions/${long}`, {}],
    ['GET', `/rfq/${long}`, {}],
    ['GET', '/health', { 'X-Request-Id': long }],
    ['GET', `/portfolio?wallet=${by.wallet}`, { Authorization: `Bearer ${long}` }],
    ['GET', '/portfolio', { 'X-Forwarded-For': long, Origin: long }],
  ] as const
  for (const url of [venue.url, venue.operatorUrl]) {
    for (const [method, path, headers] of requests) {
      const answer = await fetch(`${url}${path}`, { method, headers })
      const heads = JSON.stringify([...answer.headers])
      faults.note(
        `${method} ${path.slice(0, 20)} ${Object.keys(headers)}`,
        (await answer.text()) + heads,
      )
    }
    const port = Number(new URL(url).port)
    for (const line of [
      `${'X'.repeat(1000)} / HTTP/1.1`,
      `GET / ${long}`,
      `GET ${long} HTTP/1.1`,
    ]) {
      faults.note(line.slice(0, 20), await venue.raw(`${line}\r\nHost: x\r\n\r\n`, { port }))
    }
  }
  const peer = await open(`?wallet=${long}`)
  await peer.next('Error')
  faults.note('?wallet=', JSON.stringify(peer.messages))
  faults.assertNone()
})
