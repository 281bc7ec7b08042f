import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateEventLog,
  DurableGate,
  EventLogReader,
  EventLogReplay,
  EventLogWriter,
} from '../../../engine/memory/event-log.js'
import {
  cursorBytes,
  logClaimedAt,
  logDurableAt,
  logHeadAt,
  logReadersAt,
} from '../../../engine/memory/layout.js'
import { eventBytesMax } from '../../../schemas/bounds.js'

const capacityBytes = 4 * eventBytesMax

function put(writer: EventLogWriter, bytes: number, value: number): void {
  const at = writer.tryClaim(bytes, 1)
  writer.f64[(at + bytes - 8) >> 3] = value
}

function take(reader: EventLogReader): number {
  const at = reader.next()
  return at < 0 ? -1 : reader.f64[(at + reader.i32[at >> 2] - 8) >> 3]
}

test('no reader sees an event before the gate has opened past it', () => {
  const memory = allocateEventLog(capacityBytes)
  const writer = new EventLogWriter(memory, [])
  const gate = new DurableGate(memory)
  const reader = new EventLogReader(memory, 0)
  put(writer, 16, 1)
  const afterFirst = writer.publish()
  put(writer, 24, 2)
  const afterSecond = writer.publish()
  assert.equal(reader.hasNext(), false)
  assert.equal(take(reader), -1)
  gate.open(afterFirst)
  assert.equal(reader.hasNext(), true)
  assert.deepEqual([take(reader), take(reader)], [1, -1])
  assert.equal(reader.hasPassed(afterFirst), true)
  assert.equal(reader.hasPassed(afterSecond), false)
  gate.open(afterSecond)
  assert.deepEqual([take(reader), take(reader)], [2, -1])
  assert.equal(writer.durableOffset(), writer.headOffset())
})

test('every reader gets every event, each at its own pace, over many wraps', () => {
  const memory = allocateEventLog(capacityBytes)
  const writer = new EventLogWriter(memory, [0, 1])
  const readers = [0, 1].map((index) => new EventLogReader(memory, index))
  const expected = [0, 0]
  for (let value = 0; value < 50_000; value++) {
    put(writer, 16 + 8 * (value % 97), value)
    writer.storeDurable(writer.publish())
    for (const [index, reader] of readers.entries()) {
      if (value % (index === 0 ? 1 : 50) !== 0) continue
      while (reader.hasNext()) assert.equal(take(reader), expected[index]++)
      reader.release()
      assert.equal(reader.lapped(), false)
    }
  }
})

test('the writer counts only the readers that it must not overrun', () => {
  const memory = allocateEventLog(capacityBytes)
  const writer = new EventLogWriter(memory, [3])
  const holding = new EventLogReader(memory, 3)
  const free = new EventLogReader(memory, 4)
  for (let i = 0; i < 100; i++) put(writer, 160, i)
  writer.storeDurable(writer.publish())
  assert.equal(writer.freeBytes(), capacityBytes - 16_000)
  for (let i = 0; i < 40; i++) take(holding)
  assert.equal(
    writer.freeBytes(),
    capacityBytes - 16_000,
    'the reader has not released the events yet',
  )
  holding.release()
  assert.equal(writer.freeBytes(), capacityBytes - 9_600)
  free.skipToDurable()
  assert.equal(writer.freeBytes(), capacityBytes - 9_600)
})

test('an overrun reader reports it, skips, and continues with new events', () => {
  const memory = allocateEventLog(capacityBytes)
  const writer = new EventLogWriter(memory, [])
  const reader = new EventLogReader(memory, 0)
  for (let i = 0; i < capacityBytes / 64 + 1; i++) put(writer, 64, i)
  writer.storeDurable(writer.publish())
  assert.equal(reader.lapped(), true)
  reader.skipToDurable()
  assert.equal(reader.lapped(), false)
  assert.equal(take(reader), -1)
  put(writer, 64, 4711)
  writer.storeDurable(writer.publish())
  assert.equal(take(reader), 4711)
})

test('a reader counts as lapped before the writer can overwrite its own bytes', () => {
  const memory = allocateEventLog(capacityBytes)
  const writer = new EventLogWriter(memory, [])
  const reader = new EventLogReader(memory, 0)
  const safeBytes = capacityBytes - eventBytesMax
  for (let i = 0; i < safeBytes / 64; i++) put(writer, 64, i)
  assert.equal(reader.lapped(), false)
  put(writer, 16, 0)
  assert.equal(reader.lapped(), true)
})

test('a reader that lags by many gigabytes still counts as lapped', () => {
  const memory = allocateEventLog(capacityBytes)
  new Int32Array(memory, logClaimedAt, 1)[0] = 2 ** 30
  assert.equal(new EventLogReader(memory, 0).lapped(), true)
})

test('an overrun reader always returns, whatever bytes it reads', () => {
  const memory = allocateEventLog(capacityBytes)
  const writer = new EventLogWriter(memory, [])
  const reader = new EventLogReader(memory, 0)
  put(writer, 16, 1)
  put(writer, 16, 2)
  writer.storeDurable(writer.publish())
  take(reader)
  // A lapped reader may find a zero length and the padding type at its position.
  reader.i32[4] = 0
  reader.i32[5] = -1
  reader.next()
})

test('positions wrap at 2^32 words without a break', () => {
  const memory = allocateEventLog(capacityBytes)
  const begin = -1000 & ~((capacityBytes >> 3) - 1)
  for (const at of [
    logHeadAt,
    logClaimedAt,
    logDurableAt,
    logReadersAt,
    logReadersAt + cursorBytes,
  ]) {
    new Int32Array(memory, at, 1)[0] = begin
  }
  const writer = new EventLogWriter(memory, [1])
  const reader = new EventLogReader(memory, 1)
  for (let i = 0; i < 20_000; i++) {
    put(writer, 40, i)
    writer.storeDurable(writer.publish())
    assert.equal(take(reader), i)
    reader.release()
    assert.equal(reader.hasPassed(writer.headOffset()), true)
    assert.equal(writer.freeBytes(), capacityBytes)
  }
  assert.ok(writer.headOffset() > 0 && begin < 0)
})

test('a record above the size limit is a bug of the writer and asserts', () => {
  const writer = new EventLogWriter(allocateEventLog(capacityBytes), [])
  assert.throws(() => writer.tryClaim(eventBytesMax + 8, 1), /above the bound/)
})

test('events can be read again, also over the wrap, while the log has them', () => {
  const memory = allocateEventLog(capacityBytes)
  const writer = new EventLogWriter(memory, [])
  const reader = new EventLogReader(memory, 0)
  const replay = new EventLogReplay(memory)
  const ends: number[] = [0]
  for (let value = 0; value < 2000; value++) {
    put(writer, 16 + 8 * (value % 97), value)
    writer.storeDurable(writer.publish())
    assert.equal(take(reader), value)
    reader.release()
    ends.push(reader.offset())
  }
  const first = ends.findIndex((offset) => replay.isKept(offset))
  assert.ok(first > 1800 && first < 2000, String(first))
  replay.begin(ends[first]!)
  for (let value = first; value < 2000; value++) {
    const at = replay.next(ends.at(-1)!)
    assert.equal(replay.f64[(at + replay.i32[at >> 2]! - 8) >> 3], value)
    assert.equal(replay.offset(), ends[value + 1])
  }
  assert.equal(replay.next(ends.at(-1)!), -1)
})
