import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../../engine/core/replica.js'
import {
  bookFee,
  publishTradingFees,
  workOutFees,
} from '../../../../engine/core/steps/charge-fees.js'
import { FillTerms, MarginSummary } from '../../../../engine/risk/order-check.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { Fund } from '../../../../engine/state/money/funds.js'
import { BuilderStatus, neverMillis, Right } from '../../../../schemas/domain.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { AccountChange } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'
import { CoreRig } from '../../../support/core-rig.js'
import { walletOf } from '../../../support/rig-commands.js'
import type { RigEvent } from '../../../support/rig-event.js'

const schedule = {
  makerRate: 0.0002,
  takerRate: 0.0005,
  optionCap: 0.125,
  perpMakerRate: 0.0001,
  perpTakerRate: 0.0005,
  builderShare: 0.5,
}
const buy = { wallet: 1, side: 'Buy', size: '1', price: '100' } as const
const sell = { wallet: 2, side: 'Sell', size: '1', price: '100' } as const
const builder = 77

function rigOf(fees: Partial<typeof schedule> = {}, index = 3200): CoreRig {
  const config = { ...engineConfigDefault, fees: { ...schedule, ...fees } }
  const rig = new CoreRig(config).openMarket(index)
  for (const wallet of [builder, 1, 2]) rig.builder(wallet)
  rig.run().events()
  return rig
}

/** Fee and builder's part of both sides, maker first, of everything traded since the last look. */
function feesOf(seen: readonly RigEvent[]): unknown[] {
  return seen
    .filter(({ type }) => type === EventType.Fill)
    .map(({ fields }) => [fields['isTaker'], fields['fee'], fields['builderFee']])
}

function cashOf({ state }: CoreRig, wallet: number): number {
  const account = state.accounts.find(walletOf(wallet), 0)
  return account < 0 ? 0 : state.risk.cashMicros[account]! / 1e6
}

function reservedOf({ state }: CoreRig, wallet: number): number {
  const summary = new MarginSummary()
  state.risk.summarize(state.accounts.find(walletOf(wallet), 0), summary)
  return summary.premiumReserved / 1e6
}

test('maker and taker pay their rates of the index to the fee account', () => {
  const rig = rigOf()
  rig.place(sell)
  rig.place(buy)
  const seen = rig.run().events()
  assert.deepEqual(feesOf(seen), [
    [0, 0.64, 0],
    [1, 1.6, 0],
  ])
  assert.deepEqual([cashOf(rig, 2), cashOf(rig, 1)], [1_000_099.36, 999_898.4])
  assert.equal(rig.state.funds.balanceMicros[Fund.Fees], 2_240_000)
  const funds = seen.filter(({ type }) => type === EventType.Funds).map(({ fields }) => fields)
  assert.deepEqual(
    funds.map(({ fees }) => fees),
    [2.24],
    'once for all trades of a batch',
  )
})

test('a fee is capped by the price of the option, and the rebate of its fill by the fee', () => {
  const rig = rigOf({ makerRate: -0.0001 })
  rig.place({ ...sell, size: '10', price: '0.5' })
  rig.place({ ...buy, size: '10', price: '0.5' })
  assert.deepEqual(feesOf(rig.run().events()), [
    [0, -0.625, 0],
    [1, 0.625, 0],
  ])
  assert.equal(rig.state.funds.balanceMicros[Fund.Fees], 0, 'nothing comes out of the account')
})

test('the builder gets its share of a fee first, the rebate comes next, and the venue gets the rest', () => {
  const rig = rigOf({ makerRate: -0.0001 })
  rig.place({ ...sell, size: '10', price: '0.5', builder })
  rig.place({ ...buy, size: '10', price: '0.5', builder })
  assert.deepEqual(feesOf(rig.run().events()), [
    [0, -0.3125, 0],
    [1, 0.625, 0.3125],
  ])
  assert.equal(rig.state.funds.balanceMicros[Fund.Fees], 0)
  assert.equal(cashOf(rig, builder), 0.3125)
})

test('if both sides would earn a rebate, neither gets one', () => {
  const rig = rigOf({ makerRate: -0.0001, takerRate: -0.0001 })
  rig.place(sell)
  rig.place(buy)
  assert.deepEqual(feesOf(rig.run().events()), [
    [0, 0, 0],
    [1, 0, 0],
  ])
})

test('no fill takes money out of the fee account, whatever the rates', () => {
  for (const makerRate of [-0.1, -0.0002, 0, 0.0003]) {
    for (const takerRate of [-0.1, -0.0002, 0, 0.0003]) {
      for (const price of ['0.000001', '0.01', '7', '3000']) {
        const rig = rigOf({ makerRate, takerRate, perpMakerRate: makerRate, builderShare: 1 })
        rig.place({ ...sell, price, size: '3.33333333', builder: 2 })
        rig.place({ ...buy, price, size: '3.33333333', builder })
        rig.run()
        const fees = rig.state.funds.balanceMicros[Fund.Fees]!
        assert.ok(fees >= 0, `${makerRate} ${takerRate} ${price}: ${fees}`)
      }
    }
  }
})

test('each fill is charged with the index of its time', () => {
  const rig = rigOf({}, 100_000)
  rig.place({ ...sell, size: '2', price: '3270.2' })
  rig.place({ ...buy, price: '3270.2' })
  rig.index(90_000)
  rig.place({ ...buy, price: '3270.2' })
  assert.deepEqual(feesOf(rig.run().events()), [
    [0, 20, 0],
    [1, 50, 0],
    [0, 18, 0],
    [1, 45, 0],
  ])
})

test('the fee of a perp is a share of its price, without a cap and without a reservation', () => {
  const perp = { underlying: 'BTC', expiryDate: 0, strike: 0, right: Right.None }
  const rig = rigOf({ perpMakerRate: -0.0001 }, 100_000)
  rig.list(perp, neverMillis)
  rig.place({ ...sell, size: '0.5', price: '101000', instrument: perp })
  rig.place({ ...buy, size: '0.5', price: '101000', instrument: perp })
  assert.deepEqual(feesOf(rig.run().events()), [
    [0, -5.05, 0],
    [1, 25.25, 0],
  ])
  assert.deepEqual([cashOf(rig, 2), cashOf(rig, 1)], [1_000_005.05, 999_974.75])
  rig.place({ ...buy, size: '1', price: '90000', instrument: perp })
  rig.run()
  const summary = new MarginSummary()
  rig.state.risk.summarize(rig.state.accounts.find(walletOf(1), 0), summary)
  assert.equal(summary.premiumReserved, 0)
})

test('a builder gets its share of both sides that name it, and its wallet is opened', () => {
  const rig = rigOf()
  rig.place({ ...sell, builder })
  rig.place({ ...buy, builder })
  const seen = rig.run().events()
  assert.deepEqual(feesOf(seen), [
    [0, 0.64, 0.32],
    [1, 1.6, 0.8],
  ])
  assert.equal(cashOf(rig, builder), 1.12)
  assert.equal(cashOf(rig, 1), 999_898.4, 'who trades pays the same')
  assert.equal(rig.state.funds.balanceMicros[Fund.Fees], 1_120_000)
  const { BuilderFee, Opened } = AccountChange
  const accounts = seen.filter(({ type }) => type === EventType.Account).map(({ fields }) => fields)
  assert.deepEqual(
    accounts.map(({ change, cash }) => [change, cash]),
    [
      [Opened, 0],
      [BuilderFee, 0.32],
      [BuilderFee, 1.12],
    ],
  )
})

for (const [name, ofMaker, ofTaker] of [
  ['maker', { builder }, {}],
  ['taker', {}, { builder }],
] as const) {
  test(`a builder that only the order of the ${name} names gets a share of that side alone`, () => {
    const rig = rigOf()
    rig.place({ ...sell, ...ofMaker })
    rig.place({ ...buy, ...ofTaker })
    rig.run()
    assert.equal(cashOf(rig, builder), name === 'maker' ? 0.32 : 0.8)
  })
}

test("a trader may be the builder of its counterparty's order", () => {
  const rig = rigOf()
  rig.place({ ...sell, builder: 1 })
  rig.place({ ...buy, builder: 2 })
  rig.run()
  assert.deepEqual([cashOf(rig, 1), cashOf(rig, 2)], [999_898.72, 1_000_100.16])
})

test('a builder cannot be the wallet of the order, unlisted or suspended', () => {
  const rig = rigOf()
  const stranger = 78
  rig.builder(builder, BuilderStatus.Suspended)
  rig.place({ ...sell, builder: 2 })
  rig.place({ ...buy, builder: stranger })
  rig.place({ ...sell, builder })
  rig.place(buy)
  const seen = rig.run().events()
  assert.deepEqual(feesOf(seen), [
    [0, 0.64, 0],
    [1, 1.6, 0],
    [0, 0.64, 0],
    [1, 1.6, 0],
  ])
  for (const wallet of [stranger, builder]) {
    assert.equal(rig.state.accounts.find(walletOf(wallet), 0), -1, 'a name opens no account')
  }
})

test('a configured builder earns until the operator decides otherwise, also after a snapshot', () => {
  const address = `0x${Buffer.from(walletOf(79)).toString('hex')}`
  const config = { ...engineConfigDefault, fees: { ...schedule }, builders: [address] }
  const rig = new CoreRig(config).openMarket(3200)
  rig.place({ ...sell, builder: 79 })
  rig.place(buy)
  rig.run()
  assert.equal(cashOf(rig, 79), 0.32)
  rig.builder(79, BuilderStatus.Suspended)
  rig.run()
  const copy = new CoreRig(config)
  copy.restore(rig.save())
  copy.place({ ...sell, builder: 79, nonce: 901 })
  copy.place({ ...buy, nonce: 902 })
  copy.run()
  assert.equal(cashOf(copy, 79), 0.32)
})

test('while builders are not enabled the venue keeps the whole fee', () => {
  const rig = rigOf({ builderShare: 0 })
  rig.place({ ...sell, builder })
  rig.place({ ...buy, builder })
  rig.run()
  assert.equal(rig.state.accounts.find(walletOf(builder), 0), -1)
  assert.equal(rig.state.funds.balanceMicros[Fund.Fees], 2_240_000)
})

test('a working buy reserves its taker fee at the current index until it is filled or cancelled', () => {
  const rig = rigOf()
  const placed = rig.outcome(rig.place({ ...buy, size: '4' }))
  assert.equal(reservedOf(rig, 1), 406.4)
  rig.index(6400)
  rig.run()
  assert.equal(reservedOf(rig, 1), 412.8, 'it follows the index')
  rig.place(sell)
  rig.run()
  assert.equal(reservedOf(rig, 1), 309.6)
  assert.equal(cashOf(rig, 1), 999_898.72, 'it rested: the maker pays less than was reserved')
  rig.cancel(1, placed['orderId']!)
  rig.run()
  assert.equal(reservedOf(rig, 1), 0)
})

test('a buy whose fee alone exceeds the cash is rejected, exactly to the micro', () => {
  const rig = rigOf()
  rig.deposit(9, 101.599_999)
  assert.equal(rig.outcome(rig.place({ ...buy, wallet: 9 }))['result'], Result.InsufficientCash)
  rig.deposit(9, 0.000_001)
  assert.equal(rig.outcome(rig.place({ ...buy, wallet: 9 }))['result'], Result.Accepted)
  rig.place(sell)
  rig.run()
  assert.equal(cashOf(rig, 9), 0.96)
})

test('a replace reserves anew and releases the reservation of its old order', () => {
  const rig = rigOf()
  rig.deposit(9, 203.2)
  const { orderId } = rig.outcome(rig.place({ ...buy, wallet: 9 }))
  const twice = { ...buy, wallet: 9, size: '2', replaces: orderId! }
  assert.equal(rig.outcome(rig.place(twice))['result'], Result.Accepted)
  assert.equal(reservedOf(rig, 9), 203.2)
})

test('the details of a margin rejection include the fee', () => {
  const amountsOf = (fees: Partial<typeof schedule>) => {
    const rig = rigOf(fees, 100_000)
    rig.deposit(9, 5000)
    rig.place({ ...sell, wallet: 1, size: '1', price: '3300' })
    rig.run()
    // Its worst case is far beyond 5,000, with the premium of its own bid added.
    rig.place({ ...buy, wallet: 9, size: '1', price: '2000' })
    return rig.outcome(rig.place({ ...sell, wallet: 9, size: '1', price: '3400' }))
  }
  const [free, charged] = [amountsOf({ makerRate: 0, takerRate: 0 }), amountsOf({})]
  assert.equal(charged['result'], Result.InsufficientMargin)
  assert.equal(charged['detail0']! - free['detail0']!, 50e6, 'required')
  assert.equal(charged['detail3']! - free['detail3']!, 50e6, 'consumed_im')
})

test('fees survive a snapshot, a replay and a change of the rates', () => {
  const rig = rigOf()
  rig.configure({ ...engineConfigDefault, fees: schedule })
  rig.place({ ...sell, size: '3', builder })
  rig.place(buy)
  rig.run()
  const restored = new CoreReplica(engineConfigDefault)
  restored.load(rig.save())
  assert.deepEqual(restored.stateHash(), hashOf(rig))
  const replayed = new CoreRig({ ...engineConfigDefault, fees: schedule })
  for (const batch of rig.batches) replayed.replay(batch)
  assert.deepEqual(hashOf(replayed), hashOf(rig))
  rig.configure({ ...engineConfigDefault, fees: { ...schedule, takerRate: 0.001 } })
  rig.place(buy)
  rig.events()
  assert.deepEqual(feesOf(rig.run().events()), [
    [0, 0.64, 0.32],
    [1, 3.2, 0],
  ])
})

test('without rates no fees are published', () => {
  const rig = rigOf({ makerRate: 0, takerRate: 0 })
  rig.place({ ...sell, builder })
  rig.place(buy)
  const seen = rig.run().events()
  assert.deepEqual(feesOf(seen), [
    [0, 0, 0],
    [1, 0, 0],
  ])
  const unexpected: number[] = [EventType.Funds, EventType.Account]
  assert.ok(seen.every(({ type }) => !unexpected.includes(type)))
})

function hashOf({ state }: CoreRig): { low: number; high: number } {
  return { low: state.hash.low, high: state.hash.high }
}

test('fees for sides of different sizes, and a negative fee account, stop the engine', () => {
  const { state } = rigOf()
  const [made, taken] = [new FillTerms(), new FillTerms()]
  made.sizeLots = 1
  assert.throws(
    () => workOutFees(state, 0, 0, made, taken),
    /both sides of a trade have the same size/,
  )
  made.feeMicros = -1
  bookFee(state, made)
  assert.throws(() => publishTradingFees(state), /the fee account never goes negative/)
})
