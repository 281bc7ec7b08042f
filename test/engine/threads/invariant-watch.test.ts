import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Breach } from '../../../engine/invariants/breach.js'
import { allocateExchangeMemory, InvariantAlarm } from '../../../engine/memory/exchange-memory.js'
import { BookComparison } from '../../../engine/threads/book-digests.js'
import { InvariantWatch, threadNanos } from '../../../engine/threads/invariant-watch.js'
import { StopRequests } from '../../../engine/threads/stop-requests.js'
import { tradedRig } from '../../support/traded-rig.js'

function watchRig(lookNanos = 0) {
  const rig = tradedRig()
  const alarm = new Int32Array(1)
  const breaches: Breach[] = []
  const requests = new StopRequests(allocateExchangeMemory(0, 1).stopRequests)
  const now = { millis: 0, nanos: 0 }
  let looks = 0
  const watch = new InvariantWatch({
    everyMillis: 1000,
    swept: () => ({ state: rig.state, matchers: rig.matchers, batchNumber: 9 }),
    books: new BookComparison(allocateExchangeMemory(0, 1).bookDigests, 1),
    wakeBooks: () => {},
    alarm,
    stopRequests: requests,
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
  return { rig, alarm, breaches, requests, lookAfter, looks: () => looks }
}

test('it checks at most once per interval, and pauses a hundred times as long as a slow check took', () => {
  const { lookAfter, looks } = watchRig(30e6)
  assert.deepEqual(
    [lookAfter(0), lookAfter(999), lookAfter(2000), lookAfter(1)],
    [true, false, false, true],
  )
  assert.equal(looks(), 2)
})

test('a breach raises one alarm, and none after the operator has opened the market despite it', () => {
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

test('a broken margin requests the stop of its wallet until the replica has it, without a halt of the market', () => {
  const { rig, alarm, breaches, lookAfter, requests } = watchRig()
  const { buckets, firstBucket } = rig.state.risk
  buckets.premiumMicros[firstBucket[2]!]!++
  for (let look = 0; look < 2; look++) {
    lookAfter(1000)
    assert.equal(requests.take(), 2)
  }
  assert.equal(breaches.length, 1)
  assert.equal(breaches[0]?.wallet?.account, 2)
  assert.match(breaches[0]!.text, /^wallet 0x0{39}3: slack with working orders is \d+ micros/)
  rig.stopWallet(3)
  rig.run()
  lookAfter(1000)
  assert.equal(requests.take(), -1)
  assert.deepEqual([breaches.length, alarm[0]], [1, InvariantAlarm.None])
  rig.stopWallet(3, false)
  rig.run()
  for (let look = 0; look < 3; look++) lookAfter(1000)
  assert.deepEqual(
    [breaches.length, requests.take()],
    [1, -1],
    'known since the operator resumed it',
  )
})

test('a wallet stopped before the start is reported once and not stopped again', () => {
  const { rig, breaches, lookAfter, requests } = watchRig()
  rig.stopWallet(3)
  rig.run()
  const { buckets, firstBucket } = rig.state.risk
  buckets.premiumMicros[firstBucket[2]!]!++
  for (let look = 0; look < 3; look++) lookAfter(1000)
  assert.deepEqual([breaches.length, requests.take()], [1, -1])
})

test('processor time of the thread increases while it works', () => {
  const before = threadNanos()
  let sum = 0
  for (let i = 0; i < 3e7; i++) sum += i
  assert.ok(sum > 0 && threadNanos() > before)
})
