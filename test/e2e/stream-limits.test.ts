import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { longTest } from '../support/long-test.js'
import { disconnects } from './support/disconnects.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { symbolOf, type WalletKey } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import { eventually, slowConsumerCloses, Venue } from './support/venue.js'

/** Limits of a stream, with times short enough for a test. */
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

/** Returns a wallet whose working order the venue cancels when the connection ends. */
async function bound(of: Venue, peer: StreamPeer): Promise<WalletKey> {
  const symbol = symbolOf('BTC', 110_000)
  const { fundedWallet, place } = orderActions(of, symbol)
  await listMarket(of, [symbol])
  const by = await fundedWallet()
  await disconnects(of).bind(peer, by)
  assert.equal((await place(by)).status, 'ACKED')
  return by
}

test('the venue keeps a connection that answers pings, closes a silent one with 1008, and cancels its bound orders', async () => {
  const mute = await StreamPeer.open(venue, '', { autoPong: false })
  const { socket } = mute
  socket.on('ping', () => socket.pong())
  const lively = await StreamPeer.open(venue)
  const { statusesOf, eventuallyEnded } = disconnects(venue)
  const [by, other] = [await bound(venue, mute), await bound(venue, lively)]
  const startMillis = performance.now()
  socket.removeAllListeners('ping')
  await mute.until('it is let go', () => mute.closed !== null)
  const tookMillis = performance.now() - startMillis
  assert.deepEqual(mute.closed, { code: 1008, reason: 'pong timeout' })
  assert.ok(tookMillis > 2900, `${tookMillis} ms`)
  await eventuallyEnded(by)
  await sleep(1500)
  assert.equal(lively.closed, null)
  assert.deepEqual(await statusesOf(other), ['open'])
  lively.close()
})

longTest(
  'the venue closes a stalled reader as a slow consumer, with the reason’s exact bytes, and cancels its bound orders',
  async (context) => {
    // A client that does not read answers no ping either; here the ping limit must not close it.
    const patient = new Venue({ arguments: ['--set', 'stream.pongTimeoutMillis=600000'] })
    context.after(() => patient.dispose())
    await patient.start()
    const reader = await StreamPeer.open(patient)
    const by = await bound(patient, reader)
    const { socket, messages } = reader
    socket.pause()
    const frame = JSON.stringify({ type: 'ClockSync', nonce: 'n'.repeat(128) })
    for (let count = 0; count < 150_000 && socket.readyState === WebSocket.OPEN; count++) {
      socket.send(frame)
      // No faster than the venue answers: too many unread frames would close the connection for another reason.
      if (count % 400 === 0) await sleep(20)
    }
    await eventually('let go', async () => (await slowConsumerCloses(patient.operatorUrl)) > 0)
    // It has read nothing since; a failed write may have shown it the close.
    await disconnects(patient).eventuallyEnded(by)
    const isCut = reader.closed !== null
    if (isCut) assert.deepEqual(reader.closed, { code: 1006, reason: '' })
    socket.resume()
    await reader.until('it knows', () => reader.closed !== null)
    const { code, reason } = reader.closed!
    // The close frame may be lost with a hanging write; then there is no readable reason.
    if (code !== 1006) {
      assert.equal(code, 1008)
      assert.match(
        reason,
        /^\{"error":"slow_consumer","class":"command_result","cause":"(message_limit|byte_limit|message_age)","recovery":"rest_reconcile"\}$/,
      )
    }
    if (!isCut) assert.equal(messages.at(-1).type, 'ClockSynced')
    const peer = await StreamPeer.open(patient)
    await peer.settle()
    peer.close()
  },
)
