import { parentPort, workerData } from 'node:worker_threads'
import { engineVersions } from '../core/engine-versions.js'
import { NodeFiles } from '../journal/node-files.js'
import { SnapshotStore } from '../journal/snapshot-store.js'
import { Snapshotter } from '../journal/snapshotter.js'
import { CounterName } from '../memory/counters.js'
import { type Duty, runDuty, StopFlag } from '../memory/duty.js'
import { doorbellOf, flagWords } from '../memory/exchange-memory.js'
import { yieldToOthers } from './pin-thread.js'
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

// What replays is most of the engine: a venue that takes nothing ahead may end before there is a segment for it.
if (!options.takesMemory) {
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
  historySeq: () => counters.read(doorbellOf.history, CounterName.HistorySequence),
  onSnapshot: (batchNumber) => {
    counters.set(CounterName.SnapshotBatchNumber, batchNumber)
    counters.add(CounterName.Snapshots, 1)
  },
})
const duty: Duty = {
  role: snapshotter.role,
  onStart() {
    snapshotter.onStart()
    if (options.takesMemory) replica.reserve()
  },
  doWork: () => snapshotter.doWork(),
  onClose: () => snapshotter.onClose(),
}
// Nobody waits for a snapshot, so it never spins.
runDuty(duty, 'park', bell, stop, beat)
// A graceful end has finished the last segment: a snapshot of it makes the next start short.
while (snapshotter.doWork() > 0) beat()
