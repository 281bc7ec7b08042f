import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBookBench } from '../../bench/book.js'

test('the book benchmark runs small, and both books give the same hash', () => {
  const results = runBookBench({ events: 2_000 })
  assert.deepEqual(
    results.map((result) => result.name),
    [
      'book.mixed.shallow',
      'book.mixed.deep',
      'book.mixed.shallow.small',
      'twin.mixed.shallow.small',
      'book.gtc.shallow',
      'book.gtc.shallow-peer',
      'book.gtc.shallow-of-peer',
      'book.gtc.deep',
      'book.gtc.deep-peer',
      'book.gtc.deep-of-peer',
    ],
  )
  for (const result of results) assert.ok(result.value > 0, result.name)
  assert.deepEqual(results[3].extra, results[2].extra)
  assert.equal(results[0].extra['loop'], 'closed')
})
