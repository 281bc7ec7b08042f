import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayNameOf, isUsername } from '../../schemas/username.js'

const wallet = '0x12abcdef0123456789abcdef0123456789ab89ef'

test('a username has 3 to 20 of a to z, digits and underscores, and begins with a letter', () => {
  for (const good of ['abc', 'a_1', 'alice', 'z'.repeat(20), 'a__', 'x0123456789012345678']) {
    assert.ok(isUsername(good), good)
  }
  const bad = [
    '',
    'ab',
    'z'.repeat(21),
    'Alice',
    '1abc',
    '_abc',
    'a-b',
    ' abc',
    'abc ',
    'abc\n',
    'äbc',
  ]
  for (const text of [...bad, 'аbc', 'a.b.c', '0x1', 'ａbc']) assert.ok(!isUsername(text), text)
})

test('a wallet is shown by its name, or without one by its address', () => {
  assert.equal(displayNameOf(wallet, 'alice'), 'alice')
  assert.equal(displayNameOf(wallet, null), '0x12ab...89ef')
  assert.equal(displayNameOf(wallet, ''), '0x12ab...89ef')
})

test('no username looks like a name derived from an address', () => {
  for (const digit of '0123456789abcdef') {
    const other = `0x${digit.repeat(40)}`
    assert.ok(!isUsername(displayNameOf(other, null)))
    assert.ok(!isUsername(other))
  }
})
