import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateEventLog,
  EventLogReader,
  EventLogWriter,
} from '../../../engine/memory/event-log.js'
import { EventSink, unheard } from '../../../engine/state/event-sink.js'
import { eventMillisAt, eventSeqAt, remarkedBytes } from '../../../schemas/events.js'
import { EventType } from '../../../schemas/generated/events.js'

test('every event takes the next number, written with the time of its batch', () => {
  const sink = new EventSink(newLog())
  sink.timeMillis = 77
  const at = sink.tryClaim(remarkedBytes, EventType.Remarked)
  assert.equal(sink.views.f64[(at + eventSeqAt) >> 3], 1)
  assert.equal(sink.views.f64[(at + eventMillisAt) >> 3], 77)
  sink.tryClaim(remarkedBytes, EventType.Remarked)
  assert.equal(sink.seq, 2)
})

test('without a log, and while a replay is behind what is known, events are only counted', () => {
  const replica = new EventSink(null)
  assert.equal(replica.tryClaim(remarkedBytes, EventType.Remarked), unheard)
  assert.equal(replica.skip(), true)
  assert.equal(replica.seq, 2)
  const live = new EventSink(newLog())
  live.heardFrom = 2
  assert.equal(live.tryClaim(remarkedBytes, EventType.Remarked), unheard)
  assert.equal(live.skip(), true)
  assert.equal(live.skip(), false, 'somebody listens: it has to be claimed')
  assert.notEqual(live.tryClaim(remarkedBytes, EventType.Remarked), unheard)
  assert.equal(live.seq, 3)
})

test('bootstrap records repeat the sequence reached', () => {
  const sink = new EventSink(newLog())
  sink.seq = 41
  sink.bootstrapping = true
  const at = sink.tryClaim(remarkedBytes, EventType.Remarked)
  assert.equal(sink.views.f64[(at + eventSeqAt) >> 3], 41)
  assert.equal(sink.seq, 41)
})

test('room shrinks with what is written and is known anew after a look', () => {
  const log = newLog()
  const sink = new EventSink(log)
  assert.equal(sink.roomBytes, 0, 'nothing is known before the first look')
  assert.equal(sink.lookForRoom(), log.capacityBytes)
  sink.tryClaim(remarkedBytes, EventType.Remarked)
  assert.equal(sink.roomBytes, log.capacityBytes - remarkedBytes)
  assert.equal(new EventSink(null).lookForRoom(), Number.POSITIVE_INFINITY)
})

test('an event that does not fit asks for room, and none is told over one that a reader has to see', () => {
  const memory = allocateEventLog(1 << 16)
  const sink = new EventSink(new EventLogWriter(memory, [0]))
  const { log } = sink
  assert.ok(log !== null)
  const reader = new EventLogReader(memory, 0)
  const count = log.capacityBytes / remarkedBytes
  let asked = 0
  sink.makeRoom = () => {
    asked++
    log.storeDurable(log.publish())
    while (reader.next() >= 0) assert.equal(reader.lapped(), false)
    reader.release()
  }
  for (let i = 0; i < 3 * count; i++) sink.tryClaim(remarkedBytes, EventType.Remarked)
  assert.ok(asked >= 3)
  sink.makeRoom = () => {}
  const fill = () => {
    for (let i = 0; i <= count; i++) sink.tryClaim(remarkedBytes, EventType.Remarked)
  }
  assert.throws(fill, /would be overrun/)
})

test('what is claimed and not published is nobody’s to free', () => {
  const log = newLog()
  const sink = new EventSink(log)
  for (let i = 0; i < 3; i++) sink.tryClaim(remarkedBytes, EventType.Remarked)
  assert.equal(log.unpublishedBytes(), 3 * remarkedBytes)
  log.publish()
  assert.equal(log.unpublishedBytes(), 0)
})

function newLog(): EventLogWriter {
  return new EventLogWriter(allocateEventLog(1 << 16), [0])
}
