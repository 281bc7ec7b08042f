import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateEventLog,
  EventLogReader,
  EventLogWriter,
} from '../../../engine/memory/event-log.js'
import { LogCursor } from '../../../engine/memory/log-cursor.js'

const capacityBytes = 1 << 16

test('a cursor follows the releases of its own reader only', () => {
  const memory = allocateEventLog(capacityBytes)
  const writer = new EventLogWriter(memory, [1])
  const readers = [new EventLogReader(memory, 0), new EventLogReader(memory, 1)] as const
  const cursors = [new LogCursor(memory, 0), new LogCursor(memory, 1)] as const
  writer.tryClaim(64, 1)
  const end = writer.publish()
  writer.storeDurable(end)
  assert.equal(cursors[1].hasPassed(0), true)
  assert.ok(readers[1].next() >= 0)
  assert.equal(cursors[1].hasPassed(end), false, 'the event is read, but not released')
  readers[1].release()
  assert.deepEqual(
    cursors.map((cursor) => cursor.hasPassed(end)),
    [false, true],
  )
  assert.equal(cursors[1].hasPassed(end + 1), false)
})

test('positions compare correctly across their wrap', () => {
  const memory = allocateEventLog(capacityBytes)
  const writer = new EventLogWriter(memory, [0])
  writer.storeDurable(-3)
  const reader = new EventLogReader(memory, 0)
  reader.skipToDurable()
  const cursor = new LogCursor(memory, 0)
  assert.equal(cursor.hasPassed(-4), true)
  assert.equal(cursor.hasPassed(2), false, 'the position is two words after the wrap')
  writer.storeDurable(5)
  reader.skipToDurable()
  assert.equal(cursor.hasPassed(2), true)
  assert.equal(cursor.hasPassed(2 ** 31 - 1), false)
  assert.equal(cursor.hasPassed(-3), true)
})
