import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Breach } from '../../../engine/invariants/breach.js'
import { InvariantSweep } from '../../../engine/invariants/sweep.js'
import { orderField } from '../../../engine/matching/order-pool.js'
import { slotShape } from '../../../engine/matching/slot-pool.js'
import { Fund } from '../../../engine/state/money/funds.js'
import type { CoreRig } from '../../support/core-rig.js'
import { tradedRig } from '../../support/traded-rig.js'

const look = (rig: CoreRig): readonly Breach[] => new InvariantSweep().look(rig)
const only = (rig: CoreRig): Breach => {
  const breaches = look(rig)
  assert.equal(breaches.length, 1, JSON.stringify(breaches))
  return breaches[0]!
}

test('a correct market has no breach', () => {
  assert.deepEqual(look(tradedRig()), [])
})

test('a micro too much in a wallet breaches conservation, with all amounts', () => {
  const rig = tradedRig()
  rig.state.risk.cashMicros[1]++
  const { invariant, key, amounts } = only(rig)
  assert.deepEqual([invariant, key], ['conservation', 'conservation -1'])
  assert.deepEqual(amounts, {
    cashMicros: '4000000000001',
    fundsMicros: '0',
    openPerpCostMicros: '0',
    depositsMicros: '4000000000000',
    missingMicros: '-1',
  })
})

test('an amount that is not exact is reported as such', () => {
  const rig = tradedRig()
  rig.state.risk.cashMicros[3] = Number.NaN
  assert.equal(
    look(rig).find(({ invariant }) => invariant === 'conservation')?.text,
    'an amount of money is no exact one',
  )
})

test('positions that do not sum to zero are reported with their sum', () => {
  const rig = tradedRig()
  const { exposures } = rig.state.risk
  exposures.positionLots[rig.state.risk.findExposure(0, 0)]! += 5
  const found = look(rig).find(({ invariant }) => invariant === 'positions')
  assert.deepEqual(found?.amounts, { instrument: '0', lots: '5' })
})

test('a fund below zero is reported, although no money is missing', () => {
  const rig = tradedRig()
  const { balanceMicros } = rig.state.funds
  balanceMicros[Fund.Insurance]! -= 7
  balanceMicros[Fund.Dust]! += 7
  assert.equal(only(rig).text, 'the fund insurance has -7 micros')
})

test('money in transit without a withdrawal is found', () => {
  const rig = tradedRig()
  const { balanceMicros } = rig.state.funds
  balanceMicros[Fund.InTransit]! += 3
  balanceMicros[Fund.Dust]! -= 3
  assert.deepEqual(only(rig).amounts, { heldMicros: '3', openMicros: '0' })
})

test('a margin whose sums differ by a micro is found, with its wallet', () => {
  const rig = tradedRig()
  const { buckets, firstBucket } = rig.state.risk
  buckets.premiumMicros[firstBucket[2]!]!++
  const { invariant, text, wallet } = only(rig)
  assert.deepEqual([invariant, wallet?.account], ['margin', 2])
  assert.match(
    text,
    /^wallet 0x0{39}3: slack with working orders is \d+ micros, computed anew \d+$/,
  )
})

test('a lot in the book without an order of the core is found, and so is a level with a wrong sum', () => {
  const rig = tradedRig()
  const { orders, levels } = rig.matchers[0]!.pool
  const slot = rig.matchers[0]!.pool.slotOf.findLast((place) => place > 0)!
  orders.lots[(slot << slotShape.lotsShift) | slotShape.lots]! += 1
  const found = look(rig).filter(({ invariant }) => invariant === 'book')
  assert.equal(found.length, 2)
  assert.match(found[0]!.text, /core has 2 working, the books 2, with other sizes or prices$/)
  assert.match(found[1]!.text, /a level is the sum of its orders/)
  const level = orders.words[(slot << slotShape.shift) | orderField.level]!
  levels.lots[(level << slotShape.lotsShift) | slotShape.lots]! += 1
  assert.equal(look(rig).length, 1)
})

test('an order that only the book has is found', () => {
  const rig = tradedRig()
  const slot = rig.state.orders.firstOf(0)
  rig.state.orders.exposure[slot] = -1
  const { amounts } = look(rig).find(({ invariant }) => invariant === 'book')!
  assert.deepEqual([amounts['coreOrders'], amounts['bookOrders']], ['1', '2'])
})
