import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expiriesOf,
  movedOption,
  type Strike,
  sectionsOf,
  strikesBelow,
} from '../../../../gateway/web/model/option-chain.js'

function strikeOf(underlying: string, expiry: number, strike: number): Strike {
  const name = `${underlying}-${expiry}-${strike}`
  return { underlying, expiry, strike, call: `${name}-C`, put: `${name}-P` }
}

const strikes = [
  ...[strikeOf('ETH', 2, 30), strikeOf('BTC', 2, 110), strikeOf('BTC', 1, 100)],
  ...[strikeOf('BTC', 2, 90)],
]
const btc = sectionsOf(strikes, 'BTC', null)

test('a chain is sorted by underlying, expiry and strike, whatever came first', () => {
  assert.deepEqual(
    sectionsOf(strikes, null, null).map(({ underlying, expiry, strikes: found }) => [
      ...[underlying, expiry, ...found.map(({ strike }) => strike)],
    ]),
    [
      ['BTC', 1, 100],
      ['BTC', 2, 90, 110],
      ['ETH', 2, 30],
    ],
  )
  assert.deepEqual(expiriesOf(strikes, 'BTC'), [1, 2])
  assert.equal(sectionsOf(strikes, 'BTC', 2).length, 1)
})

test('the index stands behind the strikes below it', () => {
  const { strikes: row } = btc[1]!
  assert.deepEqual(
    [80, 90, 100, 500].map((index) => strikesBelow(row, index)),
    [0, 0, 1, 2],
  )
  assert.equal(strikesBelow(row, undefined), -1)
})

test('keys move over strikes and expiries, change sides, and stay within the chain', () => {
  assert.equal(movedOption(btc, null, 1, null), 'BTC-1-100-C')
  assert.equal(movedOption(btc, 'BTC-1-100-C', 1, null), 'BTC-2-90-C')
  assert.equal(movedOption(btc, 'BTC-2-90-C', 0, 'put'), 'BTC-2-90-P')
  assert.equal(movedOption(btc, 'BTC-2-90-P', 1, null), 'BTC-2-110-P')
  assert.equal(movedOption(btc, 'BTC-2-110-P', 1, null), 'BTC-2-110-P')
  assert.equal(movedOption([], null, 1, null), null)
})

test('from an option that is not shown, keys begin at the first', () => {
  assert.equal(movedOption(btc, 'ETH-2-30-P', 1, null), 'BTC-1-100-C')
})
