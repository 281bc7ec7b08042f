import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import { StateWriter } from '../../../engine/memory/state-codec.js'
import { allocateVirtualTime, VirtualTime } from '../../../engine/memory/virtual-time.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { saveState } from '../../../engine/state/snapshot/state-snapshot.js'
import { HaltMode, OrderStatus, Tier } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { EventType } from '../../../schemas/generated/events.js'
import { InstrumentChange, OutcomeFlag } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { CoreRig } from '../../support/core-rig.js'
import { type RigOrder, walletOf } from '../../support/rig-commands.js'
import type { RigEvent } from '../../support/rig-event.js'

const bid = { wallet: 1, side: 'Buy', price: '3000', size: '2' } as const
const ask = { wallet: 2, side: 'Sell', price: '3400', size: '2' } as const

test('a resting order is ACKED to its requester and OPEN on the stream', () => {
  const rig = new CoreRig().openMarket()
  const request = rig.place(bid)
  const seen = rig.run().events()
  assert.deepEqual(statuses(seen), [OrderStatus.Acked, OrderStatus.Open])
  assert.deepEqual(levels(seen), [[0, 3000, 2]])
  const outcome = outcomeOf(seen, request)
  assert.equal(outcome['status'], OrderStatus.Acked)
  assert.equal(outcome['result'], Result.Accepted)
})

test('a taker trades at the resting price, and both sides receive the remaining size', () => {
  const rig = new CoreRig().openMarket()
  const maker = rig.outcome(rig.place(ask))
  const request = rig.place({ wallet: 1, side: 'Buy', price: '3500', size: '3' })
  const seen = rig.run().events()
  const fills = seen.filter(({ type }) => type === EventType.Fill).map(({ fields }) => fields)
  assert.deepEqual(
    fills.map(({ price, size, position, cash, isTaker }) => [price, size, position, cash, isTaker]),
    [
      [3400, 2, -2, 1_006_800, 0],
      [3400, 2, 2, 993_200, 1],
    ],
  )
  assert.equal(fills[0]?.['orderId'], maker['orderId'])
  assert.deepEqual(statuses(seen), [
    OrderStatus.Acked,
    OrderStatus.Filled,
    OrderStatus.PartiallyFilled,
  ])
  const outcome = outcomeOf(seen, request)
  assert.equal(outcome['status'], OrderStatus.PartiallyFilled)
  assert.equal(outcome['filled'], 2)
})

test('an ioc without a trade is CANCELED with its reason, not REJECTED', () => {
  const rig = new CoreRig().openMarket()
  const outcome = rig.outcome(rig.place({ ...bid, tif: 'ioc' }))
  assert.equal(outcome['status'], OrderStatus.Canceled)
  assert.equal(outcome['result'], Result.IocRemainder)
})

test('a duplicate payload gets the first answer and changes nothing', () => {
  const rig = new CoreRig().openMarket()
  const first = rig.outcome(rig.place({ ...bid, nonce: 7, digest: 9 }))
  const { orderCount, nowMillis } = rig.state
  const { seq } = rig.state.sink
  rig.nowMillis += 100
  const again = rig.outcome(rig.place({ ...bid, nonce: 7, digest: 9 }))
  assert.equal(again['orderId'], first['orderId'])
  assert.equal(again['status'], first['status'])
  assert.equal(again['flags'], OutcomeFlag.Repeat)
  // The order's last event of its step precedes the acknowledgement.
  assert.equal(first['answerSeq'], seq - 1)
  assert.equal(again['answerSeq'], seq - 1)
  assert.equal(again['detail1'], nowMillis, 'of the first outcome')
  assert.equal(rig.state.orderCount, orderCount)
  assert.equal(rig.state.accounts.nonces[0]?.count, 1)
  assert.equal(rig.state.accounts.workingOrders[0], 1)
})

test('another payload with a burned nonce fails, and a failed one burns nothing', () => {
  const rig = new CoreRig().openMarket()
  const refused = rig.outcome(rig.place({ ...bid, wallet: 9, nonce: 5 }))
  assert.equal(refused['result'], Result.NoFunds)
  rig.outcome(rig.place({ ...bid, nonce: 7, digest: 9 }))
  assert.equal(rig.outcome(rig.place({ ...bid, nonce: 7, digest: 10 }))['result'], Result.NonceUsed)
  rig.deposit(9, 100_000)
  assert.equal(rig.outcome(rig.place({ ...bid, wallet: 9, nonce: 5 }))['result'], Result.Accepted)
})

test('the second use of a nonce in a batch waits for the decision of the first', () => {
  const rig = new CoreRig().openMarket()
  const batches = rig.batches.length
  const first = rig.place({ ...bid, nonce: 7, digest: 9 })
  const repeat = rig.place({ ...bid, nonce: 7, digest: 9 })
  const other = rig.place({ ...bid, nonce: 7, digest: 11 })
  const seen = rig.run().events()
  assert.equal(outcomeOf(seen, repeat)['orderId'], outcomeOf(seen, first)['orderId'])
  assert.equal(outcomeOf(seen, other)['result'], Result.NonceUsed)
  assert.equal(rig.batches.length - batches, 2)
})

test('a cancel ends the order, and a second cancel reports it as cancelled', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place(bid))
  const canceled = rig.outcome(rig.cancel(1, orderId!))
  assert.equal(canceled['status'], OrderStatus.Canceled)
  assert.equal(rig.outcome(rig.cancel(1, orderId!))['result'], Result.OrderAlreadyCanceled)
  assert.equal(rig.outcome(rig.cancel(2, orderId!))['result'], Result.OrderNotFound)
  assert.equal(rig.outcome(rig.cancel(1, 999_999))['result'], Result.OrderNotFound)
})

test('a cancel of a filled order reports it as filled', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place(ask))
  rig.outcome(rig.place({ wallet: 1, side: 'Buy', price: '3400', size: '2' }))
  assert.equal(rig.outcome(rig.cancel(2, orderId!))['result'], Result.OrderAlreadyFilled)
})

test('a cancel in the batch that fills its order finds it filled', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place(ask))
  rig.place({ wallet: 1, side: 'Buy', price: '3400', size: '2' })
  const request = rig.cancel(2, orderId!)
  assert.equal(rig.outcome(request)['result'], Result.OrderAlreadyFilled)
})

test('client ids are unique among working orders, cancel their order, and are free afterwards', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place({ ...bid, clientId: 'a' }))
  assert.equal(
    rig.outcome(rig.place({ ...bid, clientId: 'a' }))['result'],
    Result.DuplicateClientId,
  )
  assert.equal(rig.outcome(rig.cancelClient(1, 'a'))['status'], OrderStatus.Canceled)
  assert.equal(rig.outcome(rig.cancelClient(1, 'a'))['result'], Result.ClientIdNotFound)
  assert.equal(rig.outcome(rig.place({ ...bid, clientId: 'a' }))['result'], Result.Accepted)
})

test('a replace cancels the old order and places the new one under a new id in one step', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place({ ...bid, clientId: 'a' }))
  const request = rig.place({ ...bid, price: '3100', clientId: 'a', replaces: orderId! })
  const seen = rig.run().events()
  assert.deepEqual(statuses(seen), [OrderStatus.Canceled, OrderStatus.Acked, OrderStatus.Open])
  assert.deepEqual(levels(seen), [
    [0, 3000, 0],
    [0, 3100, 2],
  ])
  assert.notEqual(outcomeOf(seen, request)['orderId'], orderId)
  assert.equal(rig.outcome(rig.cancelClient(1, 'a'))['status'], OrderStatus.Canceled)
})

test('a replace of an order that was partly filled in its own batch is decided again', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place(ask))
  rig.place({ wallet: 1, side: 'Buy', price: '3400', size: '0.5' })
  const request = rig.place({ ...ask, price: '3500', replaces: orderId! })
  const batches = rig.batches.length
  const outcome = rig.outcome(request)
  assert.equal(outcome['result'], Result.Accepted)
  assert.equal(outcome['status'], OrderStatus.Acked)
  assert.equal(rig.batches.length - batches, 1)
  assert.equal(rig.state.accounts.workingOrders[1], 1)
})

test('a replace of an order that was filled in its own batch fails and leaves nothing', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place({ ...ask, clientId: 'x' }))
  rig.place({ wallet: 1, side: 'Buy', price: '3400', size: '2' })
  const request = rig.place({ ...ask, price: '3500', clientId: 'x', nonce: 77, replaces: orderId! })
  assert.equal(rig.outcome(request)['result'], Result.OrderAlreadyFilled)
  assert.equal(rig.state.accounts.workingOrders[1], 0)
  const again = rig.place({ ...ask, price: '3500', clientId: 'x', nonce: 77 })
  assert.equal(rig.outcome(again)['result'], Result.Accepted)
})

test('a replace with another symbol fails and keeps the old order', () => {
  const rig = new CoreRig().openMarket()
  rig.list({ strike: 120_000 })
  const { orderId } = rig.outcome(rig.place(bid))
  const other = { ...bid, instrument: { strike: 120_000 }, replaces: orderId! }
  assert.equal(rig.outcome(rig.place(other))['result'], Result.OrderNotInBook)
  assert.equal(rig.outcome(rig.cancel(1, orderId!))['status'], OrderStatus.Canceled)
})

test('agents sign for their wallet until they are revoked, and strangers never do', () => {
  const rig = new CoreRig().openMarket()
  const byAgent = () => rig.place({ ...bid, signer: 50 })
  assert.equal(rig.outcome(byAgent())['result'], Result.Unauthorized)
  assert.equal(rig.outcome(rig.agent(CommandType.ApproveAgent, 1, 50))['result'], Result.Accepted)
  assert.equal(rig.outcome(byAgent())['result'], Result.Accepted)
  rig.outcome(rig.agent(CommandType.RevokeAllAgents, 1, 0))
  assert.equal(rig.outcome(byAgent())['result'], Result.Unauthorized)
  assert.equal(
    rig.outcome(rig.agent(CommandType.ApproveAgent, 1, 1))['result'],
    Result.ValueRefused,
  )
})

test('an accepted write of a wallet without cash has a flag for it', () => {
  const rig = new CoreRig().openMarket()
  rig.tier(9, Tier.Tier2)
  const poor = rig.outcome(rig.agent(CommandType.ApproveAgent, 9, 50))
  assert.deepEqual([poor['result'], poor['flags']], [Result.Accepted, OutcomeFlag.Unfunded])
  assert.equal(rig.outcome(rig.agent(CommandType.ApproveAgent, 1, 50))['flags'], 0)
})

test('the 65th agent is one too many, but a known agent can be approved again', () => {
  const rig = new CoreRig().openMarket()
  for (let agent = 100; agent < 164; agent++) rig.agent(CommandType.ApproveAgent, 1, agent)
  rig.run().events()
  const one = rig.outcome(rig.agent(CommandType.ApproveAgent, 1, 164))
  assert.equal(one['result'], Result.LimitExceeded)
  assert.equal(rig.outcome(rig.agent(CommandType.ApproveAgent, 1, 100))['result'], Result.Accepted)
})

test('unknown, expired and halted instruments fail in the order of the checks', () => {
  const rig = new CoreRig().openMarket()
  const unlisted = { ...bid, instrument: { strike: 1 } }
  const nowhere = { ...bid, instrument: { underlying: 'NONE' } }
  const replaced = { ...unlisted, replaces: 999_424 }
  const resultOf = (order: RigOrder) => rig.outcome(rig.place(order))['result']
  assert.equal(resultOf(unlisted), Result.InvalidSymbol)
  rig.halt(HaltMode.CancelOnly, 'BTC')
  for (const order of [bid, unlisted, replaced]) assert.equal(resultOf(order), Result.CancelOnly)
  rig.halt(HaltMode.Halted)
  for (const order of [bid, unlisted, replaced]) assert.equal(resultOf(order), Result.TradingHalted)
  assert.equal(resultOf(nowhere), Result.InvalidSymbol)
  rig.halt(HaltMode.Open)
  assert.equal(resultOf(replaced), Result.OrderNotFound)
  rig.nowMillis = Date.UTC(2026, 0, 31, 0)
  assert.equal(rig.outcome(rig.place(bid))['result'], Result.InstrumentExpired)
})

test('open orders are limited by the tier', () => {
  const rig = new CoreRig().openMarket()
  rig.tier(1, Tier.Tier1)
  for (let i = 0; i < 50; i++) rig.place({ ...bid, size: '0.001' })
  rig.run().events()
  assert.equal(rig.state.accounts.workingOrders[0], 50)
  assert.equal(rig.outcome(rig.place({ ...bid, size: '0.001' }))['result'], Result.LimitExceeded)
})

test('an expiry stops matching, cancels working orders, and publishes both', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place(bid))
  rig.nowMillis = Date.UTC(2026, 0, 31, 0)
  const seen = rig.run().events()
  const changes = seen.filter(({ type }) => type === EventType.Instrument)
  assert.deepEqual(
    changes.map(({ fields }) => fields['change']),
    [InstrumentChange.Expired],
  )
  assert.deepEqual(statuses(seen), [OrderStatus.Canceled])
  assert.equal(rig.state.accounts.workingOrders[0], 0)
})

test('an instrument with positions is not delisted; without positions, the delisting cancels its orders', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place(bid))
  rig.outcome(rig.place({ ...ask, price: '3000', size: '1' }))
  assert.equal(rig.outcome(rig.delist())['result'], Result.PositionsOpen)
  rig.list({ strike: 120_000 })
  rig.outcome(rig.place({ ...bid, instrument: { strike: 120_000 } }))
  const request = rig.delist({ strike: 120_000 })
  const seen = rig.run().events()
  assert.equal(outcomeOf(seen, request)['result'], Result.Accepted)
  assert.deepEqual(statuses(seen), [OrderStatus.Canceled])
  const answered = seen.find(({ fields }) => fields['request'] === request)
  const canceled = seen.find(({ type }) => type === EventType.OrderUpdate)
  assert.ok(canceled!.seq < answered!.seq, 'published before the answer')
  assert.equal(
    rig.outcome(rig.place({ ...bid, instrument: { strike: 120_000 } }))['result'],
    Result.InvalidSymbol,
  )
})

test('a signed tier is set once, and burns the nonce of its signer', () => {
  const operatorSigners = [formatAddress(walletOf(3), 0)]
  const rig = new CoreRig({ ...engineConfigDefault, operatorSigners }).openMarket()
  const first = rig.outcome(rig.signedTier(3, 1, Tier.Tier2, { nonce: 5 }))
  assert.equal(first['result'], Result.Accepted)
  assert.equal(rig.state.risk.tier[0], Tier.Tier2)
  const again = rig.outcome(rig.signedTier(3, 1, Tier.Tier1, { nonce: 5, digest: 6 }))
  assert.equal(again['result'], Result.NonceUsed)
  assert.equal(rig.outcome(rig.place({ ...bid, nonce: 5 }))['result'], Result.Accepted)
  assert.equal(rig.state.risk.tier[0], Tier.Tier2)
})

test('a deposit id counts once', () => {
  const rig = new CoreRig().openMarket()
  assert.equal(rig.outcome(rig.deposit(8, 10, 'x'))['flags'], 0)
  assert.equal(rig.outcome(rig.deposit(8, 10, 'x'))['flags'], OutcomeFlag.Repeat)
  const account = rig.state.accounts.count - 1
  assert.equal(rig.state.risk.cashMicros[account], 10e6)
})

test('a replay of the journaled batches ends in the same state', () => {
  const rig = tradedRig()
  const replica = new CoreReplica(engineConfigDefault)
  for (const batch of rig.batches) {
    assert.deepEqual(
      { ...replica.stateHash() },
      { low: batch.hashLow, high: batch.hashHigh },
      `before batch ${batch.batchNumber}`,
    )
    replica.applyBatch(batch)
  }
  assertSameState(replica, rig)
})

test('a snapshot after any batch and the rest of the journal end in the same state', () => {
  const rig = tradedRig()
  for (let border = 1; border < rig.batches.length; border += 7) {
    const first = new CoreReplica(engineConfigDefault)
    for (const batch of rig.batches.slice(0, border)) first.applyBatch(batch)
    const second = new CoreReplica(engineConfigDefault)
    second.load(first.save().slice())
    assert.deepEqual({ ...second.stateHash() }, { ...first.stateHash() }, `border ${border}`)
    for (const batch of rig.batches.slice(border)) second.applyBatch(batch)
    assertSameState(second, rig)
  }
})

test('the number of matchers changes neither events nor state', () => {
  const runs = [1, 2, 3].map((matchers) => {
    const rig = new CoreRig(engineConfigDefault, matchers).openMarket()
    const others = ['ETH', 'SOL', 'XRP'].map((underlying) => ({ underlying, strike: 110_000 }))
    for (const instrument of others) {
      rig.list(instrument)
      rig.index(100_000, instrument.underlying)
      rig.surface(0.6, instrument.underlying)
    }
    for (let step = 0; step < 300; step++) {
      const instrument = [{}, ...others][(step * 7) % 4]!
      const side = step % 3 === 0 ? 'Buy' : 'Sell'
      const price = String(3000 + ((step * 13) % 40) * 10)
      rig.place({
        wallet: 1 + ((step >> 2) % 4),
        side,
        price,
        size: '1',
        instrument,
        nonce: step + 1,
      })
      if (step % 5 === 0) rig.cancel(1 + (step % 4), (step >> 1) * 1024 + (step % 4))
      if (step % 11 === 0) rig.run()
    }
    const seen = rig.run().events()
    return { hash: [rig.state.hash.low, rig.state.hash.high], seen }
  })
  assert.ok(runs[0]!.seen.some(({ type }) => type === EventType.Fill))
  assert.deepEqual(runs[1], runs[0])
  assert.deepEqual(runs[2], runs[0])
})

/** A rig after a few hundred seeded commands of every kind. */
function tradedRig(seed = 11): CoreRig {
  const rig = new CoreRig().openMarket()
  let state = seed
  const random = (n: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % n
  }
  rig.list({ strike: 90_000, right: 1 }, Date.UTC(2026, 0, 1, 0, 10))
  rig.agent(CommandType.ApproveAgent, 1, 50)
  for (let step = 0; step < 400; step++) {
    const wallet = 1 + random(4)
    const instrument = random(3) === 0 ? { strike: 90_000, right: 1 } : {}
    const kind = random(10)
    const side = random(2) === 0 ? 'Buy' : 'Sell'
    const price = String(3000 + random(20) * 10)
    const size = String(1 + random(5))
    const tif = (['gtc', 'gtc', 'ioc', 'fok'] as const)[random(4)]!
    const orderId = (1 + random(200)) * 1024
    if (kind < 6) rig.place({ wallet, side, price, size, tif, instrument, nonce: step })
    else if (kind < 8) rig.cancel(wallet, orderId, { nonce: step })
    else if (kind < 9) rig.place({ wallet, side, price, size, nonce: step, replaces: orderId })
    else rig.index(99_000 + random(2000))
    if (random(4) === 0) rig.run()
    rig.nowMillis += random(3000)
  }
  rig.run().events()
  return rig
}

function assertSameState(replica: CoreReplica, rig: CoreRig): void {
  const { low, high } = rig.state.hash
  assert.deepEqual({ ...replica.stateHash() }, { low, high })
  assert.equal(replica.state.sink.seq, rig.state.sink.seq)
  assert.equal(replica.save().length, saved(rig).length)
}

function saved(rig: CoreRig): Uint8Array {
  const writer = new StateWriter()
  saveState(rig.state, writer)
  return writer.result().slice()
}

function statuses(seen: readonly RigEvent[]): (number | undefined)[] {
  return seen
    .filter(({ type }) => type === EventType.OrderUpdate)
    .map(({ fields }) => fields['status'])
}

function levels(seen: readonly RigEvent[]): (number | undefined)[][] {
  return seen
    .filter(({ type }) => type === EventType.BookLevel)
    .map(({ fields }) => [fields['side'], fields['price'], fields['size']])
}

function outcomeOf(seen: readonly RigEvent[], request: number): Readonly<Record<string, number>> {
  const found = seen.find(
    ({ type, fields }) => type === EventType.Outcome && fields['request'] === request,
  )
  assert.ok(found, `no outcome for request ${request}`)
  return found.fields
}

test('grouped commands have a batch each unless they belong together, and wait until nothing else is due', () => {
  const rig = new CoreRig().openMarket()
  const grouping = new VirtualTime(allocateVirtualTime(1, 1))
  rig.core.grouping = grouping
  const before = rig.state.batchNumber
  rig.place(ask)
  rig.place(bid)
  rig.nowMillis += rig.state.config.remarkMillis
  rig.step()
  assert.deepEqual([rig.core.decidedCount, rig.state.batchNumber], [0, before + 1], 'the re-mark')
  rig.step()
  rig.step()
  assert.equal(rig.core.decidedCount, 1)
  assert.equal(rig.state.batchNumber, before + 3)
  assert.equal(rig.step(), false)
  grouping.join(2)
  for (const order of [ask, bid, ask]) rig.place(order)
  const counts: number[] = []
  while (rig.step()) counts.push(rig.core.decidedCount)
  assert.deepEqual(counts, [2, 1])
})

test('a time that goes back, or a batch out of order, stops the engine', () => {
  const rig = new CoreRig().openMarket()
  const { core, state } = rig
  rig.place(bid)
  rig.run()
  const views = rig.batches.at(-1)!
  assert.throws(() => core.replay(state.nowMillis - 1, views, 0, 0), /engine time never goes back/)
  const replica = new CoreReplica(engineConfigDefault)
  assert.throws(() => replica.applyBatch(views), /replay: batch numbers are consecutive/)
})
