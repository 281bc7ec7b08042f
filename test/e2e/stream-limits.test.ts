import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { StreamPeer } from './support/stream-peer.js'
import { eventually, slowConsumerCloses, Venue } from './support/venue.js'

/** Names of the limits of a stream; times shortened so that a test can wait for them. */
const settings = { pingMillis: 400, pongTimeoutMillis: 3000, bookDepth: 3 }
const venue = new Venue({
  arguments: Object.entries(settings).flatMap(([key, value]) => [
    '--set',
    `stream.${key}=${value}`,
  ]),
})

before(async () => {
  await venue.start()
})
after(() => venue.dispose())

async function openSocket(options: object, url = venue.streamUrl): Promise<WebSocket> {
  const socket = new WebSocket(url, options)
  await once(socket, 'open')
  return socket
}

test('a connection that answers pings stays, one that does not is closed with 1008', async () => {
  const mute = await openSocket({ autoPong: false })
  const lively = await openSocket({ autoPong: true })
  const startMillis = performance.now()
  const [code, reason] = await once(mute, 'close')
  const tookMillis = performance.now() - startMillis
  assert.equal(code, 1008)
  assert.equal(reason.toString(), 'pong timeout')
  assert.ok(tookMillis > 3000, `${tookMillis} ms`)
  await sleep(1500)
  assert.equal(lively.readyState, WebSocket.OPEN)
  lively.terminate()
})

test('a reader that stands still is closed as a slow consumer, with the reason’s exact bytes', async (context) => {
  // Who does not read answers no ping either; here that must not be what ends it.
  const patient = new Venue({ arguments: ['--set', 'stream.pongTimeoutMillis=600000'] })
  context.after(() => patient.dispose())
  await patient.start()
  const socket = await openSocket({ autoPong: true }, patient.streamUrl)
  const received: string[] = []
  socket.on('message', (data) => received.push(data.toString()))
  const closed = once(socket, 'close')
  socket.pause()
  const frame = JSON.stringify({ type: 'ClockSync', nonce: 'n'.repeat(128) })
  for (let count = 0; count < 150_000 && socket.readyState === WebSocket.OPEN; count++) {
    socket.send(frame)
    if (count % 5000 === 0) await sleep(1)
  }
  await eventually('let go', async () => (await slowConsumerCloses(patient.operatorUrl)) > 0)
  socket.resume()
  const [code, reason] = await closed
  // The close frame may be lost with a write that hangs; then there is no readable reason.
  if (code !== 1006) {
    assert.equal(code, 1008)
    assert.match(
      reason.toString(),
      /^\{"error":"slow_consumer","class":"command_result","cause":"(message_limit|byte_limit|message_age)","recovery":"rest_reconcile"\}$/,
    )
  }
  for (const text of received.slice(-1)) assert.equal(JSON.parse(text).type, 'ClockSynced')
  const peer = await StreamPeer.open(patient)
  await peer.settle()
  peer.close()
})
