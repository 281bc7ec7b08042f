import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Compressor, codingOf } from '../../../gateway/transport/compressor.js'
import type { HeaderList, HttpCall } from '../../../gateway/transport/transport.js'
import { httpCall } from '../../support/http-call.js'

const text = JSON.stringify(Array.from({ length: 400 }, (_, index) => ({ index })))
const json: HeaderList = [['Content-Type', 'application/json']]

interface Sent {
  readonly body: Buffer
  readonly headers: ReadonlyMap<string, string>
}

/** Sends one answer by `over`. @returns the answer that reaches the transport. */
function sent(
  over: (call: HttpCall) => HttpCall,
  body: string | Uint8Array,
  acceptEncoding = 'gzip',
): Promise<Sent> {
  return new Promise((resolve) => {
    const call: HttpCall = {
      ...httpCall('GET', '/', null, () => {}),
      acceptEncoding,
      answer: (_, bytes, headers) => {
        resolve({ body: Buffer.from(bytes), headers: new Map(headers) })
      },
    }
    over(call).answer(200, body, json)
  })
}

test('the coding is the one that the client prefers, and brotli of two equal ones', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.8, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', null],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['gzip;q=0.5, identity', null],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['deflate', null],
    ['gzip;q=much', null],
    [`gzip,${'a,'.repeat(200)}`, null],
  ]
  for (const [accepted, coding] of cases) assert.equal(codingOf(accepted), coding, accepted)
})

test('an answer of more than a kibibyte is compressed, and names its coding', async () => {
  const compressor = new Compressor()
  const decoders = { gzip: gunzipSync, br: brotliDecompressSync }
  for (const over of [compressor.single, compressor.kept].map((way) => way.bind(compressor))) {
    for (const [coding, decoded] of Object.entries(decoders)) {
      for (const body of [text, Buffer.from(text)]) {
        const { body: bytes, headers } = await sent(over, body, coding)
        assert.equal(headers.get('Content-Encoding'), coding)
        assert.equal(headers.get('Vary'), 'Accept-Encoding')
        assert.ok(bytes.length < text.length / 3)
        assert.equal(decoded(bytes).toString(), text)
      }
    }
  }
  assert.equal(compressor.underWay, 0)
})

test('an answer is sent unchanged if it is short, unwanted, or would not get smaller', async () => {
  const compressor = new Compressor()
  const single = compressor.single.bind(compressor)
  const short = await sent(single, 'x'.repeat(1024))
  assert.deepEqual([...short.headers.keys()], ['Content-Type'])
  const noise = randomBytes(5000)
  for (const [body, accepted] of [
    [text, ''],
    [noise, 'gzip'],
  ] as const) {
    const { body: bytes, headers } = await sent(single, body, accepted)
    assert.deepEqual(bytes, Buffer.from(body))
    assert.equal(headers.get('Content-Encoding'), undefined)
    assert.equal(headers.get('Vary'), 'Accept-Encoding')
  }
})

test('a document is compressed once for each coding', async () => {
  const compressor = new Compressor()
  const document = Buffer.from(text)
  const seen = new Set<object>()
  const answer: HttpCall['answer'] = (_, bytes) => seen.add(bytes as Uint8Array)
  const call: HttpCall = { ...httpCall('GET', '/', null, () => {}), acceptEncoding: 'br', answer }
  for (let i = 0; i < 5; i++) compressor.kept(call).answer(200, document, json)
  assert.equal(compressor.underWay, 5)
  while (compressor.underWay > 0) await new Promise(setImmediate)
  assert.equal(seen.size, 1)
})

test('beyond the budget of bytes answers are sent unchanged, until time has passed', async () => {
  let millis = 0
  const compressor = new Compressor(() => millis)
  const single = compressor.single.bind(compressor)
  const large = 'x'.repeat(1024 * 1024)
  const isCompressed = async (body: string) =>
    (await sent(single, body)).headers.has('Content-Encoding')
  for (let i = 0; i < 3; i++) assert.equal(await isCompressed(large), true)
  assert.equal(await isCompressed(large), false)
  assert.equal(await isCompressed(text), true)
  millis += 100
  assert.equal(await isCompressed(large), true)
  assert.equal(await isCompressed(large), false)
  assert.equal(await isCompressed('x'.repeat(8 * 1024 * 1024)), false)
})
