import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../../bench/book-replay/book-flow.js'
import { nearOf } from '../../../../gateway/read-model/history/far-pages.js'

const toId = 20_031

/** Ids that are seldom, dense, and seldom again. */
function unevenIds(): number[] {
  const random = randomFrom(5)
  const isThere = (id: number) => (id > 4000 && id < 9000) || random() < 0.4
  return Array.from({ length: toId }, (_, id) => id).filter(isThere)
}

test('a page at any offset is the one that passing over all before it gives, and passes over few', () => {
  const newest = unevenIds().reverse()
  let counts = 0
  const count = (fromId: number, belowId: number) => {
    counts++
    return newest.filter((id) => id >= fromId && id < belowId).length
  }
  for (let place = 0; place < newest.length; place += 311) {
    counts = 0
    const { belowId, offset } = nearOf({ offset: place, firstId: 0, toId }, count)
    const near = newest.filter((id) => id < belowId)
    assert.equal(near[offset], newest[place], `from ${place} on`)
    assert.ok(offset <= 1024, `from ${place} on`)
    assert.ok(counts < 30, `${counts} questions from ${place} on`)
  }
})

test('ranges end at limits if the page is not within one range', () => {
  const newest = unevenIds().reverse()
  const borderAt = (id: number) => id - (id % 3000)
  for (let place = 0; place < newest.length; place += 311) {
    const spans: number[] = []
    const count = (fromId: number, belowId: number) => {
      spans.push(fromId)
      return newest.filter((id) => id >= fromId && id < belowId).length
    }
    const { belowId, offset } = nearOf({ offset: place, firstId: 0, toId }, count, borderAt)
    const near = newest.filter((id) => id < belowId)
    assert.equal(near[offset], newest[place], `from ${place} on`)
    assert.ok(offset <= 3000, `from ${place} on`)
    assert.ok(spans.every((id) => id % 3000 === 0))
    assert.ok(spans.length < 30, `${spans.length} questions from ${place} on`)
  }
})

test('a page behind all ids stays behind them', () => {
  const count = (fromId: number, belowId: number) => Math.max(0, belowId - fromId)
  const { belowId, offset } = nearOf({ offset: 9000, firstId: 100, toId: 5000 }, count)
  assert.equal(belowId, 100)
  assert.equal(offset, 9000 - 4900)
})
