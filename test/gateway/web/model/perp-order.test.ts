import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PerpOrder, perpDirective } from '../../../../gateway/web/model/perp-order.js'

const order: PerpOrder = {
  ...{ asset: 10_000, side: 'Buy', price: '0100.50', size: '1.0' },
  ...{ tif: 'gtc', reduceOnly: false, clientId: null },
}

test('a directive counts price and size in units of 1e-8', () => {
  assert.deepEqual(perpDirective(order), {
    ...{ asset: 10_000, isBuy: true, reduceOnly: false, encodedTif: 2 },
    ...{ limitPx: 10_050_000_000n, sz: 100_000_000n },
  })
  const smallest = perpDirective({ ...order, price: '0.000001', size: '0.00000001' })
  assert.deepEqual([smallest.limitPx, smallest.sz], [100n, 1n])
})

test('side, lifetime and client id have their codes', () => {
  const tifs = (['alo', 'gtc', 'ioc'] as const).map((tif) => perpDirective({ ...order, tif }))
  assert.deepEqual(
    tifs.map(({ encodedTif }) => encodedTif),
    [1, 2, 3],
  )
  const sold = perpDirective({ ...order, side: 'Sell', clientId: `0x${'f'.repeat(32)}` })
  assert.equal(sold.isBuy, false)
  assert.equal(sold.cloid, 2n ** 128n - 1n)
})

test('a directive leaves out the client id 0, which the venue rejects', () => {
  assert.equal('cloid' in perpDirective({ ...order, clientId: `0x${'0'.repeat(32)}` }), false)
})
