import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderFault, premiumOf } from '../../../../gateway/web/model/order-form.js'

const sound = { symbol: 'BTC-20270326-100000-C', price: '1250.5', size: '0.1' }

test('an order is refused before it is signed', () => {
  assert.equal(orderFault(sound), null)
  assert.match(orderFault({ ...sound, symbol: '' })!, /Choose/)
  for (const size of ['', '0', '-1', '1e3', 'x'])
    assert.match(orderFault({ ...sound, size })!, /size/)
  for (const price of ['', '0', '123456', '1,5']) {
    assert.match(orderFault({ ...sound, price })!, /price/)
  }
})

test('a premium is price times size, unknown while either is', () => {
  assert.equal(premiumOf({ ...sound, size: '2' }), 2501)
  assert.equal(premiumOf({ price: '', size: '1' }), null)
  assert.equal(premiumOf({ price: 'x', size: '1' }), null)
})
