import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { RfqIds } from '../../../../engine/state/rfq/rfq-ids.js'
import { RfqStatus } from '../../../../schemas/domain.js'
import { formatUuid } from '../../../../schemas/uuid.js'

function idOf(number: number): Uint8Array {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setUint32(12, number)
  return bytes
}
const keyOf = (number: number) => formatUuid(idOf(number), 0)

test('a limited number of ids is stored with their final status, and the oldest is dropped', () => {
  const hash = new StateHash()
  const ids = new RfqIds(hash, 3)
  for (let n = 0; n < 4; n++) ids.add(keyOf(n), idOf(n), n, RfqStatus.Created)
  assert.equal(ids.find(keyOf(0)), null)
  ids.setStatus(keyOf(2), RfqStatus.Executed)
  ids.setStatus(keyOf(0), RfqStatus.Executed)
  assert.equal(ids.find(keyOf(2))?.status, RfqStatus.Executed)
  assert.equal(ids.find(keyOf(3))?.account, 3)
})

test('loading restores them, with their hash', () => {
  const hash = new StateHash()
  const ids = new RfqIds(hash, 3)
  for (let n = 0; n < 5; n++) ids.add(keyOf(n), idOf(n), n, RfqStatus.Created)
  ids.setStatus(keyOf(4), RfqStatus.Failed)
  const writer = new StateWriter()
  ids.save(writer)
  const loadedHash = new StateHash()
  const loaded = new RfqIds(loadedHash, 3)
  loaded.load(new StateReader(writer.result()))
  assert.deepEqual([loadedHash.low, loadedHash.high], [hash.low, hash.high])
  for (const each of [ids, loaded]) each.add(keyOf(9), idOf(9), 9, RfqStatus.Created)
  assert.equal(loaded.find(keyOf(2)), null)
  assert.deepEqual([loadedHash.low, loadedHash.high], [hash.low, hash.high])
})

test('id, taker and status of each of them count in the hash', () => {
  const hashOf = (id: number, account: number, status: RfqStatus) => {
    const hash = new StateHash()
    const ids = new RfqIds(hash, 3)
    ids.add(keyOf(id), idOf(id), account, status)
    return { hash: [hash.low, hash.high], ids, now: () => [hash.low, hash.high] }
  }
  const { hash, ids, now } = hashOf(1, 1, RfqStatus.Created)
  assert.notDeepEqual(hashOf(2, 1, RfqStatus.Created).hash, hash)
  assert.notDeepEqual(hashOf(1, 2, RfqStatus.Created).hash, hash)
  ids.setStatus(keyOf(1), RfqStatus.Failed)
  assert.notDeepEqual(now(), hash)
  assert.deepEqual(now(), hashOf(1, 1, RfqStatus.Failed).hash)
})
