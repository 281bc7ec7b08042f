import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../engine/core/operator/bootstrap.js'
import { HaltMode, OrderStatus } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { EventType } from '../../../schemas/generated/events.js'
import { Result } from '../../../schemas/results.js'
import { call100k, positionOf, RfqRig, type RigLeg, spread, taker } from '../../support/rfq-rig.js'

const buy: readonly RigLeg[] = [[call100k, 3]]
const sell: readonly RigLeg[] = [[call100k, -3]]

function working(rig: RfqRig): readonly (readonly [number, number, number])[] {
  const { orders } = rig.state
  return [...orders.working()].map((slot) => [
    orders.side[slot]!,
    orders.priceMicros[slot]! / 1e6,
    orders.openLots[slot]! / 1e8,
  ])
}

test('at the deadline a single leg goes to the book at its limit, rounded in favor of its taker', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: buy, limit: 10_000 })
  rig.submit({ id: 2, legs: sell, wallet: 4, limit: 10_000 })
  rig.story()
  assert.deepEqual(rig.after(5000), [])
  const lines = rig.after(1).sort()
  assert.deepEqual(lines, [
    'rfq 1 no_quotes RfqUnanswered order 1',
    'rfq 2 no_quotes RfqUnanswered order 2',
  ])
  assert.deepEqual(working(rig).toSorted(), [
    [0, 3333.3, 3],
    [1, 3333.4, 3],
  ])
})

test('without any provider it goes to the book at once, under the id of its request', () => {
  const rig = new RfqRig().openCombos()
  rig.leaveProvider(2, 0)
  rig.leaveProvider(3, 1)
  rig.story()
  const request = rig.submit({ id: 1, legs: buy, limit: 10_000 })
  assert.deepEqual(rig.story(), [
    'rfq 1 created',
    `${request}: Accepted no_quotes`,
    'rfq 1 no_quotes RfqNoProvider order 1',
  ])
  rig.cancelClient(taker, '00000000-0000-0000-0000-000000000001')
  rig.run()
  assert.deepEqual(working(rig), [])
})

test('quotes beyond the limit do not keep it from the book', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: buy, limit: 10_000 })
  rig.quote({ id: 1, provider: 2, legs: buy, prices: [6900] })
  rig.story()
  assert.deepEqual(rig.after(5001), ['rfq 1 expired RfqNoEligibleQuote order 1'])
})

test('several legs, or a limit that is not a valid price, leave no order', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread, limit: 3600 })
  rig.submit({ id: 2, legs: buy, limit: -1 })
  rig.submit({ id: 3, legs: buy })
  rig.story()
  assert.deepEqual(rig.after(5001).sort(), [
    'rfq 1 no_quotes RfqUnanswered',
    'rfq 2 no_quotes RfqUnanswered',
    'rfq 3 no_quotes RfqUnanswered',
  ])
  assert.deepEqual(working(rig), [])
})

test('a rejected order is published as rejected, and its request has none', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: buy, limit: 10_000 })
  rig.run()
  rig.state.risk.creditCash(0, -999_999e6)
  rig.run().events()
  rig.nowMillis += 5001
  const events = rig.run().events()
  const updates = events.filter(({ type }) => type === EventType.OrderUpdate)
  assert.deepEqual(
    updates.map(({ fields }) => [fields['status'], fields['result']]),
    [[OrderStatus.Rejected, Result.InsufficientCash]],
  )
  assert.ok(!events.some(({ type }) => type === EventType.Outcome))
  assert.equal(events.filter(({ type }) => type === EventType.Rfq).length, 1)
  const poor = new RfqRig().openCombos()
  poor.submit({ id: 1, legs: buy, limit: 10_000 })
  poor.story()
  poor.state.risk.creditCash(0, -999_999e6)
  assert.deepEqual(poor.after(5001), ['rfq 1 no_quotes RfqUnanswered'])
})

test('it trades like any order', () => {
  const rig = new RfqRig().openCombos()
  rig.place({ wallet: 4, side: 'Sell', price: '6900', size: '1', instrument: call100k })
  rig.submit({ id: 1, legs: [[call100k, 1]], limit: 7000 })
  rig.story()
  assert.deepEqual(rig.after(5001), [
    'rfq 1 no_quotes RfqUnanswered order 2',
    'fill on the book',
    'fill on the book',
  ])
})

test('matchers receive the positions of a combo of the same batch before they match it', () => {
  const rig = new RfqRig().openCombos()
  const order = { size: '2', instrument: call100k } as const
  rig.place({ wallet: 4, side: 'Sell', price: '6900', ...order })
  rig.place({ wallet: 2, side: 'Buy', price: '6900', ...order })
  rig.run()
  rig.place({ wallet: 2, side: 'Sell', price: '6950', reduceOnly: true, ...order })
  const legs = [[call100k, 2]] as const
  rig.submit({ id: 1, wallet: 4, legs })
  rig.quote({ id: 1, provider: 2, legs, prices: [6900] })
  rig.submit({ id: 2, legs, limit: 14_000 })
  rig.story()
  rig.nowMillis += 5001
  rig.accept(1, rig.quotes[0], { wallet: 4 })
  assert.ok(rig.story().some((line) => /^rfq 2 no_quotes RfqUnanswered order/.test(line)))
  assert.equal(positionOf(rig, 2, call100k), 0, 'its reduce-only order has gone')
  assert.deepEqual(working(rig), [[0, 7000, 2]])
})

test('a request ended by a halt leaves no order', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: buy, limit: 10_000 })
  rig.story()
  rig.halt(HaltMode.Halted, 'BTC')
  assert.deepEqual(rig.story(), ['rfq 1 failed TradingHalted'])
  rig.halt(HaltMode.Open, 'BTC')
  assert.deepEqual(rig.after(6000), [])
  assert.deepEqual(working(rig), [])
})

test('a request of an agent that is revoked in the same step leaves no order', () => {
  const rig = new RfqRig().openCombos()
  const agent = 60
  rig.agent(CommandType.ApproveAgent, taker, agent)
  rig.submit({ id: 1, legs: buy, limit: 10_000 }, { signer: agent })
  rig.submit({ id: 2, legs: buy, limit: 9000 })
  rig.story()
  rig.nowMillis += 5001
  rig.agent(CommandType.RevokeAgent, taker, agent)
  const lines = rig.story()
  assert.ok(lines.includes('rfq 1 no_quotes RfqUnanswered'), lines.join('\n'))
  assert.deepEqual(working(rig), [[0, 3000, 3]], 'of its owner alone')
})

test('open requests are published again to new readers', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread })
  rig.quote({ id: 1, provider: 2, legs: spread, prices: [6900, 3300] })
  rig.story()
  publishBootstrap(rig.state, () => {})
  assert.deepEqual(rig.story(), [
    'rfq 1 quotes_received (again)',
    'Bootstrap 2 at -3600',
    'Bootstrap 3',
  ])
})
