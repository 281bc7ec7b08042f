import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateEventLog,
  EventLogReader,
  EventLogWriter,
} from '../../../engine/memory/event-log.js'
import { EventSink } from '../../../engine/state/event-sink.js'
import { RemarkedEvent } from '../../../schemas/generated/events.js'

const event = new RemarkedEvent()

test('every event gets the next number and the time of its batch', () => {
  const sink = new EventSink(newLog())
  sink.timeMillis = 77
  event.claim(sink)
  assert.deepEqual([event.seq, event.timeMillis], [1, 77])
  event.claim(sink)
  assert.deepEqual([event.seq, sink.seq], [2, 2])
})

test('without a log, and while a replay lags the known end, events are only counted', () => {
  const replica = new EventSink(null)
  assert.equal(event.claim(replica), false)
  assert.equal(replica.seq, 1)
  const live = new EventSink(newLog())
  live.storedSeq = 2
  assert.deepEqual([event.claim(live), event.claim(live), event.claim(live)], [false, false, true])
  assert.equal(live.seq, 3)
})

test('bootstrap records repeat the sequence reached', () => {
  const sink = new EventSink(newLog())
  sink.seq = 41
  sink.bootstrapping = true
  event.claim(sink)
  assert.equal(event.seq, 41)
  assert.equal(sink.seq, 41)
})

test('room shrinks with each write and is refreshed by a check of the readers', () => {
  const log = newLog()
  const sink = new EventSink(log)
  assert.equal(sink.roomBytes, 0, 'nothing is known before the first look')
  assert.equal(sink.lookForRoom(), log.capacityBytes)
  event.claim(sink)
  assert.equal(sink.roomBytes, log.capacityBytes - RemarkedEvent.bytes)
  assert.equal(new EventSink(null).lookForRoom(), Number.POSITIVE_INFINITY)
})

test('an event that does not fit waits for room, and none overwrites an event that a reader needs', () => {
  const memory = allocateEventLog(1 << 16)
  const sink = new EventSink(new EventLogWriter(memory, [0]))
  const { log } = sink
  assert.ok(log !== null)
  const reader = new EventLogReader(memory, 0)
  const count = log.capacityBytes / RemarkedEvent.bytes
  let asked = 0
  sink.makeRoom = () => {
    asked++
    log.storeDurable(log.publish())
    while (reader.next() >= 0) assert.equal(reader.lapped(), false)
    reader.release()
  }
  for (let i = 0; i < 3 * count; i++) event.claim(sink)
  assert.ok(asked >= 3)
  sink.makeRoom = () => {}
  const fill = () => {
    for (let i = 0; i <= count; i++) event.claim(sink)
  }
  assert.throws(fill, /would be overrun/)
})

test('a claimed but unpublished event cannot be overwritten', () => {
  const log = newLog()
  const sink = new EventSink(log)
  for (let i = 0; i < 3; i++) event.claim(sink)
  assert.equal(log.unpublishedBytes(), 3 * RemarkedEvent.bytes)
  log.publish()
  assert.equal(log.unpublishedBytes(), 0)
})

function newLog(): EventLogWriter {
  return new EventLogWriter(allocateEventLog(1 << 16), [0])
}
