import { getHeapStatistics } from 'node:v8'
import { assert } from '../../schemas/assert.js'
import { cursorBytes } from './layout.js'

// Each thread owns one row and is its only writer, so an increment is a plain load, add and store, without a locked
// instruction on any hot path. A Float64 holds integers to 2^53. An aligned 8-byte store is one store on every 64-bit
// machine, so a reader sees either the old or the new value. Readers tolerate a short delay.
//
//  Row of one thread, padded to whole pairs of cache lines
//  0            8            16           16 + 8 x counters
//  +------------+------------+---- ... ---+---- ... -+
//  | thread id  | heartbeat  | counters   | padding  |
//  +------------+------------+---- ... ---+---- ... -+
const threadIdAt = 0
const heartbeatAt = 1
const countersAt = 2
/** Interval at which a heartbeat measures the thread's memory. */
const memoryMillis = 1000

/** Index of each counter in a row. If rows are ever kept across a restart, only append; today they are not. */
export const CounterName = {
  Commands: 0,
  Batches: 1,
  Events: 2,
  Trades: 3,
  RingFull: 4,
  WorkNanos: 5,
  BatchNanosMax: 6,
  Sequence: 7,
  BatchNumber: 8,
  StateHashLow: 9,
  StateHashHigh: 10,
  JournalBytes: 11,
  JournalWrites: 12,
  JournalFlushes: 13,
  JournalFlushNanos: 14,
  JournalFlushNanosMax: 15,
  JournalBatchNumber: 16,
  SnapshotBatchNumber: 17,
  Snapshots: 18,
  Requests: 19,
  SignaturesChecked: 20,
  SignaturesFailed: 21,
  RateLimited: 22,
  Sessions: 23,
  SessionsOpened: 24,
  SlowConsumerCloses: 25,
  FramesSent: 26,
  BytesSent: 27,
  EventsRead: 28,
  LogLapped: 29,
  LoopDelayNanosMax: 30,
  ReadRequests: 31,
  HistoryRows: 32,
  HistorySequence: 33,
  BusyRefused: 34,
  HeapBytes: 35,
  ExternalBytes: 36,
  ClockAlarm: 37,
  ClockAheadMillis: 38,
  ClockOffsetMillis: 39,
  EngineLessSteadyMillis: 40,
  HistoryDown: 41,
  HistoryRebuilds: 42,
  ProviderSessions: 43,
  ProviderSessionsOpened: 44,
  QuoteRows: 45,
  QuoteRowsTaken: 46,
  QuoteRowsRefused: 47,
  QuotesLapped: 48,
  AuctionsBegun: 49,
  AuctionsExecuted: 50,
  AuctionsNoQuotes: 51,
  AuctionsExpired: 52,
  AuctionsFailed: 53,
  PushDelivered: 54,
  PushRefused: 55,
  PushFailed: 56,
  PushDropped: 57,
  PushGone: 58,
  PushRetries: 59,
  PushWaiting: 60,
  InvariantLooks: 61,
  InvariantNanos: 62,
  InvariantBatchNumber: 63,
  InvariantBreaches: 64,
  InvariantBooks: 65,
  RailBytesNoted: 66,
  AuditBytesNoted: 67,
  WithdrawalsOpen: 68,
  StoppedWallets: 69,
  FloodFrames: 70,
  FloodBytes: 71,
  FloodUnparsed: 72,
  FloodControl: 73,
  SnapshotMillis: 74,
  SnapshotNanos: 75,
} as const
export type CounterName = (typeof CounterName)[keyof typeof CounterName]

export const counterNames = Object.keys(CounterName) as readonly (keyof typeof CounterName)[]

const rowBytes =
  Math.ceil(((countersAt + counterNames.length) * 8) / (2 * cursorBytes)) * 2 * cursorBytes
const rowWords = rowBytes >> 3

export function allocateCounters(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * rowBytes)
}

/** Writes one thread's row and reads every thread's. `thread` is its index, as with wakeup words. */
export class Counters {
  readonly threads: number
  readonly #f64: Float64Array
  readonly #row: number
  #measuredMillis = 0

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.threads = memory.byteLength / rowBytes
    assert(thread >= 0 && thread < this.threads, 'counters: thread without a row')
    this.#f64 = new Float64Array(memory)
    this.#row = thread * rowWords
  }

  /** Owner: adds to a counter of its own row. */
  add(name: CounterName, count: number): void {
    this.#f64[this.#row + countersAt + name] += count
  }

  /** Owner: stores a gauge of its own row. */
  set(name: CounterName, value: number): void {
    this.#f64[this.#row + countersAt + name] = value
  }

  /** Owner: raises a gauge that keeps the maximum. */
  raise(name: CounterName, value: number): void {
    const at = this.#row + countersAt + name
    if (value > this.#f64[at]) this.#f64[at] = value
  }

  /** Owner: records a heartbeat in steady time, which all threads share. Once a second also records the heap size. */
  beat(timeMillis: number): void {
    this.#f64[this.#row + heartbeatAt] = timeMillis
    if (timeMillis - this.#measuredMillis < memoryMillis) return
    this.#measuredMillis = timeMillis
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
    this.set(CounterName.HeapBytes, heap)
    this.set(CounterName.ExternalBytes, external)
  }

  /** Owner: stores the kernel's id of its thread, for pinning and for the thread table. */
  setThreadId(threadId: number): void {
    this.#f64[this.#row + threadIdAt] = threadId
  }

  read(thread: number, name: CounterName): number {
    return this.#f64[thread * rowWords + countersAt + name]
  }

  /** Returns the sum over all threads. */
  total(name: CounterName): number {
    let sum = 0
    for (let thread = 0; thread < this.threads; thread++) sum += this.read(thread, name)
    return sum
  }

  /** Returns the steady time of the thread's last heartbeat; 0 before the first. */
  heartbeatMillis(thread: number): number {
    return this.#f64[thread * rowWords + heartbeatAt]
  }

  /** Returns the kernel's id of a thread; 0 if unknown. */
  threadId(thread: number): number {
    return this.#f64[thread * rowWords + threadIdAt]
  }
}
