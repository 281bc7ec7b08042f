import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  DecimalFault,
  decimalFaultText,
  formatLots,
  formatMicros,
  formatUsd,
  lotsToNumber,
  microsToNumber,
  parseAmountMicros,
  parsePriceMicros,
  parseSignedLots,
  parseSignedMicros,
  parseSizeLots,
  parseStrikeMicros,
} from '../../schemas/decimal.js'

const { Malformed, NotPositive, TooManyFigures, OffGrid, TooLarge, TooLong } = DecimalFault
const parsers = [parsePriceMicros, parseSizeLots, parseAmountMicros, parseStrikeMicros]
const malformedTexts = [
  ...[
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '+1',
    '-1',
    '1e3',
    '1E3',
    ' 1',
    '1 ',
    '1,5',
    '1_000',
    '1.2.3',
    '1..2',
  ],
  ...['NaN', 'Infinity', '0x10', '١', '１', '1.5\n', '1\u0000', '--1', '1-', 'null'],
]

test('every parser rejects text that is not digits with an optional fraction', () => {
  for (const parse of parsers) {
    for (const text of malformedTexts) assert.equal(parse(text), Malformed, JSON.stringify(text))
  }
})

test('every parser rejects zero in any spelling', () => {
  for (const parse of parsers) {
    for (const text of ['0', '00', '0.0', '0.00000000', `0.${'0'.repeat(50)}`]) {
      assert.equal(parse(text), NotPositive, text)
    }
  }
})

test('a price counts significant figures on its numeric value', () => {
  const accepted = {
    '100000': 1e11,
    '1234.50': 1234.5e6,
    '1.00000': 1e6,
    '0.012345': 12_345,
    '000123.450': 123.45e6,
    '12345': 12_345e6,
    '999990000': 999_990_000e6,
  }
  for (const [text, micros] of Object.entries(accepted)) {
    assert.equal(parsePriceMicros(text), micros, text)
  }
  for (const text of ['123456', '1234.56', '1.00001', '100001', '0.123456', '10000.1']) {
    assert.equal(parsePriceMicros(text), TooManyFigures, text)
  }
})

test('a price is on its grid and below its maximum', () => {
  assert.equal(parsePriceMicros('0.000001'), 1)
  assert.equal(parsePriceMicros('0.0000001'), OffGrid)
  assert.equal(parsePriceMicros('0.0000015'), OffGrid)
  assert.equal(parsePriceMicros('1.000000000'), 1e6, 'zeros behind the grid change no value')
  assert.equal(parsePriceMicros('1000000000'), 1e15)
  assert.equal(parsePriceMicros('1000100000'), TooLarge)
  assert.equal(parsePriceMicros(`1${'0'.repeat(63)}`), TooLarge)
  assert.equal(parsePriceMicros(`${'0'.repeat(63)}1`), 1e6)
})

test('a number has at most 64 characters', () => {
  for (const long of [`1${'0'.repeat(64)}`, `${'0'.repeat(64)}1`, `1.${'0'.repeat(200_000)}`]) {
    for (const parse of [parsePriceMicros, parseSizeLots, parseStrikeMicros, parseAmountMicros]) {
      assert.equal(parse(long), TooLong)
    }
    assert.ok(Number.isNaN(parseSignedMicros(`-${long}`)))
  }
  assert.equal(decimalFaultText(TooLong, parsePriceMicros), 'has more than 64 characters')
})

test('a size has at most 8 decimals and 100,000 contracts', () => {
  assert.equal(parseSizeLots('0.00000001'), 1)
  assert.equal(parseSizeLots('0.000000001'), OffGrid)
  assert.equal(parseSizeLots('1.234567890'), 123_456_789)
  assert.equal(parseSizeLots('100000'), 1e13)
  assert.equal(parseSizeLots('100000.00000000'), 1e13)
  assert.equal(parseSizeLots('99999.99999999'), 9_999_999_999_999)
  assert.equal(parseSizeLots('100000.00000001'), TooLarge)
  assert.equal(parseSizeLots('1'.repeat(30)), TooLarge)
})

test('an amount stays below 2^53 micros', () => {
  assert.equal(parseAmountMicros('9007199254.740991'), Number.MAX_SAFE_INTEGER)
  assert.equal(parseAmountMicros('9007199254.740992'), TooLarge)
  assert.equal(parseAmountMicros('9007199254.740993'), TooLarge)
  assert.equal(parseAmountMicros('9999999999.999999'), TooLarge)
  assert.equal(parseAmountMicros('10000000000'), TooLarge)
  assert.equal(parseAmountMicros('123456.789'), 123_456_789_000)
})

test('a strike may have decimals and more than 5 figures', () => {
  assert.equal(parseStrikeMicros('27.5'), 27.5e6)
  assert.equal(parseStrikeMicros('123456.123456'), 123_456_123_456)
  assert.equal(parseStrikeMicros('0.0000001'), OffGrid)
  assert.equal(parseStrikeMicros('1000000001'), TooLarge)
})

test('formatting uses no exponent, trailing zeros or minus zero', () => {
  const micros = {
    '0': 0,
    '1': 1e6,
    '0.000001': 1,
    '-0.000001': -1,
    '1234.5': 1234.5e6,
    '-99': -99e6,
    '9007199254.740991': Number.MAX_SAFE_INTEGER,
    '-9007199254.740991': -Number.MAX_SAFE_INTEGER,
    '9007199254': 9_007_199_254_000_000,
  }
  for (const [text, value] of Object.entries(micros)) assert.equal(formatMicros(value), text)
  assert.equal(formatMicros(-0), '0')
  assert.equal(formatUsd(20_000_000_000, 4), '20000000000.000004')
  assert.equal(formatUsd(7, 0), '7')
  assert.equal(formatLots(-0), '0')
  assert.equal(formatLots(1), '0.00000001')
  assert.equal(formatLots(-150_000_000), '-1.5')
  assert.equal(formatLots(Number.MAX_SAFE_INTEGER), '90071992.54740991')
})

test('JSON numbers are the nearest to the exact value and never minus zero', () => {
  assert.ok(Object.is(microsToNumber(-0), 0))
  assert.ok(Object.is(lotsToNumber(-0), 0))
  assert.equal(JSON.stringify(microsToNumber(1_234_500_000)), '1234.5')
  assert.equal(JSON.stringify(lotsToNumber(10_000_000)), '0.1')
})

const anyInteger = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  // Just below whole units, where a rounded quotient would carry over.
  fc.integer({ min: 1, max: 9_007_199_254 }).map((units) => units * 1e6 - 1),
  fc.integer({ min: 1, max: 90_071_992 }).map((contracts) => contracts * 1e8 - 1),
)

test('formatting agrees with exact arithmetic over the whole range', () => {
  fc.assert(
    fc.property(anyInteger, (value) => {
      assert.equal(formatMicros(value), exactText(value, 6))
      assert.equal(formatLots(value), exactText(value, 8))
      assert.equal(microsToNumber(value), Number(exactText(value, 6)))
      assert.equal(lotsToNumber(value), Number(exactText(value, 8)))
    }),
    { numRuns: 2_000 },
  )
})

test('formatted text parses to the same integer', () => {
  const positive = fc.oneof(
    fc.integer({ min: 1 }),
    fc.maxSafeNat().filter((value) => value > 0),
  )
  fc.assert(
    fc.property(positive, (value) => {
      assert.equal(parseAmountMicros(formatMicros(value)), value)
      const lots = parseSizeLots(formatLots(value))
      assert.equal(lots, value > 1e13 ? TooLarge : value)
    }),
    { numRuns: 2_000 },
  )
})

test('parsing agrees with exact arithmetic on any digits', () => {
  const digits = fc.string({
    unit: fc.constantFrom(...'0000123456789'),
    minLength: 1,
    maxLength: 14,
  })
  fc.assert(
    fc.property(digits, fc.option(digits, { nil: null }), (whole, fraction) => {
      const text = fraction === null ? whole : `${whole}.${fraction}`
      assert.equal(
        parsePriceMicros(text),
        exactParse(whole, fraction ?? '', 6, 5, 10n ** 15n),
        text,
      )
      assert.equal(parseSizeLots(text), exactParse(whole, fraction ?? '', 8, 99, 10n ** 13n), text)
      const amount = exactParse(whole, fraction ?? '', 6, 99, 2n ** 53n - 1n)
      assert.equal(parseAmountMicros(text), amount, text)
    }),
    { numRuns: 3_000 },
  )
})

test('every fault has its own text, with the limits of its parser', () => {
  const faults = Object.values(DecimalFault)
  const texts = faults.map((fault) => decimalFaultText(fault, parsePriceMicros))
  assert.equal(new Set(texts).size, faults.length)
  assert.equal(decimalFaultText(DecimalFault.OffGrid, parseSizeLots), 'has more than 8 decimals')
  assert.equal(decimalFaultText(DecimalFault.TooLarge, parseSizeLots), 'is more than 100000')
})

function exactText(scaled: number, decimals: number): string {
  const magnitude = BigInt(Math.abs(scaled))
    .toString()
    .padStart(decimals + 1, '0')
  const fraction = magnitude.slice(-decimals).replace(/0+$/, '')
  const whole = magnitude.slice(0, -decimals)
  return `${scaled < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function exactParse(
  whole: string,
  fraction: string,
  decimals: number,
  figuresMax: number,
  scaledMax: bigint,
): number {
  const figures = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '').length
  if (figures === 0) return NotPositive
  if (figures > figuresMax) return TooManyFigures
  if (/[1-9]/.test(fraction.slice(decimals))) return OffGrid
  const scaled = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return scaled > scaledMax ? TooLarge : Number(scaled)
}

test('signed amounts and positions accept a minus sign and zero, and nothing off their grid', () => {
  assert.deepEqual(
    ['-1.5', '0', '-0', '12', '0.000001'].map(parseSignedMicros),
    [-1_500_000, 0, 0, 12_000_000, 1],
  )
  assert.deepEqual(
    ['-2', '0.00000001', '100001'].map(parseSignedLots),
    [-200_000_000, 1, 10_000_100_000_000],
  )
  for (const text of ['', '-', '+1', '1e3', '.5', '1.', '--1', '1.0000001', ' 1']) {
    assert.ok(Number.isNaN(parseSignedMicros(text)), text)
  }
})
