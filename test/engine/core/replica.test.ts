import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineVersion } from '../../../engine/state/engine-version.js'
import { CoreRig } from '../../support/core-rig.js'

test('a replica replays batches of an earlier engine version by its rules, and later ones by the current rules', () => {
  const original = new CoreRig().openMarket()
  const replayed = new CoreRig()
  const seen: number[] = []
  const { replay } = replayed.core
  replayed.core.replay = (...batch) => {
    seen.push(replayed.state.rulesVersion)
    replay.apply(replayed.core, batch)
  }
  for (const batch of original.batches) {
    replayed.replay({ ...batch, engineVersion: engineVersion - 1 })
    assert.equal(replayed.state.rulesVersion, engineVersion)
  }
  assert.deepEqual(new Set(seen), new Set([engineVersion - 1]))
  assert.deepEqual({ ...replayed.state.hash }, { ...original.state.hash })
})
