import assert from 'node:assert/strict'
import { test } from 'node:test'
import { executeQuote } from '../../../../engine/core/rfq/execute-rfq.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { Tier } from '../../../../schemas/domain.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { Result } from '../../../../schemas/results.js'
import {
  call100k,
  call110k,
  call120k,
  cashOf,
  positionOf,
  RfqRig,
  type RigLeg,
  spread,
  taker,
} from '../../../support/rfq-rig.js'

/** Runs a request that the second wallet quotes and the first one accepts. @returns the published events. */
function trade(
  rig: RfqRig,
  id: number,
  legs: readonly RigLeg[],
  prices: readonly number[],
): string[] {
  rig.submit({ id, legs })
  rig.quote({ id, provider: 2, legs, prices })
  rig.story()
  rig.accept(id)
  return rig.story()
}

test('both wallets pay their fees to the fee account', () => {
  const fees = { ...engineConfigDefault.fees, makerRate: 0.0002, takerRate: 0.0005 }
  const rig = new RfqRig({ fees }).openCombos()
  trade(rig, 1, spread, [6900, 3300])
  assert.equal(cashOf(rig, taker), 1_000_000 - 3600 - 100)
  assert.equal(cashOf(rig, 2), 1_000_000 + 3600 - 40)
  assert.equal(rig.state.funds.balanceMicros[0]! / 1e6, 140)
})

test('a leg far from its mark makes all legs trade by marks, and the net premium is unchanged', () => {
  const rig = new RfqRig().openCombos()
  const lines = trade(rig, 1, spread, [20_000, 16_405])
  const fills = lines.filter((line) => line.startsWith('fill of 1'))
  assert.equal(fills.length, 2)
  for (const line of fills) assert.match(line, /at (68\d\d|32\d\d)\./)
  assert.equal(cashOf(rig, taker), 1_000_000 - 3595)
})

test('with legPricing by marks every leg trades by marks', () => {
  const rfq = { ...engineConfigDefault.rfq, priceByMarks: true }
  const rig = new RfqRig({ rfq }).openCombos()
  const lines = trade(rig, 1, spread, [6865, 3270])
  assert.ok(!lines.some((line) => line.includes('at 6865')))
  assert.equal(cashOf(rig, taker), 1_000_000 - 3595)
})

test('enabled bands apply to the net premium', () => {
  const bands = { ...engineConfigDefault.bands, enabled: true }
  const rig = new RfqRig({ bands }).openCombos()
  rig.submit({ id: 1, legs: spread })
  const request = rig.quote({ id: 1, provider: 2, legs: spread, prices: [20_000, 100] })
  assert.equal(rig.story().at(-1), `${request}: OutsidePriceBand`)
})

test('a combo cuts reduce-only orders to the positions that remain', () => {
  const rig = new RfqRig().openCombos()
  trade(rig, 1, [[call100k, 2]], [6900])
  const order = { side: 'Sell', price: '7500', size: '2', instrument: call100k } as const
  rig.place({ wallet: taker, reduceOnly: true, ...order })
  rig.run().events()
  rig.submit({ id: 2, legs: [[call100k, -1.5]] })
  rig.quote({ id: 2, provider: 2, legs: [[call100k, -1.5]], prices: [6800] })
  rig.story()
  rig.accept(2)
  rig.run().events()
  const [slot] = rig.state.orders.working()
  assert.equal(rig.state.orders.openLots[slot!], 0.5e8)
})

test('it cuts reduce-only orders of the provider, too', () => {
  const rig = new RfqRig().openCombos()
  trade(rig, 1, [[call100k, -2]], [6800])
  const order = { side: 'Sell', price: '7500', size: '2', instrument: call100k } as const
  rig.place({ wallet: 2, reduceOnly: true, ...order })
  rig.run().events()
  trade(rig, 2, [[call100k, 1.5]], [6800])
  const [slot] = rig.state.orders.working()
  assert.equal(rig.state.orders.openLots[slot!], 0.5e8)
})

test('a combo publishes its acceptance, its fills, then its execution', () => {
  const rig = new RfqRig().openCombos()
  const lines = trade(rig, 1, spread, [6900, 3300])
  assert.deepEqual(lines.slice(0, -1), [
    'rfq 1 accepted',
    'fill of 2: Sell 1 at 6900',
    'fill of 1: Buy 1 at 6900, taker',
    'fill of 2: Buy 1 at 3300',
    'fill of 1: Sell 1 at 3300, taker',
    'Executed 2 at -3600',
    'rfq 1 executed fill 1',
  ])
  assert.equal(rig.state.tradeCount, 2, 'a trade a leg')
})

test('each wallet may have as many positions as its tier allows', () => {
  const tiers = engineConfigDefault.tiers.map((tier, index) =>
    index === Tier.Tier2 ? { ...tier, positionsMax: 1 } : tier,
  )
  const rig = new RfqRig({ tiers: tiers })
  rig.openCombos()
  rig.tier(2, Tier.Tier2)
  rig.submit({ id: 1, legs: spread })
  const terms = { id: 1, legs: spread, prices: [6900, 3300] }
  const [one, other] = [2, 3].map((provider) => rig.quote({ ...terms, provider }))
  const lines = rig.story()
  assert.ok(lines.includes(`${one}: PositionsLimit`))
  assert.ok(lines.includes(`${other}: Accepted`))
})

test('an order sees the positions of a combo that an earlier order did not have', () => {
  const rig = new RfqRig().openCombos(1_000_000_000)
  const order = { wallet: taker, side: 'Buy', price: '6900', instrument: call100k } as const
  assert.equal(rig.outcome(rig.place({ ...order, size: '1' }))['result'], Result.Accepted)
  trade(rig, 1, [[call100k, 3000]], [6900])
  assert.equal(positionOf(rig, taker, call100k), 3000)
  assert.equal(rig.outcome(rig.place({ ...order, size: '3000' }))['result'], Result.ValueLimit)
})

test('caps and tier apply to the provider, too', () => {
  const rig = new RfqRig().openCombos()
  rig.tier(2, Tier.Tier1)
  rig.submit({ id: 1, legs: spread })
  const request = rig.quote({ id: 1, provider: 2, legs: spread, prices: [6900, 3300] })
  assert.deepEqual(rig.story().slice(-2), [
    'MarginRejected 2 at -3600 TierLongOnly',
    `${request}: TierLongOnly`,
  ])
})

test('with includeRfq a leg counts for the protection of its provider, and may end its orders', () => {
  for (const mmpIncludeRfq of [false, true]) {
    const rig = new RfqRig({ mmpIncludeRfq }).openCombos()
    rig.setMmp(2, { interval: 5000, frozen: 1000, qty: 1.5 })
    const order = {
      wallet: 2,
      side: 'Sell',
      price: '7500',
      size: '2',
      instrument: call100k,
    } as const
    rig.place({ ...order, mmpEnabled: true })
    rig.place({ ...order, price: '7600' })
    rig.run().events()
    trade(rig, 1, [[call100k, 1]], [6900])
    const row = rig.state.mmp.find(1, 0)!
    assert.equal(row.count, mmpIncludeRfq ? 1 : 0)
    rig.submit({ id: 2, legs: [[call100k, 0.5]] })
    rig.quote({ id: 2, provider: 2, legs: [[call100k, 0.5]], prices: [6900] })
    rig.story()
    rig.accept(2)
    rig.place({ wallet: 4, side: 'Buy', price: '7500', size: '1', instrument: call100k })
    rig.run().events()
    assert.equal(row.frozenUntilMillis > 0, mmpIncludeRfq)
    const left = [...rig.state.orders.working()].map((slot) => rig.state.orders.account[slot])
    assert.deepEqual(left.sort(), mmpIncludeRfq ? [1, 3] : [1, 1])
  }
})

test('a combo moves the positions of both wallets by the same lots, and cash by its net premium', () => {
  const rig = new RfqRig().openCombos()
  const legs: readonly RigLeg[] = [
    [call100k, 0.333_333_33],
    [call110k, -0.777_777_77],
    [call120k, 0.1],
  ]
  rig.submit({ id: 1, legs })
  const prices = [6_853.123_457, 3_270.654_321, 1_395.000_001]
  rig.quote({ id: 1, provider: 2, legs, prices })
  rig.story()
  rig.accept(1)
  rig.story()
  const { net } = rig.quotes.at(-1)!
  assert.equal(Math.round((cashOf(rig, taker) - 1_000_000 - net) * 1e6) + 0, 0)
  assert.equal(Math.round((cashOf(rig, 2) - 1_000_000 + net) * 1e6) + 0, 0)
  for (const [instrument, contracts] of legs) {
    assert.equal(positionOf(rig, taker, instrument), contracts)
    assert.equal(positionOf(rig, 2, instrument), -contracts)
  }
})

test('a replay, and a snapshot in between, end in the same state', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread })
  rig.quote({ id: 1, provider: 2, legs: spread, prices: [6900, 3300] })
  rig.submit({ id: 2, legs: [[call100k, 1]], limit: 6000 })
  rig.story()
  const saved = rig.save()
  const from = rig.batches.length
  rig.accept(1)
  rig.run()
  rig.nowMillis += 5001
  rig.run()
  const events = rig.events().map(({ seq, type, fields }) => [seq, type, fields['digest']])
  const again = new RfqRig()
  again.restore(saved)
  for (const batch of rig.batches.slice(from)) again.replay(batch)
  const replayed = again.events().map(({ seq, type, fields }) => [seq, type, fields['digest']])
  assert.deepEqual(replayed, events)
  assert.ok(events.some(([, type]) => type === EventType.Rfq))
  assert.deepEqual(again.save(), rig.save())
})

test('executing an expired or missing quote stops the engine', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread })
  rig.quote({ id: 1, provider: 2, legs: spread, prices: [6900, 3300], validMillis: 1 })
  rig.story()
  const { state } = rig
  const [row] = state.rfqs.rows
  const [quoted, silent] = row!.invited
  assert.throws(() => executeQuote(state, row!, silent!), /the quote is live/)
  state.nowMillis += 2
  assert.throws(() => executeQuote(state, row!, quoted!), /the quote has not expired/)
})
