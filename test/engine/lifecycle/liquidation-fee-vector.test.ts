import assert from 'node:assert/strict'
import { test } from 'node:test'
import { feeMicrosOf } from '../../../engine/lifecycle/liquidation-fee.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { CoreRig } from '../../support/core-rig.js'
import { feeVectors, lotsOf, microsOf } from './settlement-vectors.js'

const liquidation = { ...engineConfigDefault.liquidation, feeRate: 0.01 }

for (const vector of feeVectors.filter(({ kind }) => kind === 'liquidation')) {
  test(`the engine charges a liquidation fee of ${vector.fee} in vector ${vector.id}`, () => {
    const rig = new CoreRig({ ...engineConfigDefault, liquidation })
    rig.openMarket(Number(vector.index_price))
    assert.equal(feeMicrosOf(rig.state, 0, lotsOf(vector.size)), microsOf(vector.fee))
  })
}
