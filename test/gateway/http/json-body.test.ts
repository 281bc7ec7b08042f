import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJsonBody } from '../../../gateway/http/json-body.js'
import { Fault } from '../../../gateway/wire/fault.js'
import { resultRows } from '../../../schemas/results.js'

function codeOf(body: string | Buffer | null): string | null {
  const read = readJsonBody(typeof body === 'string' ? Buffer.from(body) : body)
  return read instanceof Fault ? resultRows[read.result].code : 'accepted'
}

test('a body is one JSON object', () => {
  assert.equal(codeOf('{"a":1}'), 'accepted')
  assert.equal(codeOf(''), 'invalid_json')
  assert.equal(codeOf('{"a":'), 'invalid_json')
  assert.equal(codeOf("{'a':1}"), 'invalid_json')
  for (const text of ['[]', 'null', '5', '"x"', 'true'])
    assert.equal(codeOf(text), 'invalid_request')
})

test('bytes that are not text are unreadable', () => {
  assert.equal(codeOf(Buffer.from([0x7b, 0xff, 0x7d])), 'invalid_request')
})

test('a body above the limit is too large', () => {
  assert.equal(codeOf(null), 'payload_too_large')
})

test('the last value of a duplicate key counts', () => {
  const read = readJsonBody(Buffer.from('{"a":1,"a":2}'))
  assert.ok(!(read instanceof Fault))
  assert.equal(read['a'], 2)
})

test('deep nesting is parsed and then ignored', () => {
  const depth = 100_000
  assert.equal(codeOf(`{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`), 'accepted')
})
