import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { HttpPool } from '../../../bench/load/http-connection.js'

type Serve = (socket: Socket, request: string, count: number) => void

/** Runs a server of raw bytes. `serve` receives each chunk as one request. */
async function withServer(serve: Serve, use: (url: string) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => serve(socket, String(chunk), ++count))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

function ask(pool: HttpPool, text: string): Promise<readonly [number, string]> {
  return new Promise((resolve) => {
    pool.send(Buffer.from(text), (status, body) => resolve([status, body]))
  })
}

const answer = (body: string, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

test('requests wait for a free connection, in order, and get their own answers', async () => {
  const underWay = new Map<Socket, number>()
  const serve: Serve = (socket, request) => {
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1)
    assert.equal(underWay.get(socket), 1, 'one under way per connection')
    setTimeout(() => {
      underWay.set(socket, 0)
      socket.write(answer(`to ${request}`))
    }, 2)
  }
  await withServer(serve, async (url) => {
    const pool = new HttpPool(url, 3)
    const texts = Array.from({ length: 40 }, (_, i) => `request ${i}`)
    const answers = await Promise.all(texts.map((text) => ask(pool, text)))
    assert.deepEqual(
      answers,
      texts.map((text) => [200, `to ${text}`]),
    )
    assert.equal(underWay.size, 3)
    pool.close()
  })
})

test('an answer in pieces, with any status and text beyond ASCII, is assembled', async () => {
  const bytes = Buffer.from(answer('{"reason":"größer"}', '503 Service Unavailable'))
  const serve: Serve = (socket) => {
    for (const [i, byte] of bytes.entries()) setTimeout(() => socket.write(Buffer.of(byte)), i / 8)
  }
  await withServer(serve, async (url) => {
    const pool = new HttpPool(url, 1)
    assert.deepEqual(await ask(pool, 'x'), [503, '{"reason":"größer"}'])
    pool.close()
  })
})

test('a second answer to a request fails that request, not the next one', async () => {
  const serve: Serve = (socket, request) => {
    socket.write(answer(`to ${request}`) + (request === 'first' ? answer('again') : ''))
  }
  await withServer(serve, async (url) => {
    const pool = new HttpPool(url, 1)
    const published: string[] = []
    pool.send(Buffer.from('first'), (_, body) => published.push(body))
    assert.deepEqual(await ask(pool, 'second'), [200, 'to second'])
    assert.deepEqual(published, ['to first', 'again'])
    pool.close()
  })
})

test('a request whose connection closes without an answer is retried unchanged', async () => {
  const seen: string[] = []
  const serve: Serve = (socket, request, count) => {
    seen.push(request)
    if (count === 1) socket.destroy()
    else socket.write(answer('done'))
  }
  await withServer(serve, async (url) => {
    const pool = new HttpPool(url, 1)
    assert.deepEqual(await ask(pool, 'signed'), [200, 'done'])
    assert.deepEqual(seen, ['signed', 'signed'])
    pool.close()
  })
})

test('the client gives up on a server that always closes, or does not exist', async () => {
  await withServer(
    (socket) => socket.destroy(),
    async (url) => {
      const pool = new HttpPool(url, 2)
      assert.equal((await ask(pool, 'signed'))[0], 0)
      pool.close()
    },
  )
  const nobody = new HttpPool('http://127.0.0.1:1', 2)
  assert.equal((await ask(nobody, 'signed'))[0], 0)
  assert.deepEqual(await ask(nobody, 'later'), [0, 'no connection'])
})
