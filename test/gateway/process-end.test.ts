import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { pino } from 'pino'
import { DataLockHeld } from '../../engine/journal/data-lock.js'
import { JournalDamage } from '../../engine/journal/journal-errors.js'
import { ProcessEnd } from '../../gateway/process-end.js'
import type { Venue } from '../../gateway/venue.js'

/** Calls of a venue and of the process, in this order. */
class Calls {
  readonly all: string[] = []
  readonly ended: Promise<void>

  constructor() {
    this.ended = new Promise((resolve) => {
      mock.method(process, 'exit', (code: number) => {
        this.all.push(`exit ${code}`)
        resolve()
      })
    })
  }

  venue(): Venue {
    const asked = (name: string) => async () => {
      this.all.push(name)
    }
    return { url: '', operatorUrl: '', clock: null, stop: asked('stop'), abandon: asked('abandon') }
  }
}

function begun(nowMillis?: () => number) {
  const calls = new Calls()
  return { calls, end: new ProcessEnd(pino({ enabled: false }), nowMillis) }
}

test('a thread that fails before the venue is up leaves none up, and no ready line is printed', async () => {
  const { calls, end } = begun()
  end.fail('matcher', new Error('gone'))
  assert.equal(end.begin(calls.venue()), false)
  await calls.ended
  assert.deepEqual(calls.all, ['abandon', 'exit 1'])
})

test('a thread that fails later stops the others, and its second report is ignored', async () => {
  const { calls, end } = begun()
  assert.equal(end.begin(calls.venue()), true)
  end.fail('core', new Error('gone'))
  end.fail('journal', new Error('gone, too'))
  await calls.ended
  assert.deepEqual(calls.all, ['abandon', 'exit 1'])
})

test('a signal during the start reaches the venue, and stops it once it is up: it was never ready', async () => {
  const { calls, end } = begun()
  assert.equal(end.stopping.aborted, false)
  end.onSignal()
  assert.equal(end.stopping.aborted, true)
  assert.equal(end.begin(calls.venue()), false)
  await calls.ended
  assert.deepEqual(calls.all, ['stop', 'exit 0'])
})

test('a failed start ends the process at once', async () => {
  const { calls, end } = begun()
  end.failStart(new Error('no'))
  await calls.ended
  assert.deepEqual(calls.all, ['exit 3'])
})

test('a failure that another start repeats has its own exit code, and a temporary one has not', async () => {
  const taken = Object.assign(new Error('taken'), { code: 'EADDRINUSE' })
  for (const [role, error, code] of [
    ['core', new JournalDamage('segment-0', 64, 'no record'), 3],
    ['core', new Error('out of memory'), 1],
    ['start', taken, 1],
    ['start', new DataLockHeld('data', 7), 1],
    ['start', new Error('tls.certFile'), 3],
  ] as const) {
    const { calls, end } = begun()
    if (role === 'start') end.failStart(error)
    else {
      end.fail(role, error)
      end.failStart(new Error('the core has ended'))
    }
    await calls.ended
    assert.deepEqual(calls.all, [`exit ${code}`], error.message)
    mock.restoreAll()
  }
})

test('a second signal hurries the end only after a second, and the rest is still flushed', async () => {
  let now = 5000
  const { calls, end } = begun(() => now)
  const venue = { ...calls.venue(), stop: () => new Promise<void>(() => {}) }
  assert.equal(end.begin(venue), true)
  end.onSignal()
  now += 999
  end.onSignal()
  assert.deepEqual(calls.all, [])
  now += 1
  end.onSignal()
  end.onSignal()
  await calls.ended
  assert.deepEqual(calls.all, ['abandon', 'exit 1'])
})

test('the log of a start on a damaged journal names the two commands that help', async () => {
  const calls = new Calls()
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) })
  const end = new ProcessEnd(log)
  end.fail('core', new JournalDamage('segment-0', 64, 'no record'))
  end.failStart(new Error('the core is gone'))
  await calls.ended
  assert.equal(
    JSON.parse(lines[0]!).msg,
    'core failed: journal damaged: segment-0 at offset 64: no record. ' +
      'List the damage with `strikebook verify`, then restore a backup with `strikebook restore`',
  )
})
