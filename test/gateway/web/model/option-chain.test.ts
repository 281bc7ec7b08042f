import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ChainLeg,
  expiriesOf,
  isSameLeg,
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

test('a chain is sorted by underlying, expiry and strike, in any order of arrival', () => {
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

test('the index comes after the strikes below it', () => {
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

test('a leg is drawn again only if a displayed figure changes', () => {
  const leg = {
    ...{ bid_price_usd: 1, ask_price_usd: 2, bid_size_contracts: 3, ask_size_contracts: 4 },
    ...{ bid_source: 'book', ask_source: 'provider' },
    ...{ mark_price_usd: 1.5, mark_iv: 0.5, open_interest: 7, bid_size_usd_notional: 9 },
    greeks_abs: { delta: 0.5, gamma: 0.1, theta: -1, vega: 2 },
  } as unknown as ChainLeg
  assert.ok(isSameLeg(leg, { ...leg, bid_size_usd_notional: 10 }))
  const changes: readonly Partial<ChainLeg>[] = [
    ...[{ bid_price_usd: null }, { ask_price_usd: 2.5 }, { bid_source: 'provider' as const }],
    ...[{ mark_price_usd: null }, { mark_iv: 0.6 }, { open_interest: 8 }, { greeks_abs: null }],
  ]
  for (const change of changes) {
    assert.ok(!isSameLeg(leg, { ...leg, ...change }), JSON.stringify(change))
  }
  assert.ok(isSameLeg(null, null) && !isSameLeg(null, leg))
})
