import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocateExchangeMemory, InvariantAlarm } from '../../../engine/memory/exchange-memory.js'
import { MarketHalt } from '../../../engine/threads/market-halt.js'
import { StopRequests } from '../../../engine/threads/stop-requests.js'
import { HaltMode } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { CoreRig } from '../../support/core-rig.js'
import { tradedRig } from '../../support/traded-rig.js'

function haltRig() {
  const rig = tradedRig()
  const alarm = new Int32Array(1)
  const requests = new StopRequests(allocateExchangeMemory(0, 1).stopRequests)
  const halt = new MarketHalt(alarm, rig.state, rig.commands, requests)
  return { rig, alarm, halt, requests }
}

test('a raised alarm is one journaled halt of everything, and ends when the operator opens the market', () => {
  const { rig, alarm, halt } = haltRig()
  alarm[0] = InvariantAlarm.Raised
  const batches = rig.batches.length
  assert.equal(halt.doWork(), InvariantAlarm.Halted)
  assert.equal(halt.doWork(), InvariantAlarm.Halted)
  rig.run()
  assert.equal(rig.batches.length, batches + 1)
  assert.equal(rig.state.haltModeOf(0), HaltMode.Halted)
  assert.equal(halt.doWork(), InvariantAlarm.Halted)
  rig.events()
  rig.place({ wallet: 3, side: 'Buy', price: '4500', size: '1' })
  const [outcome] = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.Outcome)
  assert.notEqual(outcome?.fields['result'], 0)
  rig.halt(HaltMode.Open)
  rig.run()
  assert.equal(halt.doWork(), InvariantAlarm.None)
  assert.equal(alarm[0], InvariantAlarm.None)
})

test('a replay of the journal halts and opens at the same places', () => {
  const { rig, alarm, halt } = haltRig()
  alarm[0] = InvariantAlarm.Raised
  halt.doWork()
  rig.run()
  const other = new CoreRig()
  for (const batch of rig.batches) other.replay(batch)
  assert.equal(other.state.haltModeOf(0), HaltMode.Halted)
  assert.equal(other.state.hash.low, rig.state.hash.low)
})

test('each wallet that the watch reports is stopped by one journaled command, and the market stays open', () => {
  const { rig, halt, requests } = haltRig()
  const batches = rig.batches.length
  for (const account of [0, 2, 0]) assert.ok(requests.put(account))
  for (let turn = 0; turn < 4; turn++) {
    assert.equal(halt.doWork(), InvariantAlarm.None)
    rig.run()
  }
  assert.deepEqual([...rig.state.walletStops.accounts], [0, 2])
  assert.equal(rig.batches.length, batches + 2)
  assert.equal(rig.state.haltModeOf(0), HaltMode.Open)
  const other = new CoreRig()
  for (const batch of rig.batches) other.replay(batch)
  assert.deepEqual([...other.state.walletStops.accounts], [0, 2])
  assert.deepEqual({ ...other.state.hash }, { ...rig.state.hash })
})

test('the requests of one check fit, and one more waits', () => {
  const { requests } = haltRig()
  const accounts = Array.from({ length: 32 }, (_, account) => account)
  for (const account of accounts) assert.ok(requests.put(account))
  assert.equal(requests.put(32), false)
  assert.deepEqual(
    accounts.map(() => requests.take()),
    accounts,
  )
  assert.equal(requests.take(), -1)
})
