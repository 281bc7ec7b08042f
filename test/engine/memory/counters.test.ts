import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateCounters,
  CounterName,
  Counters,
  counterNames,
} from '../../../engine/memory/counters.js'

test('each thread counts in its own row, and every thread reads all rows', () => {
  const memory = allocateCounters(3)
  const rows = [0, 1, 2].map((thread) => new Counters(memory, thread))
  rows[0].add(CounterName.Commands, 2)
  rows[2].add(CounterName.Commands, 40)
  rows[2].add(CounterName.Commands, 1)
  rows[1].set(CounterName.Sequence, Number.MAX_SAFE_INTEGER)
  assert.equal(rows[1].read(2, CounterName.Commands), 41)
  assert.equal(rows[1].total(CounterName.Commands), 43)
  assert.equal(rows[0].read(1, CounterName.Sequence), Number.MAX_SAFE_INTEGER)
  assert.equal(rows[0].read(1, CounterName.Commands), 0)
})

test('a raised gauge keeps the largest value', () => {
  const counters = new Counters(allocateCounters(1), 0)
  for (const value of [3, 9, 4]) counters.raise(CounterName.JournalFlushNanosMax, value)
  assert.equal(counters.read(0, CounterName.JournalFlushNanosMax), 9)
})

test('heartbeat and thread id are stored next to the counters and change none', () => {
  const memory = allocateCounters(2)
  const counters = new Counters(memory, 1)
  counters.beat(1_700_000_000_123)
  counters.setThreadId(4711)
  assert.equal(counters.heartbeatMillis(1), 1_700_000_000_123)
  assert.equal(counters.threadId(1), 4711)
  assert.equal(counters.heartbeatMillis(0), 0)
  const untouched = counterNames.filter((name) => !name.endsWith('Bytes'))
  for (const name of untouched) assert.equal(counters.total(CounterName[name]), 0, name)
  assert.equal(counters.total(CounterName.JournalBytes), 0)
})

test('a heartbeat stores the heap size of its thread, once a second', () => {
  const counters = new Counters(allocateCounters(2), 1)
  counters.beat(1_700_000_000_000)
  const heapBytes = counters.read(1, CounterName.HeapBytes)
  assert.ok(heapBytes > 1 << 20 && heapBytes < 2 ** 32, `${heapBytes} bytes`)
  assert.equal(counters.read(0, CounterName.HeapBytes), 0)
  counters.set(CounterName.HeapBytes, 0)
  counters.beat(1_700_000_000_999)
  assert.equal(counters.read(1, CounterName.HeapBytes), 0)
  counters.beat(1_700_000_001_000)
  assert.ok(counters.read(1, CounterName.HeapBytes) > 1 << 20)
})

test('counter indexes are unique and without gaps', () => {
  assert.deepEqual(
    counterNames.map((name) => CounterName[name]),
    counterNames.map((_, index) => index),
  )
})

test('a thread without a row is a bug of the wiring and asserts', () => {
  assert.throws(() => new Counters(allocateCounters(2), 2), /without a row/)
})
