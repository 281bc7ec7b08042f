import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allocateVirtualTime, VirtualTime } from '../../../engine/memory/virtual-time.js'

const startMillis = 1_000_000
/** A wait for a word keeps no process alive by itself; the threads of a venue do. */
const alive = setInterval(() => {}, 1000)

after(() => clearInterval(alive))

/** The core's handle and the other one's, on the same memory. */
function begun(stepMillis = 60_000) {
  const memory = allocateVirtualTime(startMillis, stepMillis)
  return { core: new VirtualTime(memory), hand: new VirtualTime(memory) }
}

test('time stands until somebody asks for a later one', () => {
  const { core } = begun()
  assert.equal(core.pass(startMillis + 5), false)
  assert.equal(core.now(), startMillis)
})

test('it goes from deadline to deadline, by steps at most, and no further than it is asked to', () => {
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

test('what is due and not done yet is waited for, and nobody hears of rest', async () => {
  const { core, hand } = begun()
  const request = hand.ask(startMillis + 10)
  assert.equal(core.pass(startMillis), false)
  assert.equal(core.now(), startMillis)
  assert.equal(await hand.rested(request), false)
})

test('who asks hears of rest when the time is reached and the turn after it had nothing to do', async () => {
  const { core, hand } = begun()
  const request = hand.ask(startMillis + 10)
  const rested = hand.rested(request)
  core.pass(Number.POSITIVE_INFINITY)
  core.pass(Number.POSITIVE_INFINITY)
  assert.equal(await rested, true)
  const later = hand.ask()
  assert.equal(await hand.rested(later), false, 'a new request is a new one')
  core.pass(Number.POSITIVE_INFINITY)
  assert.equal(await hand.rested(later), true)
})

test('a journal that is ahead of the start is where time begins', () => {
  const { core, hand } = begun()
  core.begin(startMillis + 77)
  assert.equal(hand.now(), startMillis + 77)
  core.begin(5)
  assert.equal(hand.now(), startMillis + 77)
})

test('commands go one by one but for those that belong together, in as many batches as they need', () => {
  const { core, hand } = begun()
  assert.equal(core.goesOn(1), false)
  core.took(1)
  hand.join(3)
  assert.deepEqual([core.goesOn(1), core.goesOn(2), core.goesOn(3)], [true, true, false])
  core.took(2)
  assert.equal(core.goesOn(1), false, 'the last one is alone in the next batch')
  hand.join(1)
  assert.equal(core.goesOn(1), true)
  core.took(2)
  core.took(1)
  assert.equal(core.goesOn(1), false)
})
