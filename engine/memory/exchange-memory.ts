import {
  commandRingBytes,
  eventLogBytes,
  journalRingBytes,
  matcherRingBytes,
  operatorRingBytes,
  quoteLogBytes,
  quoteRecordBytesMax,
  underlyingsMax,
} from '../../schemas/bounds.js'
import { rejectCountsLength } from '../../schemas/results.js'
import { allocateBatchTimestamps } from './batch-timestamps.js'
import { allocateCounters } from './counters.js'
import { allocateEventLog } from './event-log.js'
import { allocateLatencies } from './latencies.js'
import { cursorBytes } from './layout.js'
import { allocateOrderTimestamps } from './order-timestamps.js'
import { allocateRing } from './ring.js'
import { touched } from './touched.js'
import { allocateWakeups } from './wakeup.js'

/**
 * All memory that threads share, allocated once by the wiring function. The operator interface is a requester like the
 * gateways: its index is `gateways`, and its ring the last of `commandRings`.
 */
export interface ExchangeMemory {
  readonly gateways: number
  readonly matchers: number
  /** One per gateway, then the operator's: requester to core. */
  readonly commandRings: readonly SharedArrayBuffer[]
  /** One pair per matcher. Without matcher threads, the core keeps one pair and works both ends. */
  readonly orderRings: readonly SharedArrayBuffer[]
  readonly resultRings: readonly SharedArrayBuffer[]
  readonly journalRing: SharedArrayBuffer
  readonly eventLog: SharedArrayBuffer
  /** One per gateway: read requests to the read model, and its replies. */
  readonly readRings: readonly SharedArrayBuffer[]
  readonly replyRings: readonly SharedArrayBuffer[]
  /** One per gateway: requests to the core other than commands, and its replies. */
  readonly lookupRings: readonly SharedArrayBuffer[]
  readonly foundRings: readonly SharedArrayBuffer[]
  /** One per gateway: the indicative quotes that it received, for all gateways and the read model. */
  readonly quoteLogs: readonly SharedArrayBuffer[]
  /** Words shared by these logs: see `quoteWords`. */
  readonly quoteWords: SharedArrayBuffer
  /** Notifications for the push sender. Notifications without space are dropped. */
  readonly noticeRing: SharedArrayBuffer
  readonly wakeups: SharedArrayBuffer
  /** Counters and heartbeats, one row per thread, in the order of the wakeup words. */
  readonly counters: SharedArrayBuffer
  /** Latency histograms, one row per thread, in the same order. */
  readonly latencies: SharedArrayBuffer
  /** Timestamps of the latest batches: see `BatchTimestamps`. */
  readonly batchTimestamps: SharedArrayBuffer
  /** Timestamps of the latest commands, one block per requester in the order of `commandRings`: see `OrderTimestamps`. */
  readonly orderTimestamps: readonly SharedArrayBuffer[]
  /** Number of rejections by `-Result`, Float64, written by the core alone. */
  readonly rejects: SharedArrayBuffer
  /** One row of gauges per instrument, for the operator's metrics; the writer defines the layout. */
  readonly instrumentRows: SharedArrayBuffer
  /** State of the venue for its operator; the writer defines the layout. */
  readonly venueBoard: SharedArrayBuffer
  /** Halts of each underlying; the writer defines the layout. */
  readonly haltBoard: SharedArrayBuffer
  /** Observation times of index and surfaces of each underlying, written by the read model. */
  readonly feedTimes: SharedArrayBuffer
  /** Requests for the contents of books, and the replies of core and matchers; the requester defines the layout. */
  readonly bookDigests: SharedArrayBuffer
  /** Wallets that the invariant check asks the core to stop: see `StopRequests`. */
  readonly stopRequests: SharedArrayBuffer
  /** Words that any thread may read: see `flagWords`. */
  readonly flags: SharedArrayBuffer
  /** Time of a venue on virtual time: see `VirtualTime`. Null otherwise. */
  readonly virtualTime: SharedArrayBuffer | null
}

/** Readers of the event log, by cursor slot. */
export const logReaders = {
  readModel: 0,
  history: 1,
  operator: 2,
  gateway: (index: number) => 3 + index,
} as const
/** Readers that the core waits for while the venue runs: they must never miss an event and have no other source. */
export const holdingLogReaders: readonly number[] = [logReaders.readModel]
/**
 * Readers that the core waits for during recovery, together with the gateways. The history continues from the end of
 * its store.
 */
export const recoveringLogReaders: readonly number[] = [...holdingLogReaders, logReaders.history]

/** Readers of a log of indicative quotes. Its writer waits for none of them. */
export const quoteReaders = {
  readModel: 0,
  gateway: (index: number) => 1 + index,
} as const

/** Int32 words of `quoteWords`. */
export const quoteWords = {
  /** Number of the latest frame of quotes on any gateway; it wraps. */
  frame: 0,
  /** Incremented when a reader of this gateway's log requests all quotes again. */
  asked: (gateway: number) => 1 + gateway,
} as const

export const wakeupOf = {
  core: 0,
  journal: 1,
  snapshot: 2,
  readModel: 3,
  history: 4,
  operator: 5,
  push: 6,
  gateway: (index: number) => 7 + index,
  matcher: (memory: { readonly gateways: number }, index: number) => 7 + memory.gateways + index,
} as const

/** Returns the wakeup words of the threads that act on durable events. Those that clients wait for come first. */
export function followersOf({ gateways }: { readonly gateways: number }): number[] {
  const { operator, readModel, history } = wakeupOf
  const indexes = Array.from({ length: gateways }, (_, i) => wakeupOf.gateway(i))
  return [...indexes, operator, readModel, history]
}

/** Int32 words of `flags`. */
export const flagWords = {
  /** 1 once recovery is done and the bootstrap records are published. */
  ready: 0,
  /** 1 from the start of a graceful shutdown: no new commands. */
  draining: 1,
  /** 1 if a thread failed permanently: all threads stop. */
  failed: 2,
  /** Number of segments that the journal has finished; the snapshotter follows. */
  segmentsFinished: 3,
  /** 1 when the core must take the waiting commands, close the journal and end. */
  stopCore: 4,
  /** 1 once the last batch is durable and the journal has ended. */
  journalDone: 5,
  /** 1 when the matchers, the snapshotter, the read model and the history may end. */
  stopOthers: 6,
  /** 1 when the history store has been rolled back before an accepted loss. */
  historyWentBack: 7,
  /** 1 when a thread found the history store broken; the history thread clears it. */
  historyBroken: 8,
  /** 1 when a thread waits for data that the history store does not have yet; the history thread clears it. */
  historyAwaited: 9,
  /** 1 once there is someone to notify: from then on the push sender is needed. */
  pushWanted: 10,
  /** An `InvariantAlarm`. */
  invariantAlarm: 11,
} as const

/**
 * State of an invariant breach: raised by the thread that finds it, then halted by the core until an operator reopens
 * trading.
 */
export const InvariantAlarm = { None: 0, Raised: 1, Halted: 2 } as const
export type InvariantAlarm = (typeof InvariantAlarm)[keyof typeof InvariantAlarm]

const readRingBytes = 1 << 18
const replyRingBytes = 1 << 22
/** About 500 notifications. */
const noticeRingBytes = 1 << 19
const lookupRingBytes = 1 << 14
const foundRingBytes = 1 << 16
/** The operator's commands share the batches of all others, and no client asks for their traces. */
const operatorTimestampRows = 1 << 10
const instrumentRowsBytes = 1 << 21
const venueBoardBytes = 1 << 15
/** Space for twice the text that describes a halt, for each possible underlying. */
const haltBoardBytes = 256 * underlyingsMax
/** Two Float64 for each possible underlying. */
const feedTimesBytes = 16 * underlyingsMax
/** Maximum number of wallets that one invariant check may stop. */
export const stopRequestsMax = 32
const stopRequestsBytes = 4 * (stopRequestsMax + 1)
/** One side for the requester, one for the core, and one for the matcher that is asked. */
const bookDigestsBytes = 3 * cursorBytes

export function allocateExchangeMemory(
  gateways: number,
  matchers: number,
  virtualTime: SharedArrayBuffer | null = null,
): ExchangeMemory {
  const times = (count: number, bytes: number) =>
    Array.from({ length: count }, () => allocateRing(bytes))
  const matcherPairs = Math.max(1, matchers)
  const threads = 7 + gateways + matcherPairs
  return {
    gateways,
    matchers,
    commandRings: [...times(gateways, commandRingBytes), allocateRing(operatorRingBytes)],
    orderRings: times(matcherPairs, matcherRingBytes),
    resultRings: times(matcherPairs, matcherRingBytes),
    journalRing: allocateRing(journalRingBytes),
    eventLog: allocateEventLog(eventLogBytes),
    readRings: times(gateways, readRingBytes),
    replyRings: times(gateways, replyRingBytes),
    lookupRings: times(gateways, lookupRingBytes),
    foundRings: times(gateways, foundRingBytes),
    quoteLogs: Array.from({ length: gateways }, () =>
      allocateEventLog(quoteLogBytes, quoteRecordBytesMax),
    ),
    quoteWords: new SharedArrayBuffer(4 * (1 + gateways)),
    noticeRing: allocateRing(noticeRingBytes),
    wakeups: allocateWakeups(threads),
    counters: allocateCounters(threads),
    latencies: allocateLatencies(threads),
    batchTimestamps: allocateBatchTimestamps(),
    orderTimestamps: [
      ...Array.from({ length: gateways }, () => allocateOrderTimestamps()),
      allocateOrderTimestamps(operatorTimestampRows),
    ],
    rejects: new SharedArrayBuffer(rejectCountsLength * 8),
    instrumentRows: new SharedArrayBuffer(instrumentRowsBytes),
    venueBoard: new SharedArrayBuffer(venueBoardBytes),
    haltBoard: new SharedArrayBuffer(haltBoardBytes),
    feedTimes: new SharedArrayBuffer(feedTimesBytes),
    bookDigests: new SharedArrayBuffer(bookDigestsBytes),
    stopRequests: new SharedArrayBuffer(stopRequestsBytes),
    flags: new SharedArrayBuffer(64),
    virtualTime,
  }
}

/**
 * Commits all of the memory at once. Rings and logs wrap, so all their pages are soon used anyway. The process then has
 * its final size from the start. Must run before any other thread has the memory.
 */
export function touchExchangeMemory(memory: ExchangeMemory): void {
  for (const block of Object.values(memory).flat()) {
    if (block instanceof SharedArrayBuffer) touched(new Uint8Array(block))
  }
}

/** Returns the bytes of every shared block; blocks of one kind are summed. */
export function memoryMapOf(memory: ExchangeMemory): Readonly<Record<string, number>> {
  const bytesOf = (blocks: unknown) =>
    [blocks].flat().reduce((sum: number, block) => sum + (block as SharedArrayBuffer).byteLength, 0)
  const blocks = Object.entries(memory).filter(
    ([, value]) => value !== null && typeof value === 'object',
  )
  return Object.fromEntries(blocks.map(([name, value]) => [name, bytesOf(value)]))
}
