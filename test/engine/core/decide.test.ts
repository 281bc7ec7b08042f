import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { OrderStatus, Tier } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { CoreRig } from '../../support/core-rig.js'
import type { RigEvent } from '../../support/rig-event.js'

const bid = { wallet: 1, side: 'Buy', price: '3000', size: '1' } as const
const ask = { wallet: 2, side: 'Sell', price: '3400', size: '1' } as const

test('the items of a bulk run in order in one step, and each gets an answer', () => {
  const rig = new CoreRig().openMarket()
  const requests: number[] = []
  rig.bulk(() => {
    requests.push(rig.place({ ...ask }))
    requests.push(rig.place({ ...bid, price: '3400', size: '0.5' }))
    requests.push(rig.place({ ...bid, instrument: { strike: 1 } }))
  })
  const batches = rig.batches.length
  const outcomes = outcomesOf(rig.run().events())
  assert.equal(rig.batches.length - batches, 1)
  assert.equal(rig.batches.at(-1)!.commandCount, 1, 'journaled as one record')
  assert.deepEqual(
    outcomes.map(({ request, result, status }) => [request, result, status]),
    [
      [requests[0], Result.Accepted, OrderStatus.Acked],
      [requests[1], Result.Accepted, OrderStatus.Filled],
      [requests[2], Result.InvalidSymbol, OrderStatus.Rejected],
    ],
  )
  assertReplays(rig)
})

test('two items of a bulk for the same order are resolved in item order', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place({ ...bid, clientId: 'a' }))
  rig.bulk(() => {
    rig.place({ ...bid, price: '3100', clientId: 'a', replaces: orderId! })
    rig.cancel(1, orderId!)
    rig.cancelClient(1, 'a')
    rig.place({ ...bid, price: '3200', replaces: orderId! })
  })
  const results = outcomesOf(rig.run().events()).map(({ result }) => result)
  assert.deepEqual(results, [
    Result.Accepted,
    Result.OrderAlreadyCanceled,
    Result.CanceledOnRequest,
    Result.OrderAlreadyCanceled,
  ])
  assert.equal(rig.state.accounts.workingOrders[0], 0)
  assertReplays(rig)
})

test('a nonce of an earlier item repeats its result for the same payload, and is used for another', () => {
  const rig = new CoreRig().openMarket()
  rig.bulk(() => {
    rig.place({ ...bid, nonce: 5 })
    rig.place({ ...bid, nonce: 5 })
    rig.place({ ...bid, nonce: 5, digest: 6 })
    rig.place({ ...bid, nonce: 5 })
  })
  const outcomes = outcomesOf(rig.run().events())
  assert.deepEqual(
    outcomes.map(({ result, flags }) => [result, flags]),
    [
      [Result.Accepted, 0],
      [Result.Accepted, OutcomeFlag.Repeat],
      [Result.NonceUsed, 0],
      [Result.Accepted, OutcomeFlag.Repeat],
    ],
  )
  assert.equal(outcomes[3]!['orderId'], outcomes[0]!['orderId'])
  assert.equal(rig.state.accounts.workingOrders[0], 1)
})

test('an item with the nonce of a failed item gets the same answer', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place(bid))
  rig.bulk(() => {
    rig.cancel(1, orderId!)
    rig.cancel(1, orderId!, { nonce: 8 })
    rig.cancel(1, orderId!, { nonce: 8 })
  })
  const results = outcomesOf(rig.run().events()).map(({ result }) => result)
  const { CanceledOnRequest, OrderAlreadyCanceled } = Result
  assert.deepEqual(results, [CanceledOnRequest, OrderAlreadyCanceled, OrderAlreadyCanceled])
  assert.equal(rig.outcome(rig.place({ ...bid, nonce: 8 }))['result'], Result.Accepted)
})

test('a replace item whose order was partly filled in between is decided again, and so is its duplicate', () => {
  const rig = new CoreRig().openMarket()
  const { orderId } = rig.outcome(rig.place({ ...ask, size: '2' }))
  rig.bulk(() => {
    rig.place({ ...bid, price: '3400', size: '0.5' })
    rig.place({ ...ask, price: '3500', nonce: 9, replaces: orderId! })
    rig.place({ ...ask, price: '3500', nonce: 9, replaces: orderId! })
  })
  const outcomes = outcomesOf(rig.run().events())
  assert.deepEqual(
    outcomes.map(({ result, flags }) => [result, flags]),
    [
      [Result.Accepted, 0],
      [Result.Accepted, 0],
      [Result.Accepted, OutcomeFlag.Repeat],
    ],
  )
  assert.equal(rig.state.accounts.workingOrders[1], 1)
  assertReplays(rig)
})

test('a bulk waits as a whole for undecided earlier commands, and for room', () => {
  const rig = new CoreRig().openMarket()
  rig.tier(1, Tier.MarketMaker)
  const { orderId } = rig.outcome(rig.place({ ...bid, size: '0.001' }))
  rig.cancel(1, orderId!)
  rig.bulk(() => {
    rig.place({ ...bid, size: '0.001' })
    rig.cancel(1, orderId!)
  })
  const batches = rig.batches.length
  const results = outcomesOf(rig.run().events()).map(({ result }) => result)
  assert.deepEqual(results, [
    Result.CanceledOnRequest,
    Result.Accepted,
    Result.OrderAlreadyCanceled,
  ])
  assert.equal(rig.batches.length - batches, 2)
  for (let i = 0; i < 220; i++) rig.place({ ...bid, size: '0.001' })
  rig.bulk(() => {
    for (let i = 0; i < 50; i++) rig.place({ ...bid, size: '0.001' })
  })
  rig.run()
  const counts = rig.batches.slice(batches + 2).map(({ commandCount }) => commandCount)
  assert.deepEqual(counts, [220, 1])
})

function outcomesOf(seen: readonly RigEvent[]): Readonly<Record<string, number>>[] {
  return seen.filter(({ type }) => type === EventType.Outcome).map(({ fields }) => fields)
}

function assertReplays(rig: CoreRig): void {
  const replica = new CoreReplica(engineConfigDefault)
  for (const batch of rig.batches) replica.applyBatch(batch)
  const { low, high } = rig.state.hash
  assert.deepEqual({ ...replica.stateHash() }, { low, high })
}
