import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { UsernameTable } from '../../../../engine/state/accounts/username-table.js'

test('an emptied table has the hash of an unused one', () => {
  const hash = new StateHash()
  const table = new UsernameTable(hash)
  hash.refresh()
  const { low, high } = hash
  table.request(3, 'alice')
  hash.refresh()
  assert.notDeepEqual([hash.low, hash.high], [low, high])
  table.reject(3)
  hash.refresh()
  assert.deepEqual([hash.low, hash.high], [low, high])
  assert.deepEqual([...table.accounts], [])
})

test('names of both kinds are taken until they are released', () => {
  const table = new UsernameTable(new StateHash())
  table.approve(1, 'alice')
  table.request(1, 'alicia')
  assert.deepEqual([table.isTaken('alice', 2), table.isTaken('alicia', 2)], [true, true])
  assert.equal(table.isTaken('alicia', 1), false, 'its own')
  table.approve(1, 'alicia')
  assert.deepEqual([table.isTaken('alice', 2), table.isTaken('alicia', 2)], [false, true])
})

test('giving a wallet the name of another wallet stops the engine', () => {
  const table = new UsernameTable(new StateHash())
  table.approve(1, 'alice')
  assert.throws(() => table.approve(2, 'alice'), /a name has one owner/)
  assert.throws(() => table.request(2, 'alice'), /one wallet requests a name/)
  assert.equal(table.namesOf(1).username, 'alice')
})

test('saved names load unchanged, in their order', () => {
  const hash = new StateHash()
  const table = new UsernameTable(hash)
  table.request(7, 'seven')
  table.approve(2, 'two')
  table.request(2, 'another')
  const writer = new StateWriter()
  table.save(writer)
  const otherHash = new StateHash()
  const other = new UsernameTable(otherHash)
  other.load(new StateReader(writer.result()))
  hash.refresh()
  otherHash.refresh()
  assert.deepEqual([otherHash.low, otherHash.high], [hash.low, hash.high])
  assert.deepEqual([...other.accounts], [7, 2])
  assert.deepEqual(
    { ...other.namesOf(2) },
    { ...table.namesOf(2), cell: other.namesOf(2)['cell' as never] },
  )
  assert.deepEqual([other.namesOf(7).pending, other.namesOf(2).username], ['seven', 'two'])
})
