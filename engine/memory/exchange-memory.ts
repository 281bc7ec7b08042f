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
import { allocateBatchStamps } from './batch-stamps.js'
import { allocateCounters } from './counters.js'
import { allocateDoorbells } from './doorbell.js'
import { allocateEventLog } from './event-log.js'
import { allocateLatencies } from './latencies.js'
import { cursorBytes } from './layout.js'
import { allocateOrderStamps } from './order-stamps.js'
import { allocateRing } from './ring.js'
import { touched } from './touched.js'

/**
 * All memory that threads share, allocated once, in one place, by the wiring function. The operator interface
 * is one more asker beside the gateways: its index is `gateways`, its ring the last of `commandRings`.
 */
export interface ExchangeMemory {
  readonly gateways: number
  readonly matchers: number
  /** One per gateway, then the operator's: asker to core. */
  readonly commandRings: readonly SharedArrayBuffer[]
  /** One pair per matcher; with 0 matcher threads the core keeps one pair and works both ends. */
  readonly orderRings: readonly SharedArrayBuffer[]
  readonly resultRings: readonly SharedArrayBuffer[]
  readonly journalRing: SharedArrayBuffer
  readonly eventLog: SharedArrayBuffer
  /** One per gateway: read requests to the read model, and its answers. */
  readonly readRings: readonly SharedArrayBuffer[]
  readonly replyRings: readonly SharedArrayBuffer[]
  /** One per gateway: what is asked of the core beside commands, and its answers. */
  readonly lookupRings: readonly SharedArrayBuffer[]
  readonly foundRings: readonly SharedArrayBuffer[]
  /** One per gateway: the indicative quotes that came in there, for all gateways and the read model. */
  readonly quoteLogs: readonly SharedArrayBuffer[]
  /** Words of these logs together: see `quoteWords`. */
  readonly quoteWords: SharedArrayBuffer
  /** Notifications on their way to who sends them; what finds no room is dropped. */
  readonly noticeRing: SharedArrayBuffer
  readonly doorbells: SharedArrayBuffer
  /** Counters and heartbeats, a row per thread, in the order of the doorbells. */
  readonly counters: SharedArrayBuffer
  /** Histograms of how long things took, a row per thread, likewise. */
  readonly latencies: SharedArrayBuffer
  /** When the latest batches passed which point: see `BatchStamps`. */
  readonly batchStamps: SharedArrayBuffer
  /** The same of commands, one per asker in the order of `commandRings`: see `OrderStamps`. */
  readonly orderStamps: readonly SharedArrayBuffer[]
  /** Refusals by `-Result`, Float64, written by the core alone. */
  readonly rejects: SharedArrayBuffer
  /** A row of gauges per instrument, for the operator's metrics; who writes it lays it out. */
  readonly instrumentRows: SharedArrayBuffer
  /** How the venue itself stands, for its operator; who writes it lays it out. */
  readonly venueBoard: SharedArrayBuffer
  /** How each underlying is halted; who writes it lays it out. */
  readonly haltBoard: SharedArrayBuffer
  /** Times at which index and surfaces of each underlying were observed, written by the read model. */
  readonly feedTimes: SharedArrayBuffer
  /** Where core and matchers say what their books hold, when they are asked; who asks lays it out. */
  readonly bookDesk: SharedArrayBuffer
  /** Wallets that the watch of the invariants asks the core to stop: see `StopRequests`. */
  readonly stopRequests: SharedArrayBuffer
  /** Words that any thread may read: see `flagWords`. */
  readonly flags: SharedArrayBuffer
  /** Of a venue whose time passes only when it is told to: see `VirtualTime`. */
  readonly virtualTime: SharedArrayBuffer | null
}

/** Readers of the event log. The writer waits for the first two and never for the others. */
export const logReaders = {
  readModel: 0,
  history: 1,
  operator: 2,
  gateway: (index: number) => 3 + index,
} as const
/** Whom the core waits for while the venue runs: who must never miss an event, and can learn of it nowhere else. */
export const holdingLogReaders: readonly number[] = [logReaders.readModel]
/** Whom it waits for besides while it recovers, with the gateways: the history goes on from where its store ends. */
export const recoveringLogReaders: readonly number[] = [...holdingLogReaders, logReaders.history]

/** Readers of a log of indicative quotes; its writer waits for none of them. */
export const quoteReaders = {
  readModel: 0,
  gateway: (index: number) => 1 + index,
} as const

/** Int32 words of `quoteWords`. */
export const quoteWords = {
  /** Number of the latest frame of quotes, whichever gateway took it; it wraps. */
  frame: 0,
  /** Rises when a reader of this gateway's log wants to be told all of it once more. */
  asked: (gateway: number) => 1 + gateway,
} as const

export const doorbellOf = {
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

/** Doorbells of who may act once events are durable; clients wait for the first ones. */
export function followersOf({ gateways }: { readonly gateways: number }): number[] {
  const { operator, readModel, history } = doorbellOf
  const indexes = Array.from({ length: gateways }, (_, i) => doorbellOf.gateway(i))
  return [...indexes, operator, readModel, history]
}

/** Int32 words of `flags`. */
export const flagWords = {
  /** 1 once recovery is done and the bootstrap records are published. */
  ready: 0,
  /** 1 from the begin of a graceful shutdown: no new commands. */
  draining: 1,
  /** 1 when a thread failed for good: everybody stops. */
  failed: 2,
  /** Segments that the journal has finished; the snapshotter follows. */
  segmentsFinished: 3,
  /** 1 from the moment that the core must take what waits, close the journal and end. */
  stopCore: 4,
  /** 1 once the last batch is durable: the journal has ended. */
  journalDone: 5,
  /** 1 when the matchers, the snapshotter, the read model and the history may end. */
  stopOthers: 6,
  /** 1 when the history store has gone back behind an accepted loss. */
  historyWentBack: 7,
  /** 1 when somebody has found the history store broken; the history thread takes it back. */
  historyBroken: 8,
  /** 1 when somebody waits for what the history store does not have yet; the history thread takes it back. */
  historyAwaited: 9,
  /** 1 once there is somebody to notify: whoever sends notifications is needed from then on. */
  pushWanted: 10,
  /** An `InvariantAlarm`. */
  invariantAlarm: 11,
} as const

/** Whether something was found that must never be: raised by who finds it, then halted by the core, until it is opened. */
export const InvariantAlarm = { None: 0, Raised: 1, Halted: 2 } as const
export type InvariantAlarm = (typeof InvariantAlarm)[keyof typeof InvariantAlarm]

const readRingBytes = 1 << 18
const replyRingBytes = 1 << 22
/** Some 500 notifications. */
const noticeRingBytes = 1 << 19
const lookupRingBytes = 1 << 14
const foundRingBytes = 1 << 16
/** The operator's commands stand among those of a batch, and are asked for by nobody. */
const operatorStampRows = 1 << 10
const instrumentRowsBytes = 1 << 21
const venueBoardBytes = 1 << 15
/** For each underlying that there may be, twice the text that tells how it is halted. */
const haltBoardBytes = 192 * underlyingsMax
/** Two Float64 for each possible underlying. */
const feedTimesBytes = 16 * underlyingsMax
/** Maximum number of wallets that one check of the invariants may stop. */
export const stopRequestsMax = 32
const stopRequestsBytes = 4 * (stopRequestsMax + 1)
/** A side for who asks, the core, and the matcher that is asked. */
const bookDeskBytes = 3 * cursorBytes

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
    doorbells: allocateDoorbells(threads),
    counters: allocateCounters(threads),
    latencies: allocateLatencies(threads),
    batchStamps: allocateBatchStamps(),
    orderStamps: [
      ...Array.from({ length: gateways }, () => allocateOrderStamps()),
      allocateOrderStamps(operatorStampRows),
    ],
    rejects: new SharedArrayBuffer(rejectCountsLength * 8),
    instrumentRows: new SharedArrayBuffer(instrumentRowsBytes),
    venueBoard: new SharedArrayBuffer(venueBoardBytes),
    haltBoard: new SharedArrayBuffer(haltBoardBytes),
    feedTimes: new SharedArrayBuffer(feedTimesBytes),
    bookDesk: new SharedArrayBuffer(bookDeskBytes),
    stopRequests: new SharedArrayBuffer(stopRequestsBytes),
    flags: new SharedArrayBuffer(64),
    virtualTime,
  }
}

/**
 * Takes all of it from the kernel at once. Rings and log go round, so each of their pages is used before long:
 * what the process takes at its start is then what it takes after days. Before anybody else has the memory.
 */
export function touchExchangeMemory(memory: ExchangeMemory): void {
  for (const block of Object.values(memory).flat()) {
    if (block instanceof SharedArrayBuffer) touched(new Uint8Array(block))
  }
}

/** Bytes of every block that threads share; of several of a kind their sum. */
export function memoryMapOf(memory: ExchangeMemory): Readonly<Record<string, number>> {
  const bytesOf = (blocks: unknown) =>
    [blocks].flat().reduce((sum: number, block) => sum + (block as SharedArrayBuffer).byteLength, 0)
  const blocks = Object.entries(memory).filter(
    ([, value]) => value !== null && typeof value === 'object',
  )
  return Object.fromEntries(blocks.map(([name, value]) => [name, bytesOf(value)]))
}
