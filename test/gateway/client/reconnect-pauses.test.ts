import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ReconnectPauses } from '../../../gateway/client/reconnect-pauses.js'

/** Pauses of 100 ms and more, without their randomness, on a clock of the test's own. */
function pausesRig(context: TestContext) {
  const clock = { millis: 5 }
  context.mock.method(performance, 'now', () => clock.millis)
  context.mock.method(Math, 'random', () => 1)
  const pauses = new ReconnectPauses({ backoffMillisMin: 100, backoffMillisMax: 1000 })
  /** A connection that is answered, and ends so much later. */
  const stand = (millis: number) => {
    pauses.opened()
    pauses.answered()
    clock.millis += millis
    return pauses.nextMillis()
  }
  const fail = () => {
    pauses.opened()
    return pauses.nextMillis()
  }
  return { clock, pauses, stand, fail }
}

test('each failed connection doubles the pause, up to the maximum', (context) => {
  const { fail } = pausesRig(context)
  assert.deepEqual([fail(), fail(), fail(), fail(), fail()], [100, 200, 400, 800, 1000])
})

test('a connection that was answered and lasted has not failed, but one that ends right after its answer has', (context) => {
  const { stand, fail } = pausesRig(context)
  assert.deepEqual([stand(10_000), stand(10_000), fail()], [100, 200, 400])
  assert.equal(stand(10_001), 100)
  assert.equal(fail(), 200)
})

test('a long connection without an answer has failed', (context) => {
  const { clock, pauses, fail } = pausesRig(context)
  assert.deepEqual([fail(), fail()], [100, 200])
  pauses.opened()
  clock.millis += 100_000
  assert.equal(pauses.nextMillis(), 400)
})

test('a connection that never opens has failed, however long that took', (context) => {
  const { clock, pauses, stand } = pausesRig(context)
  assert.equal(stand(20_000), 100)
  const later = () => {
    clock.millis += 20_000
    return pauses.nextMillis()
  }
  assert.deepEqual([later(), later(), later()], [200, 400, 800])
})

test('after a success the next attempt is immediate', (context) => {
  const { pauses, fail } = pausesRig(context)
  fail()
  fail()
  pauses.succeeded()
  assert.equal(pauses.nextMillis(), 100)
})

test('an invalid message counts for a minute, even if everything else was answered', (context) => {
  const { pauses, stand } = pausesRig(context)
  const misshapen = (millis: number) => {
    pauses.misshapen()
    return stand(millis)
  }
  assert.deepEqual([misshapen(20_000), misshapen(20_000)], [200, 400])
  assert.equal(stand(60_001), 100)
})
