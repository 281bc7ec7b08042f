import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LiquidationRig, short, shortRig, still } from '../../support/liquidation-rig.js'

// Attack with two wallets of one owner: the wallet in liquidation sells too cheaply, and the other one buys.

const under = 108_000
const accomplice = 2

/** Moves the index until the wallet has about this much equity left, which it must not pass earlier. */
function pressTo(rig: LiquidationRig, usd: number, from: number): number {
  let index = from
  while (rig.margin(short).equity > usd) {
    index += 20
    rig.index(index)
    rig.run()
  }
  return index
}

test("a partial-phase order gives away at most a contract's share of the equity", () => {
  const rig = shortRig(still)
  rig.index(under)
  rig.run()
  rig.pass(60, under)
  assert.equal(rig.stateOf(short), 'partial')
  const index = pressTo(rig, 300, under)
  rig.pass(100, index)
  assert.equal(rig.stateOf(short), 'partial')
  const { equity, required } = rig.margin(short)
  assert.ok(equity > 0 && equity < 400)
  const mark = rig.state.marks.markMicros[0]! / 1e6
  const [bid] = rig.working(short)
  assert.equal(rig.row(short)!.bonusBps, 500)
  assert.ok(bid!.price - mark <= equity + 1e-6, `${bid!.price - mark} of ${equity} are given away`)
  // The other wallet takes all of it.
  rig.outcome(
    rig.place({
      wallet: accomplice,
      side: 'Sell',
      price: `${bid!.price}`,
      size: `${bid!.open}`,
      tif: 'ioc',
    }),
  )
  const after = rig.margin(short)
  assert.ok(after.equity >= -1e-6)
  assert.ok(after.equity * required >= equity * after.required - 1e-3)
  assert.ok((rig.row(short)?.insuranceMicros ?? 0) === 0)
})

test('the engine replaces a partial-phase order at once when a re-mark makes it too expensive', () => {
  const rig = shortRig(still)
  rig.list({ strike: 120_000 })
  rig.run()
  rig.trade(accomplice, short, '1500', '0.3', { instrument: { strike: 120_000 } })
  rig.index(107_500)
  rig.run()
  rig.pass(60, 107_500)
  assert.equal(rig.stateOf(short), 'partial')
  const index = pressTo(rig, 900, 107_500)
  for (const step of [0, 400, -300, 500, -900, 1100]) {
    rig.index(index + step)
    rig.run()
    if (rig.stateOf(short) !== 'partial') break
    const { equity } = rig.margin(short)
    const marks = [0, 1].map((id) => rig.state.marks.markMicros[id]! / 1e6)
    const gives = rig.working(short).reduce((sum, { price, open }) => {
      const mark = marks.reduce((near, one) =>
        Math.abs(one - price) < Math.abs(near - price) ? one : near,
      )
      return sum + Math.max(0, price - mark) * open
    }, 0)
    assert.ok(gives <= equity, `${gives} of ${equity}`)
  }
})

test('the grace period cancels an earlier bid once it gives away more than is left', () => {
  const rig = shortRig(still)
  // Harmless when it was sent: 3,900 for a mark of 3,270, by a wallet with 15,000.
  rig.outcome(rig.place({ wallet: short, side: 'Buy', price: '7000', size: '1' }))
  rig.index(under)
  rig.run()
  assert.equal(rig.stateOf(short), 'pre_liquidation')
  const before = rig.margin(short)
  const kept = rig.working(short)
  const mark = rig.state.marks.markMicros[0]! / 1e6
  const gives = kept.reduce((sum, { price, open }) => sum + Math.max(0, price - mark) * open, 0)
  assert.ok(gives <= before.equity)
  // The mark falls, and with it what the wallet may give away for the same relief.
  rig.index(107_400)
  rig.run()
  for (const { price, open } of rig.working(short)) {
    const lost = Math.max(0, price - rig.state.marks.markMicros[0]! / 1e6) * open
    assert.ok(lost <= rig.margin(short).equity)
  }
})
