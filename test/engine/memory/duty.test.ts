import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { type Duty, runDuty, StopFlag } from '../../../engine/memory/duty.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { allocateWakeups, idleStrategies, Wakeup } from '../../../engine/memory/wakeup.js'

/** No machine stalls a thread for so long: a shorter sleep means that the thread was woken. */
const sleepMillis = 60_000

class ScriptedDuty implements Duty {
  readonly role = 'scripted'
  readonly calls: string[] = []
  constructor(readonly work: (turn: number) => number) {}
  #turns = 0
  onStart(): void {
    this.calls.push('start')
  }
  doWork(): number {
    return this.work(this.#turns++)
  }
  onClose(): void {
    this.calls.push('close')
  }
}

function stopFlag(): StopFlag {
  return new StopFlag(new SharedArrayBuffer(8), 1)
}

for (const idle of idleStrategies) {
  test(`${idle}: a duty starts, works until stopped, closes, and sends heartbeats while idle`, () => {
    const stop = stopFlag()
    const duty = new ScriptedDuty((turn) => {
      if (turn === 500) stop.raise()
      return turn % 100 === 0 ? 1 : 0
    })
    let beats = 0
    runDuty(duty, idle, new Wakeup(allocateWakeups(1), 0), stop, () => beats++, 1)
    assert.deepEqual(duty.calls, ['start', 'close'])
    assert.ok(beats >= 7, `${beats} beats`)
  })
}

test('a duty that throws is closed, and the error propagates', () => {
  const duty = new ScriptedDuty(() => {
    throw new Error('disk gone')
  })
  const bell = new Wakeup(allocateWakeups(1), 0)
  assert.throws(() => runDuty(duty, 'park', bell, stopFlag()), /disk gone/)
  assert.deepEqual(duty.calls, ['start', 'close'])
})

test("a sleep ends with the duty's deadline, and a past deadline allows no sleep", () => {
  for (const [until, least, most] of [
    [20, 19, 2000],
    [-1, 100, 4000],
    [60_000, 100, 4000],
  ] as const) {
    const stop = stopFlag()
    const duty = new ScriptedDuty((turn) => {
      if (turn === 3) stop.raise()
      return 0
    })
    const waiting = Object.assign(duty, { untilDeadlineMillis: () => until })
    const begin = performance.now()
    runDuty(waiting, 'park', new Wakeup(allocateWakeups(1), 0), stop, () => {}, 101)
    const tookMillis = performance.now() - begin
    assert.ok(tookMillis >= least && tookMillis < most, `${until}: ${tookMillis}`)
  }
})

test('a stop raised between the last check and the sleep prevents the sleep', () => {
  const stop = stopFlag()
  // Turns 0 and 1 are the checks before parking; turn 2 is the check after arming.
  const duty = new ScriptedDuty((turn) => {
    if (turn === 2) stop.raise()
    return 0
  })
  const begin = performance.now()
  runDuty(duty, 'park', new Wakeup(allocateWakeups(1), 0), stop, () => {}, sleepMillis)
  assert.ok(performance.now() - begin < sleepMillis)
})

test('work found after arming disarms the wakeup word', () => {
  const stop = stopFlag()
  const bell = new Wakeup(allocateWakeups(1), 0)
  const duty = new ScriptedDuty((turn) => {
    if (turn === 3) stop.raise()
    return turn === 2 ? 1 : 0
  })
  runDuty(duty, 'park', bell, stop, () => {}, 5000)
  assert.equal(bell.waitAsync(10), null, 'the wakeup is disarmed')
})

test('a parked thread wakes for each of ten thousand records', async (context) => {
  const rings = [allocateRing(1 << 12), allocateRing(1 << 12)]
  const wakeups = allocateWakeups(2)
  const flags = new SharedArrayBuffer(4)
  const worker = new Worker(new URL('./echo-duty.js', import.meta.url), {
    workerData: { rings, wakeups, flags },
  })
  context.after(() => worker.terminate())
  const ended = new Promise<number>((resolve) => worker.once('exit', resolve))
  const out = new Ring(rings[0], 'producer')
  const back = new Ring(rings[1], 'consumer')
  const own = new Wakeup(wakeups, 0)
  const other = new Wakeup(wakeups, 1)
  let lost = 0
  for (let i = 0; i < 10_000; i++) {
    const at = out.tryClaim(16, 1)
    out.f64[(at + 8) >> 3] = i
    out.commit()
    other.ring()
    for (;;) {
      own.arm()
      if (back.hasNext()) break
      const waitedFrom = performance.now()
      own.wait(sleepMillis)
      if (performance.now() - waitedFrom >= sleepMillis) lost++
    }
    own.disarm()
    assert.equal(back.f64[(back.next() + 8) >> 3], i)
    back.release()
  }
  new StopFlag(flags, 0).raise()
  other.ring()
  assert.equal(await ended, 0)
  assert.equal(lost, 0, 'no wakeup is lost')
})
