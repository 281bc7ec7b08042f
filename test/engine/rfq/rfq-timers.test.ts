import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endRfq } from '../../../engine/rfq/rfq-states.js'
import { ClockAlarm, HaltMode, RfqStatus } from '../../../schemas/domain.js'
import { LiquidationState } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { call100k, call110k, call120k, RfqRig, spread } from '../../support/rfq-rig.js'

function asked(): RfqRig {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread })
  rig.quote({ id: 1, provider: 2, legs: spread, prices: [6900, 3300] })
  rig.submit({ id: 2, legs: [[call100k, 1]], limit: 100 })
  rig.story()
  return rig
}

test('a halt ends all open requests of its underlying, with any quotes', () => {
  const rig = asked()
  rig.list({ underlying: 'ETH', strike: 3000 })
  rig.submit({ id: 3, legs: [[{ underlying: 'ETH', strike: 3000 }, 1]] })
  rig.story()
  rig.halt(HaltMode.Halted, 'BTC')
  assert.deepEqual(rig.story(), ['rfq 1 failed TradingHalted', 'rfq 2 failed TradingHalted'])
  assert.equal(rig.state.rfqs.count, 1)
  rig.halt(HaltMode.Halted)
  assert.deepEqual(rig.story(), ['rfq 3 failed TradingHalted'])
})

const halts = [
  [HaltMode.Halted, 'TradingHalted'],
  [HaltMode.CancelOnly, 'CancelOnly'],
] as const

for (const [mode, reason] of halts) {
  test(`${reason}: no quote from before a halt is executed, though the market opens in the same batch`, () => {
    const rig = asked()
    rig.halt(mode, 'BTC')
    rig.halt(HaltMode.Open, 'BTC')
    const accepted = rig.accept(1)
    assert.deepEqual(rig.story(), [
      `rfq 1 failed ${reason}`,
      `rfq 2 failed ${reason}`,
      `${accepted}: RfqClosed`,
    ])
  })
}

test('one of several requests ends at its own time', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread })
  const quote = { id: 1, legs: spread, prices: [6900, 3300] }
  rig.quote({ ...quote, provider: 2, validMillis: 4998 })
  rig.quote({ ...quote, provider: 3, validMillis: 4999 })
  rig.story()
  assert.deepEqual(rig.after(4999), ['Expired 2 at -3600'])
  assert.deepEqual(rig.after(1), ['Expired 3 at -3600'])
  const last = rig.quote({ ...quote, provider: 2, validMillis: 1 })
  assert.deepEqual(rig.story(), ['Made 2 at -3600', `${last}: Accepted`])
  assert.deepEqual(rig.after(1), [])
  assert.deepEqual(rig.after(1), ['Expired 2 at -3600', 'rfq 1 expired RfqExpired'])
})

test('a request lasts to the end of its last millisecond, even if a quote ends right before it', () => {
  const rig = new RfqRig().openCombos()
  rig.submit({ id: 1, legs: spread })
  const quote = { id: 1, legs: spread, prices: [6900, 3300] }
  rig.quote({ ...quote, provider: 2, validMillis: 29_999 })
  rig.quote({ ...quote, provider: 3, validMillis: 30_000 })
  rig.story()
  assert.deepEqual(rig.after(30_000), ['Expired 2 at -3600'])
  assert.deepEqual(rig.after(1), ['Expired 3 at -3600', 'rfq 1 expired RfqExpired'])
})

test('a clock alarm ends all of them', () => {
  const rig = asked()
  rig.clockAlarm(ClockAlarm.Raised, 5000, 0)
  assert.deepEqual(rig.story(), ['rfq 1 failed TradingHalted', 'rfq 2 failed TradingHalted'])
})

test('a delisted or expired leg ends its request', () => {
  const rig = asked()
  rig.delist(call110k)
  assert.deepEqual(rig.story(), ['rfq 1 failed InstrumentDelisted'])
  rig.submit({ id: 3, legs: [[call100k, 1]] })
  rig.story()
  rig.nowMillis = Date.UTC(2026, 0, 31) - 1000
  rig.story()
  rig.submit({ id: 4, legs: [[call100k, 1]] })
  rig.story()
  rig.nowMillis += 1000
  assert.deepEqual(rig.story(), ['rfq 4 failed InstrumentExpired'])
})

/** A taker that is short of a call, and asks to buy it back, and for another one. */
function short(): RfqRig {
  const rig = new RfqRig().openCombos(20_000)
  rig.deposit(2, 1_000_000)
  const sold = [[call100k, -1]] as const
  rig.submit({ id: 1, legs: sold })
  rig.quote({ id: 1, provider: 2, legs: sold, prices: [6900] })
  rig.story()
  rig.accept(1)
  rig.submit({ id: 2, legs: [[call100k, 1]] })
  rig.submit({ id: 3, legs: [[call110k, 1]] })
  rig.story()
  return rig
}

test('in its grace period a taker may request only to close', () => {
  const rig = short()
  rig.index(112_000)
  rig.story()
  assert.equal(rig.state.liquidations.find(0)?.state, LiquidationState.PreLiquidation)
  rig.quote({ id: 3, provider: 2, legs: [[call110k, 1]], prices: [9000] })
  rig.story()
  const more = rig.accept(3)
  assert.deepEqual(rig.story(), [
    'rfq 3 failed AccountInLiquidation',
    `${more}: AccountInLiquidation`,
  ])
  const opening = rig.submit({ id: 4, legs: [[call120k, 1]] })
  assert.deepEqual(rig.story(), [`${opening}: AccountInLiquidation`])
  rig.quote({ id: 2, provider: 2, legs: [[call100k, 1]], prices: [15_000] })
  rig.story()
  rig.accept(2)
  assert.match(rig.story().at(-1)!, /Accepted fill/)
  assert.equal(rig.state.liquidations.find(0), null)
})

test('in its grace period a wallet keeps its requests, although other events end requests', () => {
  const rig = short()
  rig.index(112_000)
  rig.story()
  rig.delist(call120k)
  assert.deepEqual(rig.story(), [])
  assert.equal(rig.state.rfqs.count, 2)
})

test('a wallet in liquidation may not request, and from its grace period on it may not quote', () => {
  const rig = short()
  rig.provider(1)
  rig.connectProvider(1, 4)
  rig.submit({ id: 5, legs: [[call100k, -1]], wallet: 4 })
  rig.index(112_000)
  rig.story()
  const quoted = rig.quote({ id: 5, provider: 1, legs: [[call100k, -1]], prices: [14_000] })
  assert.deepEqual(rig.story(), [
    'MarginRejected 1 at 14000 AccountInLiquidation',
    `${quoted}: AccountInLiquidation`,
  ])
  rig.index(135_000)
  assert.deepEqual(rig.story(), [
    'rfq 2 failed AccountInLiquidation',
    'rfq 3 failed AccountInLiquidation',
  ])
})

test('timers due together run in the order of deadlines, each once', () => {
  const rig = new RfqRig().openCombos()
  for (const id of [9, 3, 7]) rig.submit({ id, legs: spread })
  rig.story()
  assert.deepEqual(rig.after(60_000), [
    'rfq 3 no_quotes RfqUnanswered',
    'rfq 7 no_quotes RfqUnanswered',
    'rfq 9 no_quotes RfqUnanswered',
  ])
  assert.equal(rig.state.rfqs.nextMillis, Number.POSITIVE_INFINITY)
})

test('the core wakes up for a deadline if nothing else happens', () => {
  const rig = asked()
  rig.run()
  const { createdMillis } = [...rig.state.rfqs.rows][0]!.terms
  assert.equal(rig.state.rfqs.nextMillis, createdMillis + 5001)
  assert.ok(rig.core.nextDeadlineMillis <= createdMillis + 5001)
})

test('ending a request twice stops the engine', () => {
  const { state } = asked()
  const [row] = state.rfqs.rows
  const end = () => endRfq(state, row!, RfqStatus.Failed, Result.RfqExpired)
  end()
  assert.throws(end, /rfq: the request is open/)
})
