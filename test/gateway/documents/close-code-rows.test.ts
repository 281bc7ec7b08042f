import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { WebSocketServer } from 'ws'
import { StreamClient } from '../../../gateway/client/stream-client.js'
import { closeActions, closeCodeRows } from '../../../gateway/documents/close-code-rows.js'
import { closeCodes } from '../../../gateway/transport/close-codes.js'
import { streamPaths } from '../../../gateway/transport/stream-paths.js'
import { testConfig } from '../../support/gateway-rig.js'
import { projectPath } from '../../support/project.js'

const rows = closeCodeRows(testConfig())
/** Parts of the gateway that send no close frame of a server. */
const otherParts = /^(client|web|documents)\/|^transport\/close-codes\.ts$/

/** Text of every source file that may close a connection, by path. */
function sources(): readonly (readonly [path: string, text: string])[] {
  return readdirSync(projectPath('gateway'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !otherParts.test(path))
    .map((path) => [path, readFileSync(projectPath(`gateway/${path}`), 'utf8')])
}

/** Codes that the WebSocket library of the Node transport sends by itself. */
function libraryCodes(): ReadonlySet<number> {
  const text = readFileSync(projectPath('node_modules/ws/lib/receiver.js'), 'utf8')
  return new Set([...text.matchAll(/\b(1\d{3}),\s*'WS_ERR_/g)].map(([, code]) => Number(code)))
}

test('the documented codes are those of the table, and of the library', () => {
  const documented = new Set(rows.map(({ code }) => code))
  assert.deepEqual([...documented], Object.values(closeCodes))
  const ofLibrary = libraryCodes()
  assert.ok(ofLibrary.size > 0)
  for (const code of ofLibrary) {
    const isNamed = rows.some((row) => row.code === code && row.reason === '')
    assert.ok(isNamed, `the library sends ${code} without a reason`)
  }
})

test('the source sends each code of the table and no other code', () => {
  const all = sources()
  const text = all.map(([, source]) => source).join('\n')
  const frames = readFileSync(projectPath('gateway/transport/close-codes.ts'), 'utf8')
  const named = new Map(
    [...frames.matchAll(/export const (\w+) = \{\s*code: closeCodes\.(\w+)/g)].map(
      ([, frame, name]) => [name!, frame!],
    ),
  )
  const ofLibrary = libraryCodes()
  for (const [name, code] of Object.entries(closeCodes)) {
    const frame = named.get(name)
    const isSent = text.includes(`closeCodes.${name}`) || (frame && text.includes(`${frame}.code`))
    assert.ok(isSent || ofLibrary.has(code), `nothing sends ${name}`)
  }
  for (const [path, source] of all) {
    assert.doesNotMatch(source, /\.(close|end)\(\s*1\d{3}\b|\bcode: 1\d{3}\b/, path)
  }
})

test('the client connects again after a close frame, unless its action is do_not_reconnect', async () => {
  const ofClients = rows.filter(({ paths }) => paths.includes(streamPaths.clients))
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const closed: string[] = []
  const frames = ofClients.map(({ code, reason }) => `${code} ${reason}`)
  const client = await new Promise<StreamClient>((resolve) => {
    let connections = 0
    server.on('connection', (socket) => {
      const row = ofClients[connections++]
      if (row === undefined) resolve(stream)
      else socket.close(row.code, row.reason)
    })
    const stream = new StreamClient({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...{ backoffMillisMin: 1, backoffMillisMax: 2 },
      onDisconnected: (code, reason) => closed.push(`${code} ${reason}`),
    })
  })
  client.close()
  server.close()
  assert.deepEqual(closed, frames)
  const never = rows.filter(({ action_code }) => action_code === 'do_not_reconnect')
  assert.ok(never.length > 0)
  for (const { paths } of never) assert.deepEqual(paths, [streamPaths.providers])
})

test('each close frame states when the venue sends it, and the reaction of the client', () => {
  for (const { code, reason, when, action, action_code, paths } of rows) {
    assert.ok(when !== '' && paths.length > 0, `${code} ${reason}`)
    assert.ok(action_code in closeActions, `${code} ${reason}`)
    assert.match(action, /\.$/, `${code} ${reason}`)
  }
  const frames = rows.map(({ code, reason }) => `${code} ${reason}`)
  assert.equal(new Set(frames).size, frames.length, 'a close frame is listed twice')
  for (const frame of [
    ...['1002 ', '1007 ', '1011 internal error', '1012 service restart'],
    ...['1012 slow gateway, connect again'],
  ]) {
    assert.ok(frames.includes(frame), frame)
  }
})

test('each reason fits into a close frame', () => {
  const reasons = rows.map(({ reason }) => reason)
  assert.ok(reasons.includes('pong timeout') && reasons.includes('authentication timeout'))
  for (const reason of reasons) assert.ok(Buffer.byteLength(reason) <= 123, reason)
})
