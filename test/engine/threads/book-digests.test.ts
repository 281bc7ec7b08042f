import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotShape } from '../../../engine/matching/slot-pool.js'
import { allocateExchangeMemory } from '../../../engine/memory/exchange-memory.js'
import {
  BookComparison,
  CoreDigestSide,
  MatcherDigestSide,
} from '../../../engine/threads/book-digests.js'
import type { CoreRig } from '../../support/core-rig.js'
import { tradedRig } from '../../support/traded-rig.js'

const ignore = () => {}

/** A core and its matcher as they would be in two threads, asked by a third. */
function digestRig(rig: CoreRig, isOwn = false) {
  const { bookDigests } = allocateExchangeMemory(0, 1)
  const [matcher] = rig.matchers
  const core = new CoreDigestSide(
    bookDigests,
    rig.state,
    [matcher!.orders],
    isOwn ? rig.matchers : [],
  )
  return {
    core,
    matcher: new MatcherDigestSide(bookDigests, matcher!, 0),
    requester: new BookComparison(bookDigests, 1),
    compare: (requester: BookComparison) => requester.compare(rig.state.orders.high),
  }
}

test('core and matcher at the same position are compared, and agree', () => {
  const { core, matcher, requester, compare } = digestRig(tradedRig())
  const woken: number[] = []
  requester.ask((of) => woken.push(of))
  core.doWork()
  assert.equal(compare(requester), null)
  assert.equal(requester.comparedCount, 0)
  matcher.doWork()
  assert.equal(compare(requester), null)
  assert.deepEqual([requester.comparedCount, woken], [1, [0]])
})

test("a matcher in the core's thread answers together with the core", () => {
  const { core, requester, compare } = digestRig(tradedRig(), true)
  requester.ask(ignore)
  core.doWork()
  compare(requester)
  assert.equal(requester.comparedCount, 1)
})

test('a resting order with other lots in the running matcher is reported', () => {
  const rig = tradedRig()
  const { core, matcher, requester, compare } = digestRig(rig)
  const { orders, slotOf } = rig.matchers[0]!.pool
  const slot = slotOf.findLast((place) => place > 0)!
  orders.lots[(slot << slotShape.lotsShift) | slotShape.lots]! += 1
  requester.ask(ignore)
  core.doWork()
  matcher.doWork()
  const breach = compare(requester)
  assert.equal(breach?.invariant, 'live_book')
  assert.deepEqual(breach?.amounts, {
    matcher: '0',
    firstHandle: '0',
    coreOrders: '2',
    bookOrders: '2',
  })
})

test('answers from different positions are not compared', () => {
  const rig = tradedRig()
  const { core, matcher, requester, compare } = digestRig(rig)
  requester.ask(ignore)
  core.doWork()
  rig.place({ wallet: 3, side: 'Buy', price: '4100', size: '1' })
  rig.run()
  matcher.doWork()
  assert.equal(compare(requester), null)
  assert.equal(requester.comparedCount, 0)
  requester.ask(ignore)
  core.doWork()
  matcher.doWork()
  compare(requester)
  assert.equal(requester.comparedCount, 1)
})
