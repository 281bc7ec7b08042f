import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  askSide,
  bestOf,
  bidSide,
  newestMillis,
  quoteJson,
  rankedRows,
} from '../../../gateway/quotes/best-quotes.js'
import { QuoteRow, QuoteScope } from '../../../gateway/quotes/quote-rows.js'

/** Rows of providers `a`, `b` and so on: bid, ask, size of both. */
function rowsOf(...rows: readonly (readonly [bid: string, ask: string, size?: string])[]) {
  return rows.map(([bidPrice, askPrice, size = '1'], index) => {
    const scope = new QuoteScope(0, index, String.fromCharCode(97 + index), '', 10 * (index + 1))
    return new QuoteRow(scope, index, 0, { bidPrice, askPrice, maxBidSize: size, maxAskSize: size })
  })
}

const walletsOf = (rows: readonly QuoteRow[]) => rows.map(({ scope }) => scope.wallet).join('')

test('each side is the best of its own, and the pair may be crossed', () => {
  const rows = rowsOf(['10', '9'], ['11', '12'])
  assert.deepEqual(bestOf(rows, bidSide), { price: '11', size: '1' })
  assert.deepEqual(bestOf(rows, askSide), { price: '9', size: '1' })
})

test('sizes at the best price add up exactly, and the price has the text of the first', () => {
  const rows = rowsOf(['10.0', '0', '1.25'], ['9', '0'], ['10', '0', '0.000000000000000001'])
  assert.deepEqual(bestOf(rows, bidSide), { price: '10.0', size: '1.250000000000000001' })
  assert.equal(bestOf(rows, askSide), null)
})

test('prices that differ beyond a double are distinguished', () => {
  const nearly = `1.${'0'.repeat(40)}`
  const rows = rowsOf([`${nearly}1`, `${nearly}1`], [`${nearly}2`, `${nearly}2`])
  assert.equal(bestOf(rows, bidSide)?.price, `${nearly}2`)
  assert.equal(bestOf(rows, askSide)?.price, `${nearly}1`)
})

test('a size of zero is not a quote', () => {
  assert.equal(bestOf(rowsOf(['10', '11', '0.0']), bidSide), null)
})

test('rows rank by their better side, so that a short list has the best of both', () => {
  const rows = rowsOf(['5', '20'], ['7', '30'], ['6', '0'], ['1', '12'])
  assert.equal(walletsOf(rankedRows(rows)), 'bdac')
  assert.equal(walletsOf(rankedRows(rowsOf(['5', '8'], ['7', '8.0']))), 'ba')
})

test('a row has the time of its latest publication', () => {
  const [row] = rowsOf(['10', '11'])
  assert.deepEqual(JSON.parse(quoteJson(row!)), {
    wallet: 'a',
    ...{ bid_price: '10', ask_price: '11', max_bid_size: '1', max_ask_size: '1', updated_at: 10 },
  })
  row!.scope.updatedMillis = 99
  assert.equal(JSON.parse(quoteJson(row!)).updated_at, 99)
  assert.equal(newestMillis(rowsOf(['1', '2'], ['1', '2'])), 20)
})
