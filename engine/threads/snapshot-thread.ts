import { parentPort, workerData } from 'node:worker_threads'
import { engineVersions } from '../core/engine-versions.js'
import { type Breach, breachOf } from '../invariants/breach.js'
import { ReplayDivergence } from '../journal/journal-errors.js'
import { NodeFiles } from '../journal/node-files.js'
import { SnapshotStore } from '../journal/snapshot-store.js'
import { Snapshotter } from '../journal/snapshotter.js'
import { CounterName } from '../memory/counters.js'
import { Doorbell } from '../memory/doorbell.js'
import { type Duty, runDuty, StopFlag } from '../memory/duty.js'
import { doorbellOf, flagWords, InvariantAlarm } from '../memory/exchange-memory.js'
import { steadyMillis } from '../memory/steady-clock.js'
import { BookAsker } from './book-desk.js'
import { InvariantWatch, threadNanos } from './invariant-watch.js'
import { yieldToOthers } from './pin-thread.js'
import { StopRequests } from './stop-requests.js'
import type { EngineMessage, EngineThreadData } from './thread-data.js'
import { takePlace } from './thread-place.js'

const { memory, options } = workerData as EngineThreadData

const place = takePlace(memory, doorbellOf.snapshot, options.pinning['snapshot'])
const { bell, beat, counters } = place
yieldToOthers()
const flags = new Int32Array(memory.flags)
const segmentsFinished = () => Atomics.load(flags, flagWords.segmentsFinished)
const stop = new StopFlag(memory.flags, flagWords.stopOthers)
parentPort?.postMessage({ type: 'started' } satisfies EngineMessage)

const isWatching = options.invariantMillis > 0
const alarm = new Int32Array(memory.flags, 4 * flagWords.invariantAlarm, 1)
const coreBell = new Doorbell(memory.doorbells, doorbellOf.core)
/** Whether the replica has come to another state than the core. */
let isDiverged = false

// What replays is most of the engine: a venue that takes nothing ahead may end before there is a segment for it.
if (!options.takesMemory && !isWatching) {
  const idle: Duty = { role: 'snapshot', onStart() {}, doWork: () => 0, onClose() {} }
  const hasWork = { isRaised: () => stop.isRaised() || segmentsFinished() > 0 }
  runDuty(idle, 'park', bell, hasWork, beat)
}
const { CoreReplica } = await import('../core/replica.js')
const files = new NodeFiles(options.journalDirectory)
const replica = new CoreReplica(options.engine)
const snapshotter = new Snapshotter({
  files,
  store: new SnapshotStore(files, engineVersions, options.identity),
  replica,
  segmentsFinished,
  // Without a watch nobody needs the replica to be near the present, and snapshots are of finished segments.
  batchesWritten: () =>
    isWatching ? counters.read(doorbellOf.journal, CounterName.JournalBatchNumber) : 0,
  historySeq: () => counters.read(doorbellOf.history, CounterName.HistorySequence),
  onSnapshot: (batchNumber) => {
    counters.set(CounterName.SnapshotBatchNumber, batchNumber)
    counters.add(CounterName.Snapshots, 1)
  },
})
const watch = isWatching ? invariantWatch() : null
const duty: Duty = {
  role: snapshotter.role,
  onStart() {
    snapshotter.onStart()
    if (options.takesMemory) replica.reserve()
  },
  doWork() {
    const count = follow()
    if (replica.batchNumber > 0 && !isDiverged) watch?.doWork()
    return count
  },
  onClose: () => snapshotter.onClose(),
}
// Nobody waits for a snapshot, so it never spins.
runDuty(duty, 'park', bell, stop, beat)
// A graceful end has finished the last segment: a snapshot of it makes the next start short.
while (follow() > 0) beat()

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

/** Looks at the replica, which has everything that was written, and at the books of the running matchers. */
function invariantWatch(): InvariantWatch {
  const { matchers } = memory
  return new InvariantWatch({
    everyMillis: options.invariantMillis,
    swept: () => ({
      state: replica.state,
      matchers: replica.matchers,
      batchNumber: replica.batchNumber,
    }),
    books: new BookAsker(memory.bookDesk, matchers),
    wakeBooks(matcher) {
      coreBell.ring()
      if (matchers > 0) new Doorbell(memory.doorbells, doorbellOf.matcher(memory, matcher)).ring()
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
