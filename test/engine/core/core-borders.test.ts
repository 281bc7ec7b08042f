import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import { MarginSummary } from '../../../engine/risk/order-check.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { commandsPerBatchMax } from '../../../schemas/bounds.js'
import {
  MarginMode,
  MarginModelKind,
  OrderStatus,
  SelfTradeMode,
  Tier,
} from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { EventType } from '../../../schemas/generated/events.js'
import { InstrumentChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { CoreRig, type RigMemory } from '../../support/core-rig.js'
import type { RigEvent } from '../../support/rig-event.js'

const bid = { wallet: 1, side: 'Buy', price: '3000', size: '1' } as const
const ask = { wallet: 2, side: 'Sell', price: '3400', size: '0.01' } as const
const smallLog = 1 << 18

test('a batch with more events than the log holds is journaled early, published whole and replayed', () => {
  for (const slowDisk of [false, true]) {
    const rig = sweptRig(400, { logBytes: smallLog, slowDisk })
    const big = sweptRig(400, {})
    const trades = rig.events.filter(({ type }) => type === EventType.Trade)
    assert.equal(trades.length, 400)
    assert.deepEqual(bytesOf(rig.events), bytesOf(big.events))
    assert.ok(rig.rig.pauses > 0, 'the core waited for its reader')
    assert.ok(rig.rig.batches.some(({ commandCount }) => commandCount === 0))
    const replayed = new CoreRig(engineConfigDefault, 1, { logBytes: smallLog })
    const replica = new CoreReplica(engineConfigDefault)
    const events: RigEvent[] = []
    for (const batch of rig.rig.batches) {
      const { low, high } = replayed.state.hash
      assert.deepEqual({ low, high }, { low: batch.hashLow, high: batch.hashHigh })
      replayed.replay(batch)
      replica.applyBatch(batch)
      events.push(...replayed.events())
    }
    assert.deepEqual(bytesOf(events.slice(-rig.events.length)), bytesOf(rig.events))
    const { low, high } = rig.rig.state.hash
    assert.deepEqual({ ...replica.stateHash() }, { low, high })
  }
})

test('a replay with a smaller log publishes all events of a batch that closed orders with a larger log', () => {
  const rig = new CoreRig().openMarket()
  rig.tier(1, Tier.MarketMaker)
  for (let i = 0; i < 1000; i++) rig.place({ ...bid, price: '1', size: '0.001' })
  rig.run()
  rig.nowMillis = Date.UTC(2026, 0, 31, 0)
  rig.run()
  const live = rig.events()
  assert.ok(live.filter(({ type }) => type === EventType.OrderUpdate).length >= 1000)
  const replayed = new CoreRig(engineConfigDefault, 1, { logBytes: smallLog })
  const events: RigEvent[] = []
  for (const batch of rig.batches) {
    replayed.replay(batch)
    events.push(...replayed.events())
  }
  assert.ok(replayed.pauses > 0, 'the replay waited for its reader')
  assert.deepEqual(bytesOf(events.slice(-live.length)), bytesOf(live))
})

test('with a full result ring the matcher of an earlier ticket runs before the one that waits', () => {
  const market = (ringBytes: number, matchers: number) => {
    const rig = new CoreRig(engineConfigDefault, matchers, { ringBytes }).openMarket()
    rig.list({ underlying: 'ETH', strike: 110_000 })
    rig.index(100_000, 'ETH')
    rig.surface(0.6, 'ETH')
    rig.tier(2, Tier.MarketMaker)
    for (let i = 0; i < 900; i++) rig.place({ ...ask, size: '0.001' })
    rig.run().events()
    rig.place({ ...bid, price: '3400', size: '0.001' })
    rig.place({ ...bid, instrument: { underlying: 'ETH' } })
    rig.place({ ...bid, price: '3400', size: '0.899' })
    return rig.run().events()
  }
  assert.deepEqual(market(1 << 15, 2), market(1 << 22, 1))
})

test('orders of a closed instrument can be cancelled while they wait for their cancellation', () => {
  const rig = new CoreRig().openMarket()
  for (const wallet of [1, 2, 3, 4]) rig.tier(wallet, Tier.MarketMaker)
  for (let i = 0; i < 5000; i++) {
    rig.place({ ...bid, wallet: 1 + (i % 4), price: '1', size: '0.001', clientId: `c${i}` })
    if (i % 1000 === 0) rig.run().events()
  }
  const opened = rig.run().events()
  const last = opened.filter(({ type }) => type === EventType.Outcome).at(-1)!.fields
  rig.nowMillis = Date.UTC(2026, 0, 31, 0)
  const twice: number[] = []
  rig.bulk(() => {
    twice.push(rig.cancelClient(2, 'c4997'), rig.cancelClient(2, 'c4997'))
  })
  const byId = rig.cancel(4, last['orderId']!, { nonce: 77 })
  const byClientId = rig.cancelClient(3, 'c4998')
  const again = rig.cancel(4, last['orderId']!)
  const seen = rig.run().events()
  assert.equal(outcomeOf(seen, byId)['status'], OrderStatus.Canceled)
  assert.equal(outcomeOf(seen, byId)['result'], Result.CanceledOnRequest)
  assert.equal(outcomeOf(seen, again)['result'], Result.OrderAlreadyCanceled)
  assert.equal(outcomeOf(seen, byClientId)['status'], OrderStatus.Canceled)
  assert.deepEqual(
    twice.map((request) => outcomeOf(seen, request)['result']),
    [Result.CanceledOnRequest, Result.OrderAlreadyCanceled],
  )
  const canceled = seen.filter(
    ({ type, fields }) =>
      type === EventType.OrderUpdate && fields['status'] === OrderStatus.Canceled,
  )
  assert.equal(canceled.length, 5000, 'every order is cancelled once')
  assert.deepEqual([...rig.state.accounts.workingOrders.slice(0, 4)], [0, 0, 0, 0])
  assertReplays(rig)
})

test('a cancel in the batch of a delisting finds its order cancelled by the delisting', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place(bid))
  rig.delist()
  const request = rig.cancel(1, orderId!)
  const seen = rig.run().events()
  assert.equal(outcomeOf(seen, request)['result'], Result.OrderAlreadyCanceled)
  assert.equal(rig.state.accounts.workingOrders[0], 0)
  assertReplays(rig)
})

test('an instrument listed after its expiry expires at once, and a delisted one can be listed again', () => {
  const rig = new CoreRig().openMarket()
  rig.list({ strike: 50_000 }, rig.nowMillis)
  const changes = rig.run().events()
  assert.deepEqual(
    changes
      .filter(({ type }) => type === EventType.Instrument)
      .map(({ fields }) => fields['change']),
    [InstrumentChange.Created, InstrumentChange.Expired],
  )
  const late = rig.place({ ...bid, instrument: { strike: 50_000 } })
  assert.equal(rig.outcome(late)['result'], Result.InstrumentExpired)
  rig.delist()
  rig.list()
  const outcome = rig.outcome(rig.place(bid))
  assert.equal(outcome['result'], Result.Accepted)
  assert.equal(outcome['instrument'], 2, 'under a new id')
  const copy = new CoreRig()
  copy.restore(rig.save())
  assert.equal(copy.outcome(copy.place({ ...bid, nonce: 5 }))['instrument'], 2)
})

test('errors are published before the events of later commands in their batch', () => {
  const rig = new CoreRig().openMarket()
  const refused = rig.place({ ...bid, wallet: 9 })
  const deposit = rig.deposit(9, 10_000)
  const agent = rig.agent(CommandType.ApproveAgent, 9, 60)
  const placed = rig.place({ ...bid, wallet: 9 })
  const outcomes = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.Outcome)
  assert.deepEqual(
    outcomes.map(({ fields }) => fields['request']),
    [refused, deposit, agent, placed],
  )
  assert.equal(outcomes[0]!.fields['result'], Result.NoFunds)
  assert.equal(outcomes[3]!.fields['result'], Result.Accepted)
})

test('a wallet at its limit of open orders can replace all of them in one batch', () => {
  const rig = new CoreRig().openMarket()
  for (let i = 0; i < 100; i++) rig.place({ ...bid, size: '0.001' })
  const ids = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.Outcome)
    .map(({ fields }) => fields['orderId']!)
  const requests = ids.map((id) => rig.place({ ...bid, size: '0.002', replaces: id }))
  const oneMore = rig.place({ ...bid, size: '0.001' })
  const seen = rig.run().events()
  for (const request of requests) assert.equal(outcomeOf(seen, request)['result'], Result.Accepted)
  assert.equal(outcomeOf(seen, oneMore)['result'], Result.LimitExceeded)
  assert.equal(rig.state.accounts.workingOrders[0], 100)
})

test('the duplicate of an action that its own batch evicted gets nonce already used', () => {
  const rig = new CoreRig({ ...engineConfigDefault, outcomesKept: 2 }).openMarket()
  const first = rig.outcome(rig.place({ ...bid, nonce: 1 }))
  const repeat = rig.place({ ...bid, nonce: 1 })
  assert.equal(rig.outcome(repeat)['orderId'], first['orderId'])
  rig.outcome(rig.place({ ...bid, nonce: 2 }))
  rig.place({ ...bid, nonce: 3 })
  const late = rig.place({ ...bid, nonce: 1 })
  assert.equal(rig.outcome(late)['result'], Result.NonceUsed)
})

test('a nonce evicted from a full window never works again, whatever lower nonces arrive', () => {
  const rig = new CoreRig({ ...engineConfigDefault, noncesKept: 3 }).openMarket()
  const small = { ...bid, size: '0.001' }
  for (const nonce of [10, 20, 30]) rig.outcome(rig.place({ ...small, nonce }))
  rig.place({ ...small, nonce: 40 })
  rig.place({ ...small, nonce: 5 })
  rig.run().events()
  for (const nonce of [5, 10, 20, 30, 40, 7, 12]) {
    const request = rig.place({ ...small, nonce, digest: 99 })
    assert.equal(rig.outcome(request)['result'], Result.NonceUsed, `nonce ${nonce}`)
  }
  assert.equal(rig.outcome(rig.place({ ...small, nonce: 25 }))['result'], Result.Accepted)
})

test('a snapshot keeps the client id of a working order apart from that of a final order', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place({ ...bid, clientId: 'a' }))
  rig.outcome(rig.place({ ...bid, clientId: 'b' }))
  rig.outcome(rig.cancel(1, orderId!))
  rig.outcome(rig.place({ ...bid, clientId: 'a' }))
  const copy = new CoreRig()
  copy.restore(rig.save())
  const twice = copy.place({ ...bid, clientId: 'a', nonce: 70 })
  assert.equal(copy.outcome(twice)['result'], Result.DuplicateClientId)
  const canceled = copy.cancelClient(1, 'a', { nonce: 71 })
  assert.equal(copy.outcome(canceled)['status'], OrderStatus.Canceled)
})

test('the details of an error are its own, not those of an earlier one', () => {
  const rig = new CoreRig().openMarket()
  const poor = rig.place({ ...ask, size: '4000' })
  const refused = rig.outcome(poor)
  assert.equal(refused['result'], Result.InsufficientMargin)
  assert.notEqual(refused['detail0'], 0)
  const unknown = rig.outcome(rig.place({ ...bid, instrument: { strike: 7 } }))
  for (let i = 0; i < 10; i++) assert.equal(unknown[`detail${i}`], 0)
})

test('self-trade prevention ends the rest of a taker that has traded', () => {
  const modes = [
    [SelfTradeMode.CancelTaker, OrderStatus.Canceled, 1],
    [SelfTradeMode.CancelMaker, OrderStatus.PartiallyFilled, 1],
    [SelfTradeMode.CancelBoth, OrderStatus.Canceled, 0],
  ] as const
  for (const [mode, status, working] of modes) {
    const rig = new CoreRig().openMarket()
    assert.equal(rig.outcome(rig.selfTrade(1, mode))['result'], Result.Accepted)
    rig.outcome(rig.place({ ...ask, size: '1' }))
    rig.outcome(rig.place({ ...ask, wallet: 1, size: '1' }))
    const outcome = rig.outcome(rig.place({ ...bid, price: '3400', size: '3' }))
    assert.equal(outcome['status'], status)
    assert.equal(outcome['filled'], 1)
    assert.equal(rig.state.accounts.workingOrders[0], working)
  }
})

test('an unknown self-trade mode fails, and burns no nonce', () => {
  const rig = new CoreRig().openMarket()
  assert.equal(rig.outcome(rig.selfTrade(1, 3, { nonce: 4 }))['result'], Result.ValueRefused)
  assert.equal(rig.outcome(rig.selfTrade(1, 2, { nonce: 4 }))['result'], Result.Accepted)
})

test('time never goes back, and an old index price changes nothing', () => {
  const rig = new CoreRig().openMarket()
  const now = rig.state.nowMillis
  rig.nowMillis = now - 60_000
  rig.outcome(rig.place(bid))
  assert.equal(rig.state.nowMillis, now)
  const hash = rig.state.marks.indexMicros[0]
  rig.outcome(rig.index(1, 'BTC', now - 1))
  assert.equal(rig.state.marks.indexMicros[0], hash)
})

test('a list with an index price ahead of the engine fails as a whole; within a second it is accepted', () => {
  const rig = new CoreRig().openMarket()
  const now = rig.state.nowMillis
  const { marks, instruments } = rig.state
  const ahead = rig.outcome(rig.index(90_000, 'NEW', now + 1001))
  assert.equal(ahead['result'], Result.ObservationAhead)
  assert.equal(instruments.underlyingNames.includes('NEW'), false)
  assert.equal(rig.outcome(rig.index(90_000, 'BTC', now + 1001))['result'], Result.ObservationAhead)
  assert.equal(rig.outcome(rig.index(90_000, 'BTC', Number.NaN))['result'], Result.ObservationAhead)
  assert.equal(marks.indexMicros[0], 100_000e6)
  assert.equal(rig.outcome(rig.index(91_000, 'BTC', now + 1000))['result'], Result.Accepted)
  assert.equal(marks.indexMicros[0], 91_000e6)
  rig.nowMillis = now + 1000
  assert.equal(rig.outcome(rig.index(92_000))['result'], Result.Accepted)
  assert.equal(marks.indexMicros[0], 92_000e6, 'the next real one is not kept out')
})

test('a batch closes at its maximum number of commands, and the rest follows in the next batch', () => {
  const rig = new CoreRig().openMarket()
  rig.tier(1, Tier.MarketMaker)
  rig.run().events()
  const batches = rig.batches.length
  for (let i = 0; i < commandsPerBatchMax + 1; i++) rig.place({ ...bid, size: '0.001' })
  rig.run()
  const counts = rig.batches.slice(batches).map(({ commandCount }) => commandCount)
  assert.deepEqual(counts, [commandsPerBatchMax, 1])
})

test('a deposit beyond 2^53 micros fails, and so does a deposit of 0', () => {
  const rig = new CoreRig().openMarket()
  assert.equal(rig.outcome(rig.deposit(7, 2 ** 53 / 1e6))['result'], Result.DepositLimit)
  assert.equal(rig.outcome(rig.deposit(7, 0))['result'], Result.AmountNotPositive)
  assert.equal(rig.outcome(rig.deposit(7, 9_000_000_000))['result'], Result.Accepted)
  assert.equal(rig.outcome(rig.deposit(7, 9_000_000_000))['result'], Result.DepositLimit)
})

test('after a configuration change, working orders, positions and hash agree with a replay', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place(bid))
  rig.outcome(rig.place({ ...ask, price: '3000', size: '0.4' }))
  const { imFactor } = engineConfigDefault.risk
  const risk = { ...engineConfigDefault.risk, imFactor: imFactor * 2 }
  rig.configure({ ...engineConfigDefault, risk, noncesKept: 1, outcomesKept: 1 })
  rig.outcome(rig.place({ ...bid, price: '3100' }))
  rig.outcome(rig.place({ ...ask, price: '3050', size: '0.2' }))
  assertReplays(rig)
  const copy = new CoreRig()
  copy.restore(rig.save())
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
})

/** Many small asks, and one buy that takes them all. */
function sweptRig(asks: number, memory: RigMemory): { rig: CoreRig; events: RigEvent[] } {
  const rig = new CoreRig(engineConfigDefault, 1, memory).openMarket()
  rig.tier(2, Tier.MarketMaker)
  rig.run().events()
  for (let i = 0; i < asks; i++) rig.place({ ...ask, nonce: i + 1 })
  rig.place({ ...bid, price: '3400', size: String(asks / 100), nonce: 7 })
  return { rig, events: rig.run().events() }
}

/** Returns sequence and bytes of events, without their requesters. */
function bytesOf(events: readonly RigEvent[]): unknown[] {
  return events.map(({ type, seq, fields }) => [type, seq, fields['digest']])
}

function assertReplays(rig: CoreRig): void {
  const replica = new CoreReplica(engineConfigDefault)
  for (const batch of rig.batches) {
    const recorded = { low: batch.hashLow, high: batch.hashHigh }
    assert.deepEqual({ ...replica.stateHash() }, recorded, `before batch ${batch.batchNumber}`)
    replica.applyBatch(batch)
  }
  const { low, high } = rig.state.hash
  assert.deepEqual({ ...replica.stateHash() }, { low, high })
}

function outcomeOf(seen: readonly RigEvent[], request: number): Readonly<Record<string, number>> {
  const found = seen.find(
    ({ type, fields }) => type === EventType.Outcome && fields['request'] === request,
  )
  assert.ok(found, `no outcome for request ${request}`)
  return found.fields
}

test('a configuration without portfolio mode leaves its wallets able to trade, and a later one restores the mode', () => {
  const rig = new CoreRig().openMarket()
  const account = 0
  rig.state.risk.setMarginMode(account, MarginMode.Portfolio)
  const sell = { wallet: 1, side: 'Sell', price: '3300', size: '1' } as const
  assert.equal(rig.outcome(rig.place(sell))['result'], Result.Accepted)
  rig.configure({ ...engineConfigDefault, portfolioModeAllowed: false })
  assert.equal(rig.outcome(rig.place(sell))['result'], Result.Accepted)
  assert.equal(rig.state.risk.modelKind[account], MarginModelKind.Standard)
  const summary = new MarginSummary()
  rig.state.risk.summarize(account, summary)
  assert.ok(summary.positionIm >= 0 && summary.openOrdersIm > 0, 'numbers, and not NaN')
  rig.configure(engineConfigDefault)
  rig.run()
  assert.equal(rig.state.risk.modelKind[account], MarginModelKind.Portfolio)
})
