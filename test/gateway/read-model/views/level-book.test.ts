import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LevelBook, LevelBooks } from '../../../../gateway/read-model/views/level-book.js'
import { Side } from '../../../../schemas/domain.js'

function levelsOf(book: LevelBook, side: number): number[][] {
  return Array.from({ length: book.count(side) }, (_, level) => [
    book.priceMicros(side, level),
    book.sizeLots(side, level),
  ])
}

test('bids are counted from the highest, asks from the lowest, in any order of arrival', () => {
  const book = new LevelBook()
  for (const price of [100, 103, 101, 99]) book.set(Side.Buy, price, price * 10, 1, 5)
  for (const price of [110, 105, 120]) book.set(Side.Sell, price, price * 10, 2, 6)
  assert.deepEqual(
    levelsOf(book, Side.Buy).map(([price]) => price),
    [103, 101, 100, 99],
  )
  assert.deepEqual(
    levelsOf(book, Side.Sell).map(([price]) => price),
    [105, 110, 120],
  )
  assert.deepEqual([book.seq, book.changedMillis], [2, 6])
})

test('a level changes in place, and size 0 removes it', () => {
  const book = new LevelBook()
  book.set(Side.Sell, 100, 5, 1, 1)
  book.set(Side.Sell, 100, 7, 2, 2)
  assert.deepEqual(levelsOf(book, Side.Sell), [[100, 7]])
  book.set(Side.Sell, 100, 0, 3, 3)
  assert.deepEqual(levelsOf(book, Side.Sell), [])
  book.set(Side.Sell, 100, 0, 4, 4)
  assert.deepEqual([book.count(Side.Sell), book.seq], [0, 4])
})

test('there is nothing beyond the last level', () => {
  const book = new LevelBook()
  assert.deepEqual([book.priceMicros(Side.Buy, 0), book.sizeLots(Side.Buy, 0)], [0, 0])
})

test('clearing empties both sides and keeps the sequence', () => {
  const book = new LevelBook()
  book.set(Side.Buy, 1, 1, 1, 1)
  book.set(Side.Sell, 2, 1, 2, 2)
  book.clear(9, 10)
  assert.deepEqual([book.count(Side.Buy), book.count(Side.Sell), book.seq], [0, 0, 9])
})

test('random changes agree with a plain map', () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
  const book = new LevelBook()
  const plain = [new Map<number, number>(), new Map<number, number>()]
  for (let step = 0; step < 5000; step++) {
    const side = random(2)
    const price = 1 + random(200)
    const size = random(3) === 0 ? 0 : 1 + random(50)
    book.set(side, price, size, step, step)
    if (size === 0) plain[side]!.delete(price)
    else plain[side]!.set(price, size)
  }
  for (const side of [Side.Buy, Side.Sell]) {
    const sign = side === Side.Buy ? -1 : 1
    const expected = [...plain[side]!].sort(([one], [other]) => sign * (one - other))
    assert.deepEqual(levelsOf(book, side), expected, `seed ${seed}, side ${side}`)
  }
})

test('books of instruments are created on request', () => {
  const books = new LevelBooks()
  books.of(3).set(Side.Buy, 5, 5, 1, 1)
  assert.equal(books.of(3).count(Side.Buy), 1)
  assert.equal(books.of(0).count(Side.Buy), 0)
})
