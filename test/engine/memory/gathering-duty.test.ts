import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatheringDuty } from '../../../engine/memory/gathering-duty.js'
import { allocateWakeups, Wakeup } from '../../../engine/memory/wakeup.js'

const restMillis = 30
/** No rest lasts so long by chance. */
const longRestMillis = 60_000

/** Runs one turn in which the duty does `count`. @returns its time */
function turnMillis(count: number, millis: number, hasUrgentWork = false, dozesMax = 1): number {
  const calls: string[] = []
  const duty = gatheringDuty(
    {
      role: 'follower',
      onStart: () => calls.push('start'),
      doWork: () => count,
      onClose: () => calls.push('close'),
    },
    new Wakeup(allocateWakeups(1), 0),
    { millis, dozesMax, countFull: 100, hasUrgentWork: () => hasUrgentWork },
  )
  duty.onStart()
  const begin = performance.now()
  assert.equal(duty.doWork(), count)
  const tookMillis = performance.now() - begin
  duty.onClose()
  assert.deepEqual([duty.role, ...calls], ['follower', 'start', 'close'])
  return tookMillis
}

test('a duty that did some work pauses, so that more gathers', () => {
  assert.ok(turnMillis(1, restMillis) >= restMillis - 1)
  assert.ok(turnMillis(99, restMillis) >= restMillis - 1)
})

test('a duty does not pause without work, with a full batch, or while a client waits', () => {
  assert.ok(turnMillis(0, longRestMillis) < longRestMillis)
  assert.ok(turnMillis(100, longRestMillis) < longRestMillis)
  assert.ok(turnMillis(1, longRestMillis, true) < longRestMillis)
})

test('several pauses in a row end when a waiter arrives', () => {
  assert.ok(turnMillis(1, restMillis, false, 3) >= 3 * (restMillis - 1))
  const millis = turnMillis(1, restMillis, true, 1000)
  assert.ok(millis >= restMillis - 1 && millis < 900 * restMillis)
})
