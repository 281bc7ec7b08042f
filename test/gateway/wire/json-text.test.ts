import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  encodeJson,
  encodeRow,
  encodeRows,
  type JsonRow,
  RawJson,
} from '../../../gateway/wire/json-text.js'

test('the encoder agrees with JSON.stringify if no exponent is involved', () => {
  const value = {
    text: 'a"\n\u2028',
    list: [1, null, true, { deep: [] }],
    none: undefined,
    n: -1.5,
  }
  assert.equal(encodeJson(value), JSON.stringify(value))
})

test('raw text is written unchanged', () => {
  assert.equal(encodeJson({ rows: new RawJson('[1,2]') }), '{"rows":[1,2]}')
})

test('a row is encoded like any value, with any texts', () => {
  const number = fc.double()
  const exponents = fc.constantFrom(1e-7, -1.5e-9, 1e21, -2.25e300, 5e-324, -0)
  const trap = fc.constantFrom('":1e-7,"', '\\":1e-7', '1e-7', '","a":1e-7}', '\\', '"')
  const member = fc.oneof(number, exponents, trap, fc.string(), fc.boolean(), fc.constant(null))
  const flat = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), member)
  const nested = fc.record({ deep: flat, list: fc.array(flat), none: fc.constant(undefined) })
  fc.assert(
    fc.property(fc.oneof(flat, nested), (row) => {
      assert.equal(encodeRow(row as JsonRow), encodeJson(row as JsonRow as never))
    }),
  )
})

test('a list of rows is raw text of its rows in order', () => {
  assert.equal(encodeRows([2, 1e-7], (n) => ({ n })).text, '[{"n":2},{"n":0.0000001}]')
  assert.equal(encodeRows([], () => ({})).text, '[]')
})
