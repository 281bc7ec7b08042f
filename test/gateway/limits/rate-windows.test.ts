import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateRateWindows,
  RateVerdict,
  RateWindows,
} from '../../../gateway/limits/rate-windows.js'
import { RateCategory } from '../../../schemas/domain.js'

const { OrderPlacement, OrderCancellation } = RateCategory
const minute = 60_000 * 1000
const out = new RateVerdict()

test('a window accepts requests that fit, fails others, and states the rest and its end', () => {
  const windows = new RateWindows(allocateRateWindows(64))
  assert.equal(windows.take(keyOf(1), OrderPlacement, 58, 60, minute + 15_000, out), true)
  assert.equal(windows.take(keyOf(1), OrderPlacement, 3, 60, minute + 15_000, out), false)
  assert.equal(out.remaining, 2)
  assert.equal(windows.take(keyOf(1), OrderPlacement, 2, 60, minute + 15_000, out), true)
  assert.deepEqual(
    { ...out },
    {
      isAllowed: true,
      limit: 60,
      remaining: 0,
      resetSeconds: minute / 1000 + 60,
      retryAfterSeconds: 45,
    },
  )
})

test('the next minute starts anew, exactly to the millisecond', () => {
  const windows = new RateWindows(allocateRateWindows(64))
  const last = minute + 59_999
  assert.equal(windows.take(keyOf(1), OrderPlacement, 1, 1, last, out), true)
  assert.equal(windows.take(keyOf(1), OrderPlacement, 1, 1, last, out), false)
  assert.equal(out.retryAfterSeconds, 1)
  assert.equal(windows.take(keyOf(1), OrderPlacement, 1, 1, last + 1, out), true)
})

test('wallets and categories are counted separately, and -1 is never full', () => {
  const windows = new RateWindows(allocateRateWindows(64))
  assert.equal(windows.take(keyOf(1), OrderPlacement, 1, 1, minute, out), true)
  assert.equal(windows.take(keyOf(2), OrderPlacement, 1, 1, minute, out), true)
  assert.equal(windows.take(keyOf(1), OrderCancellation, 1, 1, minute, out), true)
  assert.equal(windows.take(keyOf(1), OrderPlacement, 1000, -1, minute, out), true)
})

test('a refund returns room, but only in its own minute', () => {
  const windows = new RateWindows(allocateRateWindows(64))
  windows.take(keyOf(1), OrderPlacement, 1, 1, minute, out)
  windows.refund(keyOf(1), OrderPlacement, 1, minute)
  assert.equal(windows.take(keyOf(1), OrderPlacement, 1, 1, minute, out), true)
  windows.refund(keyOf(1), OrderPlacement, 1, minute + 60_000)
  assert.equal(windows.take(keyOf(1), OrderPlacement, 1, 1, minute, out), false)
})

test('threads see the same counters', () => {
  const memory = allocateRateWindows(64)
  const [one, two] = [new RateWindows(memory), new RateWindows(memory)]
  assert.equal(one.take(keyOf(1), OrderPlacement, 1, 1, minute, out), true)
  assert.equal(two.take(keyOf(1), OrderPlacement, 1, 1, minute, out), false)
})

test('in a full table the window with the lowest count is evicted, and no other', () => {
  const windows = new RateWindows(allocateRateWindows(32))
  for (let key = 0; key < 32; key++) {
    const cost = key === 7 ? 1 : 2
    assert.equal(windows.take(keyOf(key), OrderPlacement, cost, 2, minute, out), true)
  }
  assert.equal(windows.take(keyOf(99), OrderPlacement, 2, 2, minute, out), true)
  assert.equal(windows.take(keyOf(99), OrderPlacement, 1, 2, minute, out), false)
  for (let key = 0; key < 32; key++) {
    if (key === 7) continue
    assert.equal(windows.take(keyOf(key), OrderPlacement, 1, 2, minute, out), false, `${key}`)
  }
})

test('checking for room takes nothing, and an unused window has room', () => {
  const windows = new RateWindows(allocateRateWindows(64))
  assert.equal(windows.hasRoom(keyOf(1), OrderPlacement, 1, minute, out), true)
  assert.equal(windows.hasRoom(keyOf(1), OrderPlacement, 0, minute, out), false)
  windows.take(keyOf(1), OrderPlacement, 1, 1, minute, out)
  assert.equal(windows.hasRoom(keyOf(1), OrderPlacement, 1, minute, out), false)
  assert.equal(out.limit, 1)
  assert.equal(windows.hasRoom(keyOf(1), OrderPlacement, -1, minute, out), true)
  assert.equal(windows.hasRoom(keyOf(1), OrderPlacement, 1, minute + 60_000, out), true)
})

test('a thread whose clock lags slightly neither clears nor refunds the new minute', () => {
  const windows = new RateWindows(allocateRateWindows(64))
  assert.equal(windows.take(keyOf(1), OrderPlacement, 1, 1, minute + 60_000, out), true)
  assert.equal(windows.take(keyOf(1), OrderPlacement, 1, 1, minute + 59_999, out), false)
  windows.refund(keyOf(1), OrderPlacement, 1, minute + 59_999)
  assert.equal(windows.take(keyOf(1), OrderPlacement, 1, 1, minute + 60_000, out), false)
})

function keyOf(number: number): Uint8Array {
  const key = new Uint8Array(20)
  new DataView(key.buffer).setUint32(8, number)
  return key
}
