import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allocateVirtualTime, VirtualTime } from '../../../engine/memory/virtual-time.js'

const startMillis = 1_000_000
/** A wait on a word does not keep a process alive; the threads of a venue do. */
const alive = setInterval(() => {}, 1000)

after(() => clearInterval(alive))

/** Returns the core's handle and the caller's, on the same memory. */
function begun(stepMillis = 60_000) {
  const memory = allocateVirtualTime(startMillis, stepMillis)
  return { core: new VirtualTime(memory), hand: new VirtualTime(memory) }
}

test('time does not pass until a caller requests a later one', () => {
  const { core } = begun()
  assert.equal(core.pass(startMillis + 5), false)
  assert.equal(core.now(), startMillis)
})

test('time goes from deadline to deadline, by limited steps, and no further than requested', () => {
  const { core, hand } = begun(1000)
  hand.ask(startMillis + 3000)
  const seen: number[] = []
  for (const deadline of [startMillis + 400, Number.POSITIVE_INFINITY, startMillis + 9000]) {
    assert.equal(core.pass(deadline), true)
    seen.push(hand.now() - startMillis)
  }
  assert.deepEqual(seen, [400, 1400, 2400])
  assert.equal(core.pass(Number.POSITIVE_INFINITY), true)
  assert.equal(core.pass(Number.POSITIVE_INFINITY), false)
  assert.equal(hand.now(), startMillis + 3000)
})

test('the core reports no rest before due work is done', async () => {
  const { core, hand } = begun()
  const request = hand.ask(startMillis + 10)
  assert.equal(core.pass(startMillis), false)
  assert.equal(core.now(), startMillis)
  assert.equal(await hand.rested(request), false)
})

test('the core reports rest once the time is reached and the next turn has nothing to do', async () => {
  const { core, hand } = begun()
  const request = hand.ask(startMillis + 10)
  const rested = hand.rested(request)
  core.pass(Number.POSITIVE_INFINITY)
  core.pass(Number.POSITIVE_INFINITY)
  assert.equal(await rested, true)
  const later = hand.ask()
  assert.equal(await hand.rested(later), false, 'a new request waits for its own rest')
  core.pass(Number.POSITIVE_INFINITY)
  assert.equal(await hand.rested(later), true)
})

test('time begins at a journal that is ahead of the start', () => {
  const { core, hand } = begun()
  core.begin(startMillis + 77)
  assert.equal(hand.now(), startMillis + 77)
  core.begin(5)
  assert.equal(hand.now(), startMillis + 77)
})

test('commands go one by one, except for joined ones, in as many batches as they need', () => {
  const { core, hand } = begun()
  assert.equal(core.continues(1), false)
  core.took(1)
  hand.join(3)
  assert.deepEqual([core.continues(1), core.continues(2), core.continues(3)], [true, true, false])
  core.took(2)
  assert.equal(core.continues(1), false, 'the last command is alone in the next batch')
  hand.join(1)
  assert.equal(core.continues(1), true)
  core.took(2)
  core.took(1)
  assert.equal(core.continues(1), false)
})
