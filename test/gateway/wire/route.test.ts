import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataAnswer } from '../../../gateway/wire/answers.js'
import { QueryReader } from '../../../gateway/wire/query-reader.js'
import { route } from '../../../gateway/wire/route.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import { flag, integer } from '../../../schemas/interface/parameter.js'
import { Result } from '../../../schemas/results.js'

const doubled = route(
  {
    answer: { envelope: Envelope.Data },
    query: { n: integer([0, 50], 0, ''), exact: flag(false, '') },
  },
  ({ n }, seq: number) => dataAnswer(2 * n, seq),
  ({ n, exact }, query) => {
    if (exact && n % 2 === 1) query.refuse(Result.InvalidParameter, 'n is odd')
  },
)

function ask(text: string, refusesUnknown = false): Record<string, unknown> {
  return JSON.parse(doubled.answer(new QueryReader(text, refusesUnknown), 50).body)
}

test('a route answers from its parameters', () => {
  assert.deepEqual(ask('n=21'), { success: true, data: 42, error: null, as_of_seq: 50 })
})

test('a route fails wrong parameters in its envelope, and unknown ones too', () => {
  const { code, data } = ask('n=51')
  assert.deepEqual([code, data], ['invalid_parameter', null])
  assert.equal(ask('n=1&m=2', true)['code'], 'invalid_field')
  assert.equal(ask('n=1&m=2')['data'], 2)
})

test('errors of several parameters come after errors of one', () => {
  assert.equal(ask('n=7&exact=1')['message'], 'n is odd')
  assert.equal(ask('n=7&exact=x')['message'], "exact must be true, false, 1 or 0, not 'x'")
  assert.equal(ask('n=8&exact=1')['data'], 16)
})
