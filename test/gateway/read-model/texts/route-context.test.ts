import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnswerCache } from '../../../../gateway/read-model/texts/route-context.js'
import { RawJson } from '../../../../gateway/wire/json-text.js'

test('an answer is made once per version', () => {
  const cache = new AnswerCache()
  let made = 0
  const make = () => new RawJson(String(made++))
  assert.equal(cache.get('a', 1, make).text, '0')
  assert.equal(cache.get('a', 1, make).text, '0')
  assert.equal(cache.get('a', 2, make).text, '1')
  assert.equal(cache.get('b', 2, make).text, '2')
  assert.equal(cache.get('a', 2, make).text, '1')
})

test('answers that are too long together make room for the newest', () => {
  const cache = new AnswerCache()
  let made = 0
  const make = () => {
    made++
    return new RawJson('x'.repeat(6 * 1024 * 1024))
  }
  // A new version replaces the old one, and needs no additional room.
  for (let version = 0; version < 10; version++) cache.get('a', version, make)
  cache.get('b', 0, make)
  assert.equal(made, 11)
  cache.get('a', 9, make)
  assert.equal(made, 11)
  cache.get('c', 0, make)
  cache.get('c', 0, make)
  assert.equal(made, 12)
  cache.get('a', 9, make)
  assert.equal(made, 13)
})
