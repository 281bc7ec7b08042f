import assert from 'node:assert/strict'
import { test } from 'node:test'
import { count, nullable, object, oneOf, text } from '../../../schemas/interface/shape.js'

test('a plain value that may be null has a list of types', () => {
  assert.deepEqual(nullable(count('Size'), 'Size; null: none').schema, {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'Size; null: none',
  })
})

test('an enumeration or an object that may be null is a choice', () => {
  const side = nullable(oneOf(['Buy', 'Sell'], 'Side'))
  assert.deepEqual(side.schema, {
    anyOf: [{ type: 'string', enum: ['Buy', 'Sell'] }, { type: 'null' }],
    description: 'Side',
  })
  const properties = { name: { type: 'string' } }
  assert.deepEqual(nullable(object({ name: text() })).schema, {
    anyOf: [{ type: 'object', properties, required: ['name'] }, { type: 'null' }],
  })
})
