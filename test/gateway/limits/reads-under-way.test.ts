import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addressReadsMax,
  ReadsUnderWay,
  waitingReadsMax,
} from '../../../gateway/limits/reads-under-way.js'
import { Result } from '../../../schemas/results.js'

const [crowd, other] = [Uint8Array.of(203, 0, 113, 1), Uint8Array.of(203, 0, 113, 2)]

test('reads beyond the limit of an address wait for its own, and those of others begin at once', () => {
  const reads = new ReadsUnderWay()
  const ends: (() => void)[] = []
  const begun: string[] = []
  const take = (address: Uint8Array, name: string) =>
    reads.take(address, (end) => {
      begun.push(name)
      ends.push(end)
    })
  for (let i = 0; i < addressReadsMax; i++) assert.equal(take(crowd, 'crowd'), null)
  for (let i = 0; i < waitingReadsMax; i++) assert.equal(take(crowd, 'later'), null)
  assert.equal(take(crowd, 'refused')?.result, Result.EngineBusy)
  assert.equal(take(other, 'other'), null)
  assert.deepEqual(begun.slice(addressReadsMax - 1), ['crowd', 'other'])
  ends.shift()!()
  assert.equal(begun.at(-1), 'later')
  while (ends.length > 0) ends.shift()!()
  assert.deepEqual([begun.length, reads.size], [addressReadsMax + waitingReadsMax + 1, 0])
})
