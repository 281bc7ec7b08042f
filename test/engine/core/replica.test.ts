import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineVersion } from '../../../engine/state/engine-version.js'
import { CoreRig } from '../../support/core-rig.js'

test('a replica replays batches of an earlier engine version by its rules, and later ones by the current rules', () => {
  const published = new CoreRig().openMarket()
  const again = new CoreRig()
  const seen: number[] = []
  const { replay } = again.core
  again.core.replay = (...batch) => {
    seen.push(again.state.rulesVersion)
    replay.apply(again.core, batch)
  }
  for (const batch of published.batches) {
    again.replay({ ...batch, engineVersion: engineVersion - 1 })
    assert.equal(again.state.rulesVersion, engineVersion)
  }
  assert.deepEqual(new Set(seen), new Set([engineVersion - 1]))
  assert.deepEqual({ ...again.state.hash }, { ...published.state.hash })
})
