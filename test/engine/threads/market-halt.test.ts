import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvariantAlarm } from '../../../engine/memory/exchange-memory.js'
import { MarketHalt } from '../../../engine/threads/market-halt.js'
import { HaltMode } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { CoreRig } from '../../support/core-rig.js'
import { tradedRig } from '../../support/traded-rig.js'

function haltRig() {
  const rig = tradedRig()
  const alarm = new Int32Array(1)
  const halt = new MarketHalt(alarm, rig.state, rig.commands)
  return { rig, alarm, halt }
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
