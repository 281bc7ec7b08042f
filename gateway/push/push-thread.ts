import { parentPort, workerData } from 'node:worker_threads'
import { CounterName } from '../../engine/memory/counters.js'
import { type ExchangeMemory, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { Ring } from '../../engine/memory/ring.js'
import { yieldToOthers } from '../../engine/threads/pin-thread.js'
import { takePlace } from '../../engine/threads/thread-place.js'
import { NoticeRecord } from '../../schemas/generated/notices.js'
import type { Config } from '../config/config-schema.js'
import { resolver } from './address-guard.js'
import type { PushNotice } from './push-notice.js'
import { type PushCount, PushQueue } from './push-queue.js'
import { PushSender } from './push-sender.js'
import type { VapidKeys } from './vapid-keys.js'

/** `workerData` of the thread that sends notifications. */
export interface PushThreadData {
  readonly memory: ExchangeMemory
  readonly push: Config['push']
  readonly keys: VapidKeys
  /** Core to pin the thread to, if any. */
  readonly pinnedCore: number | undefined
}

/** Message of the thread: a subscription is gone. */
export interface PushReport {
  readonly wallet: string
  readonly id: number
}

const sleepMillisMax = 1000
const counterOf: Readonly<Record<PushCount, CounterName>> = {
  delivered: CounterName.PushDelivered,
  refused: CounterName.PushRefused,
  failed: CounterName.PushFailed,
  dropped: CounterName.PushDropped,
  gone: CounterName.PushGone,
  retried: CounterName.PushRetries,
}

const { memory, push, keys, pinnedCore } = workerData as PushThreadData
const { bell, beat, counters } = takePlace(memory, wakeupOf.push, pinnedCore)
yieldToOthers()
const ring = new Ring(memory.noticeRing, 'consumer')
const record = new NoticeRecord()
const sender = new PushSender({ ...push, keys, resolve: resolver() })
const queue = new PushQueue({
  ...push,
  send: (notice) => sender.send(notice),
  onGone: ({ wallet, id }) => parentPort?.postMessage({ wallet, id } satisfies PushReport),
  onCount: (what) => counters.add(counterOf[what], 1),
})
// A thread that only awaits promises would exit.
parentPort?.on('message', () => {})

for (;;) {
  takeNotices()
  counters.set(CounterName.PushWaiting, queue.count)
  beat()
  bell.arm()
  if (ring.hasNext()) bell.disarm()
  else await bell.waitAsync(sleepMillisMax)
}

function takeNotices(): void {
  const texts: string[] = []
  for (let at = ring.next(); at >= 0; at = ring.next()) {
    const { u8, textAt, textBytes } = record.over(ring, at)
    texts.push(Buffer.from(u8.subarray(textAt, textAt + textBytes)).toString('utf8'))
  }
  // Released before processing, so that a notice that crashes this thread is not processed again by the next.
  ring.release()
  for (const text of texts) queue.add(JSON.parse(text) as PushNotice)
}
