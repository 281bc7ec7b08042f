import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ServiceNotifier } from '../../gateway/service-notifier.js'
import { eventually } from '../e2e/support/venue.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-notify-'))
after(() => rmSync(folder, { recursive: true }))
const callsFile = join(folder, 'told')
const command = `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> ${callsFile}\n`
writeFileSync(join(folder, 'systemd-notify'), command, { mode: 0o755 })

const lines = () =>
  existsSync(callsFile) ? readFileSync(callsFile, 'utf8').trim().split('\n') : []
const pings = () => lines().filter((line) => line.endsWith('WATCHDOG=1')).length

test('systemd receives readiness, each heartbeat and the end', async (t) => {
  const PATH = `${folder}:${process.env['PATH']}`
  const environment = { PATH, NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '150000' }
  let isAlive = true
  const notifier = new ServiceNotifier(environment, assert.fail)
  t.after(() => notifier.close())
  assert.deepEqual(environment, { PATH })
  notifier.ready('up', () => isAlive)
  await eventually('it pings', () => pings() > 2)
  assert.ok(lines().includes('/run/notify READY=1 STATUS=up'))
  isAlive = false
  await new Promise((resolve) => setTimeout(resolve, 200))
  const before = pings()
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.equal(pings(), before, 'silent threads keep the watchdog waiting')
  notifier.stopping()
  await eventually('an end is no silence', () => pings() > before)
  assert.ok(lines().includes('/run/notify STOPPING=1 STATUS=stopping'))
})

test('a missing command is reported once', async () => {
  const faults: string[] = []
  const environment = { PATH: '/nowhere', NOTIFY_SOCKET: '/run/notify' }
  const notifier = new ServiceNotifier(environment, (text) => faults.push(text))
  notifier.ready('up', () => true)
  notifier.stopping()
  await eventually('it is reported', () => faults.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(faults.length, 1)
  assert.match(faults[0]!, /^systemd-notify failed, .*ENOENT/)
})

test('without systemd nothing is started', () => {
  const notifier = new ServiceNotifier({ PATH: '/nowhere' }, assert.fail)
  notifier.ready('up', () => true)
  notifier.stopping()
})
