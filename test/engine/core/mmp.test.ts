import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../engine/core/operator/bootstrap.js'
import { CoreReplica } from '../../../engine/core/replica.js'
import { MmpTrigger } from '../../../engine/matching/mmp-window.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { EventType } from '../../../schemas/generated/events.js'
import { MmpChange, OutcomeFlag } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { CoreRig } from '../../support/core-rig.js'
import type { RigInstrument, RigMmp } from '../../support/rig-commands.js'
import type { RigEvent } from '../../support/rig-event.js'

const { Acked, Canceled, Filled, PartiallyFilled } = OrderStatus
const put: RigInstrument = { strike: 90_000, right: 1 }
const maker = { wallet: 1, side: 'Sell', price: '3500', mmpEnabled: true } as const
const taker = { wallet: 2, side: 'Buy', price: '3500', tif: 'ioc' } as const
const terms: RigMmp = { interval: 5000, frozen: 10_000, qty: 10, delta: 4 }

test('a trigger publishes the order being filled once, then the others of the underlying', () => {
  const rig = protectedRig(terms)
  const first = rig.outcome(rig.place({ ...maker, size: '12' }))['orderId']!
  const other = rig.outcome(rig.place({ ...maker, size: '1', price: '3600' }))['orderId']!
  const elsewhere = rig.outcome(rig.place({ ...maker, size: '2', instrument: put }))['orderId']!
  const plain = rig.outcome(rig.place({ ...maker, size: '3', mmpEnabled: false }))['orderId']!
  const eth = { underlying: 'ETH' }
  const ether = rig.outcome(rig.place({ ...maker, size: '1', instrument: eth }))['orderId']!
  rig.outcome(rig.place({ ...taker, size: '4' }))
  const request = rig.place({ ...taker, size: '7' })
  const seen = rig.run().events()
  assert.deepEqual(updatesOf(seen, first), [
    [Canceled, Result.MmpTriggered, OutcomeFlag.MmpTriggered, 11],
  ])
  for (const orderId of [other, elsewhere]) {
    assert.deepEqual(updatesOf(seen, orderId), [[Canceled, Result.MmpCanceled, 0, 0]])
  }
  for (const orderId of [plain, ether]) assert.deepEqual(updatesOf(seen, orderId), [])
  const answer = outcomeOf(seen, request)
  assert.deepEqual([answer['status'], answer['filled'], answer['flags']], [Filled, 7, 0])
  const [event] = mmpEvents(seen)
  assert.equal(event!['change'], MmpChange.Triggered)
  assert.equal(event!['frozenUntil'], rig.nowMillis + 10_000)
  assert.equal(rig.state.accounts.workingOrders[0], 2)
})

test('while frozen, new protected orders are rejected with underlying and end, and others are not', () => {
  const rig = protectedRig(terms)
  trigger(rig)
  const until = rig.nowMillis + 10_000
  rig.nowMillis = until - 1
  const refused = rig.outcome(rig.place({ ...maker, size: '1', nonce: 5 }))
  const { result, orderId, detail0, detail1 } = refused
  assert.deepEqual([result, orderId], [Result.MmpFrozen, 0])
  assert.deepEqual([detail0, detail1], [rig.state.instruments.findUnderlying('BTC'), until])
  assert.equal(rig.outcome(rig.place({ ...maker, size: '1', mmpEnabled: false }))['result'], 0)
  assert.equal(rig.outcome(rig.place({ ...maker, wallet: 3, size: '1' }))['result'], 0)
  rig.nowMillis = until
  const again = rig.outcome(rig.place({ ...maker, size: '1', nonce: 5 }))
  assert.deepEqual([again['result'], again['status']], [0, Acked], 'the nonce was not burned')
})

test('a freeze without an end lasts until a reset, and the window restarts', () => {
  const rig = protectedRig({ ...terms, frozen: 0 })
  trigger(rig)
  rig.nowMillis += 86_400_000
  const refused = rig.outcome(rig.place({ ...maker, size: '1' }))
  assert.deepEqual(
    [refused['result'], refused['detail1']],
    [Result.MmpFrozen, Number.POSITIVE_INFINITY],
  )
  assert.equal(rig.outcome(rig.resetMmp(1))['result'], Result.Accepted)
  rig.index(100_000)
  rig.surface(0.6)
  assert.equal(rig.outcome(rig.place({ ...maker, size: '11' }))['result'], 0)
  rig.outcome(rig.place({ ...taker, size: '9.9' }))
  assert.equal(rig.state.mmp.frozenUntil(0, 0, rig.nowMillis), 0)
  rig.outcome(rig.place({ ...taker, size: '0.1' }))
  assert.equal(rig.state.mmp.frozenUntil(0, 0, rig.nowMillis), Number.POSITIVE_INFINITY)
})

test('an order after the trigger in its batch is rejected like one in the next batch', () => {
  const rig = protectedRig(terms)
  rig.outcome(rig.place({ ...maker, size: '12' }))
  const batches = rig.batches.length
  rig.place({ ...taker, size: '10' })
  const placed = rig.place({ ...maker, size: '1', price: '3700', nonce: 9, clientId: 'mine' })
  const seen = rig.run().events()
  assert.equal(rig.batches.length - batches, 1)
  const refused = outcomeOf(seen, placed)
  assert.deepEqual([refused['result'], refused['orderId']], [Result.MmpFrozen, 0])
  assert.equal(refused['detail1'], rig.nowMillis + 10_000)
  const rejected = seen.filter(
    ({ type, fields }) => type === EventType.OrderUpdate && fields['result'] === Result.MmpFrozen,
  )
  assert.equal(rejected.length, 1)
  assert.equal(rig.state.accounts.workingOrders[0], 0)
  rig.nowMillis += 10_000
  const again = rig.place({ ...maker, size: '1', price: '3700', nonce: 9, clientId: 'mine' })
  assert.equal(rig.outcome(again)['result'], 0, 'neither nonce nor client id is taken')
})

test('a replace after the trigger in its batch leaves its old order unchanged', () => {
  const rig = protectedRig(terms)
  const quiet = { ...maker, size: '2', price: '3800', mmpEnabled: false } as const
  const { orderId } = rig.outcome(rig.place(quiet))
  rig.outcome(rig.place({ ...maker, size: '12' }))
  rig.place({ ...taker, size: '10' })
  const frozen = rig.place({ ...maker, size: '1', price: '3900', replaces: orderId! })
  const refused = outcomeOf(rig.run().events(), frozen)
  assert.equal(refused['result'], Result.MmpFrozen)
  const slot = rig.state.orderIndex.find(orderId!)
  assert.equal(rig.state.orders.openLots[slot], 2e8)
  assert.equal(rig.state.accounts.workingOrders[0], 1)
  const plain = rig.outcome(rig.place({ ...quiet, size: '1', replaces: orderId! }))
  assert.equal(plain['result'], 0)
})

test('a cancel of an order that the trigger of its batch ended finds it cancelled', () => {
  const rig = protectedRig(terms)
  rig.outcome(rig.place({ ...maker, size: '12' }))
  const { orderId } = rig.outcome(rig.place({ ...maker, size: '2', price: '3800' }))
  rig.place({ ...taker, size: '10' })
  const request = rig.cancel(1, orderId!)
  const seen = rig.run().events()
  assert.equal(outcomeOf(seen, request)['result'], Result.OrderAlreadyCanceled)
})

test('items of one bulk after the trigger are rejected one by one', () => {
  const rig = protectedRig(terms)
  rig.outcome(rig.place({ ...maker, size: '12' }))
  const requests: number[] = []
  rig.bulk(() => {
    requests.push(rig.place({ ...taker, size: '10' }))
    requests.push(rig.place({ ...maker, size: '1' }))
    requests.push(rig.place({ ...maker, size: '1', mmpEnabled: false }))
  })
  const seen = rig.run().events()
  assert.deepEqual(
    requests.map((request) => outcomeOf(seen, request)['result']),
    [0, Result.MmpFrozen, 0],
  )
})

test('the duplicate of an item within its bulk is rejected like the first, with its details', () => {
  const rig = protectedRig(terms)
  rig.outcome(rig.place({ ...maker, size: '12' }))
  const requests: number[] = []
  rig.bulk(() => {
    rig.place({ ...taker, size: '10' })
    requests.push(rig.place({ ...maker, size: '1', nonce: 6 }))
    requests.push(rig.place({ ...maker, size: '1', nonce: 6 }))
  })
  const seen = rig.run().events()
  const results = requests.map((request) => {
    const { result, detail0, detail1 } = outcomeOf(seen, request)
    return [result, detail0, detail1]
  })
  assert.deepEqual(results[0], [Result.MmpFrozen, 0, rig.nowMillis + 10_000])
  assert.deepEqual(results[1], results[0])
})

test('fills as taker count only where configured', () => {
  for (const mmpCountTakerFills of [false, true]) {
    const rig = protectedRig({ ...terms, qty: 2 }, { ...engineConfigDefault, mmpCountTakerFills })
    rig.outcome(rig.place({ ...maker, wallet: 3, size: '5', mmpEnabled: false }))
    const order = { ...taker, wallet: 1, size: '2', mmpEnabled: true, nonce: 3 } as const
    const more = { ...order, size: '9', tif: 'gtc', nonce: 4 } as const
    assert.equal(rig.outcome(rig.place({ ...order, size: '1' }))['status'], Filled)
    const last = rig.outcome(rig.place(more))
    const triggered = [Canceled, 4, Result.MmpTriggered, OutcomeFlag.MmpTriggered]
    const { status, filled, result, flags } = last
    const expected = mmpCountTakerFills ? triggered : [PartiallyFilled, 4, 0, 0]
    assert.deepEqual([status, filled, result, flags], expected)
    if (!mmpCountTakerFills) continue
    const again = rig.outcome(rig.place(more))
    assert.deepEqual([again['status'], again['filled'], again['result']], triggered.slice(0, 3))
    assert.equal(again['flags'], OutcomeFlag.MmpTriggered | OutcomeFlag.Repeat)
  }
})

test('terms outside their limits and underlyings without an instrument fail', () => {
  const rig = new CoreRig().openMarket()
  rig.index(10, 'DOGE')
  const wrong: RigMmp[] = [
    { ...terms, underlying: 'DOGE' },
    { ...terms, underlying: 'NONE' },
    { ...terms, interval: 0 },
    { ...terms, interval: 86_400_001 },
    { ...terms, frozen: -1 },
    { ...terms, frozen: 86_400_001 },
    { interval: 1, frozen: 1 },
    { interval: 1, frozen: 1, qty: -1 },
    { interval: 1, frozen: 1, qty: 2 ** 52 },
  ]
  for (const each of wrong) {
    assert.equal(rig.outcome(rig.setMmp(1, each))['result'], Result.ValueRefused)
  }
  for (const each of [
    { interval: 1, frozen: 0, vega: 0.000001 },
    { interval: 86_400_000, frozen: 86_400_000, qty: 1 },
  ]) {
    assert.equal(rig.outcome(rig.setMmp(1, each))['result'], Result.Accepted)
  }
})

test('a protection that was never set can be neither reset nor deleted', () => {
  const rig = new CoreRig().openMarket()
  for (const type of [CommandType.ResetMmp, CommandType.DeleteMmp]) {
    assert.equal(rig.outcome(rig.resetMmp(1, 'BTC', type))['result'], Result.NotFound)
    assert.equal(rig.outcome(rig.resetMmp(77, 'BTC', type))['result'], Result.NoAccount)
    assert.equal(rig.outcome(rig.resetMmp(1, 'NONE', type))['result'], Result.NotFound)
  }
  rig.outcome(rig.setMmp(1, terms))
  assert.equal(rig.outcome(rig.resetMmp(1, 'BTC', CommandType.DeleteMmp))['result'], 0)
  assert.equal(rig.outcome(rig.resetMmp(1))['result'], Result.NotFound)
})

test('a deletion ends freeze and window', () => {
  const rig = protectedRig(terms)
  trigger(rig)
  rig.outcome(rig.resetMmp(1, 'BTC', CommandType.DeleteMmp))
  assert.equal(rig.outcome(rig.place({ ...maker, size: '12' }))['result'], 0)
  const { status } = rig.outcome(rig.place({ ...taker, size: '12' }))
  assert.equal(status, Filled)
})

test('window and freeze survive a snapshot, for any number of matchers', () => {
  for (const matchers of [1, 2, 3]) {
    const rig = protectedRig(terms)
    rig.setMmp(3, { ...terms, frozen: 0, qty: 1, underlying: 'ETH' })
    rig.place({ ...maker, wallet: 3, size: '5', instrument: { underlying: 'ETH' } })
    rig.place({ ...taker, size: '1', instrument: { underlying: 'ETH' } })
    rig.place({ ...maker, size: '12' })
    rig.place({ ...taker, size: '6' })
    rig.run()
    rig.nowMillis += 1000
    rig.outcome(rig.place({ ...taker, size: '3.5' }))
    const restored = new CoreRig(engineConfigDefault, matchers)
    restored.restore(rig.save())
    restored.nowMillis = rig.nowMillis + 1000
    rig.nowMillis += 1000
    assert.deepEqual(hashOf(restored), hashOf(rig))
    for (const each of [rig, restored]) {
      each.events()
      const eth = { ...maker, wallet: 3, size: '1', instrument: { underlying: 'ETH' }, nonce: 8 }
      assert.equal(each.outcome(each.place(eth))['result'], Result.MmpFrozen)
      const { status } = each.outcome(each.place({ ...taker, size: '0.5', nonce: 9 }))
      assert.equal(status, Filled)
      assert.equal(each.state.mmp.frozenUntil(0, 0, each.nowMillis), each.nowMillis + 10_000)
    }
    assert.deepEqual(hashOf(restored), hashOf(rig))
  }
})

test('orders cancelled by a trigger are published in the same order after a restart', () => {
  const rig = protectedRig(terms)
  // By time the instruments alternate; a restored matcher gets them one instrument after the other.
  for (const instrument of [put, {}, put, {}]) {
    rig.outcome(rig.place({ ...maker, size: '10', instrument }))
  }
  const restored = new CoreRig()
  restored.restore(rig.save())
  restored.nowMillis = rig.nowMillis
  const canceled = [rig, restored].map((each) => {
    each.events()
    each.place({ ...taker, size: '10', nonce: 99 })
    const seen = each.run().events()
    return seen
      .filter(({ fields }) => fields['result'] === Result.MmpCanceled)
      .map(({ fields }) => fields['orderId'])
  })
  assert.equal(canceled[0]!.length, 3)
  assert.deepEqual(canceled[1], canceled[0])
})

test('a replay ends in the same state, and a replica receives the windows', () => {
  const rig = protectedRig(terms)
  trigger(rig)
  rig.nowMillis += 10_000
  rig.outcome(rig.place({ ...maker, size: '12' }))
  rig.outcome(rig.place({ ...taker, size: '4' }))
  for (const matchers of [1, 2, 3]) {
    const again = new CoreRig(engineConfigDefault, matchers)
    for (const batch of rig.batches) again.replay(batch)
    assert.deepEqual(hashOf(again), hashOf(rig), `${matchers} matchers`)
  }
  const replica = new CoreReplica(engineConfigDefault)
  replica.load(rig.save())
  assert.deepEqual(replica.stateHash(), hashOf(rig))
})

test('the bootstrap contains terms, freeze and every entry of a window', () => {
  const rig = protectedRig(terms)
  rig.outcome(rig.place({ ...maker, size: '12' }))
  for (let i = 0; i < 3; i++) {
    rig.nowMillis += 10
    rig.outcome(rig.place({ ...taker, size: '1' }))
  }
  rig.events()
  publishBootstrap(rig.state, () => {})
  const changes = mmpEvents(rig.events()).map((fields) => fields['change'])
  const { Bootstrap, Entry } = MmpChange
  assert.deepEqual(changes, [Bootstrap, Entry, Entry, Entry])
})

test('without a mark, a fill counts its size and no greeks', () => {
  const rig = protectedRig({ interval: 86_400_000, frozen: 0, qty: 3, delta: 0.000001 })
  rig.outcome(rig.place({ ...maker, size: '5' }))
  rig.nowMillis += 400_000
  rig.index(100_000)
  rig.run()
  assert.ok(Number.isNaN(rig.state.marks.delta[0]), 'the surface is too old for a mark')
  assert.equal(rig.outcome(rig.place({ ...taker, size: '2' }))['status'], Filled)
  assert.equal(rig.state.mmp.frozenUntil(0, 0, rig.nowMillis), 0)
  rig.place({ ...taker, size: '1' })
  const [counted] = mmpEvents(rig.run().events())
  assert.equal(counted!['triggers'], MmpTrigger.Qty)
})

test('a fill counts by its size, its delta and its vega', () => {
  const rig = protectedRig({ ...terms, vega: 1_000_000 })
  rig.outcome(rig.place({ ...maker, size: '4' }))
  const { delta, vegaPerPoint } = rig.state.marks
  const greeks = [delta[0]!, vegaPerPoint[0]!].map((each) => Math.round(each * 1e6))
  rig.outcome(rig.place({ ...taker, size: '2' }))
  const { sums } = rig.state.mmp.find(0, 0)!
  assert.deepEqual([sums[0], sums[2], sums[4]], [2e6, -2 * greeks[0]!, -2 * greeks[1]!])
  assert.notEqual(greeks[0], greeks[1])
})

test('an order that the trigger fills whole is FILLED, and the incoming one continues', () => {
  const rig = protectedRig(terms)
  const first = rig.outcome(rig.place({ ...maker, size: '10' }))['orderId']!
  const other = rig.outcome(rig.place({ ...maker, size: '4' }))['orderId']!
  const stranger = rig.outcome(rig.place({ ...maker, wallet: 3, size: '4' }))['orderId']!
  const request = rig.place({ ...taker, size: '12' })
  const seen = rig.run().events()
  assert.deepEqual(updatesOf(seen, first), [[Filled, 0, 0, 10]])
  assert.deepEqual(updatesOf(seen, other), [[Canceled, Result.MmpCanceled, 0, 0]])
  assert.deepEqual(updatesOf(seen, stranger), [[PartiallyFilled, 0, 0, 2]])
  assert.equal(outcomeOf(seen, request)['status'], Filled)
})

/** Lists a call and a put of BTC and one of ETH, funds wallets 1 to 4, and protects wallet 1. */
function protectedRig(limits: RigMmp, config = engineConfigDefault): CoreRig {
  const rig = new CoreRig(config).openMarket()
  rig.list(put)
  rig.list({ underlying: 'ETH' })
  rig.index(100_000, 'ETH')
  rig.surface(0.6, 'ETH')
  rig.outcome(rig.setMmp(1, limits))
  return rig
}

/** Lets wallet 1 sell 10 contracts under protection. */
function trigger(rig: CoreRig): void {
  rig.outcome(rig.place({ ...maker, size: '10' }))
  rig.outcome(rig.place({ ...taker, size: '10' }))
}

function outcomeOf(seen: readonly RigEvent[], request: number): Readonly<Record<string, number>> {
  const isIt = ({ type, fields }: RigEvent) =>
    type === EventType.Outcome && fields['request'] === request
  return seen.find(isIt)!.fields
}

/** Status, result, flags and filled size of each update of an order. */
function updatesOf(seen: readonly RigEvent[], orderId: number): (number | undefined)[][] {
  return seen
    .filter(({ type, fields }) => type === EventType.OrderUpdate && fields['orderId'] === orderId)
    .map(({ fields }) => [fields['status'], fields['result'], fields['flags'], fields['filled']])
}

function mmpEvents(seen: readonly RigEvent[]): Readonly<Record<string, number>>[] {
  return seen.filter(({ type }) => type === EventType.Mmp).map(({ fields }) => fields)
}

function hashOf({ state }: CoreRig): { low: number; high: number } {
  return { low: state.hash.low, high: state.hash.high }
}
