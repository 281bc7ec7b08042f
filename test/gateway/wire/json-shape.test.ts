import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectIn, ShapeFaults } from '../../../gateway/wire/json-shape.js'
import { resultRows } from '../../../schemas/results.js'

const shape = {
  name: 'text',
  count: 'integer',
  on: 'boolean',
  'list?': 'list',
  'more?': 'any',
} as const
const sound = { name: 'a', count: 0, on: false }

function faultOf(fields: object, path = ''): string {
  const faults = new ShapeFaults()
  faults.check({ ...fields }, path, shape)
  const { first } = faults
  return first === null ? 'sound' : `${resultRows[first.result].code} ${first.message}`
}

test('required fields are there, and optional ones may be absent or null', () => {
  assert.equal(faultOf(sound), 'sound')
  assert.equal(faultOf({ ...sound, list: null, more: {} }), 'sound')
  assert.equal(faultOf({ ...sound, name: null }), 'missing_field Missing field: name')
  assert.equal(faultOf({ name: 'a', on: true }, 'at.'), 'missing_field Missing field: at.count')
})

test('every field has its type, an integer is not below 0, and no field is unknown', () => {
  for (const wrong of [{ name: 1 }, { count: '1' }, { count: 1.5 }, { on: 1 }, { list: {} }]) {
    assert.match(faultOf({ ...sound, ...wrong }), /^invalid_parameter/)
  }
  for (const count of [-1, -0]) assert.match(faultOf({ ...sound, count }), /^invalid_field/)
  assert.match(faultOf({ ...sound, other: 1 }, 'at.'), /^invalid_field Unknown field: at\.other;/)
  assert.match(faultOf({ ...sound, Name: 1 }, 'at.'), /: at\.Name \(did you mean at\.name\?\)$/)
  assert.match(faultOf(JSON.parse('{"name":"a","count":1,"on":true,"__proto__":1}')), /__proto__/)
})

test('a missing field at any depth comes before a wrong type, and that before a bad value', () => {
  const faults = new ShapeFaults()
  const code = () => resultRows[faults.first!.result].code
  faults.value('a', 'is bad')
  faults.value('b', 'is bad')
  assert.equal(faults.first!.message, 'Invalid a: is bad')
  assert.equal(faults.isMisshapen, false)
  faults.type('c', 'is another type')
  assert.equal(code(), 'invalid_parameter')
  faults.missing('d')
  assert.equal(code(), 'missing_field')
  assert.equal(faults.isMisshapen, true)
})

test('an object in a field is one', () => {
  const fields = { a: {}, b: [], c: null, d: 1 }
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map((name) => objectIn(fields, name)),
    [{}, ...Array(4).fill(null)],
  )
})
