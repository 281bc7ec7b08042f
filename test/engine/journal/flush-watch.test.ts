import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import {
  FlushWatch,
  type KernelCounts,
  kernelCounts,
  type SlowFlush,
} from '../../../engine/journal/flush-watch.js'
import { threadId } from '../../../engine/threads/pin-thread.js'

test('the watch reports a slow group with the rise of the counters since the previous sample', () => {
  let now = 0
  let reads = 0
  const counts = (): KernelCounts => ({ runMillis: ++reads * 10, waitMillis: reads * reads })
  const slowFlushes: SlowFlush[] = []
  const watch = new FlushWatch(
    100,
    counts,
    () => now,
    (slow) => slowFlushes.push(slow),
  )
  watch.sample()
  now = 300
  watch.sample() // too early for another sample
  watch.take(40, 59)
  assert.deepEqual([reads, slowFlushes.length], [1, 0])
  watch.take(40, 60)
  assert.deepEqual(slowFlushes, [
    {
      writeMillis: 40,
      flushMillis: 60,
      sinceMillis: 300,
      counted: { runMillis: 10, waitMillis: 3 },
    },
  ])
  now = 350
  watch.take(0, 100)
  assert.equal(slowFlushes[1]!.sinceMillis, 50)
})

test("the kernel reports this thread's run time, where it reports any", () => {
  const read = kernelCounts(threadId(), tmpdir())
  const before = read()
  const end = performance.now() + 30
  while (performance.now() < end);
  const { runMillis } = read()
  if (before.runMillis !== undefined) assert.ok(runMillis! - before.runMillis > 0)
  assert.deepEqual(kernelCounts(-1, '/nowhere/at/all')().runMillis, undefined)
})
