import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import {
  paddingType,
  ringHeadAt,
  ringRecordsAt,
  ringTailAt,
} from '../../../engine/memory/layout.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'

function ringPair(capacityBytes: number, cursor = 0): { producer: Ring; consumer: Ring } {
  const memory = allocateRing(capacityBytes)
  new Int32Array(memory, ringTailAt, 1)[0] = cursor
  new Int32Array(memory, ringHeadAt, 1)[0] = cursor
  return { producer: new Ring(memory, 'producer'), consumer: new Ring(memory, 'consumer') }
}

function put(ring: Ring, bytes: number, value: number): boolean {
  const at = ring.tryClaim(bytes, 1)
  if (at < 0) return false
  ring.f64[(at + bytes - 8) >> 3] = value
  return true
}

function take(ring: Ring): number {
  const at = ring.next()
  return at < 0 ? -1 : ring.f64[(at + ring.i32[at >> 2] - 8) >> 3]
}

test('a look-ahead sees pending records, over the wrap too, and leaves them unread', () => {
  const { producer, consumer } = ringPair(64, 32)
  const look = (isFirst: boolean) => {
    const at = consumer.lookAhead(isFirst)
    return at < 0 ? -1 : consumer.f64[(at + consumer.i32[at >> 2]! - 8) >> 3]
  }
  assert.equal(look(true), -1)
  put(producer, 24, 1)
  put(producer, 16, 2)
  producer.commit()
  assert.deepEqual([look(true), look(false), look(false)], [1, 2, -1])
  assert.deepEqual([look(true), take(consumer), look(true), take(consumer)], [1, 1, 2, 2])
  assert.equal(look(true), -1)
})

test('nothing is visible before the commit, and one commit shows all claims', () => {
  const { producer, consumer } = ringPair(256)
  put(producer, 16, 1)
  put(producer, 16, 2)
  assert.equal(consumer.hasNext(), false)
  assert.equal(consumer.next(), -1)
  producer.commit()
  assert.equal(consumer.hasNext(), true)
  assert.deepEqual([take(consumer), take(consumer), take(consumer)], [1, 2, -1])
})

test('a claim on a full ring is negative and changes nothing; a release makes room', () => {
  const { producer, consumer } = ringPair(64)
  for (let i = 0; i < 4; i++) assert.equal(put(producer, 16, i), true)
  assert.equal(put(producer, 16, 9), false)
  assert.equal(producer.freeBytes(), 0)
  producer.commit()
  assert.equal(take(consumer), 0)
  assert.equal(put(producer, 16, 9), false, 'a record that was read still belongs to the reader')
  consumer.release()
  assert.equal(put(producer, 16, 9), true)
  assert.equal(producer.depthBytes(), 48)
})

test('a record that does not fit before the end starts over after one padding record', () => {
  const { producer, consumer } = ringPair(64)
  for (let i = 0; i < 3; i++) put(producer, 16, i)
  producer.commit()
  for (let i = 0; i < 3; i++) take(consumer)
  consumer.release()
  assert.equal(producer.tryClaim(32, 5), 0)
  assert.equal(producer.i32[(48 + 4) >> 2], paddingType)
  assert.equal(producer.i32[48 >> 2], 16)
  producer.commit()
  assert.equal(consumer.next(), 0)
  assert.equal(consumer.i32[1], 5)
  consumer.release()
  assert.equal(producer.freeBytes(), 64)
})

test('the longest record, half the ring, fits at every position of an empty ring', () => {
  for (let cursor = 0; cursor < 128; cursor += 8) {
    const { producer, consumer } = ringPair(128, cursor)
    assert.equal(put(producer, 64, cursor), true, `position ${cursor}`)
    producer.commit()
    assert.equal(take(consumer), cursor)
  }
  assert.throws(() => ringPair(128).producer.tryClaim(72, 1), /above half/)
})

test('abandon drops the claims since the last commit, padding included', () => {
  const { producer, consumer } = ringPair(64)
  for (let i = 0; i < 3; i++) put(producer, 16, i)
  producer.commit()
  for (let i = 0; i < 3; i++) take(consumer)
  consumer.release()
  put(producer, 32, 7)
  producer.abandon()
  assert.equal(producer.depthBytes(), 0)
  put(producer, 16, 8)
  producer.commit()
  assert.deepEqual([take(consumer), take(consumer)], [8, -1])
})

test('an unread record is returned again, at the wrap too', () => {
  const { producer, consumer } = ringPair(64, 48)
  put(producer, 32, 5)
  producer.commit()
  const at = consumer.next()
  consumer.unread(at)
  assert.equal(consumer.hasNext(), true)
  assert.equal(consumer.next(), at)
  assert.equal(consumer.hasNext(), false)
})

test('a ring rebuilt over shared memory continues at both cursors', () => {
  const memory = allocateRing(128)
  put(new Ring(memory, 'producer'), 16, 1)
  const producer = new Ring(memory, 'producer')
  put(producer, 16, 2)
  producer.commit()
  const consumer = new Ring(memory, 'consumer')
  take(consumer)
  consumer.release()
  const again = new Ring(memory, 'producer')
  put(again, 16, 3)
  again.commit()
  assert.equal(take(new Ring(memory, 'consumer')), 3)
})

for (const cursor of [0, 2 ** 31 - 64, -64]) {
  test(`the ring agrees with a plain queue in random use, from cursor ${cursor} on`, () => {
    const seed = 7919 + cursor
    let random = seed | 0
    const below = (limit: number) => {
      random = (Math.imul(random, 1664525) + 1013904223) | 0
      return ((random >>> 8) * limit) >>> 24
    }
    const { producer, consumer } = ringPair(256, cursor)
    const claimed: number[] = []
    const committed: number[] = []
    for (let step = 0; step < 200_000; step++) {
      const where = `seed ${seed}, step ${step}`
      const action = below(8)
      if (action < 3) {
        const bytes = 16 + 8 * below(8)
        const free = producer.freeBytes()
        const fits = put(producer, bytes, step)
        if (fits) claimed.push(step)
        else assert.ok(free < 2 * bytes, `${where}: ${free} bytes free, a claim of ${bytes} failed`)
        assert.ok(fits === false || free >= bytes, where)
      } else if (action === 3) {
        committed.push(...claimed.splice(0))
        producer.commit()
      } else if (action === 4 && below(4) === 0) {
        claimed.length = 0
        producer.abandon()
      } else if (action === 5) {
        const at = consumer.next()
        assert.equal(at >= 0, committed.length > 0, where)
        if (at >= 0) consumer.unread(at)
      } else {
        assert.equal(take(consumer), committed.shift() ?? -1, where)
        if (action === 7) consumer.release()
      }
    }
  })
}

test('two threads pass a million records in order and unchanged', async (context) => {
  const memory = allocateRing(1 << 14)
  const count = 1_000_000
  const worker = new Worker(new URL('./ring-producer.js', import.meta.url), {
    workerData: { memory, count },
  })
  context.after(() => worker.terminate())
  const ended = new Promise<number>((resolve) => worker.once('exit', resolve))
  const consumer = new Ring(memory, 'consumer')
  const idle = new Int32Array(new SharedArrayBuffer(4))
  let received = 0
  while (received < count) {
    const at = consumer.next()
    if (at < 0) {
      consumer.release()
      Atomics.wait(idle, 0, 0, 0.01)
      continue
    }
    const bytes = 16 + 8 * (received % 13)
    if (consumer.i32[at >> 2] !== bytes) assert.fail(`record ${received}: wrong length`)
    for (let i = 8; i < bytes; i += 8) {
      if (consumer.f64[(at + i) >> 3] !== received + i) assert.fail(`record ${received}: torn`)
    }
    received++
    if ((received & 63) === 0) consumer.release()
  }
  assert.equal(await ended, 0)
  assert.equal(consumer.hasNext(), false)
  assert.equal(consumer.u8.buffer.byteLength, ringRecordsAt + (1 << 14))
})
