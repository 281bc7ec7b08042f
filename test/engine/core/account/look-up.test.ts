import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookUpOutcome } from '../../../../engine/core/account/look-up.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { OrderStatus } from '../../../../schemas/domain.js'
import { CommandType } from '../../../../schemas/generated/commands.js'
import { FoundReply, LookupRequest } from '../../../../schemas/generated/lookups.js'
import { OutcomeStanding } from '../../../../schemas/record-values.js'
import { viewsOf } from '../../../../schemas/record-views.js'
import { Result } from '../../../../schemas/results.js'
import { AuctionRig, rowsOf } from '../../../support/auction-rig.js'
import { CoreRig } from '../../../support/core-rig.js'
import { taker } from '../../../support/rfq-rig.js'
import { walletOf } from '../../../support/rig-commands.js'

const bid = { wallet: 1, side: 'Buy', price: '3000', size: '1' } as const

function lookUp({ state }: CoreRig, wallet: number, digest: number): FoundReply {
  const request = new LookupRequest().over(viewsOf(new ArrayBuffer(LookupRequest.bytes)), 0)
  request.u8.set(walletOf(wallet), request.walletAt)
  request.u32[request.digestAt >> 2] = digest
  const reply = new FoundReply().over(viewsOf(new ArrayBuffer(FoundReply.bytes)), 0)
  lookUpOutcome(state, request, reply)
  return reply
}

test('a lookup finds an accepted action with the answer of its duplicate, and changes nothing', () => {
  const rig = new CoreRig().openMarket()
  const placed = rig.outcome(rig.place({ ...bid, nonce: 5, digest: 77 }))
  const before = [rig.state.hash.low, rig.state.hash.high]
  const found = lookUp(rig, 1, 77)
  assert.deepEqual(
    [found.standing, found.command, found.result, found.nonceLow, found.facts.orderId],
    [OutcomeStanding.Known, CommandType.PlaceOrder, Result.Accepted, 5, placed['orderId']],
  )
  assert.deepEqual([found.facts.status, found.keptCount], [OrderStatus.Acked, 1])
  assert.deepEqual([found.millis, found.oldestMillis], [rig.nowMillis, rig.nowMillis])
  assert.deepEqual([rig.state.hash.low, rig.state.hash.high], before)
  const repeat = rig.outcome(rig.place({ ...bid, nonce: 5, digest: 77 }))
  assert.deepEqual([repeat['orderId'], repeat['status']], [placed['orderId'], found.facts.status])
})

test('a lookup does not find failed actions, those of another wallet, and unsigned ones', () => {
  const rig = new CoreRig().openMarket()
  rig.place({ ...bid, nonce: 5, digest: 77 })
  rig.place({ ...bid, nonce: 6, digest: 78, size: '100000' })
  rig.run()
  for (const [wallet, digest] of [
    [1, 78],
    [2, 77],
    [1, 79],
    [99, 77],
  ] as const) {
    const { standing, keptMax } = lookUp(rig, wallet, digest)
    assert.deepEqual([standing, keptMax], [OutcomeStanding.Unknown, 1000], `${wallet} ${digest}`)
  }
})

test('a lookup of a dropped action states the oldest stored one', () => {
  const rig = new CoreRig({ ...engineConfigDefault, outcomesKept: 2 }).openMarket()
  for (const digest of [71, 72, 73]) {
    rig.nowMillis += 10
    rig.outcome(rig.place({ ...bid, nonce: digest, digest, price: '2000' }))
  }
  assert.equal(lookUp(rig, 1, 71).standing, OutcomeStanding.Unknown)
  const { standing, keptCount, keptMax, oldestMillis } = lookUp(rig, 1, 72)
  assert.deepEqual([standing, keptCount, keptMax], [OutcomeStanding.Known, 2, 2])
  assert.equal(oldestMillis, rig.nowMillis - 10)
})

test('a lookup finds an order that waits for quotes as pending, and later its result', () => {
  const rig = new AuctionRig().openAuctions()
  rig.ask(rowsOf(3296), { nonce: 500, digest: 88 })
  rig.story()
  assert.equal(lookUp(rig, taker, 88).standing, OutcomeStanding.Waiting)
  rig.nowMillis += 1000
  rig.run()
  const { standing, facts } = lookUp(rig, taker, 88)
  assert.equal(standing, OutcomeStanding.Known)
  assert.notEqual(facts.status, OrderStatus.None)
})
