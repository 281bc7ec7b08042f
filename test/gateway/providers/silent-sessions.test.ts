import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FloodCloses } from '../../../gateway/limits/flood-close.js'
import { ProviderSession } from '../../../gateway/providers/provider-session.js'
import { SilentSessions } from '../../../gateway/providers/silent-sessions.js'
import { FakeSocket } from '../../support/fake-socket.js'
import { testConfig } from '../../support/gateway-rig.js'

const { stream, quotes } = testConfig({})

function rig() {
  const silent = new SilentSessions()
  const open = (last: number) => {
    const socket = new FakeSocket()
    socket.address = Uint8Array.of(198, 51, 100, last)
    const session = new ProviderSession(socket, 1, { ...stream, ...quotes }, 0, new FloodCloses())
    socket.onClose = () => silent.delete(session)
    silent.add(session)
    return { socket, session }
  }
  return { silent, open }
}

test('beyond 16 connections without a handshake the oldest of the busiest address is closed', () => {
  const { open } = rig()
  const provider = open(1)
  const strangers = Array.from({ length: 20 }, () => open(2))
  assert.equal(provider.socket.isCutOff, false)
  const cutOff = strangers.map(({ socket }) => socket.isCutOff)
  assert.deepEqual(cutOff, [...Array(5).fill(true), ...Array(15).fill(false)])
})

test('a connection with a handshake no longer counts, and its end counts once', () => {
  const { silent, open } = rig()
  const providers = Array.from({ length: 16 }, () => open(1))
  for (const { session } of providers) {
    silent.delete(session)
    silent.delete(session)
  }
  const later = Array.from({ length: 16 }, () => open(2))
  assert.ok([...providers, ...later].every(({ socket }) => !socket.isCutOff))
  open(2)
  assert.equal(later[0]!.socket.isCutOff, true)
})
