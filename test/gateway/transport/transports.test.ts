import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { boundless, type ConnectionLedger } from '../../../gateway/transport/connection-ledger.js'
import { findPort } from '../../../gateway/transport/free-port.js'
import { reusesPorts, sharesPorts } from '../../../gateway/transport/node-transport.js'
import type {
  StreamSocket,
  Transport,
  TransportHandlers,
} from '../../../gateway/transport/transport.js'
import type { TransportKind } from '../../../gateway/transport/transport-kinds.js'
import type { TransportOptions } from '../../../gateway/transport/transport-options.js'
import { checkTransport, loadTransports } from '../../../gateway/transport/transports.js'
import { crowdedFrameBytesMax, streamFrameBytesMax } from '../../../schemas/bounds.js'
import { longTest } from '../../support/long-test.js'

function transport(
  kind: TransportKind,
  text: string,
  changes: Partial<TransportHandlers> = {},
  options: TransportOptions = {},
): Transport {
  const handlers: TransportHandlers = {
    onCall: (call) => call.answer(200, text, []),
    refuseCall: () => null,
    onCallEnd: () => {},
    refuseStream: () => ({ status: 503, body: 'full', headers: [['Retry-After', '1']] }),
    onStream: () => assert.fail('no stream is taken'),
    ...changes,
  }
  const opened = transportsOf(kind).open(handlers, options)
  transports.push(opened)
  return opened
}

/** Transports of a test, which close when it ends, even if it fails. */
const transports: Transport[] = []
afterEach(() => {
  for (const opened of transports.splice(0)) opened.close()
})

const wished = await loadTransports('auto')
const overNode = await loadTransports('node')
const transportsOf = (kind: TransportKind) => (kind === 'node' ? overNode : wished)
const canShare = sharesPorts(process.versions.node, process.platform)

test('the native transport is used if its library loads', {
  skip: wished.kind !== 'native' && `no binary for Node ${process.versions.node}`,
}, async () => {
  assert.equal((await loadTransports('native')).kind, 'native')
})

for (const kind of new Set([wished.kind, overNode.kind])) {
  test(`${kind}: two servers share one port, and a third party is refused it`, {
    skip: kind === 'node' && !canShare && 'this Node lets no threads share one',
  }, async () => {
    const { port, release } = await transportsOf(kind).holdPort('127.0.0.1', 0)
    await assert.rejects(
      transportsOf(kind).holdPort('127.0.0.1', port),
      { code: 'EADDRINUSE' },
      'nobody gets it meanwhile',
    )
    const one = transport(kind, 'one')
    const two = transport(kind, 'two')
    assert.equal(await one.listen('127.0.0.1', port), port)
    assert.equal(await two.listen('127.0.0.1', port), port)
    release()
    await assert.rejects(transportsOf(kind).holdPort('127.0.0.1', port), { code: 'EADDRINUSE' })
    const heard = new Set<string>()
    for (let i = 0; i < 200 && heard.size < 2; i++) {
      const response = await fetch(`http://127.0.0.1:${port}/`, {
        headers: { connection: 'close' },
      })
      heard.add(await response.text())
    }
    assert.deepEqual([...heard].sort(), ['one', 'two'])
    one.close()
    two.close()
    two.close()
  })

  test(`${kind}: a fixed port is held from other processes until its threads listen`, async () => {
    const free = await findPort('127.0.0.1', 0)
    const { port, release } = await transportsOf(kind).holdPort('127.0.0.1', free)
    assert.equal(port, free)
    const other = transportsOf(kind).holdPort('127.0.0.1', free)
    await assert.rejects(other, { code: 'EADDRINUSE' })
    const server = transport(kind, 'own')
    assert.equal(await server.listen('127.0.0.1', free), free)
    release()
    assert.equal(await (await fetch(`http://127.0.0.1:${free}/`)).text(), 'own')
    server.close()
  })

  test(`${kind}: a stream that is not taken is answered 503`, async () => {
    const server = transport(kind, '')
    const port = await server.listen('127.0.0.1', 0)
    const status = await new Promise((resolve) => {
      const headers = {
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-version': '13',
      }
      const options = { host: '127.0.0.1', port, path: '/ws', headers }
      request(options, (response) => resolve(response.statusCode)).end()
    })
    assert.equal(status, 503)
    server.close()
  })

  test(`${kind}: a connection continues after a HEAD, whose answer states the length of the body`, async () => {
    const server = transport(kind, 'seven b')
    const port = await server.listen('127.0.0.1', 0)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (method: string) =>
      new Promise((resolve, reject) => {
        const asked = request({ agent, host: '127.0.0.1', port, path: '/', method }, (response) => {
          response.resume()
          const length = response.headers['content-length']
          response.on('end', () => resolve([length, asked.reusedSocket]))
        })
        asked.on('error', reject).end()
      })
    assert.deepEqual(await ask('HEAD'), ['7', false])
    assert.deepEqual(await ask('HEAD'), ['7', true])
    assert.deepEqual(await ask('GET'), ['7', true])
    agent.destroy()
    server.close()
  })

  test(`${kind}: a request is taken when its headers are here, and given back once, however it ends`, async () => {
    const counts = { taken: 0, ended: 0, heard: 0 }
    const server = transport(kind, '', {
      refuseCall: () => {
        if (counts.taken === 4) return { status: 429, body: 'enough', headers: [] }
        counts.taken++
        return null
      },
      onCallEnd: (address) => {
        assert.deepEqual([...address], [127, 0, 0, 1])
        counts.ended++
      },
      onCall: (call) => {
        counts.heard++
        if (call.path === '/slow') return
        call.answer(200, '', [])
        call.answer(200, 'again', [])
      },
    })
    const port = await server.listen('127.0.0.1', 0)
    const url = `http://127.0.0.1:${port}`
    await fetch(url)
    await fetch(url, { method: 'POST', body: 'x'.repeat(300_000) })
    assert.deepEqual(counts, { taken: 2, ended: 2, heard: 2 })
    const unfinished = request(url, { method: 'POST', headers: { 'content-length': '100' } })
    unfinished.on('error', () => {})
    unfinished.write('x')
    const unanswered = request(`${url}/slow`)
    unanswered.on('error', () => {})
    unanswered.end()
    while (counts.taken < 4 || counts.heard < 3) await sleep(1)
    assert.equal(counts.ended, 2)
    const refused = await fetch(url, { method: 'POST', body: 'body' })
    assert.deepEqual([refused.status, await refused.text()], [429, 'enough'])
    unfinished.destroy()
    unanswered.socket!.resetAndDestroy()
    while (counts.ended < 4) await sleep(1)
    assert.deepEqual(counts, { taken: 4, ended: 4, heard: 3 })
    server.close()
  })

  test(`${kind}: every way in which a connection can end gives back what it has under way, once`, async () => {
    const counts = { taken: 0, ended: 0 }
    const server = transport(kind, '', {
      refuseCall: () => {
        counts.taken++
        return null
      },
      onCallEnd: () => {
        counts.ended++
      },
      onCall: (call) => {
        if (call.path !== '/slow') call.answer(200, '', [])
      },
    })
    const port = await server.listen('127.0.0.1', 0)
    const send = async (text: string): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      const before = counts.taken
      socket.write(text)
      while (counts.taken === before) await sleep(1)
      return socket
    }
    const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n'
    const pipelined = [slow, `GET /ws HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`, 'no request\r\n\r\n']
    for (const second of pipelined) {
      const socket = await send(slow + second)
      // The native library cuts off who does not wait for its answer; Node's keeps it waiting.
      if (kind === 'native') while (counts.ended < counts.taken) await sleep(1)
      socket.resetAndDestroy()
      while (counts.ended < counts.taken) await sleep(1)
    }
    assert.ok(counts.taken >= 3, 'a second request before the first answer')
    counts.taken = 3
    counts.ended = 3
    const endless = await send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n')
    endless.write(Buffer.alloc(20_000_000))
    while (counts.ended < 4) await sleep(1)
    await send(slow)
    await send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf')
    server.close()
    while (counts.ended < 6) await sleep(1)
    await sleep(5)
    assert.deepEqual(counts, { taken: 6, ended: 6 })
  })
}

for (const kind of new Set([wished.kind, overNode.kind])) {
  test(`${kind}: a sender with one waiting message is notified when the reader continues`, async () => {
    let drained = 0
    let socket: StreamSocket | null = null
    const server = transport(kind, '', {
      refuseStream: () => null,
      onStream: (taken) => {
        socket = taken
        const onDrain = () => {
          drained++
        }
        return { onMessage: () => {}, onPong: () => {}, onDrain, onClose: () => {} }
      },
    })
    const port = await server.listen('127.0.0.1', 0)
    const client = new WebSocket(`ws://127.0.0.1:${port}/ws`)
    await once(client, 'open')
    const raw = (client as unknown as { _socket: Socket })._socket.pause()
    while (socket!.bufferedBytes() === 0) socket!.send(Buffer.alloc(4096, 'x'))
    assert.equal(drained, 0)
    raw.resume()
    while (drained === 0) await sleep(1)
    assert.equal(socket!.bufferedBytes(), 0)
    client.terminate()
    server.close()
  })
}

longTest(
  'over Node’s library a connection without a complete request closes without an answer',
  async () => {
    const server = transport('node', '')
    const port = await server.listen('127.0.0.1', 0)
    for (const head of ['', 'GET / HTT']) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      let heard = ''
      socket.on('data', (chunk) => {
        heard += chunk
      })
      socket.write(head)
      await once(socket, 'close')
      assert.equal(heard, '', JSON.stringify(head))
    }
    server.close()
  },
)

longTest(
  'over Node’s library a client that closes before its answer releases its request after ten seconds',
  async () => {
    let ended = 0
    const server = transport('node', '', {
      onCall: () => {},
      onCallEnd: () => {
        ended++
      },
    })
    const port = await server.listen('127.0.0.1', 0)
    const socket = connect(port, '127.0.0.1')
    socket.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await sleep(5000)
    assert.equal(ended, 0, 'the answer may still come')
    while (ended === 0) await sleep(10)
    server.close()
  },
)

test('a server takes its port over from the previous one on the same thread', async () => {
  for (const kind of new Set([wished.kind, overNode.kind])) {
    const { port, release } = await transportsOf(kind).holdPort('127.0.0.1', 0)
    const before = transport(kind, 'before')
    await before.listen('127.0.0.1', port)
    release()
    const after = transport(kind, 'after')
    await after.listen('127.0.0.1', port)
    before.close()
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'after', kind)
    after.close()
  }
})

test('node: a failure to listen keeps the code of its cause', async () => {
  const blocker = createServer()
  await once(blocker.listen(0, '127.0.0.1'), 'listening')
  const { port } = blocker.address() as AddressInfo
  await assert.rejects(transport('node', '').listen('127.0.0.1', port), { code: 'EADDRINUSE' })
  blocker.close()
})

test('threads share a port where they can', async () => {
  assert.equal(overNode.kind, 'node')
  if (wished.kind === 'native') checkTransport(wished, 2)
  checkTransport(overNode, 1)
  if (canShare) checkTransport(overNode, 2)
  else assert.throws(() => checkTransport(overNode, 2), /gateways is 2; only 1 is allowed/)
  for (const [version, expected] of [
    ['20.19.0', false],
    ['22.11.0', false],
    ['22.12.0', true],
    ['23.0.0', false],
    ['23.1.0', true],
    ['24.0.0', true],
  ] as const) {
    assert.equal(reusesPorts(version), expected, version)
    assert.equal(sharesPorts(version, 'win32'), expected, version)
    assert.equal(sharesPorts(version, 'linux'), true, version)
  }
})

test('over Node’s library a stream is accepted, carries text both ways, and ends with the reason’s exact bytes', async () => {
  const calls: string[] = []
  let ours: StreamSocket | null = null
  const server = transport('node', '', {
    refuseStream: () => null,
    onStream: (socket, query) => {
      ours = socket
      calls.push(query, socket.address.join('.'))
      return {
        onMessage: (data, isBinary) => {
          calls.push(`${data} ${isBinary}`)
          socket.cork(() => {
            socket.send(Buffer.from('one'))
            socket.send(Buffer.from('two'))
          })
        },
        onPong: () => {
          calls.push('pong')
          socket.close(4001, 'enough')
          socket.send(Buffer.from('nobody'))
        },
        onDrain: () => {},
        onClose: () => {
          calls.push('closed')
        },
      }
    },
  })
  const port = await server.listen('127.0.0.1', 0)
  const client = new WebSocket(`ws://127.0.0.1:${port}/ws?wallet=%20x`)
  const heard: string[] = []
  client.on('message', (data) => {
    heard.push(String(data))
    if (heard.length === 2) ours!.ping()
  })
  await once(client, 'open')
  client.send('hello')
  const [code, reason] = await once(client, 'close')
  assert.deepEqual([code, String(reason)], [4001, 'enough'])
  assert.deepEqual(heard, ['one', 'two'])
  assert.deepEqual(calls, ['wallet=%20x', '127.0.0.1', 'hello false', 'pong', 'closed'])
  assert.equal(ours!.bufferedBytes(), 0)
  server.close()
})

test('over Node’s library a reader that pauses for some seconds still gets the close frame', async () => {
  const server = transport('node', 'plain', {
    refuseStream: () => null,
    onStream: (socket) => ({
      onMessage: () => {
        socket.send(Buffer.alloc(16 << 20, 'x'))
        socket.close(1008, 'slow')
      },
      onPong: () => {},
      onDrain: () => {},
      onClose: () => {},
    }),
  })
  const client = new WebSocket(`ws://127.0.0.1:${await server.listen('127.0.0.1', 0)}/ws`)
  await once(client, 'open')
  client.send('hello')
  client.pause()
  await sleep(3300)
  client.resume()
  const [code, reason] = await once(client, 'close')
  assert.deepEqual([code, String(reason)], [1008, 'slow'])
})

test('over Node’s library a broken frame is closed with 1002, and invalid text with 1007', async () => {
  const server = transport('node', 'plain', {
    refuseStream: () => null,
    onStream: () => ({
      ...{ onMessage: () => {}, onPong: () => {} },
      ...{ onDrain: () => {}, onClose: () => {} },
    }),
  })
  const port = await server.listen('127.0.0.1', 0)
  const unmasked = Buffer.from([0x81, 1, 0x78])
  const invalidText = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])
  for (const [frame, wanted] of [
    [unmasked, 1002],
    [invalidText, 1007],
  ] as const) {
    const client = new WebSocket(`ws://127.0.0.1:${port}/ws`)
    client.on('error', () => {})
    client.once('upgrade', ({ socket }) => socket.write(frame))
    const [code, reason] = await once(client, 'close')
    assert.deepEqual([code, String(reason)], [wanted, ''])
  }
  server.close()
})

test('over Node’s library a frame above its size closes with 1009, and no handshake takes a place', async () => {
  let taken = 0
  const server = transport('node', 'plain', {
    refuseStream: () => {
      taken++
      return null
    },
    onStream: () => ({
      onMessage: () => {},
      onPong: () => {},
      onDrain: () => {},
      onClose: () => {
        taken--
      },
    }),
  })
  const port = await server.listen('127.0.0.1', 0)
  for (const bytes of [streamFrameBytesMax + 1, 3 * streamFrameBytesMax]) {
    const client = new WebSocket(`ws://127.0.0.1:${port}/ws`)
    client.on('error', () => {})
    await once(client, 'open')
    client.send('x'.repeat(bytes))
    const [code] = await once(client, 'close')
    assert.equal(code, 1009, `${bytes} bytes`)
  }
  while (taken > 0) await sleep(1)
  const ask = (head: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
      socket.write(`GET ${head}\r\n\r\n`)
    })
  const upgrade = 'HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket'
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  assert.match(await ask(`/ws ${upgrade}`), /^HTTP\/1\.1 400 [\s\S]*invalid_request/)
  assert.match(await ask(`/ws ${upgrade}\r\n${key}\r\nSec-WebSocket-Version: 7`), /^HTTP\/1\.1 400/)
  assert.match(await ask(`/else ${upgrade}`), /^HTTP\/1\.1 200 [\s\S]*plain$/)
  assert.match(await ask('/ HTTP/1.1\r\nHost: a\r\nHost: b'), /^HTTP\/1\.1 400/)
  assert.match(await ask('no request'), /^HTTP\/1\.1 400 [\s\S]*invalid_request/)
  assert.equal(taken, 0)
  server.close()
})

for (const kind of new Set([wished.kind, overNode.kind])) {
  test(`${kind}: a stream that opens without room for large frames takes those of 16 KiB`, async () => {
    let room = 2 * streamFrameBytesMax
    const ledger: ConnectionLedger = {
      ...boundless,
      takeFrame(_client, bytes) {
        if (bytes > room) return false
        room -= bytes
        return true
      },
      giveBytes(_client, bytes) {
        room += bytes
      },
    }
    const heard: number[] = []
    const handlers = {
      refuseStream: () => null,
      onStream: () => ({
        onMessage: (data: Buffer) => void heard.push(data.length),
        onPong() {},
        onDrain() {},
        onClose() {},
      }),
    }
    const server = transport(kind, '', handlers, { ledger })
    const port = await server.listen('127.0.0.1', 0)
    const open = async () => {
      const client = new WebSocket(`ws://127.0.0.1:${port}/ws`)
      client.on('error', () => {})
      await once(client, 'open')
      return client
    }
    const [first, second] = [await open(), await open()]
    first.send('x'.repeat(streamFrameBytesMax))
    second.send('x'.repeat(crowdedFrameBytesMax))
    while (heard.length < 2) await sleep(1)
    second.send('x'.repeat(crowdedFrameBytesMax + 1))
    assert.equal((await once(second, 'close'))[0], 1009)
    first.close()
    while (room === 0) await sleep(1)
    const third = await open()
    third.send('x'.repeat(streamFrameBytesMax))
    while (heard.length < 3) await sleep(1)
    server.close()
  })

  test(`${kind}: an answer that nobody reads counts until it is read, and one too many ends its connection`, async () => {
    const counts = { unread: 0, ended: 0 }
    let isFull = false
    const ledger: ConnectionLedger = {
      ...boundless,
      takeUnread(_client, bytes) {
        if (isFull) return false
        counts.unread += bytes
        return true
      },
      giveUnread(_client, bytes) {
        counts.unread -= bytes
      },
    }
    const onCallEnd = () => {
      counts.ended++
    }
    const text = 'x'.repeat(20_000_000)
    const server = transport(kind, text, { onCallEnd }, { ledger })
    const port = await server.listen('127.0.0.1', 0)
    const ask = () => {
      const socket = connect(port, '127.0.0.1')
      socket.pause().on('error', () => {})
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      return socket
    }
    const reader = ask()
    while (counts.unread === 0) await sleep(1)
    assert.equal(counts.ended, 0)
    let read = 0
    reader.on('data', (chunk) => {
      read += chunk.length
    })
    reader.resume()
    while (counts.unread > 0 || read < text.length) await sleep(1)
    assert.equal(counts.ended, 1)
    isFull = true
    const refused = ask()
    while (counts.ended < 2) await sleep(1)
    assert.equal(counts.unread, 0)
    for (const socket of [reader, refused]) socket.destroy()
    server.close()
  })
}

test('over Node’s library a transport that closes while it begins to listen does not listen', async () => {
  const server = transport('node', '')
  const listening = server.listen('127.0.0.1', 0)
  server.close()
  const port = await listening
  const [error] = await once(connect(port, '127.0.0.1'), 'error')
  assert.equal(error.code, 'ECONNREFUSED')
})
