import assert from 'node:assert/strict'
import { test } from 'node:test'
import { touched } from '../../../engine/memory/touched.js'

const pageBytes = 4096
const largeBytes = 1 << 26

test('touching memory does not change its contents', () => {
  const bytes = Uint8Array.from({ length: 5 * pageBytes + 3 }, (_, i) => i * 7)
  const before = bytes.slice()
  assert.equal(touched(bytes), bytes)
  assert.deepEqual(bytes, before)
  const part = new Float64Array(bytes.buffer, pageBytes, 100)
  touched(part)
  assert.deepEqual(bytes, before)
})

test('touched memory is resident', () => {
  const memory = new SharedArrayBuffer(largeBytes)
  const before = process.memoryUsage.rss()
  touched(new Uint8Array(memory))
  const grownBytes = process.memoryUsage.rss() - before
  assert.ok(grownBytes > largeBytes / 2, `resident memory grew by ${grownBytes} bytes`)
})
