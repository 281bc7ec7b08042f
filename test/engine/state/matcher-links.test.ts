import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Matcher } from '../../../engine/matching/matcher.js'
import {
  orderExpectedOpenLotsAt,
  orderHandleAt,
  orderOldHandleAt,
  orderPositionLotsAt,
  orderRoundAt,
  orderSelfTradeAt,
  orderSizeLotsAt,
  orderTicketAt,
} from '../../../engine/matching/records.js'
import { recordTypeAt } from '../../../engine/memory/layout.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { MatcherLinks, OrderTerms } from '../../../engine/state/matcher-links.js'
import { OrderStore, slotOf } from '../../../engine/state/orders.js'
import { SelfTradeMode } from '../../../schemas/domain.js'
import { OrderRecord } from '../../../schemas/generated/orders.js'

test('underlyings are spread over the matchers by their index', () => {
  const { links } = linked(3)
  assert.deepEqual(
    [0, 1, 2, 3, 7].map((underlying) => links.of(underlying)),
    [0, 1, 2, 0, 1],
  )
})

test('only a matcher that was sent something is woken, once per commit', () => {
  const { links, woken, orders } = linked(2)
  links.place(1, 0, orders, 0, new OrderTerms())
  links.cancel(1, 1, 0, 0)
  links.commit()
  links.commit()
  assert.deepEqual(woken, [1])
})

test('a replace carries the open size that the core knows, and both handles', () => {
  const { links, rings, orders } = linked(1)
  orders.openLots[0] = 300
  orders.openLots[slotOf(1)] = 500
  const terms = new OrderTerms()
  terms.selfTrade = SelfTradeMode.CancelBoth
  terms.positionLots = -7
  links.replace(0, 9, orders, slotOf(1), 0, terms)
  links.commit()
  const ring = new Ring(rings[0]!, 'consumer')
  const at = ring.next()
  assert.equal(ring.i32[(at + recordTypeAt) >> 2], OrderRecord.Replace)
  assert.equal(ring.i32[(at + orderTicketAt) >> 2], 9)
  assert.equal(ring.i32[(at + orderHandleAt) >> 2], 1)
  assert.equal(ring.i32[(at + orderOldHandleAt) >> 2], 0)
  assert.equal(ring.i32[(at + orderSelfTradeAt) >> 2], SelfTradeMode.CancelBoth)
  assert.equal(ring.f64[(at + orderExpectedOpenLotsAt) >> 3], 300)
  assert.equal(ring.f64[(at + orderSizeLotsAt) >> 3], 500)
  assert.equal(ring.f64[(at + orderPositionLotsAt) >> 3], -7)
})

test('orders of one commit are of one round, those behind it of another', () => {
  const { links, rings, orders } = linked(1)
  for (const sent of [2, 1]) {
    for (let i = 0; i < sent; i++) links.place(0, i, orders, slotOf(i), new OrderTerms())
    links.commit()
  }
  const ring = new Ring(rings[0]!, 'consumer')
  const rounds = [ring.next(), ring.next(), ring.next()].map(
    (at) => ring.i32[(at + orderRoundAt) >> 2],
  )
  assert.equal(rounds[0], rounds[1])
  assert.notEqual(rounds[1], rounds[2])
})

test('closing a book waits for its matcher, also when there never was one', () => {
  const memory = [allocateRing(1 << 16), allocateRing(1 << 16)] as const
  const matcher = new Matcher(new Ring(memory[0], 'consumer'), new Ring(memory[1], 'producer'))
  let rests = 0
  const links = new MatcherLinks(
    [new Ring(memory[0], 'producer')],
    [new Ring(memory[1], 'consumer')],
    () => {},
    () => {
      rests++
      if (rests > 2) matcher.doWork()
    },
  )
  links.closeBook(0, 4)
  assert.equal(rests, 3)
  assert.equal(links.results[0]!.hasNext(), false)
})

function linked(count: number) {
  const rings = Array.from({ length: count }, () => allocateRing(1 << 16))
  const results = Array.from({ length: count }, () => new Ring(allocateRing(1 << 16), 'consumer'))
  const woken: number[] = []
  const links = new MatcherLinks(
    rings.map((ring) => new Ring(ring, 'producer')),
    results,
    (matcher) => woken.push(matcher),
    () => {},
  )
  const orders = new OrderStore(4)
  orders.take()
  orders.take()
  return { links, rings, woken, orders }
}
