import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText } from '../../../engine/memory/state-hash.js'
import type { CoreState } from '../../../engine/state/core-state.js'
import { builderWords, clientIdWords } from '../../../engine/state/order-texts.js'
import { hashOrder } from '../../../engine/state/state-elements.js'
import { CoreRig } from '../../support/core-rig.js'

const clientIdBytes = 7

/** Hash of nothing but an order with these texts. */
function hashOf(state: CoreState, words: Int32Array): string {
  const { orders, hash } = state
  const before = { low: hash.low, high: hash.high }
  const slot = orders.take()
  orders.orderId[slot] = 4096
  orders.setTexts(slot, words, clientIdBytes, 0, clientIdWords)
  hashOrder(state, slot, true)
  const text = hashText(hash.low - before.low, hash.high - before.high)
  hashOrder(state, slot, false)
  assert.deepEqual({ low: hash.low, high: hash.high }, before, 'what was added is taken out')
  orders.free(slot)
  return text
}

test('client id and builder of a working order are part of the state, each by itself', () => {
  const { state } = new CoreRig()
  const words = new Int32Array(clientIdWords + builderWords)
  const hashes = new Set([hashOf(state, words)])
  words[1] = 0x61
  hashes.add(hashOf(state, words))
  words[clientIdWords + builderWords - 1] = 1 << 24
  hashes.add(hashOf(state, words))
  words[1] = 0
  hashes.add(hashOf(state, words))
  assert.equal(hashes.size, 4)
})
