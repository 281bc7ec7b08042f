import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'
import { ApiError, ConnectionError } from '../../../gateway/client/client-error.js'
import { StreamClient, type StreamMessage } from '../../../gateway/client/stream-client.js'

const wallet = '0x00000000000000000000000000000000000000aa'
const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server that keeps each connection's frames. */
class Server {
  readonly server: WebSocketServer
  readonly sockets: WebSocket[] = []
  readonly frames: StreamMessage[][] = []

  constructor(port: number) {
    this.server = new WebSocketServer({ host: '127.0.0.1', port })
    this.server.on('connection', (socket) => {
      const frames: StreamMessage[] = []
      this.sockets.push(socket)
      this.frames.push(frames)
      socket.on('message', (data) => frames.push(JSON.parse(data.toString())))
    })
    closers.push(() => this.close())
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  close(): void {
    for (const socket of this.sockets) socket.terminate()
    this.server.close()
  }
}

async function startServer(port = 0): Promise<Server> {
  const server = new Server(port)
  await once(server.server, 'listening')
  return server
}

function connect(port: number, onMessage: (message: StreamMessage) => void = () => {}) {
  const counts: number[] = []
  const closes: string[] = []
  const client = new StreamClient({
    url: `http://127.0.0.1:${port}`,
    wallet,
    onMessage,
    onConnected: (count) => counts.push(count),
    onDisconnected: (code, reason) => closes.push(`${code} ${reason}`),
    backoffMillisMin: 5,
    backoffMillisMax: 20,
    silenceMillisMax: 200,
  })
  closers.push(() => client.close())
  return { client, counts, closes }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let looks = 0; !isTrue(); looks++) {
    assert.ok(looks < 300, 'waited too long')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('identifies itself first, then subscribes, again after every reconnect', async () => {
  const server = await startServer()
  const { client, counts, closes } = connect(server.port)
  client.subscribe('fills')
  client.subscribe('orderbook', { symbols: ['A'] })
  const endTrades = client.subscribe('trades')
  await until(() => (server.frames[0]?.length ?? 0) === 4)
  endTrades()
  server.sockets[0]!.close(1008, '{"error":"slow_consumer"}')
  await until(() => (server.frames[1]?.length ?? 0) === 3)
  assert.deepEqual(server.frames[1], [
    { type: 'Authenticate', wallet },
    { type: 'Subscribe', channel: 'fills' },
    { type: 'Subscribe', channel: 'orderbook', symbols: ['A'] },
  ])
  assert.deepEqual(server.frames[0]!.at(-1), { type: 'Unsubscribe', channel: 'trades' })
  assert.deepEqual(counts, [1, 2])
  assert.deepEqual(closes, ['1008 {"error":"slow_consumer"}'])
})

test('keeps trying while nobody listens', async () => {
  const first = await startServer()
  const { port } = first
  const { counts } = connect(port)
  await until(() => counts.length === 1)
  first.close()
  await new Promise((resolve) => setTimeout(resolve, 60))
  await startServer(port)
  await until(() => counts.length === 2)
})

test('gives up a connection that has gone silent', async () => {
  const server = await startServer()
  const { counts } = connect(server.port)
  await until(() => counts.length >= 2)
})

test('an order over the stream is answered by its nonce', async () => {
  const server = await startServer()
  const { client, counts } = connect(server.port)
  await until(() => counts.length === 1)
  const accepted = client.placeOrder({ nonce: 1 })
  const refused = client.placeOrder({ nonce: 2 })
  await until(() => server.frames[0]!.length === 3)
  assert.deepEqual(server.frames[0]![1], { type: 'PlaceOrder', nonce: 1 })
  const [socket] = server.sockets
  socket!.send('{"type":"Error","nonce":2,"code":"unauthorized","message":"no"}')
  socket!.send('{"type":"OrderResult","nonce":1,"status":"ACKED","order_id":7}')
  await assert.rejects(refused, (error: unknown) => {
    return error instanceof ApiError && error.code === 'unauthorized'
  })
  assert.equal((await accepted).order_id, 7)
})

test('an order without an answer fails when the stream goes down', async () => {
  const server = await startServer()
  const { client, counts } = connect(server.port)
  await until(() => counts.length === 1)
  const order = client.placeOrder({ nonce: 1 })
  server.sockets[0]!.terminate()
  await assert.rejects(order, ConnectionError)
})

test('a closed client stays closed', async () => {
  const server = await startServer()
  const { client, counts } = connect(server.port)
  await until(() => counts.length === 1)
  client.close()
  await new Promise((resolve) => setTimeout(resolve, 60))
  assert.equal(server.sockets.length, 1)
  await assert.rejects(client.placeOrder({ nonce: 1 }), ConnectionError)
})
