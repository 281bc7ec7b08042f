import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadTransports } from '../../gateway/transport/transports.js'
import { frameOf, handshakeOf } from './support/raw-frames.js'
import { connectBody, WalletKey } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import { eventually, Venue } from './support/venue.js'

// Treatment of a connection that sends more than the gateway processes. `strangers.long.test.ts` measures how little
// other clients notice.

const unparsedMax = 16
const clockSync = JSON.stringify({ type: 'ClockSync', nonce: 'x' })

/** Node's transport, and the native one if its library loads. */
const transports = new Set([(await loadTransports('auto')).kind, 'node' as const])

for (const transport of transports) {
  describe(`over the ${transport} transport`, () => {
    const venue = new Venue({ arguments: [`--transport=${transport}`] })
    const opened: { close(): void }[] = []

    before(() => venue.start())
    after(() => venue.dispose())
    afterEach(() => {
      for (const each of opened.splice(0)) each.close()
    })

    const open = async (path = '') => {
      const peer = await StreamPeer.open(venue, path)
      opened.push(peer)
      return peer
    }
    const closeOf = async (peer: StreamPeer) => {
      await peer.until('the close frame', () => peer.closed !== null)
      return peer.closed
    }
    const flood = (cause: string) => ({
      code: 1008,
      reason: `{"error":"flood","cause":"${cause}"}`,
    })

    /**
     * Sends everything in one write, after the handshake.
     * @returns the received bytes so far
     */
    const burst = async (path: string, bytes: Buffer) => {
      const socket: Socket = connect(venue.port, '127.0.0.1')
      opened.push({ close: () => socket.destroy() })
      const got = { text: '', isClosed: false }
      socket.on('data', (data) => {
        got.text += data.toString('latin1')
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        got.isClosed = true
      })
      socket.write(handshakeOf(path))
      await eventually('upgraded', () => got.text.includes('\r\n\r\n'))
      socket.write(bytes)
      return got
    }
    const floodCloses = async (cause: string) => {
      const row = new RegExp(`^strikebook_flood_closes_total{cause="${cause}"} (\\d+)$`, 'm')
      return Number(row.exec(await venue.metrics())![1])
    }
    const countOf = (text: string, part: string) => text.split(part).length - 1

    test('the gateway answers some frames that are not JSON objects, then closes the connection', async () => {
      const peer = await open()
      for (let i = 0; i < unparsedMax; i++) peer.send('{')
      await peer.until('answers', () => peer.messages.length === unparsedMax)
      peer.send(clockSync)
      await peer.next('ClockSynced')
      for (let i = 0; i < 2 * unparsedMax; i++) peer.send('{')
      assert.deepEqual(await closeOf(peer), flood('unparsed_frames'))
      assert.ok(peer.messages.length <= unparsedMax + 1)
    })

    test('the gateway answers the last ping of each burst with a pong, and closes after a thousand pings', async () => {
      const peer = await open()
      const pongs: string[] = []
      peer.socket.on('pong', (payload) => pongs.push(String(payload)))
      for (let i = 1; i <= 110 && peer.closed === null; i++) {
        for (let j = 1; j <= 10; j++) peer.socket.ping(`${i}.${j}`)
        await eventually('answered', () => pongs.at(-1) === `${i}.10` || peer.closed !== null)
      }
      assert.ok(Number(pongs.at(-1)!.split('.')[0]) >= 100, pongs.at(-1))
      assert.deepEqual(await closeOf(peer), flood('control_frames'))
    })

    test('the gateway answers hundreds of pings in one packet, and closes with a reason after thousands', async () => {
      const got = await burst(
        '/ws',
        Buffer.concat([Buffer.alloc(299 * 6, frameOf('', 9)), frameOf('z', 9)]),
      )
      await eventually('a pong for the last', () => got.text.includes('\x8a\x01z'))
      assert.equal(got.isClosed, false)
      const before = await floodCloses('control_frames')
      const more = await burst('/ws', Buffer.alloc(2000 * 6, frameOf('', 9)))
      await eventually('the close frame', () => more.text.includes('"cause":"control_frames"'))
      await eventually('counted', async () => (await floodCloses('control_frames')) > before)
    })

    test('the gateway keeps a flooding client’s connection open, unread, for a while', async (context) => {
      if (transport === 'native') {
        context.skip("the transport's library closes the connection immediately")
        return
      }
      const got = await burst('/ws', Buffer.alloc(2000 * 6, frameOf('', 9)))
      await eventually('the close frame', () => got.text.includes('"cause":"control_frames"'))
      await sleep(500)
      assert.equal(got.isClosed, false)
      await eventually('the end', () => got.isClosed)
    })

    test('the gateway processes a burst of frames in order', async () => {
      const count = 500
      const frames = Array.from({ length: count }, (_, i) =>
        frameOf(JSON.stringify({ type: 'ClockSync', nonce: `n${i}.` })),
      )
      const got = await burst('/ws', Buffer.concat(frames))
      await eventually('answers', () => countOf(got.text, 'ClockSynced') === count)
      const order = [...got.text.matchAll(/"nonce":"n(\d+)\."/g)].map(([, number]) =>
        Number(number),
      )
      assert.deepEqual(
        order,
        Array.from({ length: count }, (_, i) => i),
      )
      assert.equal(got.isClosed, false)
    })

    test('the gateway holds back more frames than can wait, or closes the connection', async () => {
      const count = 40_000
      const frames = Buffer.alloc(count * frameOf(clockSync).length, frameOf(clockSync))
      const got = await burst('/ws', frames)
      if (transport === 'native') {
        await eventually('closed', () => got.text.includes('"cause":"frame_limit"'))
      } else await eventually('answered', () => countOf(got.text, 'ClockSynced') === count)
    })

    test('the gateway answers pipelined requests in order', async () => {
      const requests = Array.from({ length: 16 }, (_, i) =>
        i % 2 === 0
          ? `GET /none${i} HTTP/1.1\r\nHost: x\r\nX-Request-Id: r${i}.\r\n\r\n`
          : `POST /order HTTP/1.1\r\nHost: x\r\nX-Request-Id: r${i}.\r\nContent-Length: 1\r\n\r\n{`,
      )
      const isWhole = (text: string) => countOf(text, 'HTTP/1.1 4') === requests.length
      const text = await venue.raw(requests.join(''), { isWhole, quietMillis: 5000 })
      const statuses = [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
      assert.deepEqual(statuses, Array.from({ length: 8 }, () => ['404', '400']).flat())
    })

    test('thousands of pipelined requests end only their own connection', async () => {
      const requests = 'GET /exchange-info HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20_000)
      const socket = connect(venue.port, '127.0.0.1')
      let isClosed = false
      socket.on('error', () => {})
      socket.on('close', () => {
        isClosed = true
      })
      socket.resume()
      socket.write(requests)
      await eventually('closed', () => isClosed)
      assert.equal((await venue.get('/health')).status, 200)
    })

    test('the gateway limits the number of frames after an unanswered handshake', async () => {
      const key = new WalletKey()
      await venue.set('/deposits', { wallet: key.wallet, amount: '10' })
      const handshake = frameOf(JSON.stringify(await connectBody(key)))
      const empty = frameOf('')
      const rest = Buffer.alloc(85_000 * empty.length, empty)
      const got = await burst('/ws/quotes', Buffer.concat([handshake, rest]))
      await eventually('closed', () => /flood|unknown quote provider/.test(got.text))
    })

    test('empty frames of a registered provider end its session', async () => {
      const key = new WalletKey()
      await venue.set('/quote-providers', { wallet: key.wallet, status: 'active' })
      const peer = await open('/quotes')
      await peer.ask(await connectBody(key), 'authenticated')
      for (let i = 0; i < 2 * unparsedMax; i++) peer.send('')
      assert.deepEqual(await closeOf(peer), flood('unparsed_frames'))
      assert.ok(peer.messages.length <= 1 + unparsedMax)
    })
  })
}
