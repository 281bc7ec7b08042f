import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call100k, call110k, cashOf, positionOf, RfqRig, spread } from '../../support/rfq-rig.js'

test('a package goes out, is quoted, accepted, and trades in one step', () => {
  const rig = new RfqRig().openPackages()
  const asked = rig.submit({ id: 1, legs: spread })
  assert.deepEqual(rig.story(), [
    'rfq 1 created',
    'Invited 2',
    'Invited 3',
    'rfq 1 sent_to_qps',
    `${asked}: Accepted sent_to_qps`,
  ])
  const first = rig.quote({ id: 1, provider: 2, legs: spread, prices: [6900, 3300] })
  const second = rig.quote({ id: 1, provider: 3, legs: spread, prices: [6880, 3300] })
  assert.deepEqual(rig.story(), [
    'Made 2 at -3600',
    'rfq 1 quotes_received',
    `${first}: Accepted`,
    'Made 3 at -3580',
    `${second}: Accepted`,
  ])
  const accepted = rig.accept(1)
  assert.deepEqual(rig.story(), [
    'rfq 1 accepted',
    'fill of 3: Sell 1 at 6880',
    'fill of 1: Buy 1 at 6880, taker',
    'fill of 3: Buy 1 at 3300',
    'fill of 1: Sell 1 at 3300, taker',
    'Executed 3 at -3580',
    'rfq 1 executed fill 1',
    `${accepted}: Accepted fill 1`,
  ])
  assert.deepEqual([positionOf(rig, 1, call100k), positionOf(rig, 3, call100k)], [1, -1])
  assert.deepEqual([positionOf(rig, 1, call110k), positionOf(rig, 3, call110k)], [-1, 1])
  assert.deepEqual([cashOf(rig, 1), cashOf(rig, 3)], [1_000_000 - 3580, 1_000_000 + 3580])
})

test('the first quote within the limit executes by itself', () => {
  const rig = new RfqRig().openPackages()
  rig.submit({ id: 2, legs: spread, limit: 3600 })
  rig.story()
  rig.quote({ id: 2, provider: 2, legs: spread, prices: [6920, 3300] })
  rig.quote({ id: 2, provider: 3, legs: spread, prices: [6895, 3300] })
  const lines = rig.story()
  assert.deepEqual(lines.slice(0, 2), ['Made 2 at -3620', 'rfq 2 quotes_received'])
  assert.equal(lines.at(-2), 'rfq 2 executed fill 1')
  assert.equal(cashOf(rig, 1), 1_000_000 - 3595)
})
