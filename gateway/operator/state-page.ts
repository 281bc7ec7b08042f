import { CounterName, type Counters } from '../../engine/memory/counters.js'
import { EventLogReader } from '../../engine/memory/event-log.js'
import {
  type ExchangeMemory,
  flagWords,
  logReaders,
  wakeupOf,
} from '../../engine/memory/exchange-memory.js'
import { formatMicros } from '../../schemas/decimal.js'
import { ClockAlarm, haltModeNames } from '../../schemas/domain.js'
import type { VenueState } from '../../schemas/interface/operator.js'
import { SharedValue } from '../read-model/views/shared-value.js'
import type { HaltBoard, VenueGauges } from '../read-model/views/venue-views.js'
import { jsonAnswer } from './health.js'
import { type BreachRow, breachText } from './invariant-log.js'
import type { PlainAnswer } from './operator-server.js'
import { processorSeconds } from './thread-processor.js'
import { heartbeatTime, ringsOf, threadRoles } from './thread-table.js'

const coreThread = 0
const readsMax = 1000
const hashDigits = 8

/** State hash, with the batch after which it holds. */
export interface BatchHash {
  readonly batchNumber: number
  readonly stateHash: string
}

/** Answers GET /operator/state. */
export function stateAnswer(
  memory: ExchangeMemory,
  counters: Counters,
  breaches: readonly BreachRow[],
): PlainAnswer {
  const flags = new Int32Array(memory.flags)
  const log = new EventLogReader(memory.eventLog, logReaders.operator)
  const hashed = readBatchHash(counters)
  return jsonAnswer<VenueState>(200, {
    ok: true,
    ready: Atomics.load(flags, flagWords.ready) === 1,
    draining: Atomics.load(flags, flagWords.draining) === 1,
    seq: counters.read(coreThread, CounterName.Sequence),
    batch_number: hashed.batchNumber,
    state_hash: hashed.stateHash,
    threads: threadRows(memory, counters),
    rings: Object.fromEntries(ringsOf(memory).map(({ name, ring }) => [name, ring.depthBytes()])),
    journal: {
      batch_number: counters.total(CounterName.JournalBatchNumber),
      bytes: counters.total(CounterName.JournalBytes),
      segments_finished: Atomics.load(flags, flagWords.segmentsFinished),
      snapshot_batch_number: counters.total(CounterName.SnapshotBatchNumber),
      ...flushText(counters),
    },
    event_log: { head: log.headOffset() >>> 0, durable: log.durableOffset() >>> 0 },
    history: { seq: counters.total(CounterName.HistorySequence) },
    clock: clockText(counters),
    invariants: invariantText(counters, breaches),
    halts: haltText(new SharedValue<HaltBoard>(memory.haltBoard).read()),
    venue: venueText(new SharedValue<VenueGauges>(memory.venueBoard).read()),
  })
}

/** Returns the number and durations of the flushes since the start. */
function flushText(
  counters: Counters,
): Pick<VenueState['journal'], 'flushes' | 'flush_ms' | 'flush_ms_max'> {
  return {
    flushes: counters.total(CounterName.JournalFlushes),
    flush_ms: counters.total(CounterName.JournalFlushNanos) / 1e6,
    flush_ms_max: counters.total(CounterName.JournalFlushNanosMax) / 1e6,
  }
}

/** Returns null until the read model has loaded. */
function haltText(board: HaltBoard | null): VenueState['halts'] {
  if (board === null) return null
  return board.underlyings.map(({ underlying, mode }) => ({
    underlying,
    mode: haltModeNames[mode],
  }))
}

function clockText(counters: Counters): VenueState['clock'] {
  const read = (name: CounterName) => Math.round(counters.read(coreThread, name))
  return {
    alarm: read(CounterName.ClockAlarm) !== ClockAlarm.None,
    ahead_ms: read(CounterName.ClockAheadMillis),
    offset_ms: read(CounterName.ClockOffsetMillis),
  }
}

/** Returns the progress of the checks, and the broken invariants that the operator has not resolved. */
function invariantText(
  counters: Counters,
  breaches: readonly BreachRow[],
): VenueState['invariants'] {
  const read = (name: CounterName) => counters.read(wakeupOf.snapshot, name)
  return {
    looks: read(CounterName.InvariantLooks),
    batch_number: read(CounterName.InvariantBatchNumber),
    breaches: breaches.map(breachText),
  }
}

/** Returns null until the read model has loaded. */
function venueText(now: VenueGauges | null): VenueState['venue'] {
  if (now === null) return null
  return {
    funds: {
      fees: formatMicros(now.feesMicros),
      insurance: formatMicros(now.insuranceMicros),
      dust: formatMicros(now.dustMicros),
      clearing: formatMicros(now.clearingMicros),
      in_transit: formatMicros(now.inTransitMicros),
      insurance_deposits: formatMicros(now.depositsMicros),
    },
    liquidations: {
      pre_liquidation: now.graceCount,
      partial: now.partialCount,
      full: now.fullCount,
      waiting: now.waitingCount,
    },
    expiries_pending: {
      count: now.pendingCount,
      expiries: now.pending.map(({ underlying, expiryMillis }) => ({
        underlying,
        expiry: expiryMillis / 1000,
      })),
    },
  }
}

/** Returns the latest batch and its hash. Rereads while the core is storing the next. */
export function readBatchHash(counters: Counters): BatchHash {
  for (let reads = 0; ; reads++) {
    const batchNumber = counters.read(coreThread, CounterName.BatchNumber)
    const high = counters.read(coreThread, CounterName.StateHashHigh)
    const low = counters.read(coreThread, CounterName.StateHashLow)
    const isWhole = counters.read(coreThread, CounterName.BatchNumber) === batchNumber
    if (isWhole || reads === readsMax) return { batchNumber, stateHash: hex(high) + hex(low) }
  }
}

function threadRows(memory: ExchangeMemory, counters: Counters): VenueState['threads'] {
  return threadRoles(memory).flatMap((role, thread) => {
    const threadId = counters.threadId(thread)
    if (threadId === 0 && counters.heartbeatMillis(thread) === 0) return []
    return [
      {
        role,
        thread_id: threadId,
        heartbeat_ms: heartbeatTime(counters, thread),
        work_seconds: counters.read(thread, CounterName.WorkNanos) / 1e9,
        processor_seconds: processorSeconds(threadId),
      },
    ]
  })
}

function hex(half: number): string {
  return (half >>> 0).toString(16).padStart(hashDigits, '0')
}
