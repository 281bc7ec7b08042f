import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { FillEffect, fillTerms } from '../../../engine/risk/order-check.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { Fund } from '../../../engine/state/money/funds.js'
import { neverMillis, OrderStatus, Right, Side } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { LiquidationChange, SettlementPhase } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { beginExact } from '../../simulation/checks/exact-invariants.js'
import { checkState } from '../../simulation/checks/invariants.js'
import { Random } from '../../simulation/run/random.js'
import { LiquidationRig, short, still } from '../../support/liquidation-rig.js'
import type { RigEvent } from '../../support/rig-event.js'

// Other test files of the process clamp amounts on purpose.
beforeEach(beginExact)

// Settlements whose debtors cannot pay.

const expiryMillis = Date.UTC(2026, 0, 31, 0)
const [buyer, other] = [2, 3]

/**
 * Returns a rig in which `short` is short 3 calls of strike 110,000, 1 to `buyer` and 2 to `other`, with 15,000 and
 * their premium.
 */
function expiredRig(config: Partial<EngineConfig> = {}): LiquidationRig {
  const rig = new LiquidationRig({ ...still, ...config })
  rig.configure({ ...still, ...config })
  rig.list({}, expiryMillis)
  rig.openMarket()
  rig.deposit(short, 45_000)
  rig.run()
  rig.trade(buyer, short, '3000', '1')
  rig.trade(other, short, '3000', '2')
  rig.nowMillis = expiryMillis
  rig.run().events()
  return rig
}

function settle(rig: LiquidationRig, price: number): RigEvent[] {
  rig.settlementPrice(price, expiryMillis)
  return rig.run().events()
}

function fieldsOf(seen: readonly RigEvent[], type: number): Readonly<Record<string, number>>[] {
  return seen.filter((event) => event.type === type).map(({ fields }) => fields)
}

function payoutsOf(rig: LiquidationRig, seen: readonly RigEvent[]) {
  return fieldsOf(seen, EventType.Payout).map(({ account, value, borne }) => {
    return [[short, buyer, other].find((wallet) => rig.account(wallet) === account), value, borne]
  })
}

test("debtors pay first, and the deficit of the fund reduces the others' payouts in proportion", () => {
  const rig = expiredRig()
  rig.fundInsurance(1500)
  rig.run()
  const before = [buyer, other].map((wallet) => rig.cash(wallet))
  const total = rig.totalMicros
  // Owed: 3 × 20,000 = 60,000. Available: 54,000 and the fund's 1,500.
  const seen = settle(rig, 130_000)
  assert.deepEqual(payoutsOf(rig, seen), [
    [short, -60_000, 0],
    [buyer, 18_500, 1500],
    [other, 37_000, 3000],
  ])
  assert.equal(rig.cash(short), 0)
  assert.deepEqual(
    [buyer, other].map((wallet, index) => rig.cash(wallet) - before[index]!),
    [18_500, 37_000],
  )
  const { insuranceMicros, sharedMicros, uncoveredMicros, deleveragedMicros } = rig.row(short)!
  assert.deepEqual([insuranceMicros, sharedMicros], [1500e6, 4500e6])
  assert.deepEqual([uncoveredMicros, deleveragedMicros], [0, 0])
  assert.equal(rig.stateOf(short), 'liquidated')
  const settled = fieldsOf(seen, EventType.Settlement).at(-1)!
  assert.deepEqual(
    [settled['phase'], settled['borne'], settled['dust']],
    [SettlementPhase.Settled, 4500, 0],
  )
  assert.equal(rig.state.funds.balanceMicros[Fund.Clearing], 0)
  assert.equal(rig.totalMicros, total)
  checkState(rig.state)
})

/**
 * Returns a rig in which `short` owes more than it has and has an order in a perp's book. Another order that trades
 * with it arrives with the payouts that leave the wallet nothing.
 */
function metAsCleared(): LiquidationRig {
  const perp = { underlying: 'BTC', expiryDate: 0, strike: 0, right: Right.None }
  // A batch checks one wallet whose marks have changed, so it reaches the debtor too late.
  const config = { ...still, remarkedPositions: 1 }
  const rig = new LiquidationRig(config)
  rig.configure(config)
  rig.list({}, expiryMillis)
  rig.list(perp, neverMillis)
  rig.openMarket()
  rig.deposit(short, 75_000)
  rig.run()
  rig.trade(buyer, short, '3000', '2')
  rig.trade(other, short, '3000', '1')
  rig.outcome(
    rig.place({ wallet: short, side: 'Sell', price: '100050', size: '1', instrument: perp }),
  )
  rig.nowMillis = expiryMillis
  rig.run().events()
  rig.settlementPrice(140_000, expiryMillis)
  rig.step()
  rig.place({ wallet: other, side: 'Buy', price: '100050', size: '1', instrument: perp })
  return rig.run()
}

test('the orders of a cleared wallet end before any command can trade with them', () => {
  const rig = metAsCleared()
  checkState(rig.state)
  assert.deepEqual(rig.working(short), [])
  assert.equal(rig.position(short, 1), 0)
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.equal(rig.working(other).length, 1)
  const updates = fieldsOf(rig.events(), EventType.OrderUpdate)
  const canceled = updates.filter(({ status }) => status === OrderStatus.Canceled)
  assert.deepEqual(
    canceled.map(({ result }) => result),
    [Result.AccountInLiquidation],
  )
})

test('a debtor that the check has not reached is cleared, and its orders end, in the same step', () => {
  const config = { ...still, remarkedPositions: 1 }
  const rig = new LiquidationRig(config)
  rig.configure(config)
  rig.list({}, expiryMillis)
  rig.openMarket()
  rig.deposit(short, 1000)
  rig.run()
  rig.trade(buyer, other, '3000', '1')
  rig.outcome(rig.place({ wallet: short, side: 'Buy', price: '10', size: '1' }))
  rig.state.risk.creditCash(rig.account(short), -1001e6)
  rig.index(100_100)
  rig.step()
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.deepEqual(rig.working(short), [])
})

test('a cleared wallet that has a position again is checked again', () => {
  const rig = metAsCleared()
  assert.equal(rig.stateOf(short), 'liquidated')
  for (const [wallet, side] of [
    [short, Side.Sell],
    [buyer, Side.Buy],
  ] as const) {
    const terms = { account: rig.account(wallet), instrument: 1, side, sizeLots: 1e8 }
    rig.state.risk.fill(fillTerms({ ...terms, priceMicros: 100_050e6 }), new FillEffect())
  }
  rig.index(100_000)
  rig.run()
  assert.equal(rig.stateOf(short), 'full')
})

test('a fund with enough money pays the whole debt, and no payout is reduced', () => {
  const rig = expiredRig()
  rig.fundInsurance(6000)
  const seen = settle(rig, 130_000)
  assert.deepEqual(
    payoutsOf(rig, seen).map(([, , borne]) => borne),
    [0, 0, 0],
  )
  assert.deepEqual([rig.cash(short), rig.insurance], [0, 0])
  assert.equal(rig.row(short)!.insuranceMicros, 6000e6)
})

test('slices of one position give the same amounts, and nobody is paid before all debtors have paid', () => {
  const settlement = { ...still.settlement, payoutsPerBatch: 1 }
  const rig = expiredRig({ settlement })
  rig.fundInsurance(1500)
  rig.run()
  const before = [buyer, other].map((wallet) => rig.cash(wallet))
  rig.settlementPrice(130_000, expiryMillis)
  const paid: number[][] = []
  while (rig.step()) {
    checkState(rig.state)
    assert.ok(rig.cash(short) >= 0, 'no batch ends with an unassigned debt')
    paid.push([buyer, other].map((wallet, index) => rig.cash(wallet) - before[index]!))
  }
  assert.ok(paid.length >= 4)
  assert.deepEqual(paid.at(-1), [18_500, 37_000])
  const owing = paid.findIndex(([one]) => one! > 0)
  assert.ok(owing >= 2, 'the first round has passed every account')
})

test('an expiry does not reduce payouts for an earlier debt: wallets in profit bear it', () => {
  const rig = expiredRig()
  // As if a fee had taken all of its cash and 10,000 more.
  rig.state.risk.creditCash(rig.account(short), -64_000e6)
  rig.state.risk.creditCash(rig.account(buyer), 64_000e6)
  const total = rig.totalMicros
  const seen = settle(rig, 130_000)
  // Everything owed to the others is missing, and 10,000 more that no position gained.
  assert.deepEqual(payoutsOf(rig, seen), [
    [short, -60_000, 0],
    [buyer, 0, 20_000],
    [other, 0, 40_000],
  ])
  assert.equal(rig.totalMicros, total)
  const { sharedMicros, uncoveredMicros } = rig.row(short)!
  assert.equal(sharedMicros + uncoveredMicros, 70_000e6)
  assert.equal(rig.cash(short), 0 - uncoveredMicros / 1e6)
  checkState(rig.state)
})

test("one lot kept elsewhere does not put an expiry's debt on that lot's counterparty", () => {
  const rig = new LiquidationRig(still)
  const later = { expiryDate: 20260228 }
  rig.configure(still)
  rig.list({}, expiryMillis)
  rig.openMarket()
  rig.list(later, Date.UTC(2026, 1, 28))
  rig.surface(0.6, 'BTC', Date.UTC(2026, 1, 28))
  rig.deposit(short, 45_000)
  rig.fundInsurance(1000)
  rig.run()
  rig.trade(buyer, short, '3000', '3')
  rig.trade(short, other, '5000', '0.01', { instrument: later })
  rig.nowMillis = expiryMillis
  rig.index(130_000)
  rig.run().events()
  const before = [buyer, other].map((wallet) => rig.cash(wallet))
  const total = rig.totalMicros
  const { equity } = rig.margin(short)
  assert.ok(equity < -5800 && equity > -6050, `${equity}`)
  const seen = settle(rig, 130_000)
  checkState(rig.state)
  // The fund and the expiry's other side bear the debtor's shortfall beyond its rest, and nobody else anything.
  assert.ok(Math.abs(rig.cash(buyer) - before[0]! - (61_000 + equity)) < 0.01)
  assert.equal(rig.insurance, 0)
  const changes = fieldsOf(seen, EventType.Liquidation).map(({ change }) => change)
  assert.ok(changes.includes(LiquidationChange.Borne), 'the same step publishes the borne amounts')
  rig.pass(120, 130_000)
  assert.equal(rig.stateOf(short), 'liquidated')
  assert.equal(rig.cash(short), 0)
  const { sharedMicros, deleveragedMicros, insuranceMicros, uncoveredMicros } = rig.row(short)!
  assert.equal(insuranceMicros, 1000e6)
  assert.ok(Math.abs(sharedMicros / 1e6 + 1000 + equity) < 0.01, `${sharedMicros}`)
  assert.ok(deleveragedMicros < 1e6 && uncoveredMicros === 0, `${deleveragedMicros}`)
  // The lot is closed at its mark, about 215 dollars.
  assert.ok(rig.cash(other) - before[1]! > -300, `${rig.cash(other) - before[1]!}`)
  assert.equal(rig.totalMicros, total)
  checkState(rig.state)
})

test('a spread is netted before its payout is reduced: nobody owes because others do not pay', () => {
  const rig = new LiquidationRig(still)
  rig.list({}, expiryMillis)
  rig.list({ strike: 120_000 }, expiryMillis)
  rig.openMarket()
  rig.deposit(short, 45_000)
  rig.run()
  rig.trade(buyer, short, '3000', '3')
  // The buyer has sold the higher strike to the other: it gains at most 10,000 a contract.
  rig.trade(other, buyer, '1500', '3', { instrument: { strike: 120_000 } })
  rig.nowMillis = expiryMillis
  rig.run().events()
  const seen = settle(rig, 150_000)
  const rows = payoutsOf(rig, seen)
  // 120,000 are owed and 54,000 available: buyer is owed 30,000 net, other 90,000.
  assert.deepEqual(rows, [
    [short, -120_000, 0],
    [buyer, 120_000 - 16_500, 16_500],
    [buyer, -90_000, 0],
    [other, 90_000 - 49_500, 49_500],
  ])
  checkState(rig.state)
})

test('a settlement fee is at most what is left and never increases what others bear', () => {
  const settlement = { ...still.settlement, feeRate: 0.00015 }
  const rig = expiredRig({ settlement })
  const seen = settle(rig, 128_000)
  const [fee] = fieldsOf(seen, EventType.Payout).map((payout) => payout['fee'])
  assert.equal(fee, 0)
  assert.equal(rig.cash(short), 0)
  assert.equal(rig.row(short)!.sharedMicros, 0, 'the debtor owed exactly what it had')
})

test('in random books debtors pay what they have, the fund the rest, and creditors bear in proportion, for any slices', () => {
  for (let seed = 1; seed <= 25; seed++) {
    const whole = settledBook(seed, 128)
    const sliced = settledBook(seed, 1)
    assert.deepEqual(sliced, whole, `seed ${seed}`)
  }
})

const strikes = [100_000, 110_000, 120_000] as const
const traders = [11, 12, 13, 14, 15, 16] as const

/**
 * Settles an expiry that many traders cannot pay, and checks their cash against the rules in plain numbers.
 * @returns the cash of all traders
 */
function settledBook(seed: number, payoutsPerBatch: number): number[] {
  const random = new Random(seed, 'book')
  const config = { ...still, settlement: { ...still.settlement, payoutsPerBatch } }
  const rig = new LiquidationRig(config)
  rig.configure(config)
  for (const strike of strikes) rig.list({ strike }, expiryMillis)
  rig.openMarket()
  for (const wallet of traders) rig.deposit(wallet, 1_000_000)
  rig.run()
  for (let trade = 0; trade < 10; trade++) {
    const [buyer, seller] = [random.pick(traders), random.pick(traders)]
    const size = `${1 + random.below(400)}e-2`
    const instrument = { strike: random.pick(strikes) }
    const contracts = String(Number(size))
    if (buyer !== seller) rig.trade(buyer, seller, '3000', contracts, { instrument })
  }
  // Simulates fees that leave the traders little cash. Wallet 1 receives them.
  for (const wallet of traders) {
    const taken = Math.round(rig.cash(wallet) * 1e6) - random.below(90_000) * 1_000_000
    rig.state.risk.creditCash(rig.account(wallet), -taken)
    rig.state.risk.creditCash(rig.account(1), taken)
  }
  rig.nowMillis = expiryMillis
  rig.run()
  const fund = random.chance(0.5) ? random.below(50_000) : 0
  if (fund > 0) rig.fundInsurance(fund)
  rig.run().events()
  const total = rig.totalMicros
  const price = 100_000 + random.below(60_000)
  const before = traders.map((wallet) => Math.round(rig.cash(wallet) * 1e6))
  const values = traders.map((wallet) =>
    strikes.reduce((sum, strike, id) => {
      const position = rig.account(wallet) < 0 ? 0 : rig.position(wallet, id)
      return sum + Math.round(Math.max(0, price - strike) * position * 1e6)
    }, 0),
  )
  rig.settlementPrice(price, expiryMillis)
  while (rig.step()) checkState(rig.state)
  const lacking = values.reduce((sum, value, index) => {
    return sum + (value < 0 ? Math.max(0, -value - before[index]!) : 0)
  }, 0)
  const borne = Math.max(0, lacking - fund * 1e6)
  const owed = values.reduce((sum, value) => sum + Math.max(0, value), 0)
  for (const [index, wallet] of traders.entries()) {
    const value = values[index]!
    const part = owed === 0 ? 0 : (borne * Math.max(0, value)) / owed
    const wanted = value < 0 ? Math.max(0, before[index]! + value) : before[index]! + value - part
    const cash = rig.cash(wallet) * 1e6
    assert.ok(Math.abs(cash - wanted) <= 2, `seed ${seed}, ${wallet}: ${cash} is ${wanted}`)
  }
  assert.equal(rig.totalMicros, total, `seed ${seed}`)
  return traders.map((wallet) => rig.cash(wallet))
}
