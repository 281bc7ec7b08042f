import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  jumpedFrom,
  noticeMillis,
  type ShownPrice,
  withShown,
} from '../../../../gateway/web/model/followed-price.js'

/** Returns the shown prices of a ticket, given as time and price. */
function shownOf(...prices: readonly (readonly [millis: number, price: string])[]) {
  return prices.reduce<readonly ShownPrice[]>(
    (shown, [millis, price]) => withShown(shown, price, millis),
    [],
  )
}

test('a move of over one percent against the side within a second is a jump', () => {
  const risen = shownOf([0, '100'], [5000, '101.1'])
  assert.equal(jumpedFrom(risen, 'Buy', 5000), '100')
  assert.equal(jumpedFrom(risen, 'Sell', 5000), null)
  const fallen = shownOf([0, '100'], [5000, '98.9'])
  assert.equal(jumpedFrom(fallen, 'Sell', 5000), '100')
  assert.equal(jumpedFrom(fallen, 'Buy', 5000), null)
  assert.equal(jumpedFrom(shownOf([0, '100'], [5000, '100.9']), 'Buy', 5000), null)
})

test('a price that the ticket has shown for a second is no jump any more', () => {
  const risen = shownOf([0, '100'], [5000, '150'])
  assert.equal(jumpedFrom(risen, 'Buy', 5000 + noticeMillis - 1), '100')
  assert.equal(jumpedFrom(risen, 'Buy', 5000 + noticeMillis), null)
})

test('small steps within a second add up', () => {
  const steps = shownOf([0, '100'], [5000, '100.6'], [5400, '101.2'])
  assert.equal(jumpedFrom(steps, 'Buy', 5400), '100')
  assert.equal(jumpedFrom(steps, 'Buy', 6100), null)
})

test('a better price that appears only for a moment makes the return a jump', () => {
  const dip = shownOf([0, '100'], [5000, '95'], [5900, '100'])
  assert.equal(jumpedFrom(dip, 'Buy', 5950), '95')
  assert.equal(jumpedFrom(dip, 'Sell', 5950), null)
  assert.equal(jumpedFrom(dip, 'Buy', 5900 + noticeMillis), null)
  const peak = shownOf([0, '100'], [5000, '105'], [5900, '100'])
  assert.equal(jumpedFrom(peak, 'Sell', 5950), '105')
  assert.equal(jumpedFrom(peak, 'Buy', 5950), null)
})

test('the first price of a ticket is no jump', () => {
  assert.equal(jumpedFrom([], 'Buy', 0), null)
  assert.equal(jumpedFrom(shownOf([0, '100']), 'Buy', 0), null)
})

test('the list of shown prices keeps one price from before the last second', () => {
  const shown = shownOf([0, '1'], [100, '2'], [200, '3'], [5000, '4'], [5001, '5'])
  assert.deepEqual(
    shown.map(({ price }) => price),
    ['3', '4', '5'],
  )
})
