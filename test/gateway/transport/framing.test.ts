import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { boundless } from '../../../gateway/transport/connection-ledger.js'
import type { TransportHandlers } from '../../../gateway/transport/transport.js'
import type { TransportKind } from '../../../gateway/transport/transport-kinds.js'
import { loadTransports } from '../../../gateway/transport/transports.js'

const answerMillis = 20
const body = '{"a":1}'
const chunks = '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n'
const get =
  'GET /health HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: test\r\nAccept: */*\r\n\r\n'
const next = 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n'
const stream =
  'GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n'

const peer = { onMessage: () => {}, onPong: () => {}, onDrain: () => {}, onClose: () => {} }
const handlers: TransportHandlers = {
  onCall: (call) => {
    const text = `${call.method} ${call.path}?${call.query} of ${call.host}: ${call.body}`
    if (call.path === '/slow') setTimeout(() => call.answer(200, text, []), answerMillis)
    else call.answer(200, text, [])
  },
  refuseCall: () => null,
  onCallEnd: () => {},
  refuseStream: () => null,
  onStream: () => peer,
}

/** A request that is legal, and the transports on which it fails, with the start of what its client receives then. */
interface LegalRequest {
  readonly name: string
  /** Each part is a packet of its own. */
  readonly parts: readonly string[]
  /** Last text of the answer. */
  readonly answer: string
  /** `null`: the native transport serves it, too. */
  readonly native: string | null
  readonly closes?: boolean
}

const upgrade = (protocol: string, path: string, rest: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n` +
  `HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n${rest}\r\n\r\n`
const length = `Content-Length: ${body.length}`
const chunked = 'Transfer-Encoding: chunked'
const post = (head: string) => `POST /order HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n`
const posted = `POST /order? of a: ${body}`
const versionFault = 'HTTP/1.1 505 '

const legal: readonly LegalRequest[] = [
  ...['h2c', 'websocket', 'TLS/1.0'].flatMap((protocol): LegalRequest[] => [
    {
      name: `a write that offers ${protocol}, its body in the same packet`,
      parts: [upgrade(protocol, '/order', length) + body],
      answer: posted,
      native: null,
    },
    {
      name: `a write that offers ${protocol}, its body in a later packet`,
      parts: [upgrade(protocol, '/order', length), body],
      answer: posted,
      native: null,
    },
    {
      name: `a write that offers ${protocol}, its body in chunks`,
      parts: [upgrade(protocol, '/order', chunked) + chunks],
      answer: posted,
      native: null,
    },
    {
      name: `a write that offers ${protocol}, its chunks in later packets`,
      parts: [upgrade(protocol, '/order', chunked), chunks.slice(0, 5), chunks.slice(5)],
      answer: posted,
      native: null,
    },
  ]),
  {
    name: 'a write to the path of streams that offers a WebSocket',
    parts: [upgrade('websocket', '/ws', length), body],
    answer: `POST /ws? of a: ${body}`,
    native: null,
  },
  {
    name: 'a read that offers h2c',
    parts: ['GET /book HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
    answer: 'GET /book? of a: ',
    native: null,
  },
  {
    name: 'a cookie of 4,000 bytes',
    parts: [`GET /book HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(4000)}\r\n\r\n`],
    answer: 'GET /book? of a: ',
    native: null,
  },
  {
    name: 'headers of 12,000 bytes',
    parts: [`GET /book HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(12_000)}\r\n\r\n`],
    answer: 'GET /book? of a: ',
    native: null,
  },
  {
    name: 'an absolute target, whose host replaces the header',
    parts: ['GET http://b:1/book?depth=1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    answer: 'GET /book?depth=1 of b:1: ',
    native: versionFault,
  },
  {
    name: 'an absolute target without a path',
    parts: ['GET http://b HTTP/1.1\r\nHost: a\r\n\r\n'],
    answer: 'GET /? of b: ',
    native: versionFault,
  },
  {
    name: 'a chunk extension',
    parts: [`${post(chunked)}7;a=b\r\n${body}\r\n0\r\n\r\n`],
    answer: posted,
    native: '',
  },
  {
    name: 'a trailer',
    parts: [`${post(chunked)}7\r\n${body}\r\n0\r\nX-Sum: 1\r\n\r\n`],
    answer: posted,
    native: versionFault,
  },
  {
    name: 'a read of HTTP/1.0',
    parts: ['GET /book HTTP/1.0\r\nHost: a\r\nConnection: close\r\n\r\n'],
    answer: 'GET /book? of a: ',
    native: versionFault,
    closes: true,
  },
  {
    name: 'a write of HTTP/1.0',
    parts: [`POST /order HTTP/1.0\r\nHost: a\r\nConnection: close\r\n${length}\r\n\r\n${body}`],
    answer: posted,
    native: versionFault,
    closes: true,
  },
]

const wished = await loadTransports('auto')
const kinds = new Map([wished, await loadTransports('node')].map((row) => [row.kind, row]))
const servers = [...kinds].map(([kind, transports]) => ({
  kind,
  server: transports.open(handlers),
}))
const ports = new Map<TransportKind, number>()
for (const { kind, server } of servers) ports.set(kind, await server.listen('127.0.0.1', 0))
after(() => {
  for (const { server } of servers) server.close()
})

/**
 * Sends packets, with `gapMillis` between them, and `later` after the first answer.
 * @returns all bytes received until `isDone`, or until `waitMillis` have passed.
 */
async function exchange(
  port: number,
  parts: readonly string[],
  isDone: (text: string) => boolean,
  { gapMillis = 5, ends = false, waitMillis = 10_000, later = '' } = {},
): Promise<{ readonly text: string; readonly isClosed: boolean }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  let text = ''
  let isClosed = false
  let isLater = false
  const ended = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (!isDone(text)) return
      if (later === '' || isLater) resolve()
      else socket.write(later)
      isLater = true
    })
    socket.on('end', () => {
      isClosed = true
      resolve()
    })
    socket.on('error', () => resolve())
  })
  for (const [index, part] of parts.entries()) {
    if (index > 0) await sleep(gapMillis)
    socket.write(part)
  }
  if (ends) socket.end()
  await Promise.race([ended, sleep(waitMillis, undefined, { ref: false })])
  socket.destroy()
  return { text, isClosed }
}

for (const [kind, port] of ports) {
  test(`${kind}: legal requests are answered, and their connections stay usable`, async () => {
    const run = async ({ name, parts, answer, native, closes = false }: LegalRequest) => {
      const fault = kind === 'native' ? native : null
      if (fault !== null) {
        const { text } = await exchange(port, parts, () => fault !== '', { waitMillis: 500 })
        assert.ok(fault === '' ? text === '' : text.startsWith(fault), `${name}: ${text}`)
        return
      }
      const last = closes ? answer : 'GET /next? of a: '
      const isDone = (heard: string) => heard.endsWith(answer) || heard.endsWith(last)
      const { text } = await exchange(port, parts, isDone, { later: closes ? '' : next })
      assert.ok(text.startsWith('HTTP/1.1 200 '), `${name}: ${text}`)
      assert.ok(text.includes(`\r\n\r\n${answer}`), `${name}: ${text}`)
      assert.ok(text.endsWith(last), `${name}: ${text}`)
    }
    await Promise.all(legal.map(run))
  })

  test(`${kind}: a request may be cut at every byte, as the first or second of a connection`, async () => {
    const rows = [
      { name: 'read', before: [], request: get, last: 'GET /health? of 127.0.0.1:8080: ' },
      { name: 'second read', before: [get], request: get, last: '8080: ' },
      { name: 'write', before: [], request: post(length) + body, last: posted },
      { name: 'chunks', before: [], request: post(chunked) + chunks, last: posted },
      { name: 'stream', before: [], request: stream, last: '\r\n\r\n' },
    ]
    for (const { name, before, request, last } of rows) {
      const answers = before.length + 1
      const isDone = (text: string) =>
        text.split('HTTP/1.1 ').length > answers && text.endsWith(last)
      const cuts = Array.from({ length: request.length - 1 }, (_, index) => index + 1)
      await Promise.all(
        cuts.map(async (cut) => {
          const parts = [...before, request.slice(0, cut), request.slice(cut)]
          const { text } = await exchange(port, parts, isDone, { gapMillis: 20 })
          const status = name === 'stream' ? '101' : '200'
          assert.equal(
            text.split(`HTTP/1.1 ${status} `).length - 1,
            answers,
            `${name} ${cut}: ${text}`,
          )
          assert.ok(isDone(text), `${name} ${cut}: ${text}`)
        }),
      )
    }
  })

  test(`${kind}: a client that ends its sending side early gets its answer over Node's server only`, async () => {
    const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'
    const ends = { ends: true }
    const { text, isClosed } = await exchange(port, [slow], () => false, ends)
    if (kind === 'native') assert.equal(text, '')
    else assert.match(text, /^HTTP\/1\.1 200 [\s\S]*GET \/slow\? of a: $/)
    assert.ok(isClosed, 'the server ends its side, too')
  })
}

test('Node’s server answers requests pipelined after an offer, each after the one before it', async () => {
  const slow = upgrade('h2c', '/slow', length) + body
  const chunkedOffer = upgrade('websocket', '/order', chunked) + chunks
  const request = slow + get + chunkedOffer + slow + next
  const isDone = (text: string) => text.endsWith('GET /next? of a: ')
  const { text } = await exchange(ports.get('node')!, [request], isDone)
  const answers = text.split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/).slice(1)
  const slowly = `POST /slow? of a: ${body}`
  const quickly = 'GET /health? of 127.0.0.1:8080: '
  assert.deepEqual(answers, [slowly, quickly, posted, slowly, 'GET /next? of a: '])
  const closing = slow.replace('Connection: Upgrade', 'Connection: close, Upgrade')
  const last = await exchange(ports.get('node')!, [closing + get], () => false)
  assert.ok(last.isClosed && last.text.endsWith(slowly), last.text)
})

test('Node’s server keeps an HTTP/1.0 connection that asks for it, and opens a stream on one', async () => {
  const port = ports.get('node')!
  const kept = 'GET /book HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n'
  const isDone = (text: string) => text.split('GET /book? of a: ').length === 3
  const { text, isClosed } = await exchange(port, [kept, kept], isDone)
  assert.ok(isDone(text) && !isClosed, text)
  const plain = await exchange(port, ['GET /book HTTP/1.0\r\nHost: a\r\n\r\n'], () => false)
  assert.ok(plain.isClosed)
  const opened = await exchange(port, [stream.replace('HTTP/1.1', 'HTTP/1.0')], () => true)
  assert.match(opened.text, /^HTTP\/1\.1 101 /)
})

test('headers above 16 KiB get 431 from both transports', async () => {
  for (const port of ports.values()) {
    const request = `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`
    const { text } = await exchange(port, [request], () => true)
    assert.match(text, /^HTTP\/1\.1 431 /)
  }
})

test('Node’s server rejects CONNECT with an answer', async () => {
  const request = 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n'
  const { text } = await exchange(ports.get('node')!, [request], () => false)
  assert.match(text, /^HTTP\/1\.1 400 [\s\S]*CONNECT is not supported/)
})

const doubled = 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'
const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'

test('Node’s server answers a request before a malformed one, and serves none after it', async () => {
  for (const unsound of [doubled, 'no request\r\n\r\n']) {
    const { text } = await exchange(ports.get('node')!, [slow + unsound + next], () => false)
    assert.match(text, /^HTTP\/1\.1 200 [\s\S]*GET \/slow\? of a: /)
    assert.equal(text.includes('/next'), false)
    assert.equal(text.includes('HTTP/1.1 400 '), unsound === doubled)
  }
})

const tiny = '1\r\nx\r\n'.repeat(10_000)
const large = 'x'.repeat(1 << 16)
const badOffer = stream.replace('Version: 13', 'Version: 1')

for (const [name, first, rest] of [
  ['a malformed request', 'no request\r\n\r\n', large],
  ['two hosts', doubled, large],
  ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n', large],
  ['an unsound handshake', badOffer, large],
  ['a close frame', `${stream}\x88\x82\0\0\0\0\x03\xe8`, large],
  ['a read with a body', `GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n`, large],
  ['a read with a body in tiny chunks', get.replace('Accept: */*', chunked), tiny],
  ['a write with a body in tiny chunks', post(chunked), tiny],
] as const) {
  test(`Node’s server closes the connection of a client that keeps sending after ${name}`, async () => {
    const socket = connect({ port: ports.get('node')!, host: '127.0.0.1', allowHalfOpen: true })
    const gone = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {}).resume()
    socket.write(first, 'latin1')
    let bytes = 0
    const sendOn = () => {
      bytes += rest.length
      if (socket.write(rest)) setTimeout(sendOn, 5)
      else socket.once('drain', sendOn)
    }
    setTimeout(sendOn, 50)
    await gone
    assert.ok(bytes < 1 << 26, `${bytes} bytes`)
  })
}

test('Node’s server closes a failed handshake whose client left unread bytes', async () => {
  let hasEnded = () => {}
  const gone = new Promise<void>((resolve) => {
    hasEnded = resolve
  })
  const ledger = { ...boundless, ended: () => hasEnded() }
  const server = kinds.get('node')!.open(handlers, { ledger })
  const socket = connect(await server.listen('127.0.0.1', 0), '127.0.0.1')
  socket.write(badOffer)
  await once(socket, 'data')
  socket.write(large)
  await sleep(50)
  socket.destroy()
  await gone
  server.close()
})

test('a server without streams ignores an offer on their path', async () => {
  for (const transports of kinds.values()) {
    const { onStream: _, ...others } = handlers
    const server = transports.open(others)
    const port = await server.listen('127.0.0.1', 0)
    const { text } = await exchange(port, [stream], () => true)
    assert.match(text, /^HTTP\/1\.1 200 [\s\S]*GET \/ws\? of a: $/)
    server.close()
  }
})

const curlFault = whyNoCurl()
test('curl, which offers h2c with every request, gets its answers', {
  skip: curlFault,
}, async () => {
  for (const port of ports.values()) {
    const urls = [1, 2].map((index) => `http://127.0.0.1:${port}/order/${index}`)
    const { stdout } = await promisify(execFile)('curl', [
      ...['--http2', '--silent', '--max-time', '20', '--data', body],
      ...['--write-out', ' over %{num_connects}\n', ...urls],
    ])
    const lines = [1, 2].map(
      (index) => `POST /order/${index}? of 127.0.0.1:${port}: ${body} over ${2 - index}\n`,
    )
    assert.equal(stdout, lines.join(''))
  }
})

function whyNoCurl(): string | false {
  try {
    const version = execFileSync('curl', ['--version'], { encoding: 'utf8' })
    return version.includes('HTTP2') ? false : 'this curl has no HTTP/2'
  } catch {
    return 'this machine has no curl'
  }
}
