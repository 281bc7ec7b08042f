import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { placeBody, symbolOf } from './support/signed-body.js'
import { eventually, Venue } from './support/venue.js'

const symbol = symbolOf('BTC', 110_000)

const upgrade =
  'GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** Venue for tests that need none of their own. */
const venue = new Venue({
  arguments: [
    '--set=limits.addressLimitsOnLoopback=true',
    '--set=http.unfinishedBytesMax=8388608',
    '--set=stream.idleMillis=300',
  ],
})

before(() => venue.start())
after(() => venue.dispose())

async function started(context: TestContext, options: ConstructorParameters<typeof Venue>[0]) {
  const venue = new Venue(options)
  context.after(() => venue.dispose())
  await venue.start()
  return venue
}

/** Opens connections that send nothing, or only `bytes`. The venue soon closes those beyond its limit. */
async function idle(
  venue: Venue,
  count: number,
  from = '127.0.0.1',
  bytes = '',
): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port: venue.port, host: '127.0.0.1', localAddress: from })
    socket.on('error', () => {})
    socket.resume()
    if (bytes !== '') socket.write(bytes)
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => {})))
  await sleep(500)
  return sockets
}

const open = (sockets: readonly Socket[]) =>
  sockets.filter(({ readyState }) => readyState === 'open')

/** Returns the number of connections left after the venue has closed the excess, long before it closes idle ones. */
async function kept(sockets: readonly Socket[], most: number): Promise<number> {
  await eventually(`${open(sockets).length} open`, () => open(sockets).length <= most, 8000)
  return open(sockets).length
}

/** Returns the status of a request on a new connection; 0 if it closes without an answer. */
function statusBy(venue: Venue, from: string, path = '/health'): Promise<number> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port: venue.port, localAddress: from, path, agent: false }
    const sent = request(options, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', () => resolve(0))
    sent.end()
  })
}

longTest(
  'idle connections leave the venue the descriptors it needs for its next segments',
  async (context) => {
    const venue = await started(context, {
      openFilesMax: 300,
      arguments: [
        '--set=journal.segmentBytes=1048576',
        '--set=limits.default.ordersPerMinute=1000000',
      ],
    })
    await listMarket(venue, [symbol])
    const { fundedWallet } = orderActions(venue, symbol)
    const by = await fundedWallet()
    const items = await Promise.all(
      Array.from({ length: 50 }, () => placeBody(by, { symbol, price: '1', size: '0.1' })),
    )
    assert.equal((await venue.send('POST', '/bulk_order', items)).status, 200)
    const sockets = await idle(venue, 400, '127.0.0.1', upgrade)
    const taken = await kept(sockets, 200)
    assert.ok(taken > 16, `${taken} taken`)
    for (const socket of open(sockets).slice(0, 10)) socket.destroy()
    // A retry is journaled each time.
    const segments = () =>
      readdirSync(join(venue.dataDir, 'journal')).filter((name) => name.endsWith('.journal')).length
    const before = segments()
    for (let count = 0; count < 400 && segments() < before + 2; count++) {
      const answer = await venue.send('POST', '/bulk_order', items)
      assert.equal(answer.status, 200, answer.text)
    }
    assert.ok(segments() >= before + 2, 'the journal started no new segment')
    for (const socket of sockets) socket.destroy()
    await eventually('room again', async () => (await statusBy(venue, '127.0.0.1')) === 200)
  },
)

longTest(
  'the venue limits connections per address, of every kind, and serves other addresses',
  async (context) => {
    const venue = await started(context, {
      arguments: [
        '--gateways=2',
        '--set=limits.addressLimitsOnLoopback=true',
        '--set=limits.connectionsPerAddressMax=20',
      ],
    })
    const sockets = await idle(venue, 60, '127.0.0.2')
    const taken = await kept(sockets, 36)
    assert.ok(taken >= 20, `${taken} taken`)
    assert.equal(await statusBy(venue, '127.0.0.2'), 0)
    assert.equal(await statusBy(venue, '127.0.0.3'), 200)
    for (const socket of sockets) socket.destroy()
    await eventually('room again', async () => (await statusBy(venue, '127.0.0.2')) === 200)
    // Closed connections stop counting.
    for (let count = 0; count < 200; count++) {
      await eventually('taken', async () => (await statusBy(venue, '127.0.0.4')) === 200, 5000)
    }
    const unread = await idle(venue, 100, '127.0.0.5', 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
    const alive = await kept(unread, 36)
    assert.ok(alive >= 20, `${alive} kept alive`)
    for (const socket of unread) socket.destroy()
  },
)

longTest('unfinished bodies use bounded memory in total and per address', async () => {
  const bytes = 200_000
  const head = `POST /order HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes + 1}\r\n\r\n`
  const sockets = await idle(venue, 20, '127.0.0.2', head + ' '.repeat(bytes))
  const taken = await kept(sockets, 6)
  assert.ok(taken >= 3, `${taken} of 200 kB within 1 MiB`)
  const other = await idle(venue, 1, '127.0.0.3', head + ' '.repeat(bytes))
  assert.equal(open(other).length, 1)
  for (const socket of [...sockets, ...other]) socket.destroy()
  await eventually('given back', async () => {
    const again = await idle(venue, 3, '127.0.0.2', head + ' '.repeat(bytes))
    const count = open(again).length
    for (const socket of again) socket.destroy()
    return count === 3
  })
  const slow = await idle(venue, 1, '127.0.0.2', head)
  const since = performance.now()
  await once(slow[0]!, 'close')
  assert.ok(
    performance.now() - since < 45_000,
    'the venue closes a request whose body does not arrive',
  )
})

test('the venue closes a stream that subscribes to nothing and sends nothing', async () => {
  const { WebSocket } = await import('ws')
  const [silent, subscribed] = [new WebSocket(venue.streamUrl), new WebSocket(venue.streamUrl)]
  await Promise.all([once(silent, 'open'), once(subscribed, 'open')])
  subscribed.send(JSON.stringify({ type: 'Subscribe', channel: 'trades' }))
  const [code, reason] = await once(silent, 'close')
  assert.equal(code, 1008)
  assert.equal(reason.toString(), 'idle')
  await sleep(600)
  assert.equal(subscribed.readyState, WebSocket.OPEN)
  subscribed.terminate()
})

test('the start fails with a clear message if the limit of open files is too low', async (context) => {
  const venue = new Venue({ openFilesMax: 128 })
  context.after(() => venue.dispose())
  await assert.rejects(venue.start(), /the limit of 128 open files is too low: at least 256/)
})
