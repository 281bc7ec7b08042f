import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referralCodeOf } from '../../../gateway/wire/referral-text.js'

test('a code is stored in capitals, without spaces around it', () => {
  for (const text of ['friends-1', ' FRIENDS-1', '\tFriends-1\n']) {
    assert.equal(referralCodeOf(text), 'FRIENDS-1')
  }
  assert.equal(referralCodeOf('a_B'), 'A_B')
})

test('a code has three to twenty letters, digits, _ and -', () => {
  assert.equal(referralCodeOf('x'.repeat(20)), 'X'.repeat(20))
  for (const text of ['', 'ab', ' ab ', 'x'.repeat(21), 'a b c', 'abc!', 'a\u0000bc']) {
    assert.equal(referralCodeOf(text), null, JSON.stringify(text))
  }
})

test('letters whose capitals are ASCII are not a second spelling of a code', () => {
  for (const text of ['a\u017ftra', 'gro\u00df', '\u0131nk', 'caf\u00e9', '\uff21BC', '\ufb01x']) {
    assert.equal(referralCodeOf(text), null, text)
  }
})
