import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { ClockAlarm } from '../../schemas/domain.js'
import { NotedFile } from '../../schemas/record-values.js'
import { Core } from '../core/core.js'
import {
  type AcceptedLoss,
  acceptLoss,
  burnNonces,
  configureCore,
  endOldSessions,
  recoverCore,
} from '../core/core-start.js'
import { type ClockSource, EngineClock } from '../core/engine-clock.js'
import { engineVersions } from '../core/engine-versions.js'
import { JournalLink } from '../core/journal-link.js'
import { publishBootstrap } from '../core/operator/bootstrap.js'
import { passInstruments } from '../core/pass-instruments.js'
import { type CoreRef, linkOwnMatchers } from '../core/replica.js'
import { NodeFiles } from '../journal/node-files.js'
import type { Matcher } from '../matching/matcher.js'
import { BatchTimestamps } from '../memory/batch-timestamps.js'
import { CounterName } from '../memory/counters.js'
import { runDuty, StopFlag } from '../memory/duty.js'
import { EventLogWriter } from '../memory/event-log.js'
import {
  flagWords,
  followersOf,
  holdingLogReaders,
  logReaders,
  recoveringLogReaders,
  wakeupOf,
} from '../memory/exchange-memory.js'
import { allocateRing, Ring } from '../memory/ring.js'
import { steadyMillis } from '../memory/steady-clock.js'
import { VirtualTime } from '../memory/virtual-time.js'
import { Wakeup } from '../memory/wakeup.js'
import { CoreState } from '../state/core-state.js'
import { EventSink } from '../state/event-sink.js'
import { MatcherLinks } from '../state/matcher-links.js'
import { CoreDigestSide } from './book-digests.js'
import { type LookupRings, LookupService } from './lookup-service.js'
import { MarketHalt } from './market-halt.js'
import { StopRequests } from './stop-requests.js'
import type { EngineMessage, EngineThreadData, LossMessage } from './thread-data.js'
import { takePlace } from './thread-place.js'

/** The core polls inputs without wakeups. */
const sleepMillisMax = 10
const shellRingBytes = 1 << 17

const data = workerData as EngineThreadData
const { memory, options } = data
const sleepWord = new Int32Array(new SharedArrayBuffer(4))
const followers = followersOf(memory).map((index) => new Wakeup(memory.wakeups, index))
const place = takePlace(memory, wakeupOf.core, options.pinning['core'])
const log = new EventLogWriter(memory.eventLog, everyLogReader())
/** Ring for the shell's own commands: the configuration at start, and clock changes. */
const shellRing = allocateRing(shellRingBytes)
const virtual = memory.virtualTime === null ? null : new VirtualTime(memory.virtualTime)
const journalBell = new Wakeup(memory.wakeups, wakeupOf.journal)
/** True if batches were written without waking readers. A long jump in virtual time has many. */
let isRingPending = false
const journal = linkJournal()
let ownMatchers: readonly Matcher[] = []
const core = assembleCore()
if (options.takesMemory) core.state.reserve()
const shell = new Ring(shellRing, 'producer')
const halt = new MarketHalt(
  new Int32Array(memory.flags, 4 * flagWords.invariantAlarm, 1),
  core.state,
  shell,
  new StopRequests(memory.stopRequests),
)
const digestSide = new CoreDigestSide(
  memory.bookDigests,
  core.state,
  memory.orderRings.map((ring) => new Ring(ring, 'producer')),
  ownMatchers,
)
const lookups = new LookupService(core, lookupRings())
const loss = recover(core)
const lostNonces = loss === null ? (data.history.lostNonces ?? []) : awaitHistory(loss)
publishBootstrap(core.state, waitForReaders)
ringReaders()
log.holdFor(holdingLogReaders)
if (loss !== null) acceptLoss(core, shell, loss, data.history.underlyings, lostNonces)
burnNonces(core, shell, lostNonces, waitForReaders)
passInstruments(core, shell, data.history, waitForReaders)
const clock = new EngineClock(core.state, shell, source(), options.clock)
configureCore(core, shell, options.engine, clock.start())
endOldSessions(core, shell, clock.read())
core.grouping = virtual
const timestamps = new BatchTimestamps(memory.batchTimestamps)
core.watch = timestamps
run()

function assembleCore(): Core {
  const ref: CoreRef = { core: null, matchers: [] }
  const links =
    memory.matchers === 0
      ? linkOwnMatchers(ref, memory.orderRings, memory.resultRings)
      : threadMatchers()
  const state = new CoreState(options.engine, new EventSink(log), links)
  const sources = [shellRing, ...memory.commandRings].map((ring) => new Ring(ring, 'consumer'))
  ref.core = new Core(state, sources, journal, waitForReaders)
  ownMatchers = ref.matchers ?? []
  return ref.core
}

function source(): ClockSource {
  if (virtual === null) return { wallMillis: Date.now, steadyMillis }
  virtual.begin(core.state.nowMillis)
  return { wallMillis: virtual.now, steadyMillis: virtual.now }
}

function lookupRings(): LookupRings[] {
  return memory.lookupRings.map((ring, gateway) => ({
    requests: new Ring(ring, 'consumer'),
    replies: new Ring(memory.foundRings[gateway], 'producer'),
    bell: new Wakeup(memory.wakeups, wakeupOf.gateway(gateway)),
  }))
}

function linkJournal(): JournalLink {
  const inMemory = options.durability === 'memory'
  const ring = () => {
    if (inMemory) ringReaders()
    journalBell.ring()
  }
  const deferRing = () => {
    isRingPending = true
  }
  return new JournalLink(
    new Ring(memory.journalRing, 'producer'),
    virtual === null ? ring : deferRing,
    inMemory,
  )
}

/**
 * Advances virtual time if nothing was done. When it cannot advance further, wakes the readers once for all batches so
 * far.
 * @returns 0 if there is nothing to do.
 */
function passTime(done: number): number {
  if (virtual === null || done > 0) return done
  if (!core.hasCommands() && virtual.pass(core.nextEventMillis)) return 1
  ringIfPending()
  return 0
}

function ringIfPending(): void {
  if (!isRingPending) return
  isRingPending = false
  ringReaders()
  journalBell.ring()
}

function threadMatchers(): MatcherLinks {
  const bells = memory.orderRings.map(
    (_, index) => new Wakeup(memory.wakeups, wakeupOf.matcher(memory, index)),
  )
  return new MatcherLinks(
    memory.orderRings.map((ring) => new Ring(ring, 'producer')),
    memory.resultRings.map((ring) => new Ring(ring, 'consumer')),
    (matcher) => bells[matcher].ring(),
    waitForMatcher,
  )
}

// A matcher answers within microseconds if it has its own core. If threads share cores, spinning would keep it from
// running, so all strategies but `spin` release the core between checks.
function waitForMatcher(): void {
  if (options.idle !== 'spin') Atomics.wait(sleepWord, 0, 0, 0.02)
}

function recover(target: Core): AcceptedLoss | null {
  const { resume, notes, loss } = recoverCore(target, {
    files: new NodeFiles(options.journalDirectory),
    versions: engineVersions,
    identity: options.identity,
    history: data.history,
    acceptsLoss: options.acceptsLoss,
    onBatch: ringReaders,
    pause: waitForReaders,
  })
  post({ type: 'recovered', resume, notes, loss })
  return loss
}

/** Waits until the history store has been rolled back. @returns the lost nonces that it knows. */
function awaitHistory({ border }: AcceptedLoss): LossMessage {
  new StopFlag(memory.flags, flagWords.historyWentBack).waitFor(sleepBriefly)
  core.beginAfterLoss(border)
  return receiveMessageOnPort(parentPort!)?.message as LossMessage
}

/**
 * Returns the readers that recovery waits for. A gateway that misses a bootstrap record would stay incomplete for ever.
 */
function everyLogReader(): number[] {
  const gateways = Array.from({ length: memory.gateways }, (_, index) => logReaders.gateway(index))
  return [...recoveringLogReaders, ...gateways]
}

/** Returns the function that copies the state of the engine into the counters. */
function stateDisplay(): () => void {
  const { counters } = place
  const { state } = core
  const seqAtStart = state.sink.seq
  let [stopsVersion, stopsShown] = [0, 0]
  const showStops = () => {
    const { accounts, walletStops } = state
    if (walletStops.version === stopsVersion) return
    stopsVersion = walletStops.version
    if (walletStops.size === 0 && stopsShown === 0) return // a snapshot without stops was loaded
    stopsShown = walletStops.size
    counters.set(CounterName.StoppedWallets, walletStops.size)
    const wallets = Array.from(walletStops.accounts, (account) => accounts.addresses.text(account))
    post({ type: 'stopped', wallets })
  }
  return () => {
    counters.set(CounterName.Events, state.sink.seq - seqAtStart)
    counters.set(CounterName.Sequence, state.sink.seq)
    counters.set(CounterName.BatchNumber, state.batchNumber)
    counters.set(CounterName.StateHashLow, state.hash.low)
    counters.set(CounterName.StateHashHigh, state.hash.high)
    counters.set(CounterName.Trades, state.tradeCount)
    counters.set(CounterName.RailBytesNoted, state.notedFiles.bytes[NotedFile.Rail])
    counters.set(CounterName.AuditBytesNoted, state.notedFiles.bytes[NotedFile.Audit])
    counters.set(CounterName.WithdrawalsOpen, state.withdrawals.openCount)
    showStops()
  }
}

function run(): void {
  const { bell, beat, counters } = place
  const stop = new StopFlag(memory.flags, flagWords.stopCore)
  const { state } = core
  state.rejectCounts = new Float64Array(memory.rejects)
  const showState = stateDisplay()
  let alarm: ClockAlarm = ClockAlarm.None
  const showClock = (engineMillis: number) => {
    const { offsetMillis, alarm: current } = state.clock
    counters.set(CounterName.EngineLessSteadyMillis, engineMillis - clock.steadyMillis)
    counters.set(CounterName.ClockAheadMillis, clock.aheadMillis)
    counters.set(CounterName.ClockOffsetMillis, offsetMillis)
    counters.set(CounterName.ClockAlarm, current)
    if (current === alarm) return
    alarm = current
    post({ type: 'clock', alarm, engineMillis, aheadMillis: clock.aheadMillis })
  }
  const duty = {
    role: 'core',
    onStart: () => showClock(clock.read()),
    doWork() {
      const begin = performance.now()
      timestamps.onBegun(begin)
      const engineMillis = clock.read()
      halt.doWork()
      const count = core.doWork(engineMillis)
      const answered = lookups.doWork()
      digestSide.doWork()
      showClock(engineMillis)
      if (count > 0) {
        const nanos = (performance.now() - begin) * 1e6
        counters.add(CounterName.WorkNanos, nanos)
        counters.raise(CounterName.BatchNanosMax, nanos)
        counters.add(CounterName.Commands, core.decidedCount)
        counters.add(CounterName.Batches, 1)
        showState()
      }
      return passTime(count + answered)
    },
    untilDeadlineMillis: () => core.nextDeadlineMillis - clock.now,
    onClose() {},
  }
  // Update the counters before any thread that reads them continues.
  showState()
  post({ type: 'started' })
  runDuty(duty, options.idle, bell, stop, beat, sleepMillisMax)
  while (core.hasCommands()) if (duty.doWork() === 0) sleepBriefly()
  while (!journal.hasRoom()) waitForReaders()
  journal.shutDown(state, core.batch)
  ringIfPending()
}

function ringReaders(): void {
  for (const bell of followers) bell.ring()
}

/** Lets the readers of the event log catch up. Events that were opened without a batch wake nobody. */
function waitForReaders(): void {
  ringIfPending()
  ringReaders()
  sleepBriefly()
}

function sleepBriefly(): void {
  Atomics.wait(sleepWord, 0, 0, 1)
}

function post(message: EngineMessage): void {
  parentPort?.postMessage(message)
}
