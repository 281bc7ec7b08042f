import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { ApiWallets } from '../../../../engine/state/accounts/api-wallets.js'
import { apiWalletsMax } from '../../../../schemas/bounds.js'
import { walletOf } from '../../../support/rig-commands.js'

const nameOf = (first: number) => Uint8Array.of(first, ...new Uint8Array(31))
const key = (name: number, wallet: number) => ({ name: nameOf(name), address: walletOf(wallet) })

function hashOf(hash: StateHash): readonly number[] {
  hash.refresh()
  return [hash.low, hash.high]
}

test('an API wallet belongs to one account, and is found by its name', () => {
  const table = new ApiWallets(new StateHash())
  table.add(3, key(1, 7))
  assert.equal(table.has(3, walletOf(7), 0), true)
  assert.equal(table.has(2, walletOf(7), 0), false)
  assert.equal(table.has(3, walletOf(8), 0), false)
  assert.deepEqual(table.named(3, nameOf(1), 0)?.address, walletOf(7))
  assert.equal(table.named(3, nameOf(2), 0), null)
})

test('an address under two names is an API wallet until both are removed', () => {
  const table = new ApiWallets(new StateHash())
  table.add(0, key(1, 7))
  table.add(0, key(2, 7))
  table.remove(0, table.named(0, nameOf(1), 0)!)
  assert.equal(table.has(0, walletOf(7), 0), true)
  table.remove(0, table.named(0, nameOf(2), 0)!)
  assert.equal(table.has(0, walletOf(7), 0), false)
})

test('the number of names is limited', () => {
  const table = new ApiWallets(new StateHash())
  for (let i = 0; i < apiWalletsMax; i++) {
    assert.equal(table.hasRoom(0), true)
    table.add(0, key(i, i + 1))
  }
  assert.equal(table.hasRoom(0), false)
  assert.equal(table.hasRoom(1), true)
})

test('a removed name leaves nothing in the hash, whatever was noted in between', () => {
  const hash = new StateHash()
  const table = new ApiWallets(hash)
  const empty = hashOf(hash)
  table.add(4, key(1, 7))
  const one = hashOf(hash)
  assert.notDeepEqual(one, empty)
  table.add(4, key(2, 8))
  table.remove(4, table.named(4, nameOf(2), 0)!)
  assert.deepEqual(hashOf(hash), one)
  table.remove(4, table.named(4, nameOf(1), 0)!)
  assert.deepEqual(hashOf(hash), empty)
  table.setAbstraction(4, 2)
  assert.notDeepEqual(hashOf(hash), empty)
})

test('the table survives a snapshot, also with only an abstraction', () => {
  const hash = new StateHash()
  const table = new ApiWallets(hash)
  table.add(5, key(1, 7))
  table.add(2, key(1, 8))
  table.add(5, key(2, 9))
  table.setAbstraction(3, 2)
  const writer = new StateWriter()
  table.save(writer)
  const otherHash = new StateHash()
  const other = new ApiWallets(otherHash)
  const reader = new StateReader(writer.result())
  other.load(reader)
  assert.ok(reader.atEnd())
  assert.deepEqual(hashOf(otherHash), hashOf(hash))
  assert.equal(other.abstractionOf(3), 2)
  assert.deepEqual([other.has(5, walletOf(9), 0), other.has(2, walletOf(9), 0)], [true, false])
})
