import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Breach } from '../../../engine/invariants/breach.js'
import { allocateExchangeMemory, InvariantAlarm } from '../../../engine/memory/exchange-memory.js'
import { BookAsker } from '../../../engine/threads/book-desk.js'
import { InvariantWatch, threadNanos } from '../../../engine/threads/invariant-watch.js'
import { tradedRig } from '../../support/traded-rig.js'

function watchRig(lookNanos = 0) {
  const rig = tradedRig()
  const alarm = new Int32Array(1)
  const breaches: Breach[] = []
  const now = { millis: 0, nanos: 0 }
  let looks = 0
  const watch = new InvariantWatch({
    everyMillis: 1000,
    swept: () => ({ state: rig.state, matchers: rig.matchers, batchNumber: 9 }),
    books: new BookAsker(allocateExchangeMemory(0, 1).bookDesk, 1),
    wakeBooks: () => {},
    alarm,
    wakeCore: () => {},
    onBreach: (breach) => breaches.push(breach),
    onLook: () => looks++,
    clockMillis: () => now.millis,
    processorNanos: () => (now.nanos += lookNanos),
  })
  const lookAfter = (millis: number) => {
    now.millis += millis
    return watch.doWork()
  }
  return { rig, alarm, breaches, lookAfter, looks: () => looks }
}

test('it looks at most once in its time, and a look that takes long is followed by a pause a hundred times as long', () => {
  const { lookAfter, looks } = watchRig(30e6)
  assert.deepEqual(
    [lookAfter(0), lookAfter(999), lookAfter(2000), lookAfter(1)],
    [true, false, false, true],
  )
  assert.equal(looks(), 2)
})

test('a breach rings once, and no more when the operator has opened the market over it', () => {
  const { rig, alarm, breaches, lookAfter } = watchRig()
  lookAfter(0)
  assert.deepEqual([breaches.length, alarm[0]], [0, InvariantAlarm.None])
  rig.state.risk.cashMicros[0]!++
  lookAfter(1000)
  lookAfter(1000)
  assert.deepEqual([breaches.length, alarm[0]], [1, InvariantAlarm.Raised])
  alarm[0] = InvariantAlarm.None
  lookAfter(1000)
  assert.deepEqual([breaches.length, alarm[0]], [1, InvariantAlarm.None])
  rig.state.risk.cashMicros[0]!++
  lookAfter(1000)
  assert.deepEqual([breaches.length, alarm[0]], [2, InvariantAlarm.Raised])
  assert.equal(breaches[1]?.amounts['missingMicros'], '-2')
})

test('processor time of the thread goes on while it works', () => {
  const before = threadNanos()
  let sum = 0
  for (let i = 0; i < 3e7; i++) sum += i
  assert.ok(sum > 0 && threadNanos() > before)
})
