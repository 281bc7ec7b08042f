import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineVersion } from '../../../engine/state/engine-version.js'
import { CoreRig } from '../../support/core-rig.js'
import { walletOf } from '../../support/rig-commands.js'

/** Wallet 2 holds 1 long for 9, sells 2 at 10 and 9.9 by one order, and buys 2 at 9. */
function throughZero(rulesVersion: number): CoreRig {
  const rig = new CoreRig().openMarket()
  rig.state.rulesVersion = rulesVersion
  const orders = [
    [1, 'Sell', '9', '1'],
    [2, 'Buy', '9', '1'],
    [1, 'Buy', '10', '1'],
    [1, 'Buy', '9.9', '1'],
    [2, 'Sell', '9.9', '2'],
    [1, 'Sell', '9', '2'],
    [2, 'Buy', '9', '2'],
  ] as const
  for (const [wallet, side, price, size] of orders) {
    rig.place({ wallet, side, price, size })
    rig.run()
  }
  return rig
}

function realizedOf({ state }: CoreRig): number {
  const { exposures } = state.risk
  const row = exposures.find(state.accounts.find(walletOf(2), 0), 0)
  return exposures.realizedMicros[row] / 1e6
}

/** A core that replays what another one has decided, as of a journal of that engine version. */
function replayed({ batches }: CoreRig, version: number): CoreRig {
  const rig = new CoreRig()
  for (const batch of batches) rig.replay({ ...batch, engineVersion: version })
  return rig
}

test('batches of an earlier engine version are replayed by its rules, and those behind them by the own', () => {
  const [old, now] = [throughZero(6), throughZero(engineVersion)]
  assert.deepEqual([realizedOf(old), realizedOf(now)], [0.9, 1.9])
  const again = replayed(old, 6)
  const { low, high } = old.state.hash
  assert.deepEqual([again.state.hash.low, again.state.hash.high], [low, high])
  assert.equal(again.state.rulesVersion, engineVersion)
  assert.equal(realizedOf(replayed(old, engineVersion)), 1.9)
})
