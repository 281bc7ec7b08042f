import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { logReaders } from '../../../engine/memory/exchange-memory.js'
import { LogCursor } from '../../../engine/memory/log-cursor.js'
import { Side } from '../../../schemas/domain.js'
import { type GatewayRig, startRig } from '../../support/gateway-rig.js'

// Real sockets, whose buffers in the kernel hold some megabytes before anything waits here.
const usd = 1_000_000
const levels = 100
const updatesPerRound = 50
const closeMillisMax = 60_000
/** Value for limits that a test does not check, so that a slow machine does not reach them first. */
const never = '600000'
const values = {
  'stream.bookIntervalMillis': '0',
  'stream.queueAgeMillis': never,
  'stream.writeTimeoutMillis': never,
  maker: 'off',
}
/** Room for all of a flood that fills the kernel's buffers anywhere. */
const roomy = { 'stream.queueBytes': '100000000' }
const floodRounds = 100

async function connect(context: TestContext, changes: Readonly<Record<string, string>>) {
  const rig = await startRig({ ...values, ...changes })
  context.after(() => rig.stop())
  const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/ws`, { autoPong: false })
  await once(socket, 'open')
  let frames = 0
  socket.on('message', () => frames++)
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(closeMillisMax) })
  const closing = closed.then(([code, reason]) => ({ code, reason: String(reason) }))
  closing.catch(() => {})
  return { rig, socket, closing, frames: () => frames }
}

/** Subscribes to the books, and stops reading. */
async function stall({ rig, socket }: { rig: GatewayRig; socket: WebSocket }): Promise<void> {
  for (let level = 0; level < levels; level++) {
    rig.core.script.level(0, Side.Buy, (1000 + level) * usd, 123_456_789)
    rig.core.script.level(0, Side.Sell, (2000 + level) * usd, 123_456_789)
  }
  rig.core.tell()
  socket.send(JSON.stringify({ type: 'Subscribe', channel: 'orderbook' }))
  await once(socket, 'message')
  const stream = (socket as unknown as { _socket: { pause(): void } })._socket
  stream.pause()
}

function resume(socket: WebSocket): void {
  const stream = (socket as unknown as { _socket: { resume(): void } })._socket
  stream.resume()
}

/** Publishes messages of about 4 KB. */
async function flood(rig: GatewayRig, rounds: number): Promise<void> {
  const { script } = rig.core
  const cursor = new LogCursor(rig.memory.eventLog, logReaders.gateway(0))
  for (let update = 0; update < rounds * updatesPerRound; update++) {
    script.level(0, Side.Buy, 1000 * usd, 1 + update)
    const position = script.commit()
    rig.core.tell()
    // One run of events each: changes of one run are one message.
    while (!cursor.hasPassed(position)) await new Promise(setImmediate)
  }
}

const reasonOf = (cause: string) =>
  `{"error":"slow_consumer","class":"ordered_public","cause":"${cause}","recovery":"snapshot_resubscribe"}`

test('more than 8 MiB of waiting messages close a stalled reader', async (context) => {
  const peer = await connect(context, {})
  await stall(peer)
  await flood(peer.rig, 120)
  resume(peer.socket)
  assert.deepEqual(await peer.closing, { code: 1008, reason: reasonOf('byte_limit') })
})

test('a message that waits too long closes a stalled reader', async (context) => {
  const peer = await connect(context, { ...roomy, 'stream.queueAgeMillis': '300' })
  await stall(peer)
  await flood(peer.rig, floodRounds)
  await sleep(800)
  resume(peer.socket)
  assert.deepEqual(await peer.closing, { code: 1008, reason: reasonOf('message_age') })
})

test('one write that the kernel does not accept closes a stalled reader', async (context) => {
  const peer = await connect(context, { ...roomy, 'stream.writeTimeoutMillis': '300' })
  await stall(peer)
  await flood(peer.rig, floodRounds)
  await sleep(800)
  resume(peer.socket)
  assert.deepEqual(await peer.closing, { code: 1008, reason: reasonOf('write_timeout') })
})

test('a reader that pauses within the limits misses nothing', async (context) => {
  const peer = await connect(context, {})
  await stall(peer)
  await flood(peer.rig, 36)
  resume(peer.socket)
  const wanted = 36 * updatesPerRound
  const endMillis = performance.now() + closeMillisMax
  while (peer.frames() < wanted && performance.now() < endMillis) await sleep(5)
  assert.equal(peer.socket.readyState, WebSocket.OPEN)
  assert.ok(peer.frames() >= wanted, `${peer.frames()} of ${wanted}`)
})

test('a client that answers no ping is closed, with the bytes of the reason as specified', async (context) => {
  const peer = await connect(context, {
    'stream.pingMillis': '50',
    'stream.pongTimeoutMillis': '300',
  })
  assert.deepEqual(await peer.closing, { code: 1008, reason: 'pong timeout' })
})
