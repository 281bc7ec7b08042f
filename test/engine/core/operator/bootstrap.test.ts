import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { HaltMode, Tier } from '../../../../schemas/domain.js'
import { CommandType } from '../../../../schemas/generated/commands.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { AccountChange, InstrumentChange } from '../../../../schemas/record-values.js'
import { FollowedBooks } from '../../../support/core-invariants.js'
import { CoreRig } from '../../../support/core-rig.js'
import type { RigEvent } from '../../../support/rig-event.js'

const bid = { wallet: 1, side: 'Buy', price: '3000', size: '1' } as const

test('a bootstrap publishes the whole state once, between two marks, under the current sequence', () => {
  const rig = tradedRig()
  const books = followed(rig.restored.events)
  const { events, seq } = rig.restored
  assert.equal(events[0]?.type, EventType.BootstrapBegin)
  assert.equal(events.at(-1)?.type, EventType.BootstrapEnd)
  assert.ok(events.every((event) => event.seq === seq))
  assert.equal(seq, rig.live.state.sink.seq, 'none of them takes a number')
  const kinds = (type: number) => events.filter((event) => event.type === type)
  assert.deepEqual(
    kinds(EventType.Instrument).map(({ fields }) => fields['change']),
    [InstrumentChange.Bootstrap, InstrumentChange.Bootstrap],
  )
  assert.equal(kinds(EventType.Position).length, 2)
  assert.equal(kinds(EventType.Agent).length, 1)
  assert.equal(kinds(EventType.OrderUpdate).length, 2)
  assert.equal(kinds(EventType.Surface).length, 1)
  assert.equal(kinds(EventType.Halt).length, 1)
  const remarked = kinds(EventType.Remarked).map(({ millis }) => millis)
  assert.deepEqual(remarked, [rig.live.state.marks.lastMarkedMillis[0]], 'at the time of the marks')
  assert.equal(events.at(-1)?.millis, rig.live.state.nowMillis)
  for (const { fields } of kinds(EventType.Account)) {
    assert.equal(fields['change'], AccountChange.Bootstrap)
  }
  assert.deepEqual([...books.levelsOf(0)].sort(), [...rig.books.levelsOf(0)].sort())
})

test('a bootstrap larger than the log is published while the readers follow', () => {
  const live = new CoreRig().openMarket()
  live.tier(1, Tier.MarketMaker)
  for (let i = 0; i < 1900; i++) live.place({ ...bid, size: '0.001' })
  live.run().events()
  const copy = new CoreRig(engineConfigDefault, 1, { logBytes: 1 << 21 })
  copy.restore(live.save())
  const seen: RigEvent[] = []
  publishBootstrap(copy.state, () => seen.push(...copy.events()))
  seen.push(...copy.events())
  assert.equal(seen.filter(({ type }) => type === EventType.OrderUpdate).length, 1900)
  assert.equal(seen.at(-1)?.type, EventType.BootstrapEnd)
})

function tradedRig() {
  const live = new CoreRig().openMarket()
  live.list({ strike: 120_000 })
  live.delist({ strike: 120_000 })
  live.agent(CommandType.ApproveAgent, 1, 60)
  live.place(bid)
  live.place({ ...bid, price: '2900' })
  live.place({ ...bid, price: '2900', wallet: 3 })
  live.place({ wallet: 2, side: 'Sell', price: '3000', size: '1' })
  live.halt(HaltMode.CancelOnly)
  live.run()
  live.nowMillis += 500
  live.deposit(1, 5)
  live.run()
  const books = followed(live.events())
  const copy = new CoreRig()
  copy.restore(live.save())
  publishBootstrap(copy.state, () => {})
  return { live, books, restored: { events: copy.events(), seq: copy.state.sink.seq } }
}

function followed(events: readonly RigEvent[]): FollowedBooks {
  const books = new FollowedBooks()
  books.take(events)
  return books
}
