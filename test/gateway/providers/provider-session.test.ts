import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FloodCloses } from '../../../gateway/limits/flood-close.js'
import { ProviderSession } from '../../../gateway/providers/provider-session.js'
import { FakeSocket } from '../../support/fake-socket.js'
import { testConfig } from '../../support/gateway-rig.js'

function sessionRig() {
  const { stream, quotes } = testConfig({ 'quotes.queueBytes': '1048576' })
  const socket = new FakeSocket()
  const session = new ProviderSession(socket, 7, { ...stream, ...quotes }, 0, new FloodCloses())
  return { socket, session }
}

const wallet = '0x0000000000000000000000000000000000000001'

test('before its handshake a session gets no ping, and closes after ten seconds', () => {
  const { socket, session } = sessionRig()
  session.tick(9999)
  assert.deepEqual([socket.pings, socket.closed], [0, null])
  session.tick(10_000)
  assert.deepEqual(socket.take(), [{ type: 'auth_failed', reason: 'authentication timeout' }])
  assert.deepEqual(socket.closed, { code: 1008, reason: 'authentication timeout' })
  assert.equal(socket.pings, 0)
})

test('while the engine decides about its handshake it waits', () => {
  const { socket, session } = sessionRig()
  session.phase = 'asked'
  session.tick(30_000)
  assert.equal(socket.closed, null)
})

test('after its handshake it gets pings, and closes if it does not answer', () => {
  const { socket, session } = sessionRig()
  session.open(wallet, 5000)
  session.tick(24_999)
  assert.equal(socket.pings, 0)
  session.tick(25_000)
  assert.equal(socket.pings, 1)
  session.onPong()
  session.tick(86_000)
  session.tick(146_001)
  assert.deepEqual(socket.closed, { code: 1008, reason: 'pong timeout' })
})

test('a slow reader is not a slow consumer until its queue is full', () => {
  const { socket, session } = sessionRig()
  session.open(wallet, 0)
  socket.isStuck = true
  const message = Buffer.from(JSON.stringify({ text: 'x'.repeat(100_000) }))
  for (let i = 0; i < 10; i++) session.send(message, 0)
  session.tick(15_000)
  assert.equal(socket.closed, null)
  for (let i = 0; i < 3; i++) session.send(message, 15_000)
  assert.equal(socket.closed!.code, 1013)
  assert.equal(session.isClosed, true)
})

test('waiting messages leave in their order once the socket accepts them', () => {
  const { socket, session } = sessionRig()
  session.open(wallet, 0)
  socket.isStuck = true
  for (const n of [1, 2, 3]) session.send(Buffer.from(JSON.stringify({ n })), 0)
  assert.deepEqual(socket.take(), [{ n: 1 }])
  socket.unstick()
  session.flush()
  assert.deepEqual(socket.take(), [{ n: 2 }, { n: 3 }])
})
