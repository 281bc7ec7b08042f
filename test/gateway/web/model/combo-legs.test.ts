import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comboFault, premiumWords, withLeg } from '../../../../gateway/web/model/combo-legs.js'

const call = 'BTC-20270326-100000-C'
const put = 'BTC-20270326-100000-P'
const leg = (instrument: string, size = '1') => ({ instrument, side: 'Buy' as const, size })

test('the same option again changes sides in its place, and keeps its size', () => {
  const legs = withLeg([leg(call, '0.3'), leg(put)], call, 'Sell')
  assert.deepEqual(legs, [{ ...leg(call, '0.3'), side: 'Sell' }, leg(put)])
})

test('a further leg has the size of the first', () => {
  assert.equal(withLeg([leg(call, '0.3')], put, 'Sell')[1]?.size, '0.3')
  assert.equal(withLeg([], put, 'Sell').length, 1)
})

test('an invalid combo fails before it is signed', () => {
  assert.equal(comboFault([leg(call), leg(put)], ''), null)
  assert.equal(comboFault([leg(call)], '-12.5'), null)
  assert.match(comboFault([], '')!, /Add an option/)
  assert.match(comboFault([leg(call), leg('ETH-20270326-3000-C')], '')!, /same underlying/)
  assert.match(comboFault([leg(call, '0')], '')!, /size/)
  assert.match(comboFault([leg(call)], 'much')!, /limit/)
  assert.match(
    comboFault(
      Array.from({ length: 11 }, () => leg(call)),
      '',
    )!,
    /At most 10/,
  )
})

test('a net premium below 0 is paid', () => {
  assert.equal(premiumWords('-1234.5'), 'pay 1,234.5')
  assert.equal(premiumWords('7'), 'receive 7')
})
