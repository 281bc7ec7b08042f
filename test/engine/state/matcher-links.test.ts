import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Matcher } from '../../../engine/matching/matcher.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { MatcherLinks } from '../../../engine/state/matcher-links.js'
import { slotOf } from '../../../engine/state/orders/orders.js'
import { MatcherOrder, OrderRecord } from '../../../schemas/generated/orders.js'

test('underlyings are spread over the matchers by their index', () => {
  const { links } = linked(3)
  assert.deepEqual(
    [0, 1, 2, 3, 7].map((underlying) => links.of(underlying)),
    [0, 1, 2, 0, 1],
  )
})

test('only a matcher with new commands is woken, once per commit', () => {
  const { links, woken } = linked(2)
  links.claim(1, OrderRecord.Place, 0, 0, 0)
  links.cancel(1, 1, 0, 0)
  links.commit()
  links.commit()
  assert.deepEqual(woken, [1])
})

test('an order’s record has its ticket, its instrument and the handle of its slot', () => {
  const { links, rings } = linked(1)
  links.claim(0, OrderRecord.Replace, 9, 4, slotOf(1))
  links.commit()
  const ring = new Ring(rings[0]!, 'consumer')
  const { recordType, ticket, instrument, handle } = new MatcherOrder().over(ring, ring.next())
  assert.deepEqual([recordType, ticket, instrument, handle], [OrderRecord.Replace, 9, 4, 1])
})

test('orders of one commit are of one round, and later ones of another', () => {
  const { links, rings } = linked(1)
  for (const sent of [2, 1]) {
    for (let i = 0; i < sent; i++) links.claim(0, OrderRecord.Place, i, 0, slotOf(i))
    links.commit()
  }
  const ring = new Ring(rings[0]!, 'consumer')
  const order = new MatcherOrder()
  const [first, second, third] = [0, 1, 2].map(() => order.over(ring, ring.next()).round)
  assert.equal(first, second)
  assert.notEqual(second, third)
})

test('closing a book waits for its matcher, even if it never had one', () => {
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
  return { links, rings, woken }
}
