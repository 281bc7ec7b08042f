import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { peersOf } from '../../gateway/limits/socket-census.js'
import { loadTransports } from '../../gateway/transport/transports.js'
import { quoteFrameBytesMax, streamFrameBytesMax } from '../../schemas/bounds.js'
import { StreamPeer } from './support/stream-peer.js'
import { eventually, slowConsumerCloses, Venue } from './support/venue.js'

// Unknown clients that send data a venue must keep, or do not read its answers, on each transport that loads here.
// Measures the memory of the venue's process.

const mebibyte = 2 ** 20
const stranger = '127.0.0.2'
const transports = new Set([(await loadTransports('auto')).kind, 'node'])
const venues = new Map<string, Venue>()
after(async () => {
  for (const venue of venues.values()) await venue.dispose()
})

async function venueOver(transport: string): Promise<Venue> {
  const started = venues.get(transport)
  if (started !== undefined) return started
  const venue = new Venue({
    arguments: [`--transport=${transport}`, '--set=limits.addressLimitsOnLoopback=true'],
  })
  venues.set(transport, venue)
  await venue.start()
  return venue
}

function residentBytes({ pid }: Venue): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kib) * 1024
}

/** Returns the maximum growth of the process while something runs. */
async function growthOf(venue: Venue, run: () => Promise<void>): Promise<number> {
  const before = residentBytes(venue)
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(venue))
  }, 50)
  await run()
  clearInterval(timer)
  return Math.max(most, residentBytes(venue)) - before
}

async function connections(venue: Venue, context: TestContext, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port: venue.port, host: '127.0.0.1', localAddress: stranger })
    return socket.on('error', () => {})
  })
  context.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => {})))
  return sockets
}

/** Returns the number of the stranger's connections that the venue holds. */
function held({ port }: Venue): number {
  const peers = peersOf(readFileSync('/proc/net/tcp', 'latin1'), port)
  return peers.filter((peer) => Buffer.from(peer).readUInt32BE() === 0x7f000002).length
}

const upgradeTo = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

/** Returns a masked text frame whose last byte is missing. */
function unfinishedFrame(bytes: number): Buffer {
  const head = Buffer.alloc(14)
  head.writeUInt8(0x81, 0)
  head.writeUInt8(0xff, 1)
  head.writeBigUInt64BE(BigInt(bytes), 2)
  return Buffer.concat([head, Buffer.alloc(bytes - 1, ' ')])
}

for (const transport of transports) {
  for (const [path, bytes] of [
    ['/ws', 2 * streamFrameBytesMax],
    ['/ws', 16 * 1024],
    ['/ws/quotes', 2 * quoteFrameBytesMax],
  ] as const) {
    test(`${transport}: 250 unfinished frames of ${bytes} bytes on ${path} cost less than 96 MiB`, async (context) => {
      const venue = await venueOver(transport)
      const sockets = await connections(venue, context, 250)
      const growth = await growthOf(venue, async () => {
        for (const socket of sockets) socket.resume().write(upgradeTo(path))
        await sleep(1500)
        const frame = unfinishedFrame(bytes)
        for (const socket of sockets) if (socket.writable) socket.write(frame)
        await sleep(4000)
      })
      assert.ok(growth < 96 * mebibyte, `${growth} bytes`)
    })
  }

  test(`${transport}: a provider can connect while a stranger holds connections without a handshake`, async (context) => {
    const venue = await venueOver(transport)
    for (const socket of await connections(venue, context, 40)) {
      socket.resume().write(upgradeTo('/ws/quotes'))
    }
    await eventually('the others are closed', () => held(venue) <= 16, 5000)
    const provider = new WebSocket(`${venue.streamUrl}/quotes`)
    await once(provider, 'open')
    provider.send('{"type":"connect_quote_provider"}')
    const [message] = await once(provider, 'message')
    assert.equal(JSON.parse(String(message)).type, 'auth_failed')
  })

  test(`${transport}: subscriptions that match nothing cost at most 1 MiB a connection`, async () => {
    const venue = await venueOver(transport)
    const peers = [await StreamPeer.open(venue), await StreamPeer.open(venue)]
    const subscribe = async (peer: StreamPeer, from: number) => {
      for (let frame = from; frame < from + 256; frame++) {
        const symbols = Array.from(
          { length: 4096 },
          (_, n) => `nothing ${frame} ${n} ${'x'.repeat(30)}`,
        )
        await peer.ask({ type: 'Subscribe', channel: 'trades', symbols }, 'Subscribed')
      }
    }
    // Reading frames of this size takes memory of its own, which stays allocated.
    for (const peer of peers) await subscribe(peer, 0)
    const growth = await growthOf(venue, async () => {
      for (const peer of peers) await subscribe(peer, 256)
    })
    for (const peer of peers) peer.close()
    assert.ok(growth < 32 * mebibyte, `${growth} bytes`)
  })

  test(`${transport}: the venue bounds unread answers and closes their connections`, async (context) => {
    const venue = await venueOver(transport)
    await venue.get('/openapi.json')
    const sockets = await connections(venue, context, 60)
    for (const socket of sockets) socket.pause()
    const growth = await growthOf(venue, async () => {
      for (let round = 0; round < 16; round++) {
        for (const socket of sockets) {
          if (socket.writable) socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n')
        }
        await sleep(100)
      }
      await sleep(2000)
    })
    assert.ok(growth < 32 * mebibyte, `${growth} bytes`)
    await eventually('they have ended', () => held(venue) === 0, 40_000)
  })

  test(`${transport}: the venue bounds short unread answers`, async (context) => {
    const venue = await venueOver(transport)
    const sockets = await connections(venue, context, 8)
    for (const socket of sockets) socket.pause()
    const requests = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20)
    const growth = await growthOf(venue, async () => {
      const endMillis = performance.now() + 20_000
      while (performance.now() < endMillis) {
        for (const socket of sockets) {
          if (socket.writable && socket.writableLength < 100_000) socket.write(requests)
        }
        await sleep(5)
      }
    })
    assert.ok(growth < 64 * mebibyte, `${growth} bytes`)
  })

  test(`${transport}: the venue closes a stalled reader after one write of 5 s, although it keeps sending`, async (context) => {
    const limits = ['queueAgeMillis=600000', 'queueMessages=100000000', 'queueBytes=1000000000']
    const patient = new Venue({
      arguments: [
        `--transport=${transport}`,
        '--set=stream.pongTimeoutMillis=600000',
        ...limits.map((limit) => `--set=stream.${limit}`),
      ],
    })
    context.after(() => patient.dispose())
    await patient.start()
    const peers = await Promise.all(Array.from({ length: 4 }, () => StreamPeer.open(patient)))
    for (const { socket } of peers) socket.pause()
    const frame = JSON.stringify({ type: 'ClockSync', nonce: 'n'.repeat(128) })
    const timer = setInterval(() => {
      for (const { socket } of peers) {
        if (socket.readyState !== WebSocket.OPEN) continue
        for (let count = 0; count < 400; count++) socket.send(frame)
      }
    }, 20)
    const closes = () => slowConsumerCloses(patient.operatorUrl)
    try {
      await eventually('each is closed', async () => (await closes()) === peers.length, 30_000)
    } finally {
      clearInterval(timer)
    }
    for (const { socket } of peers) socket.resume()
    for (const peer of peers) {
      await peer.until('it knows', () => peer.closed !== null)
      assert.deepEqual(peer.closed, {
        code: 1008,
        reason:
          '{"error":"slow_consumer","class":"command_result","cause":"write_timeout","recovery":"rest_reconcile"}',
      })
    }
  })
}
