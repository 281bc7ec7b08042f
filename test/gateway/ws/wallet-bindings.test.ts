import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundWalletsMax, WalletBindings } from '../../../gateway/ws/wallet-bindings.js'

test('a wallet is pending from its request on, and bound from its answer on', () => {
  const bindings = new WalletBindings()
  bindings.asked('a', true)
  assert.deepEqual([bindings.names(), bindings.isBound('a')], [['a'], false])
  bindings.answered('a', true, true)
  assert.deepEqual([bindings.names(), bindings.isBound('a')], [['a'], true])
})

test('a failed request leaves nothing', () => {
  const bindings = new WalletBindings()
  bindings.asked('a', true)
  bindings.answered('a', true, false)
  bindings.asked('b', false)
  bindings.answered('b', false, true)
  assert.deepEqual(bindings.names(), [])
})

test('while a second request is in flight the wallet is pending', () => {
  const bindings = new WalletBindings()
  bindings.asked('a', true)
  bindings.asked('a', false)
  bindings.asked('a', true)
  bindings.answered('a', true, true)
  bindings.answered('a', false, true)
  assert.deepEqual([bindings.names(), bindings.isBound('a')], [['a'], false])
  bindings.answered('a', true, true)
  assert.equal(bindings.isBound('a'), true)
})

test('a duplicate of the binding request changes nothing, even after later ones', () => {
  const bindings = new WalletBindings()
  bindings.asked('a', true)
  bindings.answered('a', true, true)
  bindings.asked('a', true)
  bindings.answered('a', true, false)
  assert.equal(bindings.isBound('a'), true)
  bindings.asked('a', false)
  bindings.answered('a', false, true)
  bindings.asked('a', true)
  bindings.answered('a', true, false)
  assert.deepEqual(bindings.names(), [])
})

test('a connection binds 256 wallets, and those again', () => {
  const bindings = new WalletBindings()
  for (let index = 0; index < boundWalletsMax; index++) {
    assert.ok(bindings.hasRoom(`wallet ${index}`))
    bindings.asked(`wallet ${index}`, true)
  }
  assert.equal(bindings.hasRoom('another'), false)
  assert.equal(bindings.hasRoom('wallet 7'), true)
  bindings.answered('wallet 7', true, false)
  assert.equal(bindings.hasRoom('another'), true)
})
