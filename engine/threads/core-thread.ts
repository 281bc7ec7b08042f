import { parentPort, workerData } from 'node:worker_threads'
import {
  CommandType,
  commandGatewayAt,
  configCountAt,
  configValuesAt,
} from '../../schemas/commands.js'
import { publishBootstrap } from '../core/bootstrap.js'
import { Core } from '../core/core.js'
import { CoreState } from '../core/core-state.js'
import { encodeEngineConfig } from '../core/engine-config.js'
import { EventSink } from '../core/event-sink.js'
import { JournalLink } from '../core/journal-link.js'
import { MatcherLinks } from '../core/matcher-links.js'
import { nobody } from '../core/publish-orders.js'
import { type CoreRef, linkOwnMatchers, replayBatch } from '../core/replica.js'
import { StateReader } from '../core/state-codec.js'
import { loadState } from '../core/state-snapshot.js'
import { doorbellOf, flagWords, holdingLogReaders, logReaders } from '../exchange-memory.js'
import { NodeFiles } from '../journal/node-files.js'
import { type RecoveredJournal, recoverJournal } from '../journal/recovery.js'
import { SnapshotStore } from '../journal/snapshot-store.js'
import { checkHash, loadSnapshot } from '../journal/snapshotter.js'
import { CounterName, Counters } from '../memory/counters.js'
import { Doorbell } from '../memory/doorbell.js'
import { runDuty, StopFlag } from '../memory/duty.js'
import { EventLogWriter } from '../memory/event-log.js'
import { recordPayloadAt } from '../memory/layout.js'
import { allocateRing, Ring } from '../memory/ring.js'
import { pinThread, threadId } from './pin-thread.js'
import { type EngineMessage, type EngineThreadData, engineVersion } from './thread-data.js'

/** The core watches deadlines of its own, and room that nobody rings for. */
const sleepMillisMax = 10
const shellRingBytes = 1 << 17

const data = workerData as EngineThreadData
const { memory, options } = data
const notes: string[] = []
const napWord = new Int32Array(new SharedArrayBuffer(4))
let bells: Doorbell[] | null = null

pinThread(options.pinning['core'])
const log = new EventLogWriter(memory.eventLog, everyLogReader())
/** Commands of the shell itself: the configuration at start. */
const shellRing = allocateRing(shellRingBytes)
const core = assembleCore()
const resume = recover(core)
tell({ type: 'recovered', resume, notes })
publishBootstrap(core.state, core.batch, waitForReaders)
ringReaders()
log.holdFor(holdingLogReaders)
configure(core)
run()

function assembleCore(): Core {
  const ref: CoreRef = { core: null }
  const links =
    memory.matchers === 0
      ? linkOwnMatchers(ref, memory.orderRings, memory.resultRings)
      : threadMatchers()
  const state = new CoreState(options.engine, new EventSink(log), links)
  const journalBell = new Doorbell(memory.doorbells, doorbellOf.journal)
  const inMemory = options.durability === 'memory'
  const wake = inMemory ? wakeAll(journalBell) : () => journalBell.ring()
  const journal = new JournalLink(new Ring(memory.journalRing, 'producer'), wake, inMemory)
  const sources = [shellRing, ...memory.commandRings].map((ring) => new Ring(ring, 'consumer'))
  ref.core = new Core(state, sources, journal, waitForReaders)
  return ref.core
}

function threadMatchers(): MatcherLinks {
  const bells = memory.orderRings.map(
    (_, index) => new Doorbell(memory.doorbells, doorbellOf.matcher(memory, index)),
  )
  return new MatcherLinks(
    memory.orderRings.map((ring) => new Ring(ring, 'producer')),
    memory.resultRings.map((ring) => new Ring(ring, 'consumer')),
    (matcher) => bells[matcher].ring(),
    restForMatcher,
  )
}

// A matcher answers within microseconds when it has a core to itself. Where threads share cores, spinning
// would keep it from running, so all but `spin` give the core up between looks.
function restForMatcher(): void {
  if (options.idle !== 'spin') Atomics.wait(napWord, 0, 0, 0.02)
}

function recover(target: Core): RecoveredJournal {
  const files = new NodeFiles(options.journalDirectory)
  const { state } = target
  const store = new SnapshotStore(files, [engineVersion])
  const { snapshot, damaged } = store.readNewest(data.historySeq)
  for (const sentence of damaged) notes.push(`snapshot passed over: ${sentence}`)
  state.sink.heardFrom = data.historySeq
  const replica = {
    load: (bytes: Uint8Array) => loadState(state, new StateReader(bytes)),
    stateHash: () => state.hash,
  }
  if (snapshot !== null) loadSnapshot(replica, snapshot)
  const fromBatch = state.batchNumber + 1
  const recovered = recoverJournal({ files, fromBatch, engineVersion }, (batch) => {
    checkHash(replica, batch)
    replayBatch(target, batch)
    ringReaders()
    while (!target.hasRoom()) waitForReaders()
  })
  state.sink.heardFrom = 0
  if (recovered.cutBytes > 0) {
    notes.push(`journal: ${recovered.cutBytes} bytes of an unflushed tail were cut`)
  }
  return recovered
}

/** Readers that recovery waits for: a gateway that misses a bootstrap record knows too little for ever. */
function everyLogReader(): number[] {
  const gateways = Array.from({ length: memory.gateways }, (_, index) => logReaders.gateway(index))
  return [...holdingLogReaders, ...gateways]
}

/** Journals this process's configuration when the engine has another: a replay must decide alike. */
function configure(target: Core): void {
  const values = encodeEngineConfig(options.engine)
  const before = encodeEngineConfig(target.state.config)
  const same = values.length === before.length && values.every((value, i) => value === before[i])
  if (same && target.state.batchNumber > 0) return
  const ring = new Ring(shellRing, 'producer')
  const at = ring.tryClaim(configValuesAt + values.length * 8, CommandType.Configure)
  ring.u8.fill(0, at + recordPayloadAt, at + configValuesAt)
  ring.i32[(at + commandGatewayAt) >> 2] = nobody
  ring.i32[(at + configCountAt) >> 2] = values.length
  ring.f64.set(values, (at + configValuesAt) >> 3)
  ring.commit()
  target.doWork(Date.now())
}

function run(): void {
  const counters = new Counters(memory.counters, doorbellOf.core)
  counters.setThreadId(threadId())
  const stop = new StopFlag(memory.flags, flagWords.stopCore)
  const bell = new Doorbell(memory.doorbells, doorbellOf.core)
  const { state } = core
  const seqAtStart = state.sink.seq
  state.rejectCounts = new Float64Array(memory.rejects)
  const showState = () => {
    counters.set(CounterName.Events, state.sink.seq - seqAtStart)
    counters.set(CounterName.Sequence, state.sink.seq)
    counters.set(CounterName.BatchNumber, state.batchNumber)
    counters.set(CounterName.StateHashLow, state.hash.low)
    counters.set(CounterName.StateHashHigh, state.hash.high)
    counters.set(CounterName.Trades, state.tradeCount)
  }
  const duty = {
    role: 'core',
    onStart: showState,
    doWork() {
      const begin = performance.now()
      const count = core.doWork(Date.now())
      if (count > 0) {
        const nanos = (performance.now() - begin) * 1e6
        counters.add(CounterName.WorkNanos, nanos)
        counters.raise(CounterName.BatchNanosMax, nanos)
        counters.add(CounterName.Commands, core.batch.count)
        counters.add(CounterName.Batches, 1)
        showState()
      }
      return count
    },
    onClose() {},
  }
  const beat = () => counters.beat(Date.now())
  tell({ type: 'started' })
  runDuty(duty, options.idle, bell, stop, beat, sleepMillisMax)
  while (core.hasCommands()) if (duty.doWork() === 0) nap()
  const wake = new Doorbell(memory.doorbells, doorbellOf.journal)
  const ring = new Ring(memory.journalRing, 'producer')
  const link = new JournalLink(ring, () => wake.ring(), false)
  while (!link.hasRoom()) nap()
  link.shutDown(state, core.batch)
}

function wakeAll(journalBell: Doorbell): () => void {
  return () => {
    journalBell.ring()
    ringReaders()
  }
}

function ringReaders(): void {
  for (const bell of readerBells()) bell.ring()
}

function readerBells(): readonly Doorbell[] {
  if (bells !== null) return bells
  const indexes: number[] = [doorbellOf.readModel, doorbellOf.history, doorbellOf.operator]
  for (let i = 0; i < memory.gateways; i++) indexes.push(doorbellOf.gateway(i))
  bells = indexes.map((index) => new Doorbell(memory.doorbells, index))
  return bells
}

/** Lets the followers of the event log catch up: what was opened without a batch rings nobody else. */
function waitForReaders(): void {
  ringReaders()
  nap()
}

function nap(): void {
  Atomics.wait(napWord, 0, 0, 1)
}

function tell(message: EngineMessage): void {
  parentPort?.postMessage(message)
}
