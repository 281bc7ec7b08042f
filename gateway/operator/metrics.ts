import { CounterName, type Counters } from '../../engine/memory/counters.js'
import { EngineTime } from '../../engine/memory/engine-time.js'
import { type ExchangeMemory, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { microsToNumber } from '../../schemas/decimal.js'
import { haltModeNames } from '../../schemas/domain.js'
import { Result, resultRows } from '../../schemas/results.js'
import { type RecoveryPath, recoveryPaths } from '../auth/recovery-path.js'
import { floodCauses, floodCounters } from '../limits/flood-close.js'
import type { SocketCounts } from '../limits/socket-counts.js'
import { binaryStandings, loadedBinaries } from '../native/load-pinned.js'
import { SharedValue } from '../read-model/views/shared-value.js'
import type { HaltBoard, VenueGauges } from '../read-model/views/venue-views.js'
import { isInvariantAlarm } from './invariant-log.js'
import { latencyMetrics } from './latency-metrics.js'
import {
  alone,
  by,
  type Metric,
  metric,
  metricContentType,
  metricText,
  type Sample,
} from './metric-text.js'
import type { PlainAnswer } from './operator-server.js'
import { processorSeconds } from './thread-processor.js'
import { heartbeatTime, ringsOf, threadRoles } from './thread-table.js'
import { type UpkeepSource, upkeepMetrics } from './upkeep-metrics.js'
import { type WithdrawalFigures, withdrawalMetrics } from './withdrawal-metrics.js'

/** Sources of `/metrics`. */
export interface MetricsSource {
  readonly memory: ExchangeMemory
  readonly counters: Counters
  readonly version: string
  /** Recovery path of signers in this process. */
  readonly recovery: RecoveryPath
  /** Connections of the public port, for all gateways together. */
  readonly sockets: Pick<SocketCounts, 'total' | 'max'>
  readonly withdrawals: () => WithdrawalFigures
  /** 1 for each file next to the journal that is lost, by name. */
  readonly lostFiles: () => Readonly<Record<string, number>>
  readonly upkeep: UpkeepSource
}

const nanos = 1e-9

/** Counters of threads: name, help, and the factor to the base unit in the name. */
const threadRows: readonly (readonly [CounterName, name: string, help: string, scale?: number])[] =
  [
    [CounterName.Commands, 'commands_total', 'Commands taken'],
    [CounterName.Batches, 'batches_total', 'Closed batches'],
    [CounterName.Events, 'events_total', 'Events published'],
    [CounterName.Trades, 'trades_total', 'Trades'],
    [CounterName.RingFull, 'ring_full_total', 'Claims that found a ring full'],
    [CounterName.WorkNanos, 'work_seconds_total', 'Time spent working', nanos],
    [CounterName.BatchNanosMax, 'batch_seconds_max', 'Longest batch', nanos],
    [CounterName.Sequence, 'sequence', 'Sequence of the latest event'],
    [CounterName.BatchNumber, 'batch_number', 'Number of the latest batch'],
    [CounterName.JournalBytes, 'journal_bytes_total', 'Bytes written to the journal'],
    [CounterName.JournalWrites, 'journal_writes_total', 'Writes to the journal'],
    [CounterName.JournalFlushes, 'journal_flushes_total', 'Flushes of the journal'],
    [CounterName.JournalFlushNanos, 'journal_flush_seconds_total', 'Time in flushes', nanos],
    [CounterName.JournalFlushNanosMax, 'journal_flush_seconds_max', 'Longest flush', nanos],
    [CounterName.JournalBatchNumber, 'journal_batch_number', 'Latest durable batch'],
    [CounterName.SnapshotBatchNumber, 'snapshot_batch_number', 'Batch of the latest snapshot'],
    [CounterName.Snapshots, 'snapshots_total', 'Snapshots made'],
    [CounterName.Requests, 'requests_total', 'HTTP requests'],
    [CounterName.SignaturesChecked, 'signatures_total', 'Signatures checked'],
    [CounterName.SignaturesFailed, 'signatures_failed_total', 'Signatures that failed'],
    [CounterName.RateLimited, 'rate_limited_total', 'Requests over a rate limit'],
    [CounterName.BusyRefused, 'busy_refused_total', 'Orders that failed to keep turns short'],
    [CounterName.Sessions, 'sessions', 'Open stream sessions'],
    [CounterName.SessionsOpened, 'sessions_opened_total', 'Stream sessions opened'],
    [CounterName.SlowConsumerCloses, 'slow_consumer_closes_total', 'Slow consumers closed'],
    [CounterName.FramesSent, 'frames_sent_total', 'Stream frames sent'],
    [CounterName.BytesSent, 'sent_bytes_total', 'Stream bytes sent'],
    [CounterName.EventsRead, 'events_read_total', 'Events read'],
    [CounterName.LogLapped, 'log_lapped_total', 'Readers overtaken by the event log'],
    [CounterName.LoopDelayNanosMax, 'loop_delay_seconds_max', 'Event-loop delay', nanos],
    [CounterName.ReadRequests, 'read_requests_total', 'Reads answered'],
    [CounterName.ProviderSessions, 'provider_sessions', 'Open sessions of quote providers'],
    [
      CounterName.ProviderSessionsOpened,
      'provider_sessions_opened_total',
      'Sessions of quote providers authenticated',
    ],
    [CounterName.QuoteRows, 'quote_rows', 'Live indicative quotes by receiving gateway'],
    [CounterName.QuoteRowsTaken, 'quote_rows_taken_total', 'Rows of indicative quotes accepted'],
    [
      CounterName.QuoteRowsRefused,
      'quote_rows_refused_total',
      'Rows of indicative quotes left out',
    ],
    [CounterName.QuotesLapped, 'quotes_lapped_total', 'Readers overtaken by a log of quotes'],
    [CounterName.HeapBytes, 'heap_used_bytes', 'JavaScript heap in use, including garbage'],
    [
      CounterName.ExternalBytes,
      'external_memory_bytes',
      'Memory outside the heap that it references',
    ],
    [CounterName.PushDelivered, 'push_delivered_total', 'Notifications accepted by a push service'],
    [
      CounterName.PushRefused,
      'push_refused_total',
      'Notifications to addresses that are not allowed',
    ],
    [CounterName.PushFailed, 'push_failed_total', 'Notifications that failed finally'],
    [CounterName.PushDropped, 'push_dropped_total', 'Notifications dropped for later ones'],
    [CounterName.PushGone, 'push_gone_total', 'Subscriptions that a push service reported as gone'],
    [CounterName.PushRetries, 'push_retries_total', 'Retries of notifications'],
    [CounterName.PushWaiting, 'push_waiting', 'Notifications waiting or in progress'],
    [CounterName.HistoryRows, 'history_rows_total', 'Rows written to history'],
    [CounterName.HistorySequence, 'history_sequence', 'Latest sequence in the history'],
    [CounterName.HistoryDown, 'history_down', '1 while the history cannot be read'],
    [
      CounterName.HistoryRebuilds,
      'history_rebuilds_total',
      'History stores quarantined or missing',
    ],
  ]

/**
 * Returns GET /metrics as Prometheus text: shared counters per thread, and gauges of the venue. No label names a wallet
 * or an order.
 */
export function metricsPage(source: MetricsSource): () => PlainAnswer {
  const metrics = metricsOf(source)
  return () => ({ status: 200, contentType: metricContentType, body: metricText(metrics) })
}

/** Returns all metrics, including those that are left out while they have no samples. */
export function metricsOf(source: MetricsSource): readonly Metric[] {
  const { lostFiles, memory, withdrawals } = source
  return [
    ...upkeepMetrics(memory, source.counters, source.upkeep),
    ...processMetrics(source),
    ...venueMetrics(source),
    ...withdrawalMetrics(withdrawals, new EngineTime(memory).millis),
    metric(
      'file_lost',
      '1 for a file that is missing, truncated or replaced, and of which the journal knows more',
      () => by('file', lostFiles()),
    ),
    ...clockMetrics(source),
    ...invariantMetrics(source),
    ...marketMetrics(source),
    ...auctionMetrics(source),
    floodMetric(source),
    ...threadMetrics(source),
    ...rejectMetrics(source),
    ...latencyMetrics(memory.latencies),
  ]
}

function processMetrics({ memory, counters }: MetricsSource): readonly Metric[] {
  const rings = ringsOf(memory)
  return [
    metric('thread_info', 'Kernel thread id of each thread', () =>
      byThread(memory, (thread) => counters.threadId(thread)),
    ),
    metric('thread_processor_seconds_total', 'Time of each thread on a core', () =>
      byThread(memory, (thread) => processorSeconds(counters.threadId(thread)) ?? 0),
    ),
    metric('heartbeat_timestamp_seconds', 'Last heartbeat of each thread', () =>
      byThread(memory, (thread) => heartbeatTime(counters, thread) / 1000),
    ),
    metric('ring_depth_bytes', 'Unread bytes of each ring', () =>
      rings.map(({ name, ring }) => [`{thread="${name}"}`, ring.depthBytes()]),
    ),
    metric('resident_memory_bytes', 'Memory of the process, all threads', () =>
      alone(process.memoryUsage.rss()),
    ),
  ]
}

/** Returns metrics with the label `kind`. Includes 0, because an alert watches for an exhausted insurance fund. */
function venueMetrics({ memory }: MetricsSource): readonly Metric[] {
  const board = new SharedValue<VenueGauges>(memory.venueBoard)
  const ofVenue = (
    name: string,
    help: string,
    valuesOf: (now: VenueGauges) => Readonly<Record<string, number>>,
  ) =>
    metric(name, help, () => {
      const now = board.read()
      return now === null ? [] : by('kind', valuesOf(now))
    })
  return [
    ofVenue('fund_balance_usd', "The venue's own balances", (now) => ({
      fees: microsToNumber(now.feesMicros),
      insurance: microsToNumber(now.insuranceMicros),
      dust: microsToNumber(now.dustMicros),
      clearing: microsToNumber(now.clearingMicros),
      in_transit: microsToNumber(now.inTransitMicros),
    })),
    metric('insurance_deposits_usd_total', 'Paid into the insurance fund so far', () =>
      alone(microsToNumber(board.read()?.depositsMicros ?? 0)),
    ),
    ofVenue('liquidations', 'Wallets in liquidation by phase', (now) => ({
      pre_liquidation: now.graceCount,
      partial: now.partialCount,
      full: now.fullCount,
    })),
    ofVenue(
      'liquidations_waiting',
      'Wallets below maintenance margin whose liquidation waits for a mark',
      (now) => ({ mark: now.waitingCount }),
    ),
    ofVenue('expiries_waiting', 'Expiries that wait for a settlement price', (now) => ({
      price: now.pendingCount,
    })),
  ]
}

/** Includes 0, for the operator's alerts. */
function clockMetrics({ counters }: MetricsSource): readonly Metric[] {
  const { core } = wakeupOf
  return [
    metric(
      'clock_alarm',
      '1 while the clock of the machine was stepped and trading is halted for it',
      () => alone(counters.read(core, CounterName.ClockAlarm) === 0 ? 0 : 1),
    ),
    metric('clock_ahead_seconds', 'Difference of the clock from engine time', () =>
      alone(counters.read(core, CounterName.ClockAheadMillis) / 1000),
    ),
    metric('clock_offset_seconds', 'Accepted offset of the clock from engine time', () =>
      alone(counters.read(core, CounterName.ClockOffsetMillis) / 1000),
    ),
  ]
}

/** Includes 0, for the alerts. */
function invariantMetrics({ counters, memory }: MetricsSource): readonly Metric[] {
  const { snapshot } = wakeupOf
  const read = (name: CounterName) => counters.read(snapshot, name)
  return [
    metric('invariant_alarm', '1 while a broken invariant halts the market', () =>
      alone(isInvariantAlarm(memory) ? 1 : 0),
    ),
    metric('stopped_wallets', 'Wallets stopped for a broken invariant', () =>
      alone(counters.read(wakeupOf.core, CounterName.StoppedWallets)),
    ),
    metric('invariant_breaches_total', 'Breaches of invariants found', () =>
      alone(read(CounterName.InvariantBreaches)),
    ),
    metric('invariant_looks_total', 'Checks of the invariants', () =>
      alone(read(CounterName.InvariantLooks)),
    ),
    metric('invariant_seconds_total', 'Processor time of these checks', () =>
      alone(read(CounterName.InvariantNanos) * nanos),
    ),
    metric('invariant_batch_number', 'Batch of the latest check', () =>
      alone(read(CounterName.InvariantBatchNumber)),
    ),
    metric(
      'invariant_books_total',
      'Parts of the books of running matchers compared with the running core',
      () => alone(read(CounterName.InvariantBooks)),
    ),
  ]
}

function marketMetrics(source: MetricsSource): readonly Metric[] {
  const { memory, counters, sockets, recovery, version } = source
  const board = new SharedValue<HaltBoard>(memory.haltBoard)
  return [
    metric('halt', '1 for the mode that each underlying is in', () =>
      (board.read()?.underlyings ?? []).flatMap(({ underlying, mode }) =>
        haltModeNames.map(
          (kind, of): Sample => [
            `{underlying="${underlying}",kind="${kind}"}`,
            of === mode ? 1 : 0,
          ],
        ),
      ),
    ),
    metric('connections', 'Open connections of the public port', () => {
      const stream = counters.total(CounterName.Sessions)
      const provider = counters.total(CounterName.ProviderSessions)
      // Sessions are counted a moment after their connections.
      return by('kind', { stream, provider, http: Math.max(0, sockets.total - stream - provider) })
    }),
    metric('connections_max', 'Most connections; further ones are closed', () =>
      alone(sockets.max),
    ),
    metric('signature_recovery', 'How signers are recovered', () =>
      recoveryPaths.map((kind) => [`{kind="${kind}"}`, kind === recovery ? 1 : 0]),
    ),
    metric('native_binaries', 'Native binaries loaded, by comparison with the pinned ones', () =>
      binaryStandings.map((kind) => {
        const those = loadedBinaries().filter(({ standing }) => standing === kind)
        return [`{kind="${kind}"}`, those.length]
      }),
    ),
    metric('build_info', 'Version of the running build', () => by('version', { [version]: 1 })),
  ]
}

/** Includes 0. */
function auctionMetrics({ counters }: MetricsSource): readonly Metric[] {
  const total = (name: CounterName) => counters.total(name)
  return [
    metric('auctions_begun_total', 'Orders that waited for quotes of providers', () =>
      alone(total(CounterName.AuctionsBegun)),
    ),
    metric('auctions_ended_total', 'Auctions by result; executed: filled by a quote', () =>
      by('result', {
        executed: total(CounterName.AuctionsExecuted),
        no_quotes: total(CounterName.AuctionsNoQuotes),
        expired: total(CounterName.AuctionsExpired),
        failed: total(CounterName.AuctionsFailed),
      }),
    ),
  ]
}

/** Includes 0, so that a rise is visible. */
function floodMetric({ counters }: MetricsSource): Metric {
  return metric('flood_closes_total', 'Streams closed for sending too much, by cause', () =>
    floodCauses.map((cause) => [`{cause="${cause}"}`, counters.total(floodCounters[cause])]),
  )
}

/** Counters that alerts watch. They include 0, so that a rise is visible. */
const alerted: ReadonlySet<CounterName> = new Set<CounterName>([
  CounterName.RingFull,
  CounterName.BusyRefused,
  CounterName.SlowConsumerCloses,
])

function threadMetrics({ memory, counters }: MetricsSource): readonly Metric[] {
  return threadRows.map(([counter, name, help, scale = 1]) => ({
    name,
    help,
    isLeftOut: true,
    samples: () =>
      byThread(memory, (thread) => counters.read(thread, counter) * scale, alerted.has(counter)),
  }))
}

function rejectMetrics({ memory }: MetricsSource): readonly Metric[] {
  const counts = new Float64Array(memory.rejects)
  return [
    {
      name: 'rejects_total',
      help: 'Commands rejected by the engine',
      isLeftOut: true,
      samples: () => by('result', rejectsByCode(counts)),
    },
    // Includes 0, because an alert watches for a rise.
    metric(
      'index_refused_total',
      'Index prices rejected because they exceed the highest index',
      () => by('cause', { above_max: counts[-Result.IndexLimit] ?? 0 }),
    ),
  ]
}

/** Returns rejections by reason code, without codes that have not occurred. */
function rejectsByCode(counts: Float64Array): Readonly<Record<string, number>> {
  const byCode: Record<string, number> = {}
  for (const result of Object.values(Result)) {
    const { code } = resultRows[result]
    const count = counts[-result]
    if (code !== null && count > 0) byCode[code] = (byCode[code] ?? 0) + count
  }
  return byCode
}

/** Returns a sample per thread, without those of 0 unless `showsZero`. */
function byThread(
  memory: ExchangeMemory,
  read: (thread: number) => number,
  showsZero = false,
): readonly Sample[] {
  return threadRoles(memory).flatMap((role, thread): Sample[] => {
    const value = read(thread)
    return value === 0 && !showsZero ? [] : [[`{thread="${role}"}`, value]]
  })
}
