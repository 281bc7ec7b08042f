import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocateDoorbells, Doorbell } from '../../../engine/memory/doorbell.js'

test('a ring between arm and wait makes the wait return at once', () => {
  const bell = new Doorbell(allocateDoorbells(1), 0)
  bell.arm()
  bell.ring()
  const begin = performance.now()
  bell.wait(5000)
  assert.ok(performance.now() - begin < 1000)
})

test('a ring while awake is not kept: the sleeper looks at its inputs after arming', () => {
  const bell = new Doorbell(allocateDoorbells(1), 0)
  bell.ring()
  bell.arm()
  assert.notEqual(bell.waitAsync(10), null)
  bell.disarm()
  assert.equal(bell.waitAsync(1000), null, 'disarmed: nothing to wait for')
})

test('an event loop is woken by a ring', async () => {
  const bell = new Doorbell(allocateDoorbells(1), 0)
  bell.arm()
  const rung = bell.waitAsync(10_000)
  assert.notEqual(rung, null)
  setTimeout(() => bell.ring(), 5)
  assert.equal(await rung, 'ok')
})

test('doorbells of one block do not ring each other', () => {
  const memory = allocateDoorbells(3)
  const bells = [0, 1, 2].map((index) => new Doorbell(memory, index))
  for (const bell of bells) bell.arm()
  bells[1].ring()
  assert.deepEqual(
    bells.map((bell) => bell.waitAsync(50) === null),
    [false, true, false],
  )
  for (const bell of bells) bell.ring()
})
