import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Right } from '../../schemas/domain.js'
import {
  canonicalSymbol,
  formatSymbol,
  instrumentTypeOf,
  parseOptionSymbol,
  parsePerpSymbol,
  parseSymbol,
  perpOf,
} from '../../schemas/symbol.js'

test('the parser reads both date forms', () => {
  const call = { underlying: 'BTC', expiryDate: 20260630, strikeMicros: 1e11, right: Right.Call }
  assert.deepEqual(parseOptionSymbol('BTC-20260630-100000-C'), call)
  assert.deepEqual(parseOptionSymbol('BTC-30JUN26-100000-C'), call)
  assert.deepEqual(parseOptionSymbol('BOT-20260925-27.5-P'), {
    underlying: 'BOT',
    expiryDate: 20260925,
    strikeMicros: 27_500_000,
    right: Right.Put,
  })
})

test('the parser reads every month of the short form', () => {
  const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
  for (const [index, month] of months.entries()) {
    const option = parseOptionSymbol(`ETH-01${month}27-1-C`)
    assert.ok(typeof option === 'object')
    assert.equal(option.expiryDate, 20270001 + (index + 1) * 100)
  }
})

test('the parser accepts real calendar dates only', () => {
  for (const date of ['20280229', '20000229', '29FEB28', '20261231']) {
    assert.equal(typeof parseOptionSymbol(`BTC-${date}-1-C`), 'object', date)
  }
  const bad = [
    ...[
      '20260229',
      '21000229',
      '20260431',
      '20261301',
      '20260001',
      '20260100',
      '20260132',
      '29FEB27',
    ],
    ...['30jun26', '1JUN26', '001JUN26', '2026063', '202606300', '2026JUN30', '30XXX26', '3OJUN26'],
    ...['', '0000010', '19691231', '21060101', '+2026063', '2026-6-3', ' 20260630', '30JUN2 '],
  ]
  for (const date of bad) assert.equal(typeof parseOptionSymbol(`BTC-${date}-1-C`), 'string', date)
})

test('the parser returns the reason why a symbol is invalid', () => {
  const details = {
    '': /expected UNDERLYING/,
    BTC: /expected UNDERLYING/,
    'BTC-PERP': /expected UNDERLYING.*\/perp-order$/,
    'BTC-20260630-1': /expected UNDERLYING/,
    '-20260630-1-C': /underlying/,
    'btc-20260630-1-C': /underlying/,
    'B TC-20260630-1-C': /underlying/,
    'ABCDEFGHIJKLMNOPQ-20260630-1-C': /underlying/,
    'BTC-20260631-1-C': /expiry/,
    'BTC-20260630--C': /strike/,
    'BTC-20260630-0-C': /strike must be greater/,
    'BTC-20260630-1e5-C': /strike/,
    'BTC-20260630-1.0000001-C': /strike/,
    'BTC-20260630--1-C': /strike|right/,
    'BTC-20260630-1-X': /right/,
    'BTC-20260630-1-c': /right/,
    'BTC-20260630-1-': /right/,
    'BTC-20260630-1-CC': /right/,
    'BTC-20260630-1-C-': /right/,
    'BTC-20260630-1-C ': /right/,
  }
  for (const [text, detail] of Object.entries(details)) {
    const parsed = parseOptionSymbol(text)
    assert.ok(typeof parsed === 'string', text)
    assert.match(parsed, detail, text)
  }
})

test('canonical text has the long date and no trailing zeros', () => {
  assert.equal(canonicalSymbol('BTC-30JUN26-0100000.00-C'), 'BTC-20260630-100000-C')
  assert.equal(canonicalSymbol('BOT-20260925-27.50-P'), 'BOT-20260925-27.5-P')
  assert.equal(canonicalSymbol('BTC-PERP'), 'BTC-PERP')
  assert.equal(canonicalSymbol('BTC'), null)
  assert.equal(canonicalSymbol('BTC-20260630-1-X'), null)
})

test('perp symbols name their underlying', () => {
  assert.equal(parsePerpSymbol('BTC-PERP'), 'BTC')
  assert.equal(parsePerpSymbol('A.B_9-PERP'), 'A.B_9')
  assert.equal(formatSymbol(perpOf('BTC')), 'BTC-PERP')
  assert.deepEqual(parseSymbol('BTC-PERP'), perpOf('BTC'))
  assert.equal(typeof parseSymbol('BTC-PER'), 'string')
  assert.deepEqual(['BTC-PERP', 'BTC-20260630-1-P'].map(instrumentTypeOf), ['perp', 'option'])
  for (const text of ['', '-PERP', 'PERP', 'btc-PERP', 'BTC-perp', 'BTC--PERP', 'BTC-PERP ']) {
    assert.equal(parsePerpSymbol(text), null, text)
  }
})

test('every option survives its own text', () => {
  const option = fc.record({
    underlying: fc.stringMatching(/^[A-Z0-9._]{1,16}$/),
    expiryDate: fc
      .date({ min: new Date('1970-01-01'), max: new Date('2105-12-31'), noInvalidDate: true })
      .map((date) => Number(date.toISOString().slice(0, 10).replaceAll('-', ''))),
    strikeMicros: fc.integer({ min: 1, max: 1e15 }),
    right: fc.constantFrom(Right.Call, Right.Put),
  })
  fc.assert(
    fc.property(option, (parts) => {
      const text = formatSymbol(parts)
      assert.deepEqual(parseOptionSymbol(text), { ...parts })
      assert.equal(canonicalSymbol(text), text)
    }),
  )
})
