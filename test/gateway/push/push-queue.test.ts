import assert from 'node:assert/strict'
import { mock, type TestContext, test } from 'node:test'
import type { PushNotice, PushOutcome } from '../../../gateway/push/push-notice.js'
import {
  type PushCount,
  PushQueue,
  type PushQueueOptions,
} from '../../../gateway/push/push-queue.js'

interface Sent {
  readonly notice: PushNotice
  readonly end: (outcome: PushOutcome) => Promise<void>
}

/** A queue whose attempts end when the test says so, under a clock that it moves. */
function rigOf(context: TestContext, patch: Partial<PushQueueOptions> = {}) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const sent: Sent[] = []
  const counts: Partial<Record<PushCount, number>> = {}
  const gone: number[] = []
  const queue = new PushQueue({
    ...{ queueMax: 100, perHostMax: 2, attemptsMax: 3, retryMillis: 1000, maxAgeSeconds: 60 },
    send: (notice) =>
      new Promise((resolve) => {
        const end = async (outcome: PushOutcome) => {
          resolve(outcome)
          await settled()
        }
        sent.push({ notice, end })
      }),
    onGone: ({ id }) => gone.push(id),
    onCount: (what) => {
      counts[what] = (counts[what] ?? 0) + 1
    },
    random: () => 1,
    ...patch,
  })
  context.after(() => mock.timers.reset())
  const add = (id: number, host = 'a.example', timestamp = 0, wallet = '0x1') =>
    queue.add({
      ...{ id, wallet, endpoint: `https://${host}/${id}`, keys: '' },
      payload: { type: 'fill', timestamp },
    })
  return { queue, sent, counts, gone, add }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

test('a limited number goes to one push service at a time, and one that hangs delays no other', async (context) => {
  const { add, sent, counts, queue } = rigOf(context)
  for (let id = 1; id <= 5; id++) add(id, 'slow.example')
  add(6, 'quick.example')
  assert.deepEqual(
    sent.map(({ notice }) => notice.id),
    [1, 2, 6],
  )
  await sent[2]!.end({ kind: 'delivered' })
  await sent[0]!.end({ kind: 'delivered' })
  assert.deepEqual(
    sent.map(({ notice }) => notice.id),
    [1, 2, 6, 3],
  )
  assert.equal(counts.delivered, 2)
  assert.equal(queue.count, 4)
})

test('a wallet whose browsers use many hanging services delays nobody else', async (context) => {
  const { add, sent, queue } = rigOf(context, { perHostMax: 8, queueMax: 1000 })
  for (let id = 1; id <= 10; id++) {
    for (let count = 0; count < 10; count++) add(id, `${id}.example`, count, '0xbad')
  }
  add(11, '1.example.', 0, '0xgood') // the same service
  const idsOf = (wallet: string) =>
    sent.filter(({ notice }) => notice.wallet === wallet).map(({ notice }) => notice.id)
  assert.deepEqual([idsOf('0xbad'), idsOf('0xgood')], [[1, 1, 1, 1], [11]])
  await sent[0]!.end({ kind: 'failed' })
  assert.equal(idsOf('0xbad').length, 5, 'one for one')
  assert.equal(queue.count, 100)
})

test('beyond the limit the oldest waiting notification is dropped', (context) => {
  const { add, sent, counts, queue } = rigOf(context, { queueMax: 3, perHostMax: 1 })
  for (let id = 1; id <= 6; id++) {
    add(id)
    mock.timers.tick(1)
  }
  assert.equal(queue.count, 4)
  assert.equal(counts.dropped, 2)
  assert.deepEqual(
    sent.map(({ notice }) => notice.id),
    [1],
  )
})

test('a wallet with many notifications takes the room of nobody else', async (context) => {
  const { add, counts, sent } = rigOf(context, { perHostMax: 1, queueMax: 1000 })
  for (let count = 0; count < 100; count++) add(1, 'a.example', count)
  add(2)
  assert.equal(counts.dropped, 100 - 1 - 32)
  await sent[0]!.end({ kind: 'delivered' })
  assert.equal(sent[1]!.notice.payload.timestamp, 68, 'the latest of them are kept')
})

test('a temporary failure is retried, later each time, and a limited number of times', async (context) => {
  const { add, sent, counts, queue } = rigOf(context)
  add(1)
  await sent[0]!.end({ kind: 'retry', afterMillis: 0 })
  mock.timers.tick(999)
  assert.equal(sent.length, 1)
  mock.timers.tick(1)
  assert.equal(sent.length, 2)
  await sent[1]!.end({ kind: 'retry', afterMillis: 0 })
  mock.timers.tick(1999)
  assert.equal(sent.length, 2)
  mock.timers.tick(1)
  assert.equal(sent.length, 3)
  await sent[2]!.end({ kind: 'retry', afterMillis: 0 })
  mock.timers.tick(60_000)
  assert.equal(sent.length, 3)
  assert.deepEqual(counts, { retried: 2, failed: 1 })
  assert.equal(queue.count, 0)
})

test('a push service that asks for a pause gets it', async (context) => {
  const { add, sent } = rigOf(context)
  add(1)
  await sent[0]!.end({ kind: 'retry', afterMillis: 5000 })
  add(2)
  add(3, 'b.example')
  assert.deepEqual(
    sent.map(({ notice }) => notice.id),
    [1, 3],
  )
  mock.timers.tick(4999)
  assert.equal(sent.length, 2)
  mock.timers.tick(1)
  await settled()
  assert.deepEqual(
    sent
      .map(({ notice }) => notice.id)
      .slice(2)
      .toSorted(),
    [1, 2],
  )
})

test('a pause longer than the life of a notification ends it', async (context) => {
  const { add, sent, counts } = rigOf(context)
  add(1)
  await sent[0]!.end({ kind: 'retry', afterMillis: 61_000 })
  assert.deepEqual(counts, { failed: 1 })
})

test('a notification that expires in the queue is not sent', async (context) => {
  const { add, sent, counts } = rigOf(context, { perHostMax: 1 })
  add(1)
  add(2)
  mock.timers.tick(60_001)
  await sent[0]!.end({ kind: 'delivered' })
  assert.equal(sent.length, 1)
  assert.deepEqual(counts, { delivered: 1, failed: 1 })
})

test('the end of a subscription removes its waiting notifications', async (context) => {
  const { add, sent, gone, counts, queue } = rigOf(context, { perHostMax: 1 })
  for (const id of [1, 1, 2, 1]) add(id)
  await sent[0]!.end({ kind: 'gone' })
  assert.deepEqual(gone, [1])
  assert.deepEqual(
    sent.map(({ notice }) => notice.id),
    [1, 2],
  )
  assert.deepEqual(counts, { gone: 1, dropped: 2 })
  await sent[1]!.end({ kind: 'refused' })
  assert.equal(queue.count, 0)
})
