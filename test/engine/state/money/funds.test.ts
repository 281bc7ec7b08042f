import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { Fund, Funds } from '../../../../engine/state/money/funds.js'
import { moneyMicrosMax } from '../../../../schemas/bounds.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { Result } from '../../../../schemas/results.js'
import { CoreRig } from '../../../support/core-rig.js'
import { refreshed } from '../../../support/refreshed.js'

test('balances add up, and the state hash depends only on the balances', () => {
  const [one, other] = [new StateHash(), new StateHash()]
  const funds = new Funds(one)
  funds.depositInsurance(1000)
  funds.move(Fund.Insurance, -300)
  funds.move(Fund.Dust, -1)
  funds.move(Fund.Fees, 5)
  assert.equal(funds.totalMicros, 704)
  const direct = new Funds(other)
  direct.move(Fund.Fees, 5)
  direct.move(Fund.Dust, -1)
  direct.depositInsurance(1000)
  direct.move(Fund.Insurance, -300)
  assert.deepEqual(refreshed(other), refreshed(one))
  direct.move(Fund.Insurance, 300)
  assert.notDeepEqual(refreshed(other), refreshed(one))
})

test('overdrawing a fund other than dust stops the engine', () => {
  const funds = new Funds(new StateHash())
  funds.depositInsurance(5)
  assert.throws(() => funds.move(Fund.Insurance, -6), /no balance but dust goes negative/)
  assert.throws(() => funds.move(Fund.InTransit, -1), /no balance but dust goes negative/)
  assert.throws(() => funds.move(Fund.Dust, 0.5), /the amount is a safe integer/)
  funds.move(Fund.Dust, -6)
})

test('a snapshot restores all balances', () => {
  const hash = new StateHash()
  const funds = new Funds(hash)
  funds.depositInsurance(1000)
  funds.move(Fund.Clearing, -7)
  const writer = new StateWriter()
  funds.save(writer)
  const copyHash = new StateHash()
  const copy = new Funds(copyHash)
  copy.load(new StateReader(writer.result()))
  assert.deepEqual(refreshed(copyHash), refreshed(hash))
  assert.deepEqual([...copy.balanceMicros], [...funds.balanceMicros])
  assert.equal(copy.insuranceDepositsMicros, 1000)
})

test('the insurance fund is credited once per deposit id, independent of the ids of wallets', () => {
  const rig = new CoreRig().openMarket()
  rig.deposit(1, 5, 'same')
  assert.equal(rig.outcome(rig.fundInsurance(100, 'same'))['result'], Result.Accepted)
  assert.equal(rig.outcome(rig.fundInsurance(100, 'same'))['flags'], 2)
  assert.equal(rig.outcome(rig.fundInsurance(50, ''))['result'], Result.Accepted)
  assert.equal(rig.state.funds.balanceMicros[Fund.Insurance], 150e6)
  assert.equal(rig.state.funds.insuranceDepositsMicros, 150e6)
})

test('an amount out of range fails and changes nothing', () => {
  const rig = new CoreRig().openMarket()
  for (const usd of [0, -1, Number.NaN]) {
    assert.equal(rig.outcome(rig.fundInsurance(usd))['result'], Result.AmountNotPositive, `${usd}`)
  }
  const beyond = rig.outcome(rig.fundInsurance((moneyMicrosMax + 1) / 1e6))
  assert.equal(beyond['result'], Result.FundLimit)
  assert.deepEqual([beyond['detail0'], beyond['detail1']], [0, moneyMicrosMax])
  assert.equal(rig.state.funds.totalMicros, 0)
})

test('a deposit to the fund publishes all balances', () => {
  const rig = new CoreRig().openMarket()
  rig.fundInsurance(100, '')
  const funds = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.Funds)
  assert.deepEqual(
    funds.map(({ fields }) => [fields['insurance'], fields['dust'], fields['deposits']]),
    [[100, 0, 100]],
  )
})
