import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { allocateWakeups, Wakeup } from '../../../engine/memory/wakeup.js'

/** No machine stalls a thread for so long: a shorter sleep means that the thread was woken. */
const sleepMillis = 120_000
const wakeupUrl = new URL('../../../engine/memory/wakeup.js', import.meta.url).href

test('a ring between arm and wait makes the wait return at once', () => {
  const bell = new Wakeup(allocateWakeups(1), 0)
  bell.arm()
  bell.ring()
  const begin = performance.now()
  bell.wait(sleepMillis)
  assert.ok(performance.now() - begin < sleepMillis)
})

test('a ring while awake is not stored: the owner checks its inputs after arming', () => {
  const bell = new Wakeup(allocateWakeups(1), 0)
  bell.ring()
  bell.arm()
  assert.notEqual(bell.waitAsync(10), null)
  bell.disarm()
  assert.equal(bell.waitAsync(1000), null, 'a disarmed wakeup has nothing to wait for')
})

test('a ring wakes an event loop', async () => {
  const bell = new Wakeup(allocateWakeups(1), 0)
  bell.arm()
  const rung = bell.waitAsync(sleepMillis)
  assert.notEqual(rung, null)
  setTimeout(() => bell.ring(), 5)
  assert.equal(await rung, 'ok')
})

test('wakeup words of one block do not affect each other', () => {
  const memory = allocateWakeups(3)
  const bells = [0, 1, 2].map((index) => new Wakeup(memory, index))
  for (const bell of bells) bell.arm()
  bells[1].ring()
  assert.deepEqual(
    bells.map((bell) => bell.waitAsync(50) === null),
    [false, true, false],
  )
  for (const bell of bells) bell.ring()
})

test('a gathering owner ignores a ring, and an urgent wakeup wakes it', async (context) => {
  const memory = allocateWakeups(1)
  const dozer = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads')
     import(workerData.url).then(({ Wakeup }) => {
       const bell = new Wakeup(workerData.memory, 0)
       const begin = performance.now()
       bell.doze(workerData.sleepMillis, () => false)
       parentPort.postMessage(performance.now() - begin)
     })`,
    { eval: true, workerData: { memory, url: wakeupUrl, sleepMillis } },
  )
  context.after(() => dozer.terminate())
  const bell = new Wakeup(memory, 0)
  let isWoken = false
  const woken = once(dozer, 'message').then(([millis]) => {
    isWoken = true
    return millis as number
  })
  const state = new Int32Array(memory)
  while (Atomics.load(state, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  bell.ring()
  await new Promise((resolve) => setTimeout(resolve, 30))
  assert.ok(!isWoken && Atomics.load(state, 0) !== 0, 'the owner keeps dozing')
  bell.rouse()
  const millis = await woken
  assert.ok(millis < sleepMillis, `dozed ${millis} ms`)
})

test('a late ring does not disturb a wait that has begun since', (context) => {
  const memory = allocateWakeups(1)
  const words = new Int32Array(memory)
  const bell = new Wakeup(memory, 0)
  const dozing = 2
  bell.arm()
  // The owner wakes by itself, reads the record, and parks again between the producer's load and its exchange.
  context.mock.method(Atomics, 'load', () => {
    context.mock.restoreAll()
    const state = words[0]
    words[0] = dozing
    return state
  })
  bell.ring()
  assert.equal(words[0], dozing)
  bell.rouse()
  assert.equal(words[0], 0)
})

test('an owner that finds work after announcing its sleep does not sleep', () => {
  const bell = new Wakeup(allocateWakeups(1), 0)
  const begin = performance.now()
  bell.doze(sleepMillis, () => true)
  assert.ok(performance.now() - begin < sleepMillis)
})
