import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText } from '../../../engine/memory/state-hash.js'
import type { CoreState } from '../../../engine/state/core-state.js'
import { ClockAlarm, HaltMode } from '../../../schemas/domain.js'
import { CoreRig } from '../../support/core-rig.js'

/** Changes of the state outside the tables, each by itself. */
const changes: Readonly<Record<string, (state: CoreState) => void>> = {
  'the halt mode of an underlying': (state) => state.setHaltMode(0, HaltMode.CancelOnly),
  'its highest index': (state) => state.setMaxIndex(0, 123),
  'an underlying': (state) => state.addUnderlying('NEW'),
  'the halt mode of new listings': (state) => state.haltListings(HaltMode.Halted),
  'a deposit by name': (state) => state.depositIds.add('one', { account: -1, amountMicros: 5 }),
  'the clock': (state) => state.clock.set(ClockAlarm.Raised, 5, 0),
  'the configuration': (state) => state.configure({ ...state.config, remarkRows: 7 }),
}

test('state outside the tables is part of the hash after the next batch', () => {
  const seen = new Map<string, string>()
  for (const [name, change] of [
    ['nothing', () => undefined],
    ...Object.entries(changes),
  ] as const) {
    const { state } = new CoreRig().openMarket()
    state.cells.close()
    change(state)
    state.cells.close()
    const text = hashText(state.hash.low, state.hash.high)
    assert.equal(seen.get(text), undefined, name)
    seen.set(text, name)
  }
})

test('pure counters can be left out', () => {
  const { state } = new CoreRig().openMarket()
  const [before, { low }] = [state.cells.uncounted(), state.hash]
  state.sink.seq += 3
  state.batchNumber++
  state.cells.close()
  assert.deepEqual(state.cells.uncounted(), before)
  assert.notEqual(state.hash.low, low)
})
