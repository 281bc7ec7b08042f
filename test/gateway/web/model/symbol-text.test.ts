import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expiryText,
  isPerp,
  optionOf,
  optionParts,
  shortSymbolText,
  symbolText,
  underlyingOf,
} from '../../../../gateway/web/model/symbol-text.js'

test('an option is named by its parts, and everything else by its symbol', () => {
  assert.equal(symbolText('BTC-20270326-100000-C'), 'BTC 26 Mar 27 100,000 call')
  assert.equal(symbolText('NVDA-20270102-150.5-P'), 'NVDA 2 Jan 27 150.5 put')
  assert.equal(symbolText('BTC-PERP'), 'BTC perp')
  assert.equal(symbolText('<b>'), '<b>')
  assert.equal(optionParts('<b>-20270326-1-C')?.underlying, '<b>')
  assert.equal(underlyingOf('SP500-20270326-6000-C'), 'SP500')
})

test('among options of one underlying a few letters identify each', () => {
  assert.equal(shortSymbolText('BTC-20270326-100000-C'), '26 Mar 27 100,000 C')
  assert.equal(shortSymbolText('NVDA-20270102-150.5-P'), '2 Jan 27 150.5 P')
  assert.equal(shortSymbolText('BTC-PERP'), 'perp')
  assert.equal(shortSymbolText('<b>'), '<b>')
})

test('a perp is not an option', () => {
  assert.ok(isPerp('BTC-PERP'))
  assert.equal(optionOf('BTC-PERP'), null)
  assert.equal(optionOf('BTC-20270326-100000-C'), 'BTC-20270326-100000-C')
})

test('a day of expiry is in UTC', () => {
  assert.equal(expiryText(Date.UTC(2027, 2, 26, 0, 30) / 1000), '26 Mar 27')
})
