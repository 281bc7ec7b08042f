import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorSeconds } from '../../../gateway/operator/thread-processor.js'

test("the processor time of a thread equals the kernel's, and an unknown thread has none", {
  skip: process.platform !== 'linux' && 'no /proc',
}, () => {
  const before = processorSeconds(process.pid)!
  const end = performance.now() + 60
  while (performance.now() < end);
  const used = processorSeconds(process.pid)! - before
  assert.ok(used > 0 && used < 5, `${used}`)
  assert.equal(processorSeconds(0), null)
  assert.equal(processorSeconds(2 ** 30), null)
})
