import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setPrice } from '../../../engine/lifecycle/settlement.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../engine/state/market/engine-config.js'
import { Fund } from '../../../engine/state/money/funds.js'
import { InstrumentState, OrderStatus, Right, Tier } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import {
  InstrumentChange,
  OutcomeFlag,
  PriceSource,
  SettlementPhase,
} from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { assertInvariants, FollowedBooks } from '../../support/core-invariants.js'
import { CoreRig } from '../../support/core-rig.js'
import type { RigInstrument } from '../../support/rig-commands.js'
import type { RigEvent } from '../../support/rig-event.js'
import { standardArrays } from '../../support/risk-arrays.js'

const expiry = Date.UTC(2026, 0, 31, 0)
const windowSeconds = 1800
const call100: RigInstrument = { strike: 100_000 }
const put100: RigInstrument = { strike: 100_000, right: Right.Put }

/** Returns a rig whose first instrument is the call of strike 100,000, at an index of 100,000. */
function openRig(config: Partial<EngineConfig> = {}): CoreRig {
  const rig = new CoreRig({ ...engineConfigDefault, ...config })
  rig.configure({ ...engineConfigDefault, ...config })
  rig.list(call100, expiry)
  rig.openMarket()
  return rig
}

/** Lets one wallet sell to another. */
function trade(
  rig: CoreRig,
  [seller, buyer]: readonly [number, number],
  size: string,
  price: string,
  instrument: RigInstrument = call100,
): void {
  const sold = rig.outcome(rig.place({ wallet: seller, side: 'Sell', price, size, instrument }))
  assert.equal(sold['result'], Result.Accepted)
  const bought = rig.outcome(rig.place({ wallet: buyer, side: 'Buy', price, size, instrument }))
  assert.equal(bought['status'], OrderStatus.Filled)
}

/** Fills the window before the expiry with an observation a second. */
function observe(rig: CoreRig, priceOf: (second: number) => number | null): void {
  rig.nowMillis = expiry - 1000
  for (let second = 0; second < windowSeconds; second++) {
    const price = priceOf(second)
    if (price !== null) rig.index(price, 'BTC', expiry - (windowSeconds - second) * 1000)
    if (second % 200 === 199) rig.run()
  }
  rig.run().events()
}

function expire(rig: CoreRig): RigEvent[] {
  rig.nowMillis = expiry
  return rig.run().events()
}

function fieldsOf(seen: readonly RigEvent[], type: number): Readonly<Record<string, number>>[] {
  return seen.filter((event) => event.type === type).map(({ fields }) => fields)
}

function cashOf(rig: CoreRig, wallet: number): number {
  const account = fieldsOfWallet(rig, wallet)
  return rig.state.risk.cashMicros[account]! / 1e6
}

function fieldsOfWallet(rig: CoreRig, wallet: number): number {
  const address = new Uint8Array(20)
  new DataView(address.buffer).setUint32(16, wallet)
  return rig.state.accounts.find(address, 0)
}

function check(rig: CoreRig, where: string): void {
  assertInvariants(rig.state, new FollowedBooks(), where)
}

test('a window of enough samples settles at its mean, long and short, to the micro', () => {
  const rig = openRig()
  trade(rig, [1, 2], '2', '3000')
  observe(rig, (second) => (second < 900 ? 104_900 : 105_100))
  const seen = expire(rig)
  const phases = fieldsOf(seen, EventType.Settlement)
  assert.deepEqual(
    phases.map(({ phase, price, valid, source }) => [phase, price, valid, source]),
    [
      [SettlementPhase.Paying, 105_000, 1800, PriceSource.Window],
      [SettlementPhase.Settled, 105_000, 1800, PriceSource.Window],
    ],
  )
  const rows = fieldsOf(seen, EventType.Payout)
  assert.deepEqual(
    rows.map(({ id, position, payoff, value, cost, price }) => [
      id,
      position,
      payoff,
      value,
      cost,
      price,
    ]),
    [
      [1, -2, 5000, -10_000, -6000, 105_000],
      [2, 2, 5000, 10_000, 6000, 105_000],
    ],
  )
  assert.equal(cashOf(rig, 1), 1_000_000 + 6000 - 10_000)
  assert.equal(cashOf(rig, 2), 1_000_000 - 6000 + 10_000)
  assert.equal(rig.state.instruments.state[0], InstrumentState.Settled)
  assert.equal(rig.state.hasPositions(0), false)
  assert.equal(rig.state.funds.totalMicros, 0)
  assert.equal(rig.state.risk.realizedTotalMicros[fieldsOfWallet(rig, 2)], 4000e6)
  check(rig, 'settled')
})

test('the steps come in order: expired, cancelled, priced, paid, settled', () => {
  const rig = openRig()
  trade(rig, [1, 2], '1', '3000')
  rig.outcome(rig.place({ wallet: 3, side: 'Buy', price: '10', size: '1', instrument: call100 }))
  observe(rig, () => 105_000)
  const seen = expire(rig)
  const steps = seen.flatMap(({ type, fields }) => {
    if (type === EventType.Instrument && fields['instrument'] !== 0) return []
    if (type === EventType.Instrument) {
      return [fields['change'] === InstrumentChange.Expired ? 'expired' : 'settled']
    }
    if (type === EventType.OrderUpdate) return [`order ${fields['result']}`]
    if (type === EventType.Settlement) return [`phase ${fields['phase']}`]
    return type === EventType.Payout ? ['payout'] : []
  })
  assert.deepEqual(steps, [
    'expired',
    `phase ${SettlementPhase.Paying}`,
    `order ${Result.InstrumentExpired}`,
    'payout',
    'payout',
    'settled',
    `phase ${SettlementPhase.Settled}`,
  ])
})

test('the configuration selects the other estimator', () => {
  const settlement = { ...engineConfigDefault.settlement, estimator: 1 as const }
  const rig = openRig({ settlement })
  observe(rig, (second) => 103_100.5 + second)
  const [priced] = fieldsOf(expire(rig), EventType.Settlement)
  assert.equal(priced?.['price'], 103_990)
})

test('one sample short of nine tenths the expiry waits for the operator, whose price settles it', () => {
  const rig = openRig()
  trade(rig, [1, 2], '1', '3000')
  observe(rig, (second) => (second < 600 ? 100_000 : second >= 841 ? 101_000 : null))
  const seen = expire(rig)
  const [pending, ...more] = fieldsOf(seen, EventType.Settlement)
  assert.deepEqual(more, [])
  assert.equal(pending?.['phase'], SettlementPhase.Pending)
  assert.equal(pending?.['valid'], 1619)
  rig.nowMillis += 3_600_000
  assert.equal(fieldsOf(rig.run().events(), EventType.Payout).length, 0)
  assert.equal(rig.state.instruments.state[0], InstrumentState.ExpiredPendingPrice)
  const answer = rig.outcome(rig.settlementPrice(102_500.5, expiry))
  assert.equal(answer['result'], Result.Accepted)
  rig.run()
  assert.equal(cashOf(rig, 1), 1_000_000 + 3000 - 2500.5)
  assert.equal(rig.state.instruments.state[0], InstrumentState.Settled)
  check(rig, "after the operator's price")
})

test('while the expiry waits, instruments are marked by the mean of the samples so far', () => {
  const rig = openRig()
  observe(rig, (second) => (second < 300 ? 101_000 : null))
  rig.index(90_000, 'BTC', expiry - 1)
  rig.run()
  const seen = expire(rig)
  assert.equal(fieldsOf(seen, EventType.Settlement)[0]?.['price'], 101_000)
  const { marks } = rig.state
  assert.equal(marks.markMicros[0], 1000e6)
  rig.nowMillis += 5000
  rig.index(80_000)
  rig.run()
  assert.equal(marks.markMicros[0], 1000e6)
  assert.equal(standardArrays(marks)[0], 0)
})

test('the same price again gets the same answer, and another one is a conflict', () => {
  const rig = openRig()
  expire(rig)
  assert.equal(rig.outcome(rig.settlementPrice(100_000, expiry))['flags'], 0)
  const again = rig.outcome(rig.settlementPrice(100_000, expiry))
  assert.deepEqual([again['result'], again['flags']], [Result.Accepted, OutcomeFlag.Repeat])
  assert.equal(rig.outcome(rig.settlementPrice(100_001, expiry))['result'], Result.PriceKnown)
})

test('the core rejects a price for an unexpired or unlisted expiry', () => {
  const rig = openRig()
  assert.equal(rig.outcome(rig.settlementPrice(100_000, expiry))['result'], Result.NotExpired)
  const other = rig.settlementPrice(100_000, expiry - 1000)
  assert.equal(rig.outcome(other)['result'], Result.NotFound)
  assert.equal(rig.outcome(rig.settlementPrice(1, expiry, 'DOGE'))['result'], Result.NotFound)
  expire(rig)
  for (const price of [0, -1, Number.NaN]) {
    const wrong = rig.outcome(rig.settlementPrice(price, expiry))
    assert.equal(wrong['result'], Result.ValueRefused, `${price}`)
  }
})

test('rounding leaves dust, and the expiry sums to zero', () => {
  const rig = openRig()
  rig.tier(3, Tier.MarketMaker)
  trade(rig, [3, 1], '0.33333333', '3000')
  trade(rig, [3, 2], '0.33333333', '3000')
  expire(rig)
  rig.settlementPrice(100_000.123457, expiry)
  const seen = rig.run().events()
  const values = fieldsOf(seen, EventType.Payout).map(({ value }) => value)
  assert.deepEqual(values, [-0.082305, 0.041152, 0.041152])
  const settled = fieldsOf(seen, EventType.Settlement).at(-1)
  assert.equal(settled?.['dust'], 0.000001)
  assert.equal(rig.state.funds.balanceMicros[Fund.Dust], 1)
  assert.equal(rig.state.funds.balanceMicros[Fund.Clearing], 0)
  check(rig, 'dust')
})

test('both sides pay the settlement fee into the fee account', () => {
  const settlement = { ...engineConfigDefault.settlement, feeRate: 0.00015 }
  const rig = openRig({ settlement })
  trade(rig, [1, 2], '1', '3000')
  expire(rig)
  rig.settlementPrice(105_000, expiry)
  const seen = rig.run().events()
  assert.deepEqual(
    fieldsOf(seen, EventType.Payout).map(({ fee }) => fee),
    [15.75, 15.75],
  )
  assert.equal(cashOf(rig, 2), 1_000_000 - 3000 + 5000 - 15.75)
  assert.equal(rig.state.funds.balanceMicros[Fund.Fees], 31.5e6)
  check(rig, 'fees')
})

test("once the price is known no payout changes a wallet's equity", () => {
  const rig = openRig()
  trade(rig, [1, 2], '1', '3000')
  expire(rig)
  const account = fieldsOfWallet(rig, 1)
  rig.settlementPrice(104_321.5, expiry)
  rig.step()
  const { risk, marks } = rig.state
  const equity = risk.cashMicros[account]! - marks.markMicros[0]!
  rig.run()
  assert.equal(risk.cashMicros[account], equity)
})

test('the core pays thousands of positions over several batches, each wallet in one', () => {
  const rig = openRig()
  rig.list(put100, expiry)
  rig.run()
  fillWallets(rig, 300)
  expire(rig)
  rig.settlementPrice(104_000, expiry)
  rig.step()
  let batches = 0
  while (rig.state.settlements.busy.length > 0) {
    const seen = stepEvents(rig)
    batches++
    check(rig, `batch ${batches}`)
    const paid = new Map<number, number>()
    for (const { account = -1 } of fieldsOf(seen, EventType.Payout)) {
      paid.set(account, (paid.get(account) ?? 0) + 1)
    }
    const { exposures, firstExposure } = rig.state.risk
    for (const account of paid.keys()) {
      const row = firstExposure[account]!
      assert.ok(
        row < 0 || exposures.positionLots[row] === 0,
        `account ${account} is paid as a whole`,
      )
    }
  }
  assert.ok(batches >= 4, `${batches}`)
  assert.equal(rig.state.settlements.payoutCount, 2 * 300 + 2)
  assert.equal(rig.state.instruments.state[0], InstrumentState.Settled)
})

test('orders of other instruments trade between the payouts', () => {
  const rig = openRig()
  rig.list({ strike: 120_000 }, expiry + 86_400_000)
  rig.surface(0.6, 'BTC', expiry + 86_400_000)
  rig.run()
  fillWallets(rig, 200)
  expire(rig)
  rig.settlementPrice(104_000, expiry)
  rig.step()
  rig.index(104_000)
  const order = { side: 'Buy', price: '10', size: '1', instrument: { strike: 120_000 } } as const
  rig.place({ ...order, wallet: 4 })
  const seen = stepEvents(rig)
  assert.ok(fieldsOf(seen, EventType.Payout).length > 0)
  assert.equal(fieldsOf(seen, EventType.Outcome).at(-1)?.['status'], OrderStatus.Acked)
  assert.ok(rig.state.settlements.busy.length > 0)
})

test('a snapshot between those batches continues where it was, with the same ids', () => {
  const rig = openRig()
  fillWallets(rig, 200)
  expire(rig)
  rig.settlementPrice(104_000, expiry)
  for (let i = 0; i < 2; i++) rig.step()
  rig.events()
  assert.ok(rig.state.settlements.busy.length > 0)
  const copy = new CoreRig()
  copy.restore(rig.save())
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
  copy.nowMillis = rig.nowMillis
  const runs = [rig, copy].map((each) => each.run().events())
  const digests = runs.map((seen) => seen.map(({ type, fields }) => [type, fields['digest']]))
  assert.deepEqual(digests[1], digests[0])
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
  check(copy, 'copy')
})

test('replaying the batches of a settlement gives the same state and the same payouts', () => {
  const rig = openRig()
  fillWallets(rig, 150)
  observe(rig, (second) => (second < 900 ? 104_900 : 105_100))
  expire(rig)
  const copy = new CoreRig()
  const ids: (number | undefined)[] = []
  for (const batch of rig.batches) {
    copy.replay(batch)
    for (const { id } of fieldsOf(copy.events(), EventType.Payout)) ids.push(id)
  }
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
  assert.deepEqual(
    ids,
    Array.from({ length: 151 }, (_, i) => i + 1),
  )
})

test('a settlement interrupted after any batch ends the same and pays nobody twice', () => {
  const settlement = { ...engineConfigDefault.settlement, payoutsPerBatch: 2 }
  const rig = openRig({ settlement })
  rig.list(put100, expiry)
  rig.run()
  fillWallets(rig, 20)
  expire(rig)
  rig.settlementPrice(104_000.333333, expiry)
  const first = rig.batches.length
  rig.run()
  const { batches } = rig
  assert.ok(batches.length - first >= 20)
  for (let cut = first; cut <= batches.length; cut++) {
    const copy = new CoreRig()
    for (const batch of batches.slice(0, cut)) copy.replay(batch)
    const before = copy.state.settlements.payoutCount
    copy.events()
    copy.nowMillis = rig.nowMillis
    // The command lost with its batch comes again: its gateway never got an answer.
    if (cut === first) copy.settlementPrice(104_000.333333, expiry)
    const ids = fieldsOf(copy.run().events(), EventType.Payout).map(({ id }) => id)
    const left = Array.from({ length: 42 - before }, (_, i) => before + i + 1)
    assert.deepEqual(ids, left, `cut after batch ${cut}`)
    assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash }, `cut after batch ${cut}`)
  }
})

test('an instrument listed after its expiry was settled gets the same price', () => {
  const rig = openRig()
  expire(rig)
  rig.settlementPrice(104_000, expiry)
  rig.run().events()
  rig.outcome(rig.list(put100, expiry))
  rig.run()
  const instrument = rig.state.instruments.count - 1
  assert.equal(rig.state.instruments.state[instrument], InstrumentState.Settled)
  assert.equal(rig.state.settlements.rows.length, 1)
  assert.equal(rig.outcome(rig.settlementPrice(104_000, expiry))['flags'], OutcomeFlag.Repeat)
})

test('an instrument listed after its expiry gets the price of its window, if there is one', () => {
  const rig = openRig()
  observe(rig, () => 103_000)
  rig.nowMillis = expiry + 500
  rig.list({ strike: 90_000 }, expiry)
  const seen = rig.run().events()
  const settled = fieldsOf(seen, EventType.Settlement).at(-1)
  assert.deepEqual([settled?.['phase'], settled?.['price']], [SettlementPhase.Settled, 103_000])
})

test('expiries at the same time settle one after another, each by its own window', () => {
  const rig = openRig()
  rig.list({ underlying: 'ETH', strike: 3000 }, expiry)
  rig.index(3500, 'ETH', expiry - 1_900_000)
  rig.run().events()
  observe(rig, () => 104_000)
  const phases = fieldsOf(expire(rig), EventType.Settlement)
  assert.deepEqual(
    phases.map(({ phase, price }) => [phase, price]),
    [
      [SettlementPhase.Paying, 104_000],
      // The last observation is older than a sample may be carried.
      [SettlementPhase.Pending, Number.NaN],
      [SettlementPhase.Settled, 104_000],
    ],
  )
})

test('the core rejects the delisting of a pending instrument with a position', () => {
  const rig = openRig()
  trade(rig, [1, 2], '1', '3000')
  expire(rig)
  assert.equal(rig.outcome(rig.delist(call100))['result'], Result.PendingSettlement)
  rig.settlementPrice(104_000, expiry)
  rig.run().events()
  assert.equal(rig.outcome(rig.delist(call100))['result'], Result.Accepted)
})

test('positions of a settled instrument no longer count against the cap', () => {
  const rig = openRig()
  trade(rig, [1, 2], '1', '3000')
  const account = fieldsOfWallet(rig, 2)
  assert.equal(rig.state.risk.positionsCounted[account], 1)
  expire(rig)
  rig.settlementPrice(104_000, expiry)
  rig.run()
  assert.equal(rig.state.risk.positionsCounted[account], 0)
})

test('the core rejects an order on a settled instrument as expired', () => {
  const rig = openRig()
  expire(rig)
  rig.settlementPrice(104_000, expiry)
  rig.run().events()
  const order = { wallet: 1, side: 'Buy', price: '1', size: '1', instrument: call100 } as const
  assert.equal(rig.outcome(rig.place(order))['result'], Result.InstrumentExpired)
})

test('with marks that use the window, the core publishes the mean so far before each re-mark', () => {
  const pricing = { ...engineConfigDefault.pricing, settlementBlend: true }
  const rig = openRig({ pricing })
  rig.nowMillis = expiry - windowSeconds * 1000
  rig.index(100_000)
  rig.run().events()
  rig.nowMillis += 1000
  rig.index(104_000)
  const seen = rig.run().events()
  const means = fieldsOf(seen, EventType.Settlement).map(({ phase, price }) => [phase, price])
  assert.deepEqual(means.at(-1), [SettlementPhase.Window, 102_000])
  assert.deepEqual(rig.state.marks.inputsOf(0).estimates, [
    { expiryMillis: expiry, priceMicros: 102_000e6 },
  ])
})

test('a wallet or its agents mark payouts as seen, once per nonce', () => {
  const rig = openRig()
  const done = rig.outcome(rig.markSeen(1, [3, 4], { nonce: 7 }))
  assert.equal(done['result'], Result.Accepted)
  rig.markSeen(1, [3, 4], { nonce: 7 })
  const seen = rig.run().events()
  assert.equal(fieldsOf(seen, EventType.PayoutsSeen).length, 0)
  assert.equal(fieldsOf(seen, EventType.Outcome)[0]?.['flags'], OutcomeFlag.Repeat)
  rig.markSeen(2, [5])
  const [event] = fieldsOf(rig.run().events(), EventType.PayoutsSeen)
  const { account, seen: isSeen, count, first } = event!
  assert.deepEqual([account, isSeen, count, first], [fieldsOfWallet(rig, 2), 1, 1, 5])
  const stranger = rig.outcome(rig.markSeen(1, [1], { signer: 2 }))
  assert.equal(stranger['result'], Result.Unauthorized)
  assert.equal(rig.outcome(rig.markSeen(1, []))['result'], Result.ValueRefused)
})

/** Lets wallets from 10 on each buy a little of the call, and of the put if listed, from wallet 1. */
function fillWallets(rig: CoreRig, count: number): void {
  const listed = rig.state.instruments.find('BTC', 20260131, 100_000e6, Right.Put) >= 0
  const options = listed ? [call100, put100] : [call100]
  rig.tier(1, Tier.MarketMaker)
  for (const instrument of options) {
    const size = String(count / 1000)
    rig.place({ wallet: 1, side: 'Sell', price: '3000', size, instrument })
  }
  for (let wallet = 10; wallet < 10 + count; wallet++) {
    rig.deposit(wallet, 100)
    for (const instrument of options) {
      rig.place({ wallet, side: 'Buy', price: '3000', size: '0.001', instrument })
    }
    if (wallet % 50 === 0) rig.run().events()
  }
  rig.run().events()
}

function stepEvents(rig: CoreRig): RigEvent[] {
  rig.step()
  return rig.events()
}

test('the engine asserts on a second settlement price', () => {
  const rig = openRig()
  observe(rig, () => 101_000)
  rig.nowMillis = expiry
  rig.run()
  const [row] = rig.state.settlements.rows
  const again = () => setPrice(rig.state, row!, 102_000e6, PriceSource.Operator)
  assert.throws(again, /a price is set once/)
})
