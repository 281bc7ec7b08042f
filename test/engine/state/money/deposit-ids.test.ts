import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { DepositIds } from '../../../../engine/state/money/deposit-ids.js'
import { grantIdOf, grantMinuteOf } from '../../../../schemas/grant-id.js'

const deposit = { account: 3, amountMicros: 5_000_000 }
const minute = 60_000
const wallet = `0x${'ab'.repeat(20)}`

function idsWithHash() {
  const hash = new StateHash()
  const ids = new DepositIds(hash)
  const lanes = () => {
    hash.refresh()
    return [hash.low, hash.high]
  }
  return { ids, lanes }
}

test('the id of a grant contains its minute, and no id of the operator does', () => {
  const id = grantIdOf(wallet, 7 * minute + 59_999)
  assert.equal(grantMinuteOf(id), 7)
  assert.equal(grantIdOf(wallet, 7 * minute), id)
  assert.notEqual(grantIdOf(wallet, 8 * minute), id)
  assert.equal(grantMinuteOf('7 wire'), -1)
  assert.ok(id.length <= 64)
})

test('grants are dropped a minute after their own, and ids of the operator never', () => {
  const { ids, lanes } = idsWithHash()
  ids.add('wire', deposit)
  const named = lanes()
  for (let at = 0; at < 1000; at++) {
    ids.forgetGrants(at)
    ids.add(grantIdOf(wallet, at * minute), deposit)
    assert.ok(ids.size <= 3)
  }
  const kept = [997, 998, 999].map((at) => ids.get(grantIdOf(wallet, at * minute)))
  assert.deepEqual(
    kept.map((known) => known?.account),
    [undefined, 3, 3],
  )
  assert.notDeepEqual(lanes(), named)
  ids.forgetGrants(1001)
  assert.deepEqual([ids.size, ids.get('wire')?.amountMicros], [1, 5_000_000])
  assert.deepEqual(lanes(), named)
})

test('an id that is dropped in its own batch leaves nothing in the hash', () => {
  const { ids, lanes } = idsWithHash()
  const none = lanes()
  ids.add(grantIdOf(wallet, 0), deposit)
  ids.forgetGrants(2)
  assert.deepEqual(lanes(), none)
})

test('loading restores all ids, grants as grants', () => {
  const { ids, lanes } = idsWithHash()
  ids.add(grantIdOf(wallet, 5 * minute), deposit)
  ids.add('wire', { account: -1, amountMicros: 7 })
  const writer = new StateWriter()
  ids.save(writer)
  const loaded = idsWithHash()
  loaded.ids.load(new StateReader(writer.result()))
  assert.deepEqual(loaded.lanes(), lanes())
  loaded.ids.forgetGrants(7)
  assert.deepEqual(
    [...loaded.ids].map(({ id }) => id),
    ['wire'],
  )
})

test('reusing a deposit id stops the engine', () => {
  const { ids } = idsWithHash()
  ids.add('wire', deposit)
  assert.throws(() => ids.add('wire', { ...deposit, amountMicros: 1 }), /the id is new/)
  assert.deepEqual(ids.get('wire')?.amountMicros, deposit.amountMicros)
})
