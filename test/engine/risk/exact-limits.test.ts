import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactBound, moneyMicrosMax } from '../../../schemas/bounds.js'
import { OrderFlag } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { CoreRig } from '../../support/core-rig.js'
import { walletOf } from '../../support/rig-commands.js'

// The rig's market: BTC at 100,000, and a call of strike 110,000. The index may rise to a million.
const dollars = (micros: number) => micros / 1e6
const boundUsd = dollars(exactBound)
const highestUsd = 1_000_000
const buy = { wallet: 1, side: 'Buy', size: '1', price: '100' } as const
const sell = { wallet: 2, side: 'Sell', size: '1', price: '100' } as const

function rigWith(...usd: readonly number[]): CoreRig {
  const rig = new CoreRig().openMarket()
  usd.forEach((amount, index) => {
    rig.deposit(11 + index, amount)
  })
  rig.run().events()
  return rig
}

function resultOf(rig: CoreRig, order: Parameters<CoreRig['place']>[0]): number {
  return rig.outcome(rig.place(order))['result']!
}

function cashOf({ state }: CoreRig, wallet: number): number {
  return state.risk.cashMicros[state.accounts.find(walletOf(wallet), 0)]!
}

test("cash and an order's maximum value stay below the limit, to the micro", () => {
  const rig = rigWith(boundUsd - highestUsd - 0.000_001, boundUsd - highestUsd)
  assert.equal(resultOf(rig, { ...buy, wallet: 11 }), Result.Accepted)
  const refused = rig.outcome(rig.place({ ...buy, wallet: 12 }))
  assert.equal(refused['result'], Result.ValueLimit)
  assert.equal(refused['detail0'], exactBound - highestUsd * 1e6, 'the detail is the used amount')
  assert.equal(refused['detail1'], exactBound)
  assert.equal(resultOf(rig, { ...buy, wallet: 12, size: '0.99999999' }), Result.Accepted)
})

test('orders add up, cancels free their part, and a replaced order no longer counts', () => {
  const rig = rigWith(boundUsd - 3 * highestUsd)
  const of = { ...buy, wallet: 11 }
  const first = rig.outcome(rig.place(of))['orderId']!
  assert.equal(resultOf(rig, of), Result.Accepted)
  assert.equal(resultOf(rig, of), Result.ValueLimit, 'the limit itself is not allowed')
  assert.equal(resultOf(rig, { ...of, replaces: first, size: '2' }), Result.ValueLimit)
  const second = rig.outcome(rig.place({ ...of, replaces: first, price: '90' }))
  assert.equal(second['result'], Result.Accepted)
  rig.outcome(rig.cancel(11, second['orderId']!))
  assert.equal(resultOf(rig, of), Result.Accepted)
})

test('an order still counts when its replacement is rejected, also after a snapshot', () => {
  const rig = rigWith(10_000)
  const large = rig.place({ ...buy, wallet: 11, size: '3000', price: '0.1' })
  const replaces = rig.outcome(large)['orderId']!
  const copy = new CoreRig()
  copy.restore(rig.save())
  for (const [index, each] of [rig, copy].entries()) {
    const of = { ...buy, wallet: 11, nonce: 1000 + index }
    const dear = { ...of, replaces, size: '10', price: '9000' }
    assert.equal(resultOf(each, dear), Result.InsufficientCash)
    const beyond = { ...of, nonce: 2000, size: '2000', price: '0.1' }
    assert.equal(
      resultOf(each, beyond),
      Result.ValueLimit,
      'the order is 5,000 contracts of a million',
    )
  }
})

test('a wallet that credits took beyond the limit may only close', () => {
  const rig = rigWith(5000)
  assert.equal(resultOf(rig, { ...sell, wallet: 2 }), Result.Accepted)
  assert.equal(resultOf(rig, { ...buy, wallet: 11 }), Result.Accepted)
  rig.deposit(11, boundUsd)
  rig.run().events()
  assert.equal(resultOf(rig, { ...buy, wallet: 11 }), Result.ValueLimit)
  assert.equal(resultOf(rig, { ...sell, wallet: 11, size: '2.00000001' }), Result.ValueLimit)
  assert.equal(resultOf(rig, { ...sell, wallet: 11 }), Result.Accepted)
})

test("the core rejects a bid above an instrument's maximum value", () => {
  const rig = rigWith(4_000_000)
  const refused = rig.outcome(rig.place({ ...buy, wallet: 11, price: '1000100' }))
  assert.equal(refused['result'], Result.PriceLimit)
  assert.equal(refused['detail0'], highestUsd * 1e6)
  assert.equal(resultOf(rig, { ...buy, wallet: 11, price: '1000000' }), Result.Accepted)
})

test('the core rejects an index or settlement price above the maximum, and nothing moves', () => {
  const rig = rigWith()
  const refused = rig.outcome(rig.index(1_000_000.000_001))
  assert.equal(refused['result'], Result.IndexLimit)
  assert.equal(refused['detail1'], highestUsd * 1e6)
  assert.equal(rig.state.marks.inputsOf(0).indexMicros, 100_000e6)
  assert.ok(rig.state.rejectCounts[-Result.IndexLimit]! > 0)
  assert.equal(rig.outcome(rig.settlementPrice(1_000_001))['result'], Result.IndexLimit)
  assert.equal(rig.outcome(rig.index(1_000_000))['result'], Result.Accepted)
})

test('the operator may raise the maximum index, but never lower it, nor beyond what wallets can bear', () => {
  const rig = rigWith(boundUsd - 3 * highestUsd)
  assert.equal(rig.outcome(rig.maxIndex(999_999))['result'], Result.MaxIndexLowered)
  assert.equal(rig.outcome(rig.maxIndex(2_000_000))['result'], Result.Accepted)
  assert.equal(resultOf(rig, { ...buy, wallet: 11 }), Result.Accepted)
  assert.equal(rig.outcome(rig.maxIndex(3_000_000))['result'], Result.MaxIndexLimit)
  assert.equal(rig.outcome(rig.maxIndex(2_900_000))['result'], Result.Accepted)
  assert.equal(rig.outcome(rig.index(2_900_000))['result'], Result.Accepted)
  const copy = new CoreRig()
  copy.restore(rig.save())
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
  assert.equal(copy.outcome(copy.index(2_900_001))['result'], Result.IndexLimit)
})

test('limits by wallet and by book apply to lots of very cheap underlyings', () => {
  const rig = new CoreRig().openMarket()
  const dust = { underlying: 'DUST', strike: 0.000_001, expiryDate: 20260131 }
  rig.index(0.000_001, 'DUST')
  rig.list(dust, Date.UTC(2026, 0, 31))
  for (const wallet of [11, 12]) {
    rig.deposit(wallet, 1_000_000)
    rig.tier(wallet, 3)
  }
  rig.run().events()
  const bid = { ...buy, instrument: dust, size: '100000', price: '0.000001' } as const
  const last = { ...bid, wallet: 11, size: '35996.27370495' } as const
  for (let i = 0; i < 450; i++) assert.equal(resultOf(rig, { ...bid, wallet: 11 }), Result.Accepted)
  const refused = rig.outcome(rig.place({ ...bid, wallet: 11 }))
  assert.equal(refused['result'], Result.SizeLimit)
  assert.equal(resultOf(rig, last), Result.Accepted, 'the order is one lot below the limit')
  assert.equal(resultOf(rig, { ...bid, wallet: 12, size: '1' }), Result.BookLimit)
})

test('a deposit must leave room for the maximum value of positions and orders', () => {
  const rig = rigWith(1_000_000)
  assert.equal(resultOf(rig, { ...buy, wallet: 11, size: '2' }), Result.Accepted)
  // 9,007,199,254.74 less what the wallet already has.
  const roomUsd = 9_004_199_254
  const refused = rig.outcome(rig.deposit(11, roomUsd + 1))
  assert.equal(refused['result'], Result.DepositLimit)
  assert.deepEqual([refused['detail0'], refused['detail1']], [3_000_000e6, moneyMicrosMax])
  assert.equal(rig.outcome(rig.deposit(11, roomUsd))['result'], Result.Accepted)
  assert.equal(cashOf(rig, 11), 1_000_000e6 + roomUsd * 1e6)
})

test('a strike above the maximum index counts at the strike, as does everything else of its underlying', () => {
  const rig = rigWith(100_000_000)
  const high = { underlying: 'BTC', strike: 1_000_000_000, expiryDate: 20260131 }
  rig.list(high, Date.UTC(2026, 0, 31))
  rig.run().events()
  assert.equal(resultOf(rig, { ...buy, wallet: 11, size: '4' }), Result.Accepted)
  const bid = { ...buy, wallet: 11, instrument: high, price: '1' } as const
  assert.equal(
    resultOf(rig, { ...bid, size: '0.5' }),
    Result.ValueLimit,
    'the order is 4.5 contracts of a billion',
  )
  assert.equal(resultOf(rig, { ...bid, size: '0.4' }), Result.Accepted)
  assert.equal(resultOf(rig, { ...buy, wallet: 11, size: '0.1' }), Result.ValueLimit)
})

test('near the limit a smaller order displaces a risk-reducing one, also after a snapshot', () => {
  const rig = rigWith(50_000_000, 100_000_000)
  const short = { wallet: 11, side: 'Sell', size: '3000', price: '3270' } as const
  assert.equal(resultOf(rig, short), Result.Accepted)
  assert.equal(resultOf(rig, { ...short, wallet: 12, side: 'Buy' }), Result.Accepted)
  rig.index(106_000)
  rig.run()
  const close = { wallet: 11, side: 'Buy', size: '2000', price: '3000' } as const
  const closing = rig.outcome(rig.place(close))
  assert.equal(closing['result'], Result.Accepted)
  const replaces = closing['orderId']!
  const { orders, orderIndex } = rig.state
  assert.ok((orders.flags[orderIndex.find(replaces)]! & OrderFlag.Exempt) !== 0)
  const copy = new CoreRig()
  copy.restore(rig.save())
  for (const each of [rig, copy]) {
    const smaller = each.outcome(each.place({ ...close, replaces, size: '500', nonce: 900 }))
    assert.equal(smaller['result'], Result.Accepted)
  }
  assert.deepEqual(copy.state.hash, rig.state.hash)
})
