import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUuid, uuidOf } from '../../schemas/uuid.js'

test('a number becomes a UUID of version 7, by its time', () => {
  const text = formatUuid(uuidOf(Date.UTC(2026, 0, 1), 12_345), 0)
  assert.equal(text, '019b76da-a800-7000-8000-000000003039')
  assert.match(text, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(
    formatUuid(uuidOf(0, Number.MAX_SAFE_INTEGER), 0),
    '00000000-0000-7000-801f-ffffffffffff',
  )
})

test('the text of a UUID is written at the given offset', () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, i) => i)
  assert.equal(formatUuid(bytes, 2), '02030405-0607-0809-0a0b-0c0d0e0f1011')
})
