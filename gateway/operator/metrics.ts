import { Gauge, Registry } from 'prom-client'
import { CounterName, type Counters } from '../../engine/memory/counters.js'
import { doorbellOf, type ExchangeMemory } from '../../engine/memory/exchange-memory.js'
import { microsToNumber } from '../../schemas/decimal.js'
import { haltModeNames } from '../../schemas/domain.js'
import { Result, resultRows } from '../../schemas/results.js'
import { type RecoveryPath, recoveryPaths } from '../auth/recovery-path.js'
import type { SocketCounts } from '../limits/socket-counts.js'
import { SharedValue } from '../read-model/views/shared-value.js'
import type { HaltRow, VenueGauges } from '../read-model/views/venue-views.js'
import { latencyMetrics } from './latency-metrics.js'
import { formatTotals } from './metric-text.js'
import type { PlainAnswer } from './operator-server.js'
import { heartbeatTime, ringsOf, threadRoles } from './thread-table.js'

interface MetricRow {
  readonly counter: CounterName
  readonly name: string
  readonly help: string
  /** Counters only rise; gauges are values of now. */
  readonly kind: 'counter' | 'gauge'
  /** Factor to the base unit in the name. */
  readonly scale: number
}

const counter = (counter: CounterName, name: string, help: string, scale = 1): MetricRow => ({
  counter,
  name,
  help,
  kind: 'counter',
  scale,
})
const gauge = (row: CounterName, name: string, help: string, scale = 1): MetricRow => ({
  ...counter(row, name, help, scale),
  kind: 'gauge',
})
const nanos = 1e-9

const rows: readonly MetricRow[] = [
  counter(CounterName.Commands, 'commands_total', 'Commands taken'),
  counter(CounterName.Batches, 'batches_total', 'Closed batches'),
  counter(CounterName.Events, 'events_total', 'Events published'),
  counter(CounterName.Trades, 'trades_total', 'Trades'),
  counter(CounterName.RingFull, 'ring_full_total', 'Claims that found a ring full'),
  counter(CounterName.WorkNanos, 'work_seconds_total', 'Time spent working', nanos),
  gauge(CounterName.BatchNanosMax, 'batch_seconds_max', 'Longest batch', nanos),
  gauge(CounterName.Sequence, 'sequence', 'Sequence of the latest event'),
  gauge(CounterName.BatchNumber, 'batch_number', 'Number of the latest batch'),
  counter(CounterName.JournalBytes, 'journal_bytes_total', 'Bytes written to the journal'),
  counter(CounterName.JournalWrites, 'journal_writes_total', 'Writes to the journal'),
  counter(CounterName.JournalFlushes, 'journal_flushes_total', 'Flushes of the journal'),
  counter(CounterName.JournalFlushNanos, 'journal_flush_seconds_total', 'Time in flushes', nanos),
  gauge(CounterName.JournalFlushNanosMax, 'journal_flush_seconds_max', 'Longest flush', nanos),
  gauge(CounterName.JournalBatchNumber, 'journal_batch_number', 'Latest durable batch'),
  gauge(CounterName.SnapshotBatchNumber, 'snapshot_batch_number', 'Batch of the latest snapshot'),
  counter(CounterName.Snapshots, 'snapshots_total', 'Snapshots made'),
  counter(CounterName.Requests, 'requests_total', 'HTTP requests'),
  counter(CounterName.SignaturesChecked, 'signatures_total', 'Signatures checked'),
  counter(CounterName.SignaturesFailed, 'signatures_failed_total', 'Signatures refused'),
  counter(CounterName.RateLimited, 'rate_limited_total', 'Requests over a limit'),
  counter(CounterName.BusyRefused, 'busy_refused_total', 'Orders refused to keep turns short'),
  gauge(CounterName.Sessions, 'sessions', 'Open stream sessions'),
  counter(CounterName.SessionsOpened, 'sessions_opened_total', 'Stream sessions opened'),
  counter(CounterName.SlowConsumerCloses, 'slow_consumer_closes_total', 'Slow consumers closed'),
  counter(CounterName.FramesSent, 'frames_sent_total', 'Stream frames sent'),
  counter(CounterName.BytesSent, 'sent_bytes_total', 'Stream bytes sent'),
  counter(CounterName.EventsRead, 'events_read_total', 'Events read'),
  counter(CounterName.LogLapped, 'log_lapped_total', 'Readers overtaken by the event log'),
  gauge(CounterName.LoopDelayNanosMax, 'loop_delay_seconds_max', 'Event-loop delay', nanos),
  counter(CounterName.ReadRequests, 'read_requests_total', 'Reads answered'),
  gauge(CounterName.HeapBytes, 'heap_used_bytes', 'JavaScript heap in use, garbage included'),
  gauge(CounterName.ExternalBytes, 'external_memory_bytes', 'Memory that the heap points to'),
  counter(CounterName.HistoryRows, 'history_rows_total', 'Rows written to history'),
  gauge(CounterName.HistorySequence, 'history_sequence', 'Sequence that history has reached'),
  gauge(CounterName.HistoryDown, 'history_down', '1 while history is not to be read'),
  counter(CounterName.HistoryRebuilds, 'history_rebuilds_total', 'Stores set aside or missing'),
]

interface VenueMetric {
  readonly name: string
  readonly help: string
  readonly valuesOf: (now: VenueGauges) => Readonly<Record<string, number>>
}

// By the label `kind`, and shown at 0 too: an insurance fund that is used up is what an alarm waits for.
const venueMetrics: readonly VenueMetric[] = [
  {
    name: 'fund_balance_usd',
    help: "The venue's own balances",
    valuesOf: (now) => ({
      fees: microsToNumber(now.feesMicros),
      insurance: microsToNumber(now.insuranceMicros),
      dust: microsToNumber(now.dustMicros),
      clearing: microsToNumber(now.clearingMicros),
    }),
  },
  {
    name: 'liquidations',
    help: 'Wallets in liquidation by phase',
    valuesOf: (now) => ({
      pre_liquidation: now.graceCount,
      partial: now.partialCount,
      full: now.fullCount,
    }),
  },
  {
    name: 'liquidations_waiting',
    help: 'Wallets below maintenance margin whose liquidation waits for a mark: feed it',
    valuesOf: (now) => ({ mark: now.waitingCount }),
  },
  {
    name: 'expiries_waiting',
    help: 'Expiries that wait for a settlement price: give it',
    valuesOf: (now) => ({ price: now.pendingCount }),
  },
]

const prefix = 'strikebook_'

/** What `/metrics` shows besides the counters. */
export interface MetricsSource {
  readonly memory: ExchangeMemory
  readonly counters: Counters
  readonly version: string
  /** How this process recovers signers. */
  readonly recovery: RecoveryPath
  /** Of the public port, all gateways together. */
  readonly sockets: Pick<SocketCounts, 'total' | 'max'>
}

/**
 * GET /metrics as Prometheus text: shared counters per thread, and how the venue stands. No label names a wallet or an
 * order.
 */
export class MetricsPage {
  readonly #source: MetricsSource
  readonly #registry = new Registry()
  readonly #roles: readonly string[]

  constructor(source: MetricsSource) {
    this.#source = source
    this.#roles = threadRoles(source.memory)
    this.#addThreads()
    this.#addRings()
    this.#addMemory()
    this.#addVenue()
    this.#addClock()
    this.#addHalts()
    this.#addConnections()
    const recovery = this.#gauge('signature_recovery', 'How signers are recovered', ['kind'])
    for (const kind of recoveryPaths) recovery.set({ kind }, kind === source.recovery ? 1 : 0)
    const info = this.#gauge('build_info', 'Version of the running build', ['version'])
    info.set({ version: source.version }, 1)
  }

  async answer(): Promise<PlainAnswer> {
    const { counters } = this.#source
    // Not `...row`: V8 keeps what is spread and then added to until its next full collection, which a thread
    // that rests between scrapes comes to after ten minutes.
    const totals = rows.map(({ counter, name, help, kind, scale }) => ({
      name: prefix + name,
      help,
      kind,
      label: 'thread',
      values: this.#roles.flatMap((thread, index) => {
        const value = counters.read(index, counter) * scale
        return value === 0 ? [] : [{ of: thread, value }]
      }),
    }))
    const body =
      (await this.#registry.metrics()) +
      formatTotals(totals) +
      this.#rejects() +
      latencyMetrics(this.#source.memory.latencies)
    return { status: 200, contentType: this.#registry.contentType, body }
  }

  /** Refusals by reason code; codes that no command has had yet are left out. */
  #rejects(): string {
    const counts = new Float64Array(this.#source.memory.rejects)
    const byCode = new Map<string, number>()
    for (const result of Object.values(Result)) {
      const code = resultRows[result].code
      const count = counts[-result]
      if (code !== null && count > 0) byCode.set(code, (byCode.get(code) ?? 0) + count)
    }
    const values = [...byCode].map(([of, value]) => ({ of, value }))
    const help = 'Commands refused by the engine'
    const name = `${prefix}rejects_total`
    const refusedPrices = counts[-Result.IndexLimit] ?? 0
    return formatTotals([
      { name, help, kind: 'counter', label: 'result', values },
      // Shown at 0 too: an alarm waits for it to rise.
      {
        name: `${prefix}index_refused_total`,
        help: 'Prices of an index refused: above the highest that it may take',
        kind: 'counter',
        label: 'cause',
        values: [{ of: 'above_max', value: refusedPrices }],
      },
    ])
  }

  #addThreads(): void {
    const { counters } = this.#source
    const roles = this.#roles
    const info = this.#gauge('thread_info', 'Kernel thread id of each thread', ['thread'], () => {
      for (const [index, thread] of roles.entries()) {
        const threadId = counters.threadId(index)
        if (threadId !== 0) info.set({ thread }, threadId)
      }
    })
    const beat = this.#gauge(
      'heartbeat_timestamp_seconds',
      'Last heartbeat of each thread',
      ['thread'],
      () => {
        for (const [index, thread] of roles.entries()) {
          const millis = heartbeatTime(counters, index)
          if (millis !== 0) beat.set({ thread }, millis / 1000)
        }
      },
    )
  }

  #addRings(): void {
    const { memory } = this.#source
    const rings = ringsOf(memory)
    const depth = this.#gauge('ring_depth_bytes', 'Unread bytes of each ring', ['thread'], () => {
      for (const { name, ring } of rings) depth.set({ thread: name }, ring.depthBytes())
    })
  }

  #addMemory(): void {
    const help = 'Memory of the process, all threads'
    const resident = this.#gauge('resident_memory_bytes', help, [], () => {
      resident.set(process.memoryUsage.rss())
    })
  }

  #addVenue(): void {
    const board = new SharedValue<VenueGauges>(this.#source.memory.venueBoard)
    for (const { name, help, valuesOf } of venueMetrics) {
      const gauge = this.#gauge(name, help, ['kind'], () => {
        const now = board.read()
        if (now === null) return
        for (const [kind, value] of Object.entries(valuesOf(now))) gauge.set({ kind }, value)
      })
    }
  }

  #addHalts(): void {
    const board = new SharedValue<readonly HaltRow[]>(this.#source.memory.haltBoard)
    const help = '1 for the mode that each underlying is in'
    const halts = this.#gauge('halt', help, ['underlying', 'kind'], () => {
      for (const { underlying, mode } of board.read() ?? []) {
        for (const [of, kind] of haltModeNames.entries()) {
          halts.set({ underlying, kind }, of === mode ? 1 : 0)
        }
      }
    })
  }

  #addConnections(): void {
    const { counters, sockets } = this.#source
    const help = 'Open connections of the public port'
    const open = this.#gauge('connections', help, ['kind'], () => {
      const streams = counters.total(CounterName.Sessions)
      open.set({ kind: 'stream' }, streams)
      // Streams are counted a moment after their connections.
      open.set({ kind: 'http' }, Math.max(0, sockets.total - streams))
    })
    const bound = this.#gauge('connections_max', 'Beyond these they are closed', [], () => {
      bound.set(sockets.max)
    })
  }

  /** Shown at 0 too: what an alarm of the operator's own hangs on. */
  #addClock(): void {
    const { counters } = this.#source
    const { core } = doorbellOf
    const shown: readonly (readonly [name: string, help: string, valueOf: () => number])[] = [
      [
        'clock_alarm',
        '1 while the clock of the machine was stepped and trading is halted for it',
        () => (counters.read(core, CounterName.ClockAlarm) === 0 ? 0 : 1),
      ],
      [
        'clock_ahead_seconds',
        'What the clock says beyond engine time',
        () => counters.read(core, CounterName.ClockAheadMillis) / 1000,
      ],
      [
        'clock_offset_seconds',
        'What of the clock is not followed, since the operator accepted engine time',
        () => counters.read(core, CounterName.ClockOffsetMillis) / 1000,
      ],
    ]
    for (const [name, help, read] of shown) {
      const gauge: Gauge = this.#gauge(name, help, [], () => {
        gauge.set(read())
      })
    }
  }

  #gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    collect: () => void = () => {},
  ): Gauge<Label> {
    const registers = [this.#registry]
    return new Gauge({ name: prefix + name, help, labelNames, registers, collect })
  }
}
