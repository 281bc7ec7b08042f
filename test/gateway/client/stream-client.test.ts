import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'
import { ApiError, ConnectionError, ProtocolError } from '../../../gateway/client/client-error.js'
import { StreamClient } from '../../../gateway/client/stream-client.js'
import type { StreamMessage } from '../../../gateway/client/stream-types.js'
import { wholeMessage } from '../../support/whole-message.js'

const wallet = '0x00000000000000000000000000000000000000aa'
const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/**
 * Server that stores each connection's frames, and answers those that open it unless it is mute. Completes the messages of
 * tests with the fields that they omit.
 */
class Server {
  readonly server: WebSocketServer
  readonly sockets: WebSocket[] = []
  readonly frames: StreamMessage[][] = []
  /** Sends what is no message as well. */
  readonly raw: ((data: string | Uint8Array) => void)[] = []
  isMute = false
  /** True if it answers ClockSync. */
  answersSync = true

  constructor(port: number) {
    this.server = new WebSocketServer({ host: '127.0.0.1', port })
    this.server.on('connection', (socket) => {
      const frames: StreamMessage[] = []
      const send = socket.send.bind(socket)
      this.raw.push(send)
      socket.send = (text: unknown) => send(JSON.stringify(wholeMessage(JSON.parse(String(text)))))
      this.sockets.push(socket)
      this.frames.push(frames)
      socket.on('message', (data) => {
        const frame = JSON.parse(data.toString()) as StreamMessage
        frames.push(frame)
        if (this.isMute || (frame.type === 'ClockSync' && !this.answersSync)) return
        socket.send(JSON.stringify(answerTo(frame)))
      })
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

function answerTo({ type, channel }: StreamMessage): StreamMessage {
  if (type === 'Authenticate') return { type: 'Authenticated', wallet }
  return { type: `${type}d`, channel }
}

async function startServer(port = 0): Promise<Server> {
  const server = new Server(port)
  await once(server.server, 'listening')
  return server
}

function connect(
  port: number,
  onMessage: (message: StreamMessage) => void = () => {},
  silenceMillisMax = 60_000,
) {
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
    silenceMillisMax,
  })
  closers.push(() => client.close())
  return { client, counts, closes }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let looks = 0; !isTrue(); looks++) {
    assert.ok(looks < 12_000, 'waited too long')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('it identifies itself first, then subscribes, and does both again after every reconnect', async () => {
  const server = await startServer()
  const { client, counts, closes } = connect(server.port)
  client.subscribe('fills')
  client.subscribe('orderbook', { symbols: ['A'] })
  const endTrades = client.subscribe('trades')
  await until(() => counts.length === 1)
  assert.equal(server.frames[0]!.length, 4)
  endTrades()
  server.sockets[0]!.close(1008, '{"error":"slow_consumer"}')
  await until(() => counts.length === 2)
  assert.deepEqual(server.frames[1], [
    { type: 'Authenticate', wallet },
    { type: 'Subscribe', channel: 'fills', as_of_seq: true },
    { type: 'Subscribe', channel: 'orderbook', symbols: ['A'] },
  ])
  assert.deepEqual(server.frames[0]!.at(-1), { type: 'Unsubscribe', channel: 'trades' })
  assert.deepEqual(counts, [1, 2])
  assert.deepEqual(closes, ['1008 {"error":"slow_consumer"}'])
})

test('a listener receives only the messages of its channel, until it is removed', async () => {
  const server = await startServer()
  const { client, counts } = connect(server.port)
  const heard: unknown[] = []
  const end = client.on('fills', ({ type, fill_id }) => heard.push([type, fill_id]))
  await until(() => counts.length === 1)
  const tell = (type: string, fill_id: number) =>
    server.sockets[0]!.send(JSON.stringify({ type, fill_id }))
  for (const [id, type] of ['Fill', 'Trade', 'Fill'].entries()) tell(type, id)
  await until(() => heard.length === 2)
  assert.deepEqual(heard, [
    ['Fill', 0],
    ['Fill', 2],
  ])
  end()
  await until(() => server.frames[0]!.some(({ type }) => type === 'Unsubscribe'))
  const after: string[] = []
  client.listen({ onMessage: ({ type }) => after.push(type) })
  tell('Fill', 3)
  await until(() => after.includes('Fill'))
  assert.equal(heard.length, 2)
})

test('two subscriptions of one kind share one of the stream, which ends with the second', async () => {
  const server = await startServer()
  const { client, counts } = connect(server.port)
  const endFirst = client.subscribe('trades')
  const endSecond = client.subscribe('trades')
  await until(() => counts.length === 1)
  const asked = { type: 'Subscribe', channel: 'trades', as_of_seq: true }
  assert.deepEqual(server.frames[0]!.slice(1), [asked], 'once for both')
  const endThird = client.subscribe('trades')
  await until(() => server.frames[0]!.length === 3)
  assert.deepEqual(server.frames[0]!.at(-1), asked, 'the third gets its snapshot')
  endFirst()
  endFirst()
  endSecond()
  server.sockets[0]!.close(1012, 'restart')
  await until(() => counts.length === 2)
  assert.deepEqual(server.frames[1]!.slice(1), [asked], 'the third holds it still')
  endThird()
  await until(() => server.frames[1]!.length === 3)
  assert.deepEqual(server.frames[1]!.at(-1), { type: 'Unsubscribe', channel: 'trades' })
})

test('it is connected after the answers to identification and subscriptions, failed or not', async () => {
  const server = await startServer()
  server.isMute = true
  const seen: string[] = []
  const { client, counts } = connect(server.port, ({ type }) => {
    seen.push(`${type} ${counts.length}`)
  })
  client.subscribe('fills')
  await until(() => server.frames[0]?.length === 2)
  client.subscribe('trades')
  const [socket] = server.sockets
  const say = (message: StreamMessage) => socket!.send(JSON.stringify(message))
  say({ type: 'Authenticated', wallet })
  say({ type: 'Error', message: 'no', code: 'unauthorized', request_type: 'Subscribe' })
  say({ type: 'Error', message: 'no', code: 'invalid_json', request_type: 'PlaceOrder' })
  say({ type: 'Trade' })
  await until(() => seen.length === 4)
  assert.deepEqual(counts, [], 'one subscription has no answer')
  say({ type: 'Subscribed', channel: 'trades' })
  say({ type: 'Subscribed', channel: 'trades' })
  await until(() => seen.length === 6)
  assert.deepEqual(counts, [1])
  assert.deepEqual(seen.slice(-2), ['Subscribed 0', 'Subscribed 1'])
})

test('an Error without a frame answers none: it concerns the connection', async () => {
  const server = await startServer()
  server.isMute = true
  const seen: string[] = []
  const { counts } = connect(server.port, ({ type }) => seen.push(type))
  await until(() => server.frames[0]?.length === 1)
  const say = (message: StreamMessage) => server.sockets[0]!.send(JSON.stringify(message))
  say({ type: 'Error', message: 'bad wallet in the URL', code: 'invalid_wallet' })
  await until(() => seen.length === 1)
  assert.deepEqual(counts, [])
  say({ type: 'Authenticated', wallet })
  await until(() => counts.length === 1)
})

test('a client closed on its last answer gets no connected event', async () => {
  const server = await startServer()
  const { client, counts, closes } = connect(server.port, () => client.close())
  await until(() => closes.length === 1)
  assert.deepEqual(counts, [])
})

test('a connection that ends before its answers does not count as one', async () => {
  const server = await startServer()
  server.isMute = true
  const { counts, closes } = connect(server.port)
  await until(() => server.frames[0]?.length === 1)
  server.isMute = false
  server.sockets[0]!.close(1012, 'restart')
  await until(() => counts.length === 1)
  assert.deepEqual([counts, closes], [[1], ['1012 restart']])
  assert.equal(server.sockets.length, 2)
})

test('it keeps trying while no server listens', async () => {
  const first = await startServer()
  const { port } = first
  const { counts } = connect(port)
  await until(() => counts.length === 1)
  first.close()
  await new Promise((resolve) => setTimeout(resolve, 60))
  await startServer(port)
  await until(() => counts.length === 2)
})

test('it gives up a silent connection', async () => {
  const server = await startServer()
  server.answersSync = false
  const { counts } = connect(server.port, () => {}, 50)
  await until(() => counts.length >= 2)
})

test('it pings an idle connection, which stays open', async () => {
  const server = await startServer()
  const { counts } = connect(server.port, () => {}, 2000)
  const asked = () => server.frames[0]?.filter(({ type }) => type === 'ClockSync').length ?? 0
  await until(() => asked() >= 2)
  assert.equal(counts.length, 1)
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

test('a retried order has its own answer, one after the other', async () => {
  const server = await startServer()
  let answers = 0
  const { client, counts } = connect(server.port, ({ nonce }) => {
    if (nonce === 5) answers++
  })
  await until(() => counts.length === 1)
  const orders = Promise.allSettled([1, 2, 3].map(() => client.placeOrder({ nonce: 5 })))
  await until(() => server.frames[0]!.length === 4)
  const [socket] = server.sockets
  socket!.send('{"type":"OrderResult","nonce":5,"status":"ACKED","order_id":7}')
  socket!.send('{"type":"Error","nonce":5,"code":"engine_busy","message":"no"}')
  await until(() => answers === 2)
  socket!.terminate()
  const [placed, refused, lost] = await orders
  assert.ok(placed!.status === 'fulfilled' && placed.value.order_id === 7)
  assert.ok(refused!.status === 'rejected' && refused.reason instanceof ApiError)
  assert.ok(lost!.status === 'rejected' && lost.reason instanceof ConnectionError)
})

test('an order without an answer fails when the stream closes', async () => {
  const server = await startServer()
  const { client, counts } = connect(server.port)
  await until(() => counts.length === 1)
  const order = client.placeOrder({ nonce: 1 })
  server.sockets[0]!.terminate()
  await assert.rejects(order, ConnectionError)
})

test('a request for quote is answered by its id, and an acceptance by its nonce', async () => {
  const server = await startServer()
  const { client, counts } = connect(server.port)
  await until(() => counts.length === 1)
  const asked = client.submitRfq({ type: 'SubmitAutoExecuteRfq', rfq_id: 'AB' })
  const accepted = client.acceptRfqQuote({ rfq_id: 'ab', quote_id: 'q', nonce: 7 })
  const refused = client.acceptRfqQuote({ rfq_id: 'ab', quote_id: 'q', nonce: 8 })
  const lost = client.submitRfq({ rfq_id: 'ef' })
  await until(() => server.frames[0]!.length === 5)
  assert.deepEqual(server.frames[0]![1], { type: 'SubmitAutoExecuteRfq', rfq_id: 'AB' })
  const [socket] = server.sockets
  const tell = (message: object) => socket!.send(JSON.stringify(message))
  tell({ type: 'Error', request_type: 'AcceptRfqQuote', rfq_id: 'ab', nonce: 8, code: 'not_found' })
  tell({ type: 'RfqAcceptResult', rfq_id: 'ab', quote_id: 'q', status: 'failed' })
  tell({ type: 'RfqAcceptResult', rfq_id: 'ab', quote_id: 'q', nonce: 7, status: 'executed' })
  tell({ type: 'RfqStatusUpdate', rfq_id: 'ab', status: 'created' })
  await assert.rejects(refused, (error: unknown) => {
    return error instanceof ApiError && error.code === 'not_found'
  })
  assert.equal((await accepted).status, 'executed')
  assert.equal((await asked).status, 'created')
  socket!.terminate()
  await assert.rejects(lost, ConnectionError)
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

test('after a disconnect it resumes, receives no duplicate, and reports the resume', async () => {
  const server = await startServer()
  server.isMute = true
  const heard: StreamMessage[] = []
  const { client } = connect(server.port, (message) => heard.push(message))
  const resumed: string[][] = []
  client.listen({ onConnected: (_count, channels) => resumed.push([...channels]) })
  client.subscribe('fills')
  client.subscribe('trades')
  client.subscribe('orderbook')
  await until(() => server.frames[0]?.length === 4)
  const say = (...messages: StreamMessage[]) => {
    for (const message of messages) server.sockets.at(-1)!.send(JSON.stringify(message))
  }
  const acks = (seq: number): StreamMessage[] => [
    { type: 'Authenticated', wallet },
    { type: 'Subscribed', channel: 'fills', as_of_seq: seq },
    { type: 'Subscribed', channel: 'trades', as_of_seq: seq },
    { type: 'Subscribed', channel: 'orderbook' },
  ]
  say(...acks(100), { type: 'Fill', fill_id: 1, seq: 107 })
  await until(() => resumed.length === 1 && heard.at(-1)!.type === 'Fill')
  server.sockets[0]!.terminate()
  await until(() => server.frames[1]?.length === 4)
  const asked = { type: 'Subscribe', as_of_seq: true }
  assert.deepEqual(server.frames[1]!.slice(1), [
    { ...asked, channel: 'fills', from_seq: 106 },
    { ...asked, channel: 'trades', from_seq: 100 },
    { type: 'Subscribe', channel: 'orderbook' },
  ])
  say(...acks(200), { type: 'Fill', fill_id: 1, seq: 107 }, { type: 'Fill', fill_id: 2, seq: 108 })
  say({ type: 'Resumed', channel: 'fills', from_seq: 106, as_of_seq: 200 })
  await until(() => heard.at(-1)!.type === 'Resumed')
  assert.equal(resumed.length, 1, 'trades are still awaited')
  const code = 'resume_unavailable'
  say({ type: 'Error', code, request_type: 'Subscribe', channel: 'trades', as_of_seq: 201 })
  await until(() => resumed.length === 2)
  assert.deepEqual(resumed, [[], ['fills']])
  const fills = heard.filter(({ type }) => type === 'Fill').map(({ fill_id: id }) => id)
  assert.deepEqual(fills, [1, 2])
})

const misshapen = {
  'no text': new Uint8Array([1, 2, 3]),
  'no JSON': '<html>502 Bad Gateway</html>',
  'no object': 'null',
  'no book': '{"type":"OrderbookUpdate","symbol":"X","seq":5,"timestamp":1}',
}

for (const [name, data] of Object.entries(misshapen)) {
  test(`a frame that is ${name} is an error and ends the connection, not the process`, async () => {
    const server = await startServer()
    const heard: string[] = []
    const { client, counts, closes } = connect(server.port, ({ type }) => heard.push(type))
    const errors: ProtocolError[] = []
    client.listen({ onError: (error) => errors.push(error) })
    await until(() => counts.length === 1)
    const order = client.placeOrder({ nonce: 1 })
    server.raw[0]!(data)
    await assert.rejects(order, ConnectionError)
    await until(() => counts.length === 2)
    assert.ok(errors.length === 1 && errors[0] instanceof ProtocolError)
    assert.equal(errors[0].code, 'bad_answer')
    assert.deepEqual(closes, [`1007 ${errors[0].message}`])
    assert.deepEqual(heard, ['Authenticated', 'Authenticated'])
  })
}

/** Returns the number of connections of a client within 600 ms, with a first pause of 10 ms. */
async function asksWithin600(server: Server): Promise<number> {
  const url = `http://127.0.0.1:${server.port}`
  const client = new StreamClient({ url, wallet, backoffMillisMin: 10, backoffMillisMax: 1000 })
  closers.push(() => client.close())
  await new Promise((resolve) => setTimeout(resolve, 600))
  return server.sockets.length
}

test('it connects less and less often to a server that sends invalid messages on each connection', async () => {
  const server = await startServer()
  server.server.on('connection', (socket) => {
    socket.on('message', () => server.raw.at(-1)!('null'))
  })
  const asks = await asksWithin600(server)
  assert.ok(asks >= 2 && asks <= 7, `${asks}`)
})

test('a command without an answer times out, and a late answer does not go to the next one', async () => {
  const server = await startServer()
  server.answersSync = false
  const client = new StreamClient({ url: `http://127.0.0.1:${server.port}`, answerMillisMax: 50 })
  closers.push(() => client.close())
  await client.answered()
  const answer = (status: string) =>
    server.sockets[0]!.send(JSON.stringify({ type: 'OrderResult', nonce: '5', status }))
  const isLate = (error: unknown) =>
    error instanceof ConnectionError &&
    error.message.startsWith('PlaceOrder: no answer within 50 ms: look up its result')
  await assert.rejects(client.placeOrder({ nonce: 5, signature: '0x' }), isLate)
  const second = client.placeOrder({ nonce: 5, signature: '0x' })
  answer('OPEN')
  answer('FILLED')
  assert.equal((await second).status, 'FILLED')
  await assert.rejects(client.clockSync(), /ClockSync: no answer within 50 ms/)
})

test('it connects less and less often to a server that answers and closes at once', async () => {
  const server = await startServer()
  server.server.on('connection', (socket) => {
    socket.on('message', () => setImmediate(() => socket.close()))
  })
  const asks = await asksWithin600(server)
  assert.ok(asks >= 2 && asks <= 8, `${asks}`)
})
