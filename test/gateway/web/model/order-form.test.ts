import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  executionText,
  missingInput,
  openSize,
  orderFault,
  premiumOf,
  sizeLeft,
  steppedPrice,
  typedFault,
} from '../../../../gateway/web/model/order-form.js'

const sound = { symbol: 'BTC-20270326-100000-C', price: '1250.5', size: '0.1' }

test('after an order that has ended, the form orders its unfilled size', () => {
  assert.equal(sizeLeft('0.5', '0.1', '0.1'), '0.5')
  assert.equal(sizeLeft('0.5', '0.1', '0.3'), '0.3')
  assert.equal(sizeLeft('0.30000001', '0', '0.3'), '0.00000001')
  assert.deepEqual([sizeLeft('0.2', '0', '0.2'), sizeLeft('0.2', '0', '0.5')], [null, null])
})

test('an order with a fault is not signed', () => {
  assert.equal(orderFault(sound), null)
  assert.match(orderFault({ ...sound, symbol: '' })!, /Select/)
  for (const size of ['', '0', '-1', '1e3', 'x'])
    assert.match(orderFault({ ...sound, size })!, /size/i)
  for (const price of ['', '0', '123456', '1,5']) {
    assert.match(orderFault({ ...sound, price })!, /price/i)
  }
})

test('an empty form has no fault: it names the next input', () => {
  const empty = { symbol: '', price: '', size: '' }
  assert.equal(typedFault(empty), null)
  assert.match(missingInput(empty)!, /Select/)
  assert.equal(missingInput({ ...sound, price: '' }), 'Enter a price')
  assert.equal(
    typedFault({ ...sound, price: '123456' }),
    'Price has more than 5 significant figures',
  )
  assert.equal(typedFault({ price: '', size: '0' }), 'Size must be greater than 0')
})

test('an order that reaches the book trades now, and another one rests or is canceled', () => {
  const buy = { side: 'Buy', price: '12.5', tif: 'gtc' } as const
  const onBook = (book: number | null) => ({ book, provider: null })
  assert.equal(executionText(buy, onBook(12.5)), 'trades now')
  assert.equal(executionText({ ...buy, side: 'Sell' }, onBook(12.4)), 'rests on the book')
  assert.equal(executionText(buy, onBook(null)), 'rests on the book')
  assert.match(executionText({ ...buy, tif: 'ioc' }, onBook(12.6))!, /^canceled/)
  assert.match(executionText({ ...buy, tif: 'alo' }, onBook(12.5))!, /^rejected/)
  assert.equal(executionText({ ...buy, price: '' }, onBook(12.5)), null)
})

test('an order that only a provider may fill goes to the providers first', () => {
  const buy = { side: 'Buy', price: '12.5', tif: 'gtc' } as const
  const offers = { book: 13, provider: 12.4 }
  assert.match(executionText(buy, offers)!, /^provider auction; rests if unfilled/)
  assert.match(
    executionText({ ...buy, tif: 'fok' }, offers)!,
    /^provider auction; canceled if unfilled/,
  )
  assert.match(executionText(buy, { book: null, provider: 12.5 })!, /^provider auction/)
  assert.equal(executionText({ ...buy, price: '12.3' }, offers), 'rests on the book')
  assert.equal(executionText({ ...buy, price: '13' }, offers), 'trades now')
})

test('a premium is price times size, and unknown while either is', () => {
  assert.equal(premiumOf({ ...sound, size: '2' }), 2501)
  assert.equal(premiumOf({ price: '', size: '1' }), null)
  assert.equal(premiumOf({ price: 'x', size: '1' }), null)
})

test('the open size of an order is its size less the filled one', () => {
  assert.equal(openSize({ size: '0.30', filled_size: '0' }), '0.3')
  assert.equal(openSize({ size: '0.3', filled_size: '0.1' }), '0.2')
})

test('a step changes the last figure by one, and never leads to an invalid price', () => {
  assert.equal(steppedPrice('1250', 1), '1251')
  assert.equal(steppedPrice('12.50', -1), '12.49')
  assert.equal(steppedPrice('0.1', 1), '0.2')
  assert.equal(steppedPrice('0.1', -1), '0.1')
  for (const price of ['', 'x', '1,5']) assert.equal(steppedPrice(price, 1), price)
})
