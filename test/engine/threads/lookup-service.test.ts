import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Core } from '../../../engine/core/core.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { LookupService } from '../../../engine/threads/lookup-service.js'
import { FoundReply, LookupRequest } from '../../../schemas/generated/lookups.js'
import { CoreRig } from '../../support/core-rig.js'

/** Lookups of one gateway, with a core that takes its commands when the test calls it. */
function lookupRig(replyBytes = 1 << 12) {
  const { core } = new CoreRig().openMarket()
  const sent = { count: 0, decided: 0 }
  const slow = {
    state: core.state,
    commandEnds: () => [sent.count],
    hasDecided: ([end]: readonly number[]) => sent.decided >= end!,
  } as unknown as Core
  const [requests, replies] = [allocateRing(1 << 12), allocateRing(replyBytes)]
  const producer = new Ring(requests, 'producer')
  const consumer = new Ring(replies, 'consumer')
  let rings = 0
  const service = new LookupService(slow, [
    {
      requests: new Ring(requests, 'consumer'),
      replies: new Ring(replies, 'producer'),
      bell: { ring: () => rings++ },
    },
  ])
  const request = new LookupRequest()
  const reply = new FoundReply()
  return {
    service,
    sent,
    rings: () => rings,
    ask(slot: number) {
      assert.ok(request.claim(producer))
      request.slot = slot
      producer.commit()
    },
    answered() {
      const slots: number[] = []
      for (let at = consumer.next(); at >= 0; at = consumer.next()) {
        slots.push(reply.over(consumer, at).slot)
      }
      consumer.release()
      return slots
    },
  }
}

test('a lookup waits for the commands that were sent before it, and for no others', () => {
  const { service, sent, ask, answered } = lookupRig()
  sent.count = 3
  ask(7)
  assert.equal(service.doWork(), 0)
  sent.count = 9
  sent.decided = 2
  assert.equal(service.doWork(), 0)
  sent.decided = 3
  assert.equal(service.doWork(), 1)
  assert.deepEqual(answered(), [7])
})

test('a lookup that arrives while another waits has its own position', () => {
  const { service, sent, ask, answered } = lookupRig()
  sent.count = 1
  ask(1)
  service.doWork()
  sent.count = 2
  ask(2)
  sent.decided = 1
  service.doWork()
  assert.deepEqual(answered(), [1])
  assert.equal(service.doWork(), 0)
  sent.decided = 2
  service.doWork()
  assert.deepEqual(answered(), [2])
})

test('answers without room are sent later, each once', () => {
  const { service, ask, answered, rings } = lookupRig(1 << 10)
  for (let slot = 0; slot < 12; slot++) ask(slot)
  const seen: number[] = []
  for (let turn = 0; turn < 12; turn++) {
    service.doWork()
    seen.push(...answered())
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 12 }, (_, slot) => slot),
  )
  assert.ok(rings() > 1)
  assert.equal(service.doWork(), 0)
})
