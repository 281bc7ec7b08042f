import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fixed,
  gainText,
  leftText,
  moneyText,
  percentText,
  priceText,
  shortAddress,
  shortText,
  sizeText,
  toneOf,
} from '../../../../gateway/web/model/numbers.js'

test('an unknown value is a dash, never a zero', () => {
  for (const text of [
    priceText(null),
    percentText(Number.NaN),
    sizeText(''),
    moneyText(undefined),
  ]) {
    assert.equal(text, '–')
  }
  assert.equal(moneyText('0'), '0.00')
})

test('a larger price has fewer decimals', () => {
  assert.deepEqual([12_345.6, 512.34, 1.239, 0.01234].map(priceText), [
    ...['12,346', '512.3', '1.24', '0.0123'],
  ])
})

test('a loss that rounds to nothing has no sign', () => {
  assert.equal(fixed(-0, 2), '0.00')
  assert.equal(gainText('12.5'), '+12.50')
  assert.equal(gainText('-3'), '-3.00')
  assert.deepEqual([toneOf('1'), toneOf(-1), toneOf(null)], ['up', 'down', ''])
})

test('a size has no more decimals than needed', () => {
  assert.deepEqual(['0.10', 0.1 + 0.2, '25'].map(sizeText), ['0.1', '0.3', '25'])
})

test('a count is cut to four characters, and a positive one is never 0', () => {
  const counts = [0, 0.29, 12.345, 123.4, 1234, 12_345, 999_999, 1.5e6, 2.5e9, 0.00001]
  assert.deepEqual(counts.map(shortText), [
    ...['0', '0.29', '12.3', '123', '1.2k', '12k', '999k', '1.5M', '2.5G', '>0'],
  ])
})

test('time left is days and hours, then hours and minutes, and never below 0', () => {
  const hour = 3_600_000
  assert.equal(leftText(26 * hour, 0), '1d 2h')
  assert.equal(leftText(1.5 * hour, 0), '1h 30m')
  assert.equal(leftText(0, hour), '0h 0m')
})

test('an address is shown by its ends', () => {
  assert.equal(shortAddress(`0x${'ab'.repeat(20)}`), '0xabab…abab')
  assert.equal(shortAddress('short'), 'short')
})
