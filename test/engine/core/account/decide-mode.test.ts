import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MarginSummary } from '../../../../engine/risk/order-check.js'
import { judge } from '../../../../engine/state/judgement.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { MarginMode, MarginModelKind, Tier } from '../../../../schemas/domain.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { AccountChange, LiquidationState, OutcomeFlag } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'
import { CoreRig } from '../../../support/core-rig.js'

const { Standard, Portfolio } = MarginMode
const ask = { wallet: 2, side: 'Sell', price: '3300', size: '1' } as const

test('a mode change is published, answered with the previous mode, and a retry gets the same answer', () => {
  const rig = new CoreRig().openMarket()
  const first = rig.marginMode(1, Portfolio, { nonce: 5 })
  const events = rig.run().events()
  assert.deepEqual(
    events.filter(({ type }) => type === EventType.Account).map(({ fields }) => fields['change']),
    [AccountChange.Modes],
  )
  const outcome = events.find(({ fields }) => fields['request'] === first)!.fields
  assert.deepEqual([outcome['result'], outcome['side']], [Result.Accepted, Standard])
  assert.equal(rig.state.risk.modelKind[0], MarginModelKind.Portfolio)
  const second = rig.outcome(rig.marginMode(1, Portfolio))
  assert.deepEqual([second['result'], second['side']], [Result.Accepted, Portfolio])
  const repeat = rig.outcome(rig.marginMode(1, Portfolio, { nonce: 5 }))
  assert.deepEqual([repeat['flags'], repeat['side']], [OutcomeFlag.Repeat, Standard])
  const copy = new CoreRig()
  copy.restore(rig.save())
  assert.equal(copy.state.risk.marginMode[0], Portfolio)
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
})

test('portfolio mode fails where it is not offered, and standard mode does not', () => {
  const config = { ...engineConfigDefault, portfolioModeAllowed: false }
  const rig = new CoreRig(config)
  rig.configure(config)
  rig.openMarket()
  const refused = rig.outcome(rig.marginMode(1, Portfolio, { nonce: 7 }))
  assert.equal(refused['result'], Result.MarginModeUnavailable)
  assert.equal(rig.outcome(rig.marginMode(1, Standard, { nonce: 7 }))['result'], Result.Accepted)
})

test('an unknown mode fails, and so does a stranger; an agent may change the mode', () => {
  const rig = new CoreRig().openMarket()
  assert.equal(rig.outcome(rig.marginMode(1, 2))['result'], Result.ValueRefused)
  assert.equal(rig.outcome(rig.marginMode(1, -1))['result'], Result.ValueRefused)
  const strange = rig.marginMode(1, Portfolio, { signer: 2 })
  assert.equal(rig.outcome(strange)['result'], Result.Unauthorized)
  assert.equal(rig.outcome(rig.marginMode(77, Portfolio))['result'], Result.NoAccount)
  rig.tier(77, Tier.Tier2)
  const unseen = rig.outcome(rig.marginMode(77, Portfolio))
  assert.deepEqual([unseen['result'], unseen['flags']], [Result.Accepted, OutcomeFlag.Unfunded])
})

test('a wallet may change the mode if it would meet initial margin, exactly to the micro', () => {
  const required = (mode: MarginMode): number => {
    const rig = shortWallet(1_000_000)
    rig.state.risk.setMarginMode(1, mode)
    const summary = new MarginSummary()
    rig.state.risk.summarize(1, summary)
    return summary.totalMarginUsed - (summary.equity - 1_000_000e6)
  }
  const [standard, portfolio] = [required(Standard), required(Portfolio)]
  assert.ok(portfolio < standard, 'the portfolio model asks less of a spread with a working sell')
  for (const [missing, result] of [
    [0, Result.Accepted],
    [1, Result.MarginNotMet],
  ] as const) {
    const rig = shortWallet(1_000_000)
    assert.equal(rig.outcome(rig.marginMode(2, Portfolio))['result'], Result.Accepted)
    rig.state.risk.creditCash(1, standard - missing - 1_000_000e6)
    const before = rig.state.hash.low
    const batch = rig.state.risk.marginMode[1]
    const would = new MarginSummary()
    assert.equal(rig.state.risk.meetsMarginIn(1, Standard, would), missing === 0)
    assert.equal(would.totalMarginUsed - would.equity, missing)
    assert.deepEqual([rig.state.hash.low, rig.state.risk.marginMode[1]], [before, batch])
    const outcome = rig.outcome(rig.marginMode(2, Standard))
    assert.equal(outcome['result'], result)
    const amounts = [0, 1, 2].map((row) => outcome[`detail${row}`])
    const named = missing === 0 ? [0, 0, 0] : [would.totalMarginUsed, would.equity, missing]
    assert.deepEqual(amounts, named, 'what it would need, what it has, what is missing')
    const mode = missing === 0 ? Standard : Portfolio
    assert.equal(rig.state.risk.marginMode[1], mode, 'a refusal changes nothing')
  }
})

test('below initial margin a wallet may name its current mode again, but not change it', () => {
  const rig = shortWallet(1_000_000)
  // It is worth so little that it is in the grace period of a liquidation, where modes may still be changed.
  const { equityMicros } = judge(rig.state, 1)
  rig.state.risk.creditCash(1, 3000e6 - equityMicros)
  const same = rig.outcome(rig.marginMode(2, Standard))
  assert.deepEqual([same['result'], same['side']], [Result.Accepted, Standard])
  assert.equal(rig.outcome(rig.marginMode(2, Portfolio))['result'], Result.MarginNotMet)
  assert.equal(rig.state.risk.marginMode[1], Standard)
  assert.equal(rig.state.liquidations.find(1)?.state, LiquidationState.PreLiquidation)
})

test('a wallet with positions or orders cannot change its mode while an index or a mark is missing', () => {
  const rig = shortWallet(1_000_000)
  rig.nowMillis += 60_001
  rig.run()
  assert.equal(rig.outcome(rig.marginMode(2, Portfolio))['result'], Result.MarginNotMet)
  assert.equal(rig.outcome(rig.marginMode(4, Portfolio))['result'], Result.Accepted)
})

test('under defined_risk, standard mode accepts no wallet with a naked short', () => {
  const config = { ...engineConfigDefault, standardIsDefinedRisk: true }
  const rig = new CoreRig(config)
  rig.configure(config)
  rig.openMarket()
  assert.equal(rig.outcome(rig.marginMode(2, Portfolio))['result'], Result.Accepted)
  assert.equal(rig.outcome(rig.place(ask))['result'], Result.Accepted)
  assert.equal(rig.outcome(rig.marginMode(2, Standard))['result'], Result.MarginNotMet)
  rig.tier(2, Tier.MarketMaker)
  assert.equal(rig.outcome(rig.marginMode(2, Standard))['result'], Result.Accepted)
})

/** Wallet 2 is short 2 of the call against 2 long of a lower strike, and sells one more. */
function shortWallet(usd: number): CoreRig {
  const rig = new CoreRig()
  rig.list()
  rig.list({ strike: 100_000 })
  rig.index(100_000)
  rig.surface(0.6)
  rig.deposit(1, 100_000_000)
  rig.deposit(2, usd)
  rig.deposit(4, 1)
  const low = { strike: 100_000 }
  rig.place({ wallet: 1, side: 'Sell', price: '6900', size: '2', instrument: low })
  rig.place({ wallet: 2, side: 'Buy', price: '6900', size: '2', instrument: low })
  rig.place({ wallet: 1, side: 'Buy', price: '3200', size: '2' })
  rig.place({ ...ask, price: '3200', size: '2' })
  rig.place({ ...ask, size: '0.5' })
  rig.run().events()
  return rig
}
