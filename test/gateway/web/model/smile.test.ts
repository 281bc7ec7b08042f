import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainLeg } from '../../../../gateway/web/model/option-chain.js'
import {
  type Quoted,
  quotedOf,
  smilesOf,
  smilesTogether,
  volatilityAt,
} from '../../../../gateway/web/model/smile.js'

function quoted(expiry: number, strike: number, markIv: number, right: 'call' | 'put'): Quoted {
  const symbol = `${expiry}/${strike}/${right}`
  return { symbol, strike, right, expiry, index: 100, markIv, bidIv: null, askIv: markIv + 0.01 }
}

const rows = [
  quoted(2, 80, 0.9, 'put'),
  quoted(1, 110, 0.6, 'call'),
  quoted(1, 110, 0.7, 'put'),
  quoted(1, 90, 0.8, 'put'),
  quoted(1, 90, 0.75, 'call'),
  quoted(1, 120, 0, 'call'),
]

test('a strike of the chain gives its options to the smile, with an unknown mark as 0', () => {
  const strike = { underlying: 'BTC', expiry: 2, strike: 80, call: 'C', put: 'P' }
  const ivs = { bid_iv: null, ask_iv: 0.9 }
  const leg = (symbol: string, mark_iv: number | null) =>
    ({ symbol, mark_iv, ...ivs }) as unknown as ChainLeg
  const [call, put] = quotedOf(strike, { call: leg('C', 0.8), put: leg('P', null) }, 100)
  const common = { strike: 80, expiry: 2000, index: 100, bidIv: null, askIv: 0.9 }
  assert.deepEqual(call, { symbol: 'C', right: 'call', markIv: 0.8, ...common })
  assert.deepEqual(put, { symbol: 'P', right: 'put', markIv: 0, ...common })
  assert.deepEqual(quotedOf(strike, { call: null, put: null }, 100), [])
})

test('each strike uses its option out of the money, and one without a mark is left out', () => {
  const [near, far] = smilesOf(rows)
  assert.deepEqual(near?.strikes, [90, 110])
  assert.deepEqual(near?.mark, [0.8, 0.6])
  assert.deepEqual(near?.bid, [null, null])
  assert.deepEqual(far?.strikes, [80])
})

test('between two strikes volatility is interpolated; beyond them it is unknown', () => {
  const [near] = smilesOf(rows)
  assert.ok(Math.abs(volatilityAt(near!, 0)! - 0.7) < 1e-12)
  assert.equal(volatilityAt(near!, -0.2), null)
  assert.equal(volatilityAt(near!, 0.3), null)
})

test('smiles share one axis, and have no value without a strike there', () => {
  const { distances, curves } = smilesTogether(smilesOf(rows))
  assert.equal(distances.length, 3)
  assert.deepEqual(curves, [
    [null, 0.8, 0.6],
    [0.9, null, null],
  ])
})
