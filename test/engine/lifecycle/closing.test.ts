import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireInstrument } from '../../../engine/lifecycle/closing.js'
import { InstrumentState, OrderStatus, Tier } from '../../../schemas/domain.js'
import { EventType } from '../../../schemas/generated/events.js'
import { InstrumentChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { CoreRig } from '../../support/core-rig.js'
import type { RigEvent } from '../../support/rig-event.js'

const expiry = Date.UTC(2026, 0, 31, 0)
const bid = { wallet: 1, side: 'Buy', price: '3000', size: '0.001' } as const

test('an expiry clears the book, publishes it, and cancels orders with its reason, oldest first', () => {
  const rig = new CoreRig().openMarket()
  const ids = [rig.outcome(rig.place(bid)), rig.outcome(rig.place(bid))].map(
    ({ orderId }) => orderId,
  )
  rig.nowMillis = expiry
  const seen = rig.run().events()
  const types = seen.map(({ type }) => type)
  assert.ok(types.indexOf(EventType.BookCleared) < types.indexOf(EventType.Instrument))
  const canceled = updatesOf(seen)
  assert.deepEqual(
    canceled.map(({ orderId, status, result }) => [orderId, status, result]),
    ids.map((id) => [id, OrderStatus.Canceled, Result.InstrumentExpired]),
  )
  assert.equal(rig.state.instruments.state[0], InstrumentState.ExpiredPendingPrice)
})

test('instruments of one expiry end once, in order of listing', () => {
  const rig = new CoreRig().openMarket()
  rig.list({ strike: 120_000 })
  rig.list({ strike: 90_000, right: 1 }, expiry - 1)
  rig.run().events()
  rig.nowMillis = expiry + 5
  const expired = rig
    .run()
    .events()
    .filter(({ type }) => type === EventType.Instrument)
  assert.deepEqual(
    expired.map(({ fields }) => [fields['instrument'], fields['change']]),
    [2, 0, 1].map((instrument) => [instrument, InstrumentChange.Expired]),
  )
  rig.nowMillis += 60_000
  assert.equal(
    rig
      .run()
      .events()
      .some(({ type }) => type === EventType.Instrument),
    false,
  )
})

test('the core cancels thousands of orders over several batches while other orders trade', () => {
  const rig = new CoreRig().openMarket()
  rig.list({ strike: 120_000 }, expiry + 1000)
  for (const wallet of [1, 2, 3]) rig.tier(wallet, Tier.MarketMaker)
  for (let i = 0; i < 5400; i++) {
    rig.place({ ...bid, wallet: 1 + (i % 3), price: '1' })
    if (i % 1000 === 0) rig.run().events()
  }
  rig.run().events()
  rig.nowMillis = expiry
  rig.step()
  assert.equal(updatesOf(rig.events()).length, 4096)
  assert.equal(rig.state.closing.length, 1)
  rig.index(100_000)
  const other = rig.outcome(rig.place({ ...bid, instrument: { strike: 120_000 } }))
  assert.equal(other['result'], Result.Accepted)
  assert.equal(rig.state.closing.length, 0)
  assert.deepEqual([...rig.state.accounts.workingOrders.slice(0, 3)], [1, 0, 0])
})

test('a snapshot between those batches continues where it was', () => {
  const rig = new CoreRig().openMarket()
  for (const wallet of [1, 2, 3]) rig.tier(wallet, Tier.MarketMaker)
  for (let i = 0; i < 4200; i++) {
    rig.place({ ...bid, wallet: 1 + (i % 3), price: '1' })
    if (i % 1000 === 0) rig.run().events()
  }
  rig.run().events()
  rig.nowMillis = expiry
  rig.step()
  const copy = new CoreRig()
  copy.restore(rig.save())
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
  copy.nowMillis = expiry
  assert.equal(updatesOf(copy.run().events()).length, 104)
  rig.run()
  assert.deepEqual({ ...copy.state.hash }, { ...rig.state.hash })
})

test('the core rejects a delisting with open positions and changes nothing', () => {
  const rig = new CoreRig().openMarket()
  rig.outcome(rig.place({ wallet: 2, side: 'Sell', price: '3000', size: '1' }))
  rig.outcome(rig.place(bid))
  assert.equal(rig.outcome(rig.delist())['result'], Result.PositionsOpen)
  assert.equal(rig.outcome(rig.place(bid))['status'], OrderStatus.Filled)
})

test('an instrument that waits for its price can be delisted once no wallet has a position', () => {
  const rig = new CoreRig().openMarket()
  rig.nowMillis = expiry
  rig.run().events()
  assert.equal(rig.outcome(rig.delist())['result'], Result.Accepted)
  assert.equal(rig.outcome(rig.delist())['result'], Result.NotFound)
  assert.equal(rig.state.instruments.state[0], InstrumentState.Deleted)
})

function updatesOf(seen: readonly RigEvent[]): Readonly<Record<string, number>>[] {
  return seen.filter(({ type }) => type === EventType.OrderUpdate).map(({ fields }) => fields)
}

test('the engine asserts on an early expiry', () => {
  const rig = new CoreRig().openMarket()
  assert.throws(() => expireInstrument(rig.state, 0), /expiry: its time has come/)
})
