import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { test } from 'node:test'
import { reservePort, Transport } from '../../gateway/transport.js'
import { projectPath } from '../support/project.js'

function transport(text: string): Transport {
  return new Transport({
    onCall: (call) => call.answer(200, text, []),
    refuseStream: () => ({ status: 503, body: 'full', headers: [['Retry-After', '1']] }),
    onStream: () => assert.fail('no stream is taken'),
  })
}

test('two servers share one port, and a third party is refused it', async () => {
  const port = await reservePort('127.0.0.1', 0)
  const one = transport('one')
  const two = transport('two')
  assert.equal(await one.listen('127.0.0.1', port), port)
  assert.equal(await two.listen('127.0.0.1', port), port)
  await assert.rejects(reservePort('127.0.0.1', port), { code: 'EADDRINUSE' })
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
  const port = await reservePort('127.0.0.1', 0)
  const server = transport('')
  await server.listen('127.0.0.1', port)
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

test('the native library is the one that was examined', { skip: skipReason() }, () => {
  const path = projectPath('node_modules/uWebSockets.js/dist/bin/uws_linux_x64_115.node')
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
  assert.equal(hash, '6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e')
})

function skipReason(): string | false {
  const isIt = process.platform === 'linux' && process.arch === 'x64'
  return isIt ? false : 'another platform has another file'
}
