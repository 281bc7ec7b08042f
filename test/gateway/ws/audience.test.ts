import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Audience } from '../../../gateway/ws/audience.js'

function hearers(audience: Audience<string>, symbol: string): string[] {
  const heard: string[] = []
  audience.visit(symbol, (member) => heard.push(member))
  return heard.sort()
}

test('a member receives the topics of any of its subscriptions, once', () => {
  const audience = new Audience<string>()
  audience.add('a', null)
  audience.add('a', new Set(['X']))
  audience.add('b', new Set(['X', 'Y']))
  assert.deepEqual(hearers(audience, 'X'), ['a', 'b'])
  assert.deepEqual(hearers(audience, 'Y'), ['a', 'b'])
  assert.deepEqual(hearers(audience, 'Z'), ['a'])
  assert.deepEqual([...audience.members()].sort(), ['a', 'b'])
})

test('overlapping subscriptions end one by one', () => {
  const audience = new Audience<string>()
  audience.add('a', new Set(['X']))
  audience.add('a', new Set(['X', 'Y']))
  audience.remove('a', new Set(['X', 'Y']))
  assert.deepEqual(hearers(audience, 'X'), ['a'])
  assert.equal(audience.hears('Y'), false)
  audience.remove('a', new Set(['X']))
  assert.equal(audience.isEmpty(), true)
})

test('an empty list of symbols receives nothing', () => {
  const audience = new Audience<string>()
  audience.add('a', new Set())
  assert.equal(audience.hears('X'), false)
})
