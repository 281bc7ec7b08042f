import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  noPriceIndex,
  priceIndexMax,
  priceIndexOf,
  priceMicrosOf,
  stepMicrosAt,
} from '../../../engine/matching/price-grid.js'

test('every index names one price, prices rise with it, and the inverse is exact', () => {
  let before = 0
  for (let index = 1; index <= priceIndexMax; index++) {
    const priceMicros = priceMicrosOf(index)
    if (!(priceMicros > before)) assert.fail(`index ${index}: ${priceMicros} after ${before}`)
    if (priceIndexOf(priceMicros) !== index) assert.fail(`index ${index}: no way back`)
    before = priceMicros
  }
})

test('the boundaries of the decades have their prices', () => {
  const borders: [priceMicros: number, index: number][] = [
    [1, 1],
    [99_999, 99_999],
    [100_000, 100_000],
    [100_010, 100_001],
    [999_990, 189_999],
    [1_000_000, 190_000],
    [102_500_000, 370_250],
    [999_990_000_000_000, 999_999],
    [1_000_000_000_000_000, priceIndexMax],
  ]
  for (const [priceMicros, index] of borders) {
    assert.equal(priceIndexOf(priceMicros), index, `${priceMicros} micros`)
    assert.equal(priceMicrosOf(index), priceMicros, `index ${index}`)
  }
})

test('a number that is not a valid price has no index', () => {
  const illegal = [0, -1, -100_000, 0.5, 99_999.5, 100_001, 100_005, 1_234_560_001, 1e15 + 1, 2e15]
  for (const priceMicros of [...illegal, 100_000.5, Number.NaN, Infinity, -Infinity]) {
    assert.equal(priceIndexOf(priceMicros), noPriceIndex, `${priceMicros} micros`)
  }
})

test('an integer has an index exactly when it has at most 5 significant figures', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e15 }),
      fc.integer({ min: 0, max: 14 }),
      (raw, zeros) => {
        const priceMicros = Math.floor(raw / 10 ** zeros) * 10 ** zeros
        const figures = String(priceMicros).replace(/0+$/, '').length
        const legal = priceMicros >= 1 && figures <= 5
        const index = priceIndexOf(priceMicros)
        assert.equal(index !== noPriceIndex, legal)
        if (legal) assert.equal(priceMicrosOf(index), priceMicros)
      },
    ),
  )
})

test('the step above a price leads to the next one on the grid', () => {
  for (const index of [1, 99_999, 100_000, 189_999, 190_000, priceIndexMax - 1]) {
    const price = priceMicrosOf(index)
    assert.equal(price + stepMicrosAt(price), priceMicrosOf(index + 1))
  }
})
