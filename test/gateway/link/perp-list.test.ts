import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InstrumentState, neverMillis } from '../../../schemas/domain.js'
import { InstrumentChange } from '../../../schemas/record-values.js'
import { hubRig } from '../../support/hub-rig.js'

const { Bootstrap, Created, Deleted } = InstrumentChange
const { Active, Deleted: gone } = InstrumentState

test('perps are listed by instrument number, without options and delisted perps', () => {
  const { context, script, pump } = hubRig()
  const { perps } = context
  assert.deepEqual(perps.rows(), [])
  script.instrument(3, 'ETH-PERP', 1, neverMillis, Bootstrap)
  script.instrument(1, 'BTC-20300628-100000-C', 0, Date.UTC(2030, 5, 28), Bootstrap)
  script.instrument(2, 'BTC-PERP', 0, neverMillis, Bootstrap)
  script.instrument(0, 'OLD-PERP', 2, neverMillis, Bootstrap, gone)
  pump()
  assert.deepEqual(perps.rows(), [
    { asset: 3, underlying: 'BTC', symbol: 'BTC-PERP' },
    { asset: 4, underlying: 'ETH', symbol: 'ETH-PERP' },
  ])
  assert.deepEqual(
    [0, 1, 2, 4, -1].map((asset) => perps.underlyingOf(asset)),
    ['OLD', null, 'BTC', null, null],
  )
})

test('a perp that is listed again has another number, and the old one keeps its name', () => {
  const { context, script, pump } = hubRig()
  script.instrument(2, 'BTC-PERP', 0, neverMillis, Created, Active)
  script.instrument(2, 'BTC-PERP', 0, neverMillis, Deleted, gone)
  pump()
  assert.deepEqual(context.perps.rows(), [])
  script.instrument(5, 'BTC-PERP', 0, neverMillis, Created, Active)
  pump()
  assert.deepEqual(context.perps.rows(), [{ asset: 6, underlying: 'BTC', symbol: 'BTC-PERP' }])
  assert.equal(context.perps.underlyingOf(2), 'BTC')
  assert.equal(context.perps.underlyingOf(5), 'BTC')
})
