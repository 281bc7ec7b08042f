import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataAnswer, Envelope } from '../../../gateway/wire/answers.js'
import { QueryReader } from '../../../gateway/wire/query-reader.js'
import { route } from '../../../gateway/wire/route.js'

const doubled = route(
  Envelope.Data,
  (query, most: number) => query.integer(['n'], 0, most, 0),
  (n, most) => dataAnswer(2 * n, most),
)

function ask(text: string, refusesUnknown = false): Record<string, unknown> {
  return JSON.parse(doubled.answer(new QueryReader(text, refusesUnknown), 50).body)
}

test('a route answers from what it has read', () => {
  assert.deepEqual(ask('n=21'), { success: true, data: 42, error: null, as_of_seq: 50 })
})

test('a route refuses in its envelope what it has read wrong, and what it has not asked for', () => {
  const { code, data } = ask('n=51')
  assert.deepEqual([code, data], ['invalid_parameter', null])
  assert.equal(ask('n=1&m=2', true)['code'], 'invalid_field')
  assert.equal(ask('n=1&m=2')['data'], 2)
})
