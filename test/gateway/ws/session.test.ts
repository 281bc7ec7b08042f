import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Session } from '../../../gateway/ws/session.js'
import type { MessageClass } from '../../../schemas/interface/channels.js'
import { FakeSocket } from '../../support/fake-socket.js'

const limits = {
  queueMessages: 16_384,
  queueBytes: 8_388_608,
  queueAgeMillis: 5000,
  writeTimeoutMillis: 5000,
  pingMillis: 20_000,
  pongTimeoutMillis: 60_000,
  idleMillis: 300_000,
}

function rig() {
  const socket = new FakeSocket()
  const totals = { opened: 0, slowCloses: 0, framesSent: 0, bytesSent: 0 }
  const session = new Session(socket, limits, totals, 0)
  const send = (text: string, messageClass: MessageClass, millis: number, key?: string) =>
    session.send(Buffer.from(text), messageClass, key ?? null, millis)
  /** One message that the kernel does not take: what follows waits. */
  const stick = (messageClass: MessageClass, millis: number) => {
    socket.isStuck = true
    send('stuck', messageClass, millis)
    session.flush(millis)
  }
  return { socket, session, send, stick, totals }
}

test('messages leave with the flush, in order', () => {
  const { socket, session, send } = rig()
  send('a', 'trades' as never, 1)
  send('b', 'command_result', 1)
  assert.deepEqual(socket.texts, [])
  session.flush(1)
  assert.deepEqual(socket.texts, ['a', 'b'])
})

test('while the socket holds bytes everything waits, and continues when it holds none', () => {
  const { socket, session, send, stick } = rig()
  stick('ordered_public', 0)
  send('later', 'ordered_public', 1)
  session.flush(1)
  session.onDrain(2)
  assert.deepEqual(socket.texts, ['stuck'])
  socket.unstick()
  session.onDrain(3)
  assert.deepEqual(socket.texts, ['stuck', 'later'])
})

test('more than 16,384 queued messages close, with the class of the one too many', () => {
  const { socket, send, stick } = rig()
  stick('ordered_public', 0)
  for (let i = 0; i < 16_384; i++) send('x', 'ordered_public', 1)
  assert.equal(socket.closed, null)
  send('x', 'private_durable', 1)
  assert.deepEqual(socket.closed, {
    code: 1008,
    reason:
      '{"error":"slow_consumer","class":"private_durable","cause":"message_limit","recovery":"rest_reconcile"}',
  })
})

test('more than 8 MiB of queued bytes close', () => {
  const { socket, send, stick } = rig()
  stick('ordered_public', 0)
  const quarter = 'x'.repeat(2_097_152)
  for (let i = 0; i < 4; i++) send(quarter, 'ordered_public', 1)
  assert.equal(socket.closed, null)
  send('x', 'replaceable_public', 1)
  assert.equal(
    socket.closed!.reason,
    '{"error":"slow_consumer","class":"replaceable_public","cause":"byte_limit","recovery":"resubscribe"}',
  )
})

test('a message that waits for more than 5 s closes, with its class', () => {
  const { socket, session, send, stick } = rig()
  stick('command_result', 0)
  send('x', 'ordered_public', 0)
  session.tick(5000)
  assert.equal(socket.closed, null)
  session.tick(5001)
  const reason =
    '{"error":"slow_consumer","class":"ordered_public","cause":"message_age","recovery":"snapshot_resubscribe"}'
  assert.deepEqual(socket.closed, { code: 1008, reason })
})

test('a write that the kernel accepts at last gives the next one its own time', () => {
  const { socket, session, send, stick } = rig()
  stick('command_result', 0)
  send('x', 'ordered_public', 3000)
  socket.unstick()
  socket.isStuck = true
  session.onDrain(4000)
  session.tick(9000)
  assert.equal(socket.closed, null)
  session.tick(9001)
  assert.match(socket.closed!.reason, /"class":"ordered_public","cause":"write_timeout"/)
})

test('one write that is stuck for more than 5 s closes, with the class of the stuck message', () => {
  const { socket, session, stick } = rig()
  stick('replaceable_private', 1000)
  session.tick(6000)
  assert.equal(socket.closed, null)
  session.tick(6001)
  assert.equal(
    socket.closed!.reason,
    '{"error":"slow_consumer","class":"replaceable_private","cause":"write_timeout","recovery":"portfolio_refetch"}',
  )
})

test('a write that stalls only after its flush closes, although messages keep coming', () => {
  const { socket, session, send } = rig()
  // A library that packs the answers of one turn hands them to the kernel after the flush.
  const flushLate = (millis: number) => {
    send('answer', 'command_result', millis)
    session.flush(millis)
    socket.stall(6)
  }
  flushLate(1000)
  for (let millis = 1020; millis <= 6000; millis += 20) {
    flushLate(millis)
    session.tick(millis)
  }
  assert.equal(socket.closed, null)
  session.tick(6001)
  assert.match(socket.closed!.reason, /"class":"command_result","cause":"write_timeout"/)
})

test('a ping that the kernel does not accept at once is not a stuck write', () => {
  const { socket, session, send } = rig()
  send('early', 'ordered_public', 0)
  session.flush(0)
  for (let millis = 0; millis <= 19_750; millis += 250) session.tick(millis)
  socket.stall(2)
  session.tick(20_000)
  assert.equal(socket.closed, null)
})

test('frames, bytes and slow closes are counted', () => {
  const { session, send, stick, totals } = rig()
  send('four', 'ordered_public', 1)
  session.flush(1)
  stick('ordered_public', 1)
  session.tick(5002)
  assert.deepEqual(totals, { opened: 0, slowCloses: 1, framesSent: 2, bytesSent: 9 })
})

test('waiting messages are discarded with the close, and nothing follows it', () => {
  const { socket, session, send, stick } = rig()
  stick('ordered_public', 0)
  send('x', 'ordered_public', 0)
  session.tick(5001)
  socket.unstick()
  send('y', 'ordered_public', 5002)
  session.onDrain(5003)
  assert.deepEqual(socket.texts, ['stuck'])
})

test('a replaceable message overtakes the one of its key that still waits', () => {
  const { socket, session, send, stick } = rig()
  stick('ordered_public', 0)
  send('old', 'replaceable_public', 1, 'index')
  send('between', 'ordered_public', 2)
  send('new', 'replaceable_public', 3, 'index')
  socket.unstick()
  session.onDrain(4)
  assert.deepEqual(socket.texts, ['stuck', 'between', 'new'])
})

test('a ping goes out every 20 s', () => {
  const { socket, session } = rig()
  for (let millis = 0; millis <= 60_000; millis += 250) {
    session.tick(millis)
    session.onPong()
  }
  assert.equal(socket.pings, 3)
  assert.equal(socket.closed, null)
})

test('60 s after a ping without a pong the connection ends', () => {
  const { socket, session } = rig()
  session.tick(20_000)
  for (let millis = 20_250; millis <= 80_000; millis += 250) session.tick(millis)
  assert.equal(socket.closed, null)
  session.tick(80_250)
  assert.deepEqual(socket.closed, { code: 1008, reason: 'pong timeout' })
})
