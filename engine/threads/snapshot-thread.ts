import { parentPort, workerData } from 'node:worker_threads'
import { engineVersions } from '../core/engine-versions.js'
import { type Breach, breachOf } from '../invariants/breach.js'
import { ReplayDivergence } from '../journal/journal-errors.js'
import { NodeFiles } from '../journal/node-files.js'
import { SnapshotStore } from '../journal/snapshot-store.js'
import { isDue, Snapshotter } from '../journal/snapshotter.js'
import { CounterName } from '../memory/counters.js'
import { type Duty, runDuty, StopFlag } from '../memory/duty.js'
import { flagWords, InvariantAlarm, wakeupOf } from '../memory/exchange-memory.js'
import { steadyMillis } from '../memory/steady-clock.js'
import { Wakeup } from '../memory/wakeup.js'
import { BookComparison } from './book-digests.js'
import { InvariantWatch, threadNanos } from './invariant-watch.js'
import { yieldToOthers } from './pin-thread.js'
import { StopRequests } from './stop-requests.js'
import type { EngineMessage, EngineThreadData } from './thread-data.js'
import { takePlace } from './thread-place.js'

const { memory, options } = workerData as EngineThreadData

const place = takePlace(memory, wakeupOf.snapshot, options.pinning['snapshot'])
const { bell, beat, counters } = place
yieldToOthers()
const flags = new Int32Array(memory.flags)
const segmentsFinished = () => Atomics.load(flags, flagWords.segmentsFinished)
const stop = new StopFlag(memory.flags, flagWords.stopOthers)
parentPort?.postMessage({ type: 'started' } satisfies EngineMessage)

const isWatching = options.invariantMillis > 0
const alarm = new Int32Array(memory.flags, 4 * flagWords.invariantAlarm, 1)
const coreBell = new Wakeup(memory.wakeups, wakeupOf.core)
/** True if the replica reached another state than the core. */
let isDiverged = false

const { archivedMax, ...rules } = options.snapshots
const isScheduled = rules.batches > 0 || rules.millis > 0
const batchesWritten = () => counters.read(wakeupOf.journal, CounterName.JournalBatchNumber)

/** Delay before the replica starts, so that the other threads have the processor during a start. */
const restMillis = options.takesMemory ? 5000 : 0
const beganMillis = steadyMillis()
// The replica is most of the engine. A venue that preallocates no memory loads it for its first snapshot only.
const isNeeded = options.takesMemory || isWatching ? () => true : firstSnapshotDue()
const idle: Duty = { role: 'snapshot', onStart() {}, doWork: () => 0, onClose() {} }
const hasWork = () => steadyMillis() - beganMillis >= restMillis && isNeeded()
runDuty(idle, 'park', bell, { isRaised: () => stop.isRaised() || hasWork() }, beat)
const { CoreReplica } = await import('../core/replica.js')
const files = new NodeFiles(options.journalDirectory)
const replica = new CoreReplica(options.engine)
const snapshotter = new Snapshotter({
  files,
  store: new SnapshotStore(files, engineVersions, options.identity, archivedMax),
  replica,
  segmentsFinished,
  // Without a watch or a schedule, all snapshots are of finished segments, so the replica need not follow the open one.
  batchesWritten: isWatching || isScheduled ? batchesWritten : () => 0,
  schedule: {
    ...rules,
    nowMillis: steadyMillis,
    flushesSegment: options.durability === 'memory',
  },
  historySeq: () => counters.read(wakeupOf.history, CounterName.HistorySequence),
  onSnapshot: (batchNumber, tookMillis) => {
    counters.set(CounterName.SnapshotBatchNumber, batchNumber)
    counters.set(CounterName.SnapshotMillis, steadyMillis())
    counters.add(CounterName.Snapshots, 1)
    counters.add(CounterName.SnapshotNanos, tookMillis * 1e6)
  },
})
const watch = isWatching ? invariantWatch() : null
const duty: Duty = {
  role: snapshotter.role,
  onStart() {
    snapshotter.onStart()
    counters.set(CounterName.SnapshotBatchNumber, replica.batchNumber)
    counters.set(CounterName.SnapshotMillis, steadyMillis())
    if (options.takesMemory) replica.reserve()
  },
  doWork() {
    const count = follow()
    if (replica.batchNumber > 0 && !isDiverged) watch?.doWork()
    return count
  },
  onClose: () => snapshotter.onClose(),
}
// Nothing waits for a snapshot, so the thread never spins.
runDuty(duty, 'park', bell, stop, beat)
// After a graceful shutdown, a snapshot of the last segment makes the next start fast.
while (follow() > 0) beat()

/** Returns a function that is true when the first snapshot is due, which needs no replica. */
function firstSnapshotDue(): () => boolean {
  let batchBefore = -1
  return () => {
    const written = batchesWritten()
    // The counter is 0 until the journal thread has written its first batch.
    if (batchBefore < 0 && written > 0) batchBefore = written - 1
    const newBatches = batchBefore < 0 ? 0 : written - batchBefore
    return segmentsFinished() > 0 || isDue(rules, newBatches, steadyMillis() - beganMillis)
  }
}

/** Lets the replica follow the journal. A replay with another hash halts the market, and the replica is not used any more. */
function follow(): number {
  if (isDiverged) return 0
  try {
    return snapshotter.doWork()
  } catch (error) {
    if (!(error instanceof ReplayDivergence)) throw error
    isDiverged = true
    const { batchNumber, message } = error
    const text = `${message}; no snapshot is made before the next start`
    onBreach(breachOf('replay', String(batchNumber), text, { batchNumber }), batchNumber)
    Atomics.compareExchange(alarm, 0, InvariantAlarm.None, InvariantAlarm.Raised)
    coreBell.ring()
    return 0
  }
}

function onBreach(breach: Breach, batchNumber: number): void {
  counters.add(CounterName.InvariantBreaches, 1)
  parentPort?.postMessage({ type: 'breach', breach, batchNumber } satisfies EngineMessage)
}

/** Checks the replica, which has every written batch, and the books of the running matchers. */
function invariantWatch(): InvariantWatch {
  const { matchers } = memory
  return new InvariantWatch({
    everyMillis: options.invariantMillis,
    swept: () => ({
      state: replica.state,
      matchers: replica.matchers,
      batchNumber: replica.batchNumber,
    }),
    books: new BookComparison(memory.bookDigests, matchers),
    wakeBooks(matcher) {
      coreBell.ring()
      if (matchers > 0) new Wakeup(memory.wakeups, wakeupOf.matcher(memory, matcher)).ring()
    },
    alarm,
    stopRequests: new StopRequests(memory.stopRequests),
    wakeCore: () => coreBell.ring(),
    onBreach,
    onLook({ batchNumber, nanos, comparedCount }) {
      counters.add(CounterName.InvariantLooks, 1)
      counters.add(CounterName.InvariantNanos, nanos)
      counters.set(CounterName.InvariantBatchNumber, batchNumber)
      counters.set(CounterName.InvariantBooks, comparedCount)
    },
    clockMillis: steadyMillis,
    processorNanos: threadNanos,
  })
}
