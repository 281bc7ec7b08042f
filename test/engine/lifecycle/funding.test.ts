import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { fundingMicros } from '../../../engine/lifecycle/funding.js'
import { PerpFunding } from '../../../engine/tables/generated/perp-funding.js'
import { HaltMode, neverMillis } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { FundingPhase } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { beginExact } from '../../simulation/checks/exact-invariants.js'
import { checkState } from '../../simulation/checks/invariants.js'
import {
  FundingRig,
  funded,
  fundedWithAge,
  hour,
  minute,
  paymentsOf,
  perp,
  perpId,
  roundsOf,
} from '../../support/funding-rig.js'
import { still } from '../../support/liquidation-rig.js'

// Other test files of the process clamp amounts on purpose.
beforeEach(beginExact)

const started = 1_000_000

/** Returns the rates of the periods that were fixed. */
function ratesOf(rig: FundingRig): (number | undefined)[] {
  return roundsOf(rig.events())
    .filter(({ phase }) => phase === FundingPhase.Fixed)
    .map(({ rate }) => rate)
}

test('a long of 2 at an index of 100,000 pays 100 to the short, with a mid 0.1 % above the index', () => {
  const rig = new FundingRig().openPerp()
  rig.quote('100000', '100200')
  rig.minutes(59)
  assert.deepEqual(paymentsOf(rig.events()), [], 'no payment before the hour ends')
  rig.minutes(1)
  const seen = rig.events()
  assert.deepEqual(paymentsOf(seen), [
    [rig.account(1), -100],
    [rig.account(2), 100],
  ])
  const end = Date.UTC(2026, 0, 1, 1)
  const facts = { rate: 0.0005, index: 100_000, end, instrument: perpId, samples: 59, holders: 2 }
  const { Fixed, Paid } = FundingPhase
  assert.deepEqual(
    roundsOf(seen).map(({ bytes: _, digest: __, ...fields }) => fields),
    [
      { ...facts, phase: Fixed, dust: 0 },
      { ...facts, phase: Paid, dust: 0 },
    ],
  )
  assert.deepEqual([rig.cash(1), rig.cash(2)], [started - 100, started + 100])
  assert.equal(rig.cash(3), started, 'a wallet that only quotes pays nothing')
  checkState(rig.state)
})

test('the rate is the mean of the premiums, clamped on both sides', () => {
  for (const [bid, ask, rate] of [
    ['100000', '100040', 0.0002],
    ['99960', '100000', -0.0002],
    ['100000', '100100', 0.0005],
    ['99900', '100000', -0.0005],
    ['100000', '100110', 0.0005],
    ['99890', '100000', -0.0005],
    ['99990', '100010', 0],
  ] as const) {
    const rig = new FundingRig().openPerp().quote(bid, ask).minutes(60)
    assert.deepEqual(ratesOf(rig), [rate], `${bid} and ${ask}`)
    assert.equal(rig.cash(1), started - 200_000 * rate, `${bid} and ${ask}`)
    checkState(rig.state)
  }
})

test('the configuration sets the cap', () => {
  const rig = new FundingRig(funded({ capRate: 0.002 })).openPerp()
  rig.quote('100000', '100200').minutes(60)
  assert.deepEqual(ratesOf(rig), [0.001])
})

test('the mean counts only minutes with a two-sided book', () => {
  const rig = new FundingRig().openPerp()
  rig.quote('100000', '100040').minutes(10)
  rig.cancelAll().quote('100000', '').minutes(20)
  rig.cancelAll().quote('', '101000').minutes(5)
  rig.cancelAll().quote('100020', '100040').minutes(25)
  const [fixed] = roundsOf(rig.events())
  // Ten minutes of 0.0002 and 24 of 0.0003; the last minute belongs to the next hour.
  assert.deepEqual([fixed?.['samples'], fixed?.['rate']], [34, 0.000270588])
})

test('an hour without a sample has no funding', () => {
  const rig = new FundingRig().openPerp().quote('100000', '')
  rig.minutes(120)
  const seen = rig.events()
  assert.deepEqual([roundsOf(seen), paymentsOf(seen)], [[], []])
})

test('the best price counts, not the oldest order or a worse one', () => {
  const rig = new FundingRig().openPerp()
  rig.quote('99000', '102000').quote('99980', '100060').quote('99500', '101000')
  rig.minutes(60)
  assert.deepEqual(ratesOf(rig), [0.0002])
})

test("one lot does not move a book's price: the price of trading 10,000 counts", () => {
  const rig = new FundingRig().openPerp().quote('99990', '100010')
  rig.quote('99999', '100000', '0.00000001').minutes(60)
  assert.deepEqual(ratesOf(rig), [0])
})

test('the mean price over several levels weighs each by its traded part', () => {
  const rig = new FundingRig().openPerp('2')
  // 5,000 bought at 100,000 and 5,000 at 100,200; 10,000 sold at 100,000: the mean of buying is 100,099.9.
  rig.quote('99900', '100000', '0.05').quote('99900', '100200').minutes(60)
  const buying = 10_000 / (0.05 + 5000 / 100_200)
  const rate = ((99_900 + buying) / 2 - 100_000) / 100_000
  assert.equal(ratesOf(rig)[0], Math.round(rate * 1e9) / 1e9)
})

test('a minute whose book is thinner on either side counts as 0 in the mean', () => {
  for (const [bidSize, askSize] of [
    ['0.0998', '0.12'],
    ['0.12', '0.09'],
  ] as const) {
    const rig = new FundingRig().openPerp().quote('100100', '', bidSize)
    rig.quote('', '100200', askSize).minutes(30)
    rig.cancelAll().quote('100020', '100040').minutes(30)
    const [fixed] = roundsOf(rig.events())
    // Thirty minutes of 0 and 29 of 0.0003; the last minute belongs to the next hour.
    assert.deepEqual([fixed?.['samples'], fixed?.['rate']], [59, 0.000_147_458], bidSize)
  }
})

test('the configuration sets the notional of the impact price', () => {
  const rig = new FundingRig(funded({ impactNotional: 100 })).openPerp()
  rig.quote('100000', '100040', '0.001').minutes(60)
  assert.deepEqual(ratesOf(rig), [0.0002])
})

test('a minute without an index, or with trading halted, is no sample', () => {
  const rig = new FundingRig(fundedWithAge()).openPerp().quote('100000', '100040')
  rig.minutes(5)
  rig.index(100_000)
  rig.run().minutes(2)
  rig.halt(HaltMode.CancelOnly)
  rig.index(100_000)
  rig.run().minutes(1)
  rig.halt(HaltMode.Open)
  rig.index(100_000)
  rig.run().minutes(52)
  const [fixed] = roundsOf(rig.events())
  // Minute 1 of the first observation, 6 of the second, 9 of the last.
  assert.deepEqual([fixed?.['samples'], fixed?.['rate']], [3, 0.0002])
  assert.equal(fixed?.['index'], 100_000, 'the hour is paid at the last known index')
})

test("the hour's end fixes the index and the holders of its payment", () => {
  const rig = new FundingRig().openPerp().quote('100000', '100200')
  rig.minutes(30)
  rig.index(102_000)
  rig.trade(4, 1, '100100', '0.5', { instrument: perp })
  rig.minutes(29)
  rig.index(100_000)
  rig.run().events()
  rig.cancelAll().quote('100100', '100200').minutes(1)
  const seen = rig.events()
  assert.equal(roundsOf(seen)[0]?.['rate'], -0.0005)
  assert.deepEqual(paymentsOf(seen), [
    [rig.account(1), 75],
    [rig.account(2), -100],
    [rig.account(4), 25],
  ])
  assert.equal(rig.cash(1), started + 75 + 0.5 * 100, 'its cash includes the realized profit')
  checkState(rig.state)
})

test('a wallet that trades after the hour pays as fixed, and can close without paying again', () => {
  const rig = new FundingRig(funded({ paymentsPerBatch: 1 })).openPerp()
  rig.quote('100000', '100200').minutes(59).events()
  rig.nowMillis += minute
  const close = { price: '100100', size: '2', instrument: perp } as const
  rig.place({ ...close, wallet: 2, side: 'Buy' })
  rig.place({ ...close, wallet: 1, side: 'Sell' })
  rig.step()
  assert.equal(rig.state.fundings.rounds.length, 1, "the short's payment comes in the next batch")
  assert.equal(rig.clearingMicros, 100e6)
  checkState(rig.state)
  rig.run()
  assert.equal(rig.position(2, perpId), 0)
  assert.deepEqual(paymentsOf(rig.events()), [
    [rig.account(1), -100],
    [rig.account(2), 100],
  ])
  checkState(rig.state)
  rig.minutes(60)
  assert.deepEqual(paymentsOf(rig.events()), [])
})

test('rounding leaves the rest of an hour as dust', () => {
  const rig = new FundingRig().openPerp('0.00000003')
  rig.trade(1, 5, '100000', '0.00000001', { instrument: perp })
  rig.deposit(5, 1000)
  rig.run()
  rig.trade(1, 5, '100000', '0.00000001', { instrument: perp })
  // 1e-8 at 123,457 × 0.0005 are 0.61728500 micros; 3e-8 are 1.85185500; 4e-8 are 2.46914.
  rig.index(123_457)
  rig.quote('123460', '124000').minutes(60)
  const seen = rig.events()
  assert.deepEqual(paymentsOf(seen), [
    [rig.account(1), -0.000002],
    [rig.account(2), 0.000002],
    [rig.account(5), 0.000001],
  ])
  const paid = roundsOf(seen).at(-1)
  assert.deepEqual([paid?.['phase'], paid?.['dust']], [FundingPhase.Paid, -0.000001])
  assert.deepEqual([rig.dustMicros, rig.clearingMicros], [-1, 0])
  checkState(rig.state)
})

test('amounts are exact, rounded half to even, and the same for both sides', () => {
  assert.equal(fundingMicros(2e8, 100_000e6, 500_000), 100e6)
  assert.equal(fundingMicros(-2e8, 100_000e6, 500_000), -100e6)
  assert.equal(fundingMicros(2e8, 100_000e6, -500_000), -100e6)
  // 0.5, 1.5 and 2.5 micros.
  assert.deepEqual(
    [1e8, 3e8, 5e8, -1e8, -3e8, -5e8].map((lots) => fundingMicros(lots, 1e6, 500)),
    [0, 2, 2, 0, -2, -2],
  )
  assert.equal(fundingMicros(1e13, 900_000_000_001, 500_000), 45_000_000_000_050 + 0)
  assert.ok(Object.is(fundingMicros(-1, 1, 1), 0), 'never -0')
})

test('with three payments a batch, every batch conserves money and pays nobody twice', () => {
  const rig = new FundingRig(funded({ paymentsPerBatch: 3 })).openPerp('0')
  holders(rig, 20)
  rig.quote('100000', '100200').minutes(59).events()
  rig.nowMillis += minute
  const paid = new Map<number, number>()
  let batches = 0
  while (rig.step()) {
    batches++
    checkState(rig.state)
    for (const [account, usd] of paymentsOf(rig.events())) {
      assert.ok(!paid.has(account), `account ${account} again`)
      paid.set(account, usd)
    }
  }
  assert.equal(batches, 7)
  assert.equal(paid.size, 21)
  assert.equal(rig.clearingMicros, 0)
  assert.equal(rig.state.fundings.paymentCount, 21)
})

test('an hour interrupted after any batch ends the same, from the journal and from a snapshot', () => {
  const rig = new FundingRig(funded({ paymentsPerBatch: 2 }))
  rig.configure(funded({ paymentsPerBatch: 2 }))
  rig.openPerp('0')
  holders(rig, 9)
  rig.quote('100000', '100200').minutes(58).events()
  const first = rig.batches.length
  rig.minutes(2)
  const last = rig.batches.length
  assert.ok(last - first >= 6)
  const events = rig.events().map(({ type, seq, fields }) => [type, seq, fields['digest']])
  for (let cut = first; cut <= last; cut++) {
    const copy = new FundingRig()
    for (const batch of rig.batches.slice(0, cut)) copy.replay(batch)
    const other = new FundingRig()
    other.restore(copy.save())
    assert.deepEqual({ ...other.state.hash }, { ...copy.state.hash }, `cut after batch ${cut}`)
    for (const each of [copy, other]) {
      each.events()
      each.nowMillis = rig.batches[cut - 1]!.timeMillis
      while (each.nowMillis < rig.nowMillis) {
        each.run()
        each.nowMillis = Math.min(rig.nowMillis, each.core.nextDeadlineMillis)
      }
      each.run()
      assert.deepEqual({ ...each.state.hash }, { ...rig.state.hash }, `cut after batch ${cut}`)
      const rest = each.events().map(({ type, seq, fields }) => [type, seq, fields['digest']])
      assert.deepEqual(rest, events.slice(events.length - rest.length), `cut after batch ${cut}`)
      checkState(each.state)
    }
  }
})

test('the core wakes up by itself for each minute and hour, but not while funding is off', () => {
  const rig = new FundingRig().openPerp().quote('100000', '100200')
  const begin = Date.UTC(2026, 0, 1)
  for (let at = 1; at <= 60; at++) {
    assert.equal(rig.core.nextDeadlineMillis, begin + at * minute)
    rig.minutes(1)
  }
  assert.deepEqual(paymentsOf(rig.events()).length, 2)
  rig.configure(funded({ enabled: false }))
  rig.run()
  assert.ok(rig.core.nextDeadlineMillis > begin + 100 * hour)
})

test('without a listed perp the core does not wake up either', () => {
  const rig = new FundingRig().openMarket()
  assert.ok(rig.core.nextDeadlineMillis > rig.nowMillis + hour)
  rig.outcome(rig.list(perp, neverMillis))
  assert.equal(rig.core.nextDeadlineMillis, rig.nowMillis + minute)
  assert.equal(rig.outcome(rig.delist(perp))['result'], Result.Accepted)
  assert.ok(rig.core.nextDeadlineMillis > rig.nowMillis + hour)
})

test('off, as it is by default, funding takes no samples and moves no money', () => {
  const rig = new FundingRig(still).openPerp().quote('100000', '100200').minutes(120)
  assert.deepEqual(roundsOf(rig.events()), [])
  const [perp] = rig.state.fundings.perps
  assert.deepEqual(perp!.differences(new PerpFunding(perpId)), [])
  assert.deepEqual([rig.cash(1), rig.cash(2)], [started, started])
})

test("switching funding off drops the hour's samples, and switching it on starts anew", () => {
  const rig = new FundingRig().openPerp().quote('100000', '100200')
  rig.minutes(30)
  rig.configure(funded({ enabled: false }))
  rig.minutes(60)
  assert.deepEqual(ratesOf(rig), [])
  rig.cancelAll().quote('99980', '100000')
  rig.configure(funded())
  rig.minutes(30)
  const [fixed] = roundsOf(rig.events())
  assert.deepEqual([fixed?.['rate'], fixed?.['samples']], [-0.0001, 29])
  checkState(rig.state)
})

test('payments already fixed are completed after funding is switched off', () => {
  const rig = new FundingRig(funded({ paymentsPerBatch: 1 })).openPerp()
  rig.quote('100000', '100200').minutes(59).events()
  rig.nowMillis += minute
  rig.configure(funded({ paymentsPerBatch: 1, enabled: false }))
  rig.step()
  assert.equal(rig.clearingMicros, 100e6)
  rig.run()
  assert.deepEqual([rig.cash(1), rig.cash(2)], [started - 100, started + 100])
  checkState(rig.state)
})

test("changing cap or slice keeps the hour's samples; changing sample or period length does not", () => {
  const rig = new FundingRig().openPerp().quote('100000', '100200').minutes(30)
  rig.configure(funded({ capRate: 0.0003, paymentsPerBatch: 1 }))
  rig.minutes(30)
  const [fixed] = roundsOf(rig.events())
  assert.deepEqual([fixed?.['rate'], fixed?.['samples']], [0.0003, 59])
  rig.minutes(20)
  rig.configure(funded({ sampleSeconds: 300 }))
  rig.minutes(40)
  assert.equal(roundsOf(rig.events())[0]?.['samples'], 8)
  rig.minutes(20)
  rig.configure(funded({ sampleSeconds: 300, periodSeconds: 8 * 3600 }))
  rig.minutes(40)
  assert.deepEqual(ratesOf(rig), [])
})

test('an engine that sleeps over an hour pays the hour that had begun, but none in between', () => {
  const rig = new FundingRig().openPerp().quote('100000', '100200').minutes(30)
  const copy = new FundingRig()
  copy.restore(rig.save())
  copy.nowMillis = rig.nowMillis + 5 * hour
  copy.run()
  const seen = copy.events()
  const [fixed] = roundsOf(seen)
  assert.deepEqual([fixed?.['samples'], fixed?.['end']], [30, Date.UTC(2026, 0, 1, 1)])
  assert.equal(paymentsOf(seen).length, 2)
  copy.nowMillis += 30 * minute
  copy.run()
  const [next, ...more] = roundsOf(copy.events())
  // The engine woke in the only minute of that hour that it saw.
  assert.deepEqual([next?.['samples'], next?.['end']], [1, Date.UTC(2026, 0, 1, 6)])
  assert.equal(more.length, 1)
  checkState(copy.state)
})

test('minutes that the engine did not see are no samples, but the current one is', () => {
  const rig = new FundingRig().openPerp().quote('100000', '100040')
  rig.nowMillis += 40 * minute + 1234
  rig.run()
  rig.minutes(20)
  const [fixed] = roundsOf(rig.events())
  assert.equal(fixed?.['samples'], 20)
})

test('two perps are funded one after another, each by its own book', () => {
  const rig = new FundingRig().openPerp().quote('100000', '100200')
  const eth = { ...perp, underlying: 'ETH' }
  rig.index(4000, 'ETH')
  rig.outcome(rig.list(eth, neverMillis))
  rig.trade(1, 2, '4000', '10', { instrument: eth })
  rig.place({ wallet: 3, side: 'Buy', price: '3998', size: '3', instrument: eth })
  rig.place({ wallet: 4, side: 'Sell', price: '4000', size: '3', instrument: eth })
  rig.minutes(60)
  const seen = rig.events()
  const fixed = roundsOf(seen).filter(({ phase }) => phase === FundingPhase.Fixed)
  assert.deepEqual(
    fixed.map(({ instrument, rate }) => [instrument, rate]),
    [
      [perpId, 0.0005],
      [perpId + 1, -0.00025],
    ],
  )
  assert.equal(rig.cash(1), started - 100 + 10)
  checkState(rig.state)
})

test('delisting a perp drops its samples, and a new listing starts without them', () => {
  const rig = new FundingRig().openPerp('0').quote('100000', '100200').minutes(30)
  assert.equal(rig.outcome(rig.delist(perp))['result'], Result.Accepted)
  rig.outcome(rig.list(perp, neverMillis))
  rig.minutes(30)
  const seen = rig.events()
  assert.deepEqual(roundsOf(seen), [])
  const copy = new FundingRig()
  copy.restore(rig.save())
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
})

test('a perp delisted between two payments of its hour is paid to the end', () => {
  const rig = new FundingRig(funded({ paymentsPerBatch: 1 })).openPerp()
  rig.quote('100000', '100200').minutes(59).events()
  rig.nowMillis += minute
  const close = { price: '100100', size: '2', instrument: perp } as const
  rig.place({ ...close, wallet: 2, side: 'Buy' })
  rig.place({ ...close, wallet: 1, side: 'Sell' })
  rig.delist(perp)
  rig.run()
  const seen = rig.events()
  assert.deepEqual(
    paymentsOf(seen).map(([, usd]) => usd),
    [-100, 100],
  )
  checkState(rig.state)
})

test('a wallet that funding takes below maintenance margin enters liquidation in that batch', () => {
  const rig = new FundingRig().openPerp('0')
  rig.deposit(5, 10_000)
  rig.trade(5, 2, '100000', '1', { instrument: perp })
  rig.index(94_760)
  rig.quote('94800', '94900').minutes(59)
  assert.equal(rig.stateOf(5), 'healthy')
  rig.nowMillis += minute
  rig.step()
  assert.equal(rig.cash(5), 10_000 - 47.38)
  assert.deepEqual(rig.margin(5), { equity: 4760 - 47.38, required: 4738 })
  assert.equal(rig.stateOf(5), 'pre_liquidation')
  checkState(rig.state)
})

test('the debt of a wallet liquidated before its payment is borne like other losses', () => {
  for (const fund of [50_000, 30]) {
    const rig = soldBeforeItsTurn(fund)
    const before = rig.insurance
    assert.equal(rig.state.fundings.rounds.length, 1, 'its payment is still to come')
    assert.deepEqual([rig.stateOf(5), rig.cash(5)], ['liquidated', 0])
    rig.run()
    const owed = 0.0005 * 88_000
    assert.deepEqual(
      paymentsOf(rig.events()).find(([account]) => account === rig.account(5)),
      [rig.account(5), -owed],
    )
    const paid = Math.min(before, owed)
    assert.equal(rig.stateOf(5), 'liquidated')
    assert.ok(Math.abs(before - rig.insurance - paid) < 1e-9, `${before} ${rig.insurance}`)
    // Wallets in profit bear what the fund lacks.
    assert.equal(rig.cash(5), 0)
    assert.equal(rig.row(5)?.sharedMicros, Math.round((owed - paid) * 1e6))
    assert.equal(rig.row(5)?.uncoveredMicros, 0)
    checkState(rig.state)
  }
})

test('an hour without holders is published and moves no money', () => {
  const rig = new FundingRig().openPerp('0').quote('100000', '100200').minutes(60)
  const seen = rig.events()
  assert.deepEqual(
    roundsOf(seen).map(({ phase, holders: held }) => [phase, held]),
    [
      [FundingPhase.Fixed, 0],
      [FundingPhase.Paid, 0],
    ],
  )
  assert.deepEqual(
    seen.filter(({ type }) => type === EventType.Funds),
    [],
  )
})

/** Returns a rig in which wallet 5 had a long when the hour was fixed, and lost its whole account in the same batch. */
function soldBeforeItsTurn(fund: number): FundingRig {
  const rig = new FundingRig(funded({ paymentsPerBatch: 1 })).openPerp('1')
  rig.deposit(5, 12_000)
  rig.fundInsurance(fund)
  rig.trade(5, 2, '100000', '1', { instrument: perp })
  rig.quote('100000', '100200').minutes(59)
  rig.nowMillis += minute - 1000
  rig.index(88_000)
  rig.run()
  assert.equal(rig.stateOf(5), 'full')
  rig.nowMillis += 1000
  rig.bid({ wallet: 4, liquidated: 5 })
  rig.step()
  rig.events()
  return rig
}

/** Makes wallets from 10 on long of wallet 2, each by a little more than the previous one. */
function holders(rig: FundingRig, count: number): void {
  for (let i = 0; i < count; i++) {
    rig.deposit(10 + i, 100_000)
    rig.run()
    rig.trade(10 + i, 2, '100000', `0.1000000${i % 10}`, { instrument: perp })
  }
  rig.events()
}

test('the engine asserts before funding if perp positions do not add up to zero', () => {
  const rig = new FundingRig().openPerp()
  rig.quote('100000', '100200')
  rig.minutes(59)
  const { exposures } = rig.state.risk
  exposures.positionLots[rig.state.risk.findExposure(rig.account(1), perpId)]!++
  assert.throws(() => rig.minutes(1), /positions add up to zero/)
})
