import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { Venue } from './support/venue.js'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const skip = hasOpenssl ? false : 'openssl makes the certificate'
const folder = mkdtempSync(join(tmpdir(), 'strikebook-tls-'))
const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
const tls = [`--set=tls.certFile=${files.certFile}`, `--set=tls.keyFile=${files.keyFile}`]

after(() => rmSync(folder, { recursive: true, force: true }))

function makeCertificate(): string {
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const output = ['-keyout', files.keyFile, '-out', files.certFile]
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...kind, ...output, ...names], { stdio: 'ignore' })
  return readFileSync(files.certFile, 'utf8')
}

test('with a certificate the venue serves https and wss, and reports both', {
  skip,
}, async (context) => {
  const ca = makeCertificate()
  const venue = new Venue({ arguments: tls })
  context.after(() => venue.dispose())
  await venue.start()
  assert.match(venue.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  assert.match(venue.operatorUrl, /^http:/)
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${venue.url}/health`, { ca }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
    sent.end()
  })
  assert.equal(status, 200)
  const socket = new WebSocket(venue.streamUrl, { ca })
  assert.match(socket.url, /^wss:/)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'ClockSync', nonce: 'n' }))
  const [data] = await once(socket, 'message')
  assert.equal(JSON.parse(data.toString()).type, 'ClockSynced')
  socket.terminate()
  assert.equal(
    await venue.raw('GET /health HTTP/1.1\r\nHost: x\r\n\r\n'),
    '',
    'the venue refuses plain text',
  )
  await venue.end('SIGTERM')
})

test('invalid certificate and key files stop the start, by their names', async (context) => {
  writeFileSync(files.certFile, 'nonsense')
  writeFileSync(files.keyFile, 'nonsense')
  for (const args of [tls, ['--set=tls.certFile=/nowhere', '--set=tls.keyFile=/nowhere']]) {
    const venue = new Venue({ arguments: args })
    context.after(() => venue.dispose())
    await assert.rejects(venue.start(), /tls\.certFile \S+ and tls\.keyFile \S+: /)
  }
  const half = new Venue({ arguments: [tls[0]!] })
  context.after(() => half.dispose())
  await assert.rejects(half.start(), /tls\.keyFile.*set together, or both empty/)
})
