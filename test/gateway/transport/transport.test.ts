import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  holdPort,
  Transport,
  type TransportHandlers,
} from '../../../gateway/transport/transport.js'
import { projectPath } from '../../support/project.js'

function transport(text: string, changes: Partial<TransportHandlers> = {}): Transport {
  return new Transport({
    onCall: (call) => call.answer(200, text, []),
    refuseCall: () => null,
    onCallEnd: () => {},
    refuseStream: () => ({ status: 503, body: 'full', headers: [['Retry-After', '1']] }),
    onStream: () => assert.fail('no stream is taken'),
    ...changes,
  })
}

test('two servers share one port, and a third party is refused it', async () => {
  const { port, release } = await holdPort('127.0.0.1', 0)
  await assert.rejects(
    holdPort('127.0.0.1', port),
    { code: 'EADDRINUSE' },
    'nobody gets it meanwhile',
  )
  const one = transport('one')
  const two = transport('two')
  assert.equal(await one.listen('127.0.0.1', port), port)
  assert.equal(await two.listen('127.0.0.1', port), port)
  release()
  await assert.rejects(holdPort('127.0.0.1', port), { code: 'EADDRINUSE' })
  const heard = new Set<string>()
  for (let i = 0; i < 200 && heard.size < 2; i++) {
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })
    heard.add(await response.text())
  }
  assert.deepEqual([...heard].sort(), ['one', 'two'])
  one.close()
  two.close()
  two.close()
})

test('a stream that is not taken is answered 503', async () => {
  const server = transport('')
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

test('a connection goes on after a HEAD, whose answer says how long the body would be', async () => {
  const server = transport('seven b')
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

test('a request is taken when its headers are here, and given back once, however it ends', async () => {
  const counts = { taken: 0, ended: 0, heard: 0 }
  const server = transport('', {
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
  unanswered.destroy()
  while (counts.ended < 4) await sleep(1)
  assert.deepEqual(counts, { taken: 4, ended: 4, heard: 3 })
  server.close()
})

test('every way in which a connection can end gives back what it has under way, once', async () => {
  const counts = { taken: 0, ended: 0 }
  const server = transport('', {
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
    while (counts.ended < counts.taken) await sleep(1)
    socket.destroy()
  }
  assert.deepEqual(counts, { taken: 3, ended: 3 }, 'a second request before the first answer')
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

test('the native library is the one that was examined', { skip: skipReason() }, () => {
  const path = projectPath('node_modules/uWebSockets.js/dist/bin/uws_linux_x64_115.node')
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
  assert.equal(hash, '6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e')
})

function skipReason(): string | false {
  const isIt = process.platform === 'linux' && process.arch === 'x64'
  return isIt ? false : 'another platform has another file'
}
