import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SeqWaits } from '../../../gateway/link/seq-waits.js'

function rig() {
  const waits = new SeqWaits()
  const resolved: string[] = []
  const wait = (seq: number, nowMillis = 0) =>
    waits.wait(seq, nowMillis, (isThere) => resolved.push(`${seq} ${isThere}`))
  return { waits, resolved, wait }
}

test('a reached sequence resolves at once, and later ones when they arrive', () => {
  const { waits, resolved, wait } = rig()
  waits.onSeq(5)
  wait(5)
  wait(7)
  wait(6)
  assert.deepEqual([resolved, waits.count], [['5 true'], 2])
  waits.onSeq(6)
  waits.onSeq(9)
  assert.deepEqual([resolved, waits.count], [['5 true', '6 true', '7 true'], 0])
})

test('after two seconds a wait ends without its sequence', () => {
  const { waits, resolved, wait } = rig()
  wait(1, 1000)
  wait(2, 2000)
  waits.tick(2999)
  assert.deepEqual(resolved, [])
  waits.tick(3000)
  assert.deepEqual([resolved, waits.count], [['1 false'], 1])
})

test('at most 4,096 requests wait', () => {
  const waits = new SeqWaits()
  const resolved: boolean[] = []
  for (let index = 0; index < 4100; index++) waits.wait(7, 0, (isThere) => resolved.push(isThere))
  assert.deepEqual([waits.count, resolved], [4096, [false, false, false, false]])
  waits.onSeq(7)
  assert.equal(resolved.filter((isThere) => isThere).length, 4096)
})
