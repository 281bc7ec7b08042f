import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { walletOf } from '../../bench/event-script.js'
import { logReaders } from '../../engine/memory/exchange-memory.js'
import { LogCursor } from '../../engine/memory/log-cursor.js'
import { loadTransports } from '../../gateway/transport/transports.js'
import { Result } from '../../schemas/results.js'
import { type GatewayRig, orderBody, owner, startRig, testSymbol } from '../support/gateway-rig.js'

const transports = await loadTransports('auto')
const waitMillisMax = 60_000

let rig: GatewayRig

before(async () => {
  rig = await startRig({
    'stream.commandsInFlightMax': '3',
    // However slow the machine, the number of messages is the limit that is met.
    'stream.queueAgeMillis': '600000',
    'stream.writeTimeoutMillis': '600000',
  })
})
beforeEach(() => {
  rig.core.decide = () => ({})
  rig.core.isStalled = false
})
after(() => rig.stop())

/** Opens a client that stores its messages. */
async function client(query = '') {
  const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/ws${query}`)
  const heard: Record<string, unknown>[] = []
  let closed: { code: number; reason: string } | null = null
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) }
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const until = async (isThere: () => boolean) => {
    const endMillis = performance.now() + waitMillisMax
    while (!isThere() && performance.now() < endMillis) await sleep(1)
    assert.ok(isThere(), `heard only ${JSON.stringify(heard).slice(0, 500)}`)
  }
  return {
    socket,
    heard,
    say: (frame: object) => socket.send(JSON.stringify(frame)),
    next: async () => {
      await until(() => heard.length > 0)
      return heard.shift()!
    },
    closing: async () => {
      await until(() => closed !== null)
      return closed!
    },
  }
}

test('PlaceOrder is answered by an OrderResult with the texts as received', async () => {
  const { say, next, socket } = await client()
  rig.core.decide = () => ({ filledLots: 50_000_000, status: 3 })
  const body = orderBody({ tif: undefined, client_id: 'c' })
  say({ type: 'PlaceOrder', ...body })
  const result = await next()
  const { order_id: orderId, seq, ...rest } = result
  assert.equal(typeof orderId, 'number')
  assert.equal(typeof seq, 'number')
  assert.deepEqual(rest, {
    type: 'OrderResult',
    status: 'PARTIALLY_FILLED',
    symbol: testSymbol,
    side: 'Buy',
    price: '100.0',
    size: '1.50',
    nonce: body['nonce'],
    client_id: 'c',
    filled_size: '0.5',
    reason_code: null,
    details: null,
    mmp_triggered: false,
  })
  socket.close()
})

test('rejections are results, and errors are Errors with the nonce', async () => {
  const { say, next, socket } = await client()
  rig.core.decide = () => ({ result: Result.NoFunds })
  say({ type: 'PlaceOrder', ...orderBody() })
  const rejected = await next()
  assert.equal(rejected['status'], 'REJECTED')
  assert.equal(rejected['order_id'], null)
  assert.equal(rejected['reason_code'], 'no_funds')
  say({ type: 'PlaceOrder', ...orderBody({ symbol: 'BTC' }) })
  const unparsed = await next()
  assert.equal(unparsed['reason_code'], 'symbol_unparseable')
  assert.match(String(unparsed['reason']), /^Failed to parse symbol: /)
  rig.core.decide = () => ({ result: Result.Unauthorized })
  const body = orderBody({ client_id: 'c' })
  say({ type: 'PlaceOrder', ...body })
  assert.deepEqual(await next(), {
    type: 'Error',
    message: 'Signer is not authorized for this wallet',
    code: 'unauthorized',
    request_type: 'PlaceOrder',
    client_id: 'c',
    nonce: body['nonce'],
  })
  say({ type: 'PlaceOrder', ...orderBody(), signature: `0x${'00'.repeat(65)}` })
  assert.equal((await next())['code'], 'signature_verification_failed')
  socket.close()
})

test('commands beyond the maximum in flight fail as busy', async () => {
  const { say, next, socket } = await client()
  rig.core.isStalled = true
  for (let i = 0; i < 4; i++) say({ type: 'PlaceOrder', ...orderBody() })
  assert.equal((await next())['code'], 'engine_busy')
  rig.core.isStalled = false
  for (let i = 0; i < 3; i++) assert.equal((await next())['type'], 'OrderResult')
  socket.close()
})

test('64 commands may be in flight by default', async (context) => {
  const wide = await startRig({ 'limits.default.ordersPerMinute': '1000' })
  context.after(() => wide.stop())
  wide.core.isStalled = true
  const socket = new WebSocket(`${wide.url.replace('http', 'ws')}/ws`)
  await new Promise((resolve) => socket.once('open', resolve))
  const types: string[] = []
  socket.on('message', (data) => types.push(JSON.parse(String(data)).type))
  for (let i = 0; i < 65; i++) socket.send(JSON.stringify({ type: 'PlaceOrder', ...orderBody() }))
  const until = async (count: number) => {
    while (types.length < count) await sleep(1)
  }
  await until(1)
  wide.core.isStalled = false
  await until(65)
  assert.deepEqual([...new Set(types)], ['Error', 'OrderResult'])
  assert.equal(types.filter((type) => type === 'Error').length, 1)
  socket.close()
})

test('the stream publishes an order placed over HTTP', async () => {
  const { say, next, socket } = await client(`?wallet=${owner.address}`)
  say({ type: 'Subscribe', channel: 'order_updates' })
  assert.equal((await next())['type'], 'Subscribed')
  rig.core.script.order({ orderId: 5, wallet: owner.address, account: 0, instrument: 0 })
  rig.core.tell()
  const update = await next()
  assert.equal(update['type'], 'OrderUpdate')
  assert.equal(update['status'], 'OPEN')
  socket.close()
})

test('a frame above 256 KiB closes with 1009, and one of exactly that size is read', async () => {
  const { socket, next, closing } = await client()
  socket.send(' '.repeat(262_144))
  assert.equal((await next())['code'], 'invalid_json')
  socket.send('x'.repeat(262_145))
  assert.equal((await closing()).code, 1009)
})

test('a frame above 512 KiB is not read to its end: natively the connection is cut off, and its client sees 1006', async () => {
  const { socket, closing } = await client()
  socket.send('x'.repeat(524_289))
  const code = transports.kind === 'native' ? 1006 : 1009
  assert.deepEqual(await closing(), { code, reason: '' })
})

test('a binary frame gets an Error, and a ping its payload', async () => {
  const { socket, next } = await client()
  socket.send(Buffer.from('{}'), { binary: true })
  assert.equal((await next())['type'], 'Error')
  const pong = new Promise((resolve) => socket.once('pong', (data) => resolve(String(data))))
  socket.ping('payload')
  assert.equal(await pong, 'payload')
  socket.close()
})

test('a consumer that stops reading is closed with a reason that it can read later', async () => {
  const { socket, say, next, closing } = await client()
  say({ type: 'Subscribe', channel: 'trades' })
  assert.equal((await next())['type'], 'Subscribed')
  const stream = (socket as unknown as { _socket: { pause(): void; resume(): void } })._socket
  stream.pause()
  const trades = 4000
  const cursor = new LogCursor(rig.memory.eventLog, logReaders.gateway(0))
  for (let round = 0; round < 30; round++) {
    for (let i = 0; i < trades; i++) rig.core.script.trade(i, 0, walletOf(1), walletOf(2))
    const position = rig.core.script.commit()
    rig.core.tell()
    while (!cursor.hasPassed(position)) await sleep(1) // the log holds two rounds
  }
  stream.resume()
  const { code, reason } = await closing()
  assert.equal(code, 1008)
  assert.equal(
    reason,
    '{"error":"slow_consumer","class":"ordered_public","cause":"message_limit","recovery":"snapshot_resubscribe"}',
  )
})

test('other paths accept no WebSocket', async () => {
  const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/other`)
  const status = new Promise((resolve) =>
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode)),
  )
  socket.on('error', () => {})
  assert.equal(await status, 404)
})

test('a shutdown closes with 1012', async () => {
  const other = await startRig()
  const socket = new WebSocket(`${other.url.replace('http', 'ws')}/ws`)
  await new Promise((resolve) => socket.once('open', resolve))
  const code = new Promise((resolve) => socket.once('close', resolve))
  await other.stop()
  assert.equal(await code, 1012)
})

test('a gateway that was overtaken by the log closes its sockets, and takes none before it knows all', async () => {
  const held = await transports.holdPort('127.0.0.1', 0)
  const other = await startRig({}, { port: held.port })
  held.release()
  const socket = new WebSocket(`${other.url.replace('http', 'ws')}/ws`)
  await new Promise((resolve) => socket.once('open', resolve))
  const code = new Promise((resolve) => socket.once('close', resolve))
  for (let i = 0; i < 30_000; i++) other.core.script.indexPrice(0, 5)
  other.core.tell()
  assert.equal(await code, 1012)
  // Nobody tells it the tables here.
  await sleep(100)
  assert.equal((await fetch(`${other.url}/markets`)).status, 503)
  assert.deepEqual(other.failures, [])
  assert.match(other.logs.join('\n'), /the event log was overwritten unread/)
  await other.gateway.stop()
  other.core.stop()
})
