import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestName, unknownFieldText } from '../../../gateway/wire/unknown-field.js'

const names = ['wallet', 'deposit_id', 'reduce_only', 'client_id', 'route']

test('the nearest name differs in case and underscores, or by a third of its letters, or is a word of it', () => {
  const nearest: Readonly<Record<string, string | null>> = {
    reduceOnly: 'reduce_only',
    REDUCE_ONLY: 'reduce_only',
    'client-id': 'client_id',
    walet: 'wallet',
    rute: 'route',
    id: 'deposit_id',
    symbol: null,
    '': null,
  }
  for (const [name, near] of Object.entries(nearest)) {
    assert.equal(nearestName(name, names), near, name)
  }
})

test('a name of many or odd characters is shown short and plain', () => {
  const text = unknownFieldText(`x\n\u{202e}${'y'.repeat(1000)}`, [])
  assert.match(text, /^Unknown field: x\?\?y{61}$/)
})

test('without a near name, all names are listed while they are few', () => {
  assert.equal(unknownFieldText('symbol', ['mode']), 'Unknown field: symbol; known: mode')
  const many = Array.from({ length: 13 }, (_, place) => `field_number_${place}`)
  assert.equal(unknownFieldText('symbol', many), 'Unknown field: symbol')
})
