import assert from 'node:assert/strict'
import { test } from 'node:test'
import webPush from 'web-push'
import {
  allocateExchangeMemory,
  flagWords,
  wakeupOf,
} from '../../../engine/memory/exchange-memory.js'
import { Ring } from '../../../engine/memory/ring.js'
import { Wakeup } from '../../../engine/memory/wakeup.js'
import { PushService } from '../../../gateway/push/push-service.js'
import { NoticeRecord } from '../../../schemas/generated/notices.js'
import { eventually } from '../../e2e/support/venue.js'
import { newBrowser } from '../../support/browser.js'
import { testConfig } from '../../support/gateway-rig.js'
import { decrypted, PushReceiver } from '../../support/push-receiver.js'

/** Returns a service with a thread, and the ring of its notifications. */
function serviceOf() {
  const memory = allocateExchangeMemory(1, 0)
  const notes: string[] = []
  const { push } = testConfig({ 'push.allowPrivate': 'true' })
  const service = new PushService({
    ...{ memory, push, keys: webPush.generateVAPIDKeys(), pinnedCore: undefined },
    drop: () => assert.fail('no subscription is gone'),
    onNote: (text) => notes.push(text),
  })
  Atomics.store(new Int32Array(memory.flags), flagWords.pushWanted, 1)
  const ring = new Ring(memory.noticeRing, 'producer')
  const record = new NoticeRecord()
  const tell = (text: string) => {
    record.claim(ring, NoticeRecord.bytesWith(text.length))
    record.textBytes = text.length
    record.u8.set(Buffer.from(text), record.textAt)
    ring.commit()
    new Wakeup(memory.wakeups, wakeupOf.push).ring()
  }
  return { service, notes, tell }
}

test('a thread that fails is restarted, and later notifications are sent', async () => {
  const receiver = await new PushReceiver().start()
  const { service, notes, tell } = serviceOf()
  const browser = newBrowser()
  const keys = Buffer.concat([browser.point, browser.secret]).toString('base64')
  const notify = (timestamp: number) => {
    const endpoint = receiver.endpoint('/one')
    const payload = { type: 'fill', timestamp }
    tell(JSON.stringify({ id: 1, wallet: '0x1', endpoint, keys, payload }))
  }
  const sent = () =>
    receiver.of('/one').map(({ body }) => JSON.parse(decrypted(body, browser)).timestamp)
  try {
    service.start()
    notify(1)
    await eventually('the first is sent', () => sent().length === 1)
    tell('what no reader of notices can read')
    await eventually('the thread dies', () => notes.length === 1)
    assert.match(notes[0]!, /^push: the thread failed: SyntaxError/)
    notify(2)
    await eventually('the next is sent', () => sent().length === 2)
    assert.deepEqual(sent(), [1, 2])
    assert.equal(notes.length, 1)
  } finally {
    await service.stop()
    await receiver.stop()
  }
})
