import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { WebSocketServer } from 'ws'
import { BareServer } from '../../bench/bare-server.js'
import { StreamSocket, textFrame } from '../../bench/stream-socket.js'

const server = await BareServer.open()
const url = await server.listen()
after(() => server.close())

/** Sends the texts as one write or one by one. @returns the received texts. */
async function echoed(texts: readonly string[], isOneWrite: boolean): Promise<string[]> {
  const stream = await StreamSocket.open(url)
  const received: string[] = []
  await new Promise<void>((resolve, reject) => {
    stream.onFailure = reject
    stream.onText = (payload) => received.push(payload.toString())
    stream.onPause = () => {
      if (received.length === texts.length) resolve()
    }
    const frames = texts.map(textFrame)
    if (isOneWrite) stream.sendAll(frames)
    else for (const frame of frames) stream.send(frame)
  })
  stream.close()
  return received
}

test('texts with every length of header arrive whole and in order', async () => {
  const texts = [0, 1, 125, 126, 127, 1000, 10_000].map((length) => 'é'.repeat(length / 2))
  assert.deepEqual(await echoed(texts, true), texts)
  assert.deepEqual(await echoed(texts, false), texts)
})

test('many frames in few reads are split at their headers', async () => {
  const texts = Array.from({ length: 2000 }, (_, i) => `${i}`.repeat(i % 90))
  assert.deepEqual(await echoed(texts, true), texts)
})

test('an address without a listener is an error', async () => {
  await assert.rejects(StreamSocket.open('ws://127.0.0.1:1/'), /ECONNREFUSED/)
})

test('a server that closes instead of answering is an error', async () => {
  const mute = createServer((socket) => socket.destroy())
  mute.listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { port } = mute.address() as AddressInfo
  await assert.rejects(StreamSocket.open(`ws://127.0.0.1:${port}/`))
  mute.close()
})

test('a text beyond 64 KiB arrives whole', async () => {
  const echoing = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(echoing, 'listening')
  echoing.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))))
  const stream = await StreamSocket.open(
    `ws://127.0.0.1:${(echoing.address() as AddressInfo).port}/`,
  )
  const text = 'é'.repeat(35_000)
  const received = new Promise((resolve) => {
    stream.onText = (payload) => resolve(payload.toString())
  })
  stream.send(textFrame(text))
  assert.equal(await received, text)
  stream.close()
  echoing.close()
})

test('a ping is answered by a pong with the same bytes', async () => {
  const pinging = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(pinging, 'listening')
  const connected = once(pinging, 'connection')
  const stream = await StreamSocket.open(
    `ws://127.0.0.1:${(pinging.address() as AddressInfo).port}/`,
  )
  const [socket] = await connected
  const pong = once(socket, 'pong')
  socket.ping('are you there')
  assert.equal(String((await pong)[0]), 'are you there')
  stream.close()
  pinging.close()
})
