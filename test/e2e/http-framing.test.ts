import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedVenue } from './support/shared-venue.js'
import type { Answer } from './support/venue.js'

const venue = sharedVenue()
const answerMillisMax = 60_000
const head = 'POST /order HTTP/1.1\r\nHost: x\r\n'
/** Request that the venue would serve if it took the bytes after a request for one. */
const nextRequest = 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n'
const chunks = '2\r\n{}\r\n0\r\n\r\n'

/** Returns everything until the venue closes the connection, which it must. */
async function answerOf(bytes: string): Promise<string> {
  const started = performance.now()
  const text = await venue.raw(bytes, { quietMillis: answerMillisMax })
  assert.ok(performance.now() - started < answerMillisMax, 'the connection stays open')
  return text
}

async function assertRefused(headers: string, body: string): Promise<void> {
  const shown = JSON.stringify(headers)
  const text = await answerOf(`${head}${headers}\r\n${body}${nextRequest}`)
  assert.match(text, /^HTTP\/1\.1 400 /, shown)
  assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1, `${shown}: ${text}`)
  assert.doesNotMatch(text, /signing_chain_id/, shown)
}

test('the venue answers 400 to a body with an ambiguous end and serves nothing after it', async () => {
  await assertRefused('Content-Length: 2\r\nContent-Length: 2\r\n', '{}')
  await assertRefused('Content-Length: 2\r\nContent-Length: 37\r\n', '{}')
  await assertRefused('Content-Length: 0\r\nX: y\r\ncontent-length: 2\r\n', '{}')
  await assertRefused('Content-Length: \r\n', '{}')
  await assertRefused('Content-Length: 2, 2\r\n', '{}')
  await assertRefused('Content-Length: +2\r\n', '{}')
  await assertRefused('Content-Length: 0x2\r\n', '{}')
  await assertRefused('Content-Length: 99999999999999999999\r\n', '{}')
  for (const encoding of [
    'identity',
    'xchunked',
    'gzip, chunked',
    'chunked, chunked',
    'gzip',
    '',
  ]) {
    await assertRefused(`Transfer-Encoding: ${encoding}\r\n`, chunks)
  }
  await assertRefused('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', chunks)
  await assertRefused('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', chunks)
  await assertRefused('Transfer-Encoding: chunked\r\nContent-Length: 2\r\n', chunks)
  await assertRefused('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', chunks)
  await assertRefused('Transfer-Encoding: \r\nContent-Length: 2\r\n', '{}')
  await assertRefused('Host: y\r\nContent-Length: 2\r\n', '{}')
})

test('the same applies to reads and to stream upgrades', async () => {
  const twice = 'Content-Length: 0\r\nContent-Length: 36\r\n'
  for (const line of ['GET /health', 'DELETE /order', 'OPTIONS /order', 'GET /nothing']) {
    const text = await answerOf(`${line} HTTP/1.1\r\nHost: x\r\n${twice}\r\n${nextRequest}`)
    assert.match(text, /^HTTP\/1\.1 400 /, line)
    assert.doesNotMatch(text, /signing_chain_id/, line)
  }
  const upgrade =
    'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const text = await answerOf(`GET /ws HTTP/1.1\r\nHost: x\r\n${upgrade}${twice}\r\n`)
  assert.match(text, /^HTTP\/1\.1 400 /)
})

test('the venue accepts one valid length, and `chunked` in any case', async () => {
  const isWhole = (text: string) => text.includes('"code"')
  for (const headers of [
    'Content-Length: 2\r\n\r\n{}',
    `Transfer-Encoding: chunked\r\n\r\n${chunks}`,
    `transfer-encoding: Chunked\r\n\r\n${chunks}`,
  ]) {
    const text = await venue.raw(head + headers, { isWhole, quietMillis: answerMillisMax })
    assert.match(text, /missing_field/, headers)
  }
})

test('a write that offers an upgrade keeps its body, on both ports', async () => {
  const operatorPort = Number(new URL(venue.operatorUrl).port)
  const isWhole = (text: string) => text.includes('"code"')
  for (const protocol of ['h2c', 'websocket']) {
    const offer = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\nContent-Length: 2\r\n\r\n{}`
    const order = await venue.raw(head + offer, { isWhole, quietMillis: answerMillisMax })
    assert.match(order, /missing_field/, protocol)
    const deposit =
      'POST /operator/deposits HTTP/1.1\r\nHost: localhost\r\n' +
      `Authorization: Bearer ${venue.token}\r\n${offer}`
    const options = { isWhole, port: operatorPort, quietMillis: answerMillisMax }
    assert.match(await venue.raw(deposit, options), /missing_field/, protocol)
  }
})

test('no answer names its server software', async () => {
  const answers: Answer[] = [
    await venue.get('/health'),
    await venue.get('/nothing'),
    await venue.send('POST', '/order', '{'),
    await venue.operator('GET', '/state', undefined),
  ]
  for (const { headers } of answers) {
    for (const [name, value] of headers) assert.doesNotMatch(`${name}: ${value}`, /websockets/i)
    assert.equal(headers.get('server'), null)
  }
})

test('the operator port accepts only loopback host names', async () => {
  const { port } = new URL(venue.operatorUrl)
  const asked = async (host: string, path = '/metrics', token = '') => {
    const authorization = token === '' ? '' : `Authorization: Bearer ${token}\r\n`
    const bytes = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}Connection: close\r\n\r\n`
    const text = await venue.raw(bytes, { port: Number(port), quietMillis: answerMillisMax })
    return Number(/^HTTP\/1\.1 (\d+)/.exec(text)![1])
  }
  for (const host of [
    'localhost',
    `LOCALHOST:${port}`,
    '127.0.0.1',
    `127.1.2.3:${port}`,
    '[::1]:1',
  ]) {
    assert.equal(await asked(host), 200, host)
  }
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '[::2]',
    '',
    'localhost@evil.example',
  ]) {
    for (const path of ['/metrics', '/livez', '/readyz', '/metrics/detail', '/operator/state']) {
      assert.equal(await asked(host, path, venue.token), 403, `${host} ${path}`)
    }
  }
})

test('the venue delays wrong operator tokens without delaying the right one', async () => {
  const tookMillis = async (token: string) => {
    const started = performance.now()
    const { status } = await venue.operator('GET', '/state', undefined, token)
    return { status, millis: performance.now() - started }
  }
  const wrong = Array.from({ length: 20 }, () => tookMillis('wrong-token-of-some-length'))
  // On a stalled machine one of them may be slow, but not all of them in a row.
  let right = await tookMillis(venue.token)
  for (let again = 0; right.millis >= 900 && again < 10; again++) {
    wrong.push(...Array.from({ length: 20 }, () => tookMillis('wrong-token-of-some-length')))
    right = await tookMillis(venue.token)
  }
  assert.equal(right.status, 200)
  assert.ok(right.millis < 900, `${right.millis} ms`)
  for (const { status, millis } of await Promise.all(wrong)) {
    assert.equal(status, 401)
    assert.ok(millis > 900, `${millis} ms`)
  }
  assert.match(venue.log(), /wrong operator token/)
})
