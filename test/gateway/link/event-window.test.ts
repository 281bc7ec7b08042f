import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateEventLog,
  EventLogReader,
  EventLogReplay,
  EventLogWriter,
} from '../../../engine/memory/event-log.js'
import { EventWindow } from '../../../gateway/link/event-window.js'
import { eventBytesMax } from '../../../schemas/bounds.js'

const capacityBytes = 4 * eventBytesMax
const recordBytes = 64

/** A window of 16 events and 60 s over a log of which a gateway has read every run. */
function windowRig(eventsMax = 16) {
  const memory = allocateEventLog(capacityBytes)
  const writer = new EventLogWriter(memory, [])
  const reader = new EventLogReader(memory, 0)
  const replay = new EventLogReplay(memory)
  const window = new EventWindow(replay, { eventsMax, ageMillisMax: 60_000 })
  let seq = 100
  window.reset(seq, reader.offset())
  const run = (events: number, millis = 0, isStepComplete = true) => {
    for (let count = 0; count < events; count++) {
      writer.f64[(writer.tryClaim(recordBytes, 1) + 8) >> 3] = ++seq
    }
    writer.storeDurable(writer.publish())
    while (reader.next() >= 0);
    reader.release()
    window.note(seq, reader.offset(), millis, isStepComplete)
  }
  /** Sequences from a run on, as they are read again. */
  const read = (first: number | null) => {
    const seqs: number[] = []
    for (let number = first!; number < window.nextRun; number++) {
      const { startOffset, endOffset } = window.run(number)!
      replay.begin(startOffset)
      for (let at = replay.next(endOffset); at >= 0; at = replay.next(endOffset)) {
        seqs.push(replay.f64[(at + 8) >> 3]!)
      }
      assert.equal(replay.offset(), endOffset)
    }
    return seqs
  }
  return { window, run, read }
}

test('a sequence is found in the run with the event after it', () => {
  const { window, run, read } = windowRig()
  run(3)
  run(2, 0, false)
  assert.deepEqual(read(window.firstAfter(100, 0)), [101, 102, 103, 104, 105])
  assert.deepEqual(read(window.firstAfter(102, 0)), [101, 102, 103, 104, 105])
  assert.deepEqual(read(window.firstAfter(103, 0)), [104, 105])
  assert.equal(window.firstAfter(105, 0), window.nextRun)
  assert.equal(window.firstAfter(106, 0), null, 'it is not published')
  assert.equal(window.firstAfter(99, 0), null, 'before it began')
  const last = window.run(window.nextRun - 1)!
  assert.deepEqual([last.startSeq, last.isStepComplete], [103, false])
})

test('as many events as the window has are found, in any number of runs', () => {
  for (const events of [1, 2, 3, 16]) {
    const { window, run, read } = windowRig()
    for (let count = 0; count < 100; count++) run(events)
    const from = window.seq - 16
    const seqs = read(window.firstAfter(from, 0)).filter((seq) => seq > from)
    assert.equal(seqs.length, 16)
    assert.equal(seqs[0], from + 1)
    assert.equal(window.firstAfter(from - 1, 0), null)
  }
})

test('events older than a minute are gone, and a sequence without a later event has no age', () => {
  const { window, run, read } = windowRig()
  run(1, 1000)
  run(1, 2000)
  assert.deepEqual(read(window.firstAfter(100, 61_000)), [101, 102])
  assert.equal(window.firstAfter(100, 61_001), null)
  assert.deepEqual(read(window.firstAfter(101, 61_001)), [102])
  assert.equal(window.firstAfter(101, 62_001), null)
  assert.equal(window.firstAfter(102, 1e9), window.nextRun)
})

test('overwritten events are gone, and the rest is found over the wrap', () => {
  const { window, run, read } = windowRig(1 << 16)
  for (let count = 0; count < 3000; count++) run(1)
  const oldest = window.oldestRun(0)
  const kept = window.nextRun - oldest
  assert.equal(kept, (capacityBytes - eventBytesMax) / recordBytes)
  const { startSeq } = window.run(oldest)!
  assert.equal(window.firstAfter(startSeq - 1, 0), null)
  assert.equal(read(window.firstAfter(startSeq, 0)).length, kept)
})

test('a new window knows no earlier events', () => {
  const { window, run } = windowRig()
  run(5)
  window.reset(1000, window.offset)
  assert.equal(window.firstAfter(105, 0), null)
  assert.equal(window.firstAfter(1000, 0), window.nextRun)
  assert.equal(window.run(1), null)
})
