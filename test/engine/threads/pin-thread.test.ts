import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pinThread, threadId } from '../../../engine/threads/pin-thread.js'

// Linux tells both by /proc; elsewhere nothing is pinned.
const isLinux = process.platform === 'linux'

test('a thread is pinned alone to the core of its role, and without one stays free', () => {
  if (!isLinux) return
  assert.ok(threadId() > 0)
  const before = allowedCores()
  pinThread(undefined)
  assert.equal(allowedCores(), before)
  const first = Number(before.split(/[-,]/)[0])
  pinThread(first)
  assert.equal(allowedCores(), String(first))
})

test('a core that does not exist stops the start', () => {
  if (isLinux) assert.throws(() => pinThread(1023))
})

function allowedCores(): string {
  const status = readFileSync('/proc/thread-self/status', 'utf8')
  return /Cpus_allowed_list:\s*(\S+)/.exec(status)?.[1] ?? ''
}
