import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOf, keyRows } from '../../../../gateway/web/model/key-table.js'

test('every key does one thing', () => {
  const keys = keyRows.flatMap((row) => row.keys)
  assert.equal(new Set(keys).size, keys.length)
  for (const { keys: named, act } of keyRows) {
    for (const key of named) assert.equal(actOf(key), act)
  }
})

test('digits are panels, and other keys do nothing', () => {
  assert.equal(actOf('3'), 'panel-3')
  assert.equal(actOf('0'), null)
  assert.equal(actOf('q'), null)
})
