import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acknowledgementKind } from '../../../gateway/http/acknowledgement.js'
import { latencyKinds } from '../../../schemas/domain.js'

function kindOf(method: string, path: string): string | null {
  return latencyKinds[acknowledgementKind(method, path)] ?? null
}

test('signed writes count by their kind', () => {
  assert.equal(kindOf('POST', '/order'), 'place')
  assert.equal(kindOf('PUT', '/order'), 'replace')
  assert.equal(kindOf('DELETE', '/order_cloid'), 'cancel')
  assert.equal(kindOf('POST', '/orders/cancel'), 'bulk')
  assert.equal(kindOf('POST', '/perp-order'), 'perp')
  assert.equal(kindOf('DELETE', '/mmp-config'), 'account')
})

test('reads and simulations do not count', () => {
  assert.equal(kindOf('GET', '/orders'), null)
  assert.equal(kindOf('POST', '/risk/simulate/orders'), null)
  assert.equal(kindOf('POST', '/order/debug'), null)
  assert.equal(kindOf('constructor', '/order'), null)
})
