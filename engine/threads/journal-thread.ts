import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../../schemas/assert.js'
import { latencyKinds } from '../../schemas/domain.js'
import { FlushWatch, kernelCounts } from '../journal/flush-watch.js'
import { JournalWriter } from '../journal/journal-writer.js'
import { NodeFiles } from '../journal/node-files.js'
import { timedFile } from '../journal/timed-file.js'
import { FlushTimestamps } from '../memory/batch-timestamps.js'
import { CounterName } from '../memory/counters.js'
import { runDuty, StopFlag } from '../memory/duty.js'
import { DurableGate } from '../memory/event-log.js'
import { flagWords, followersOf, wakeupOf } from '../memory/exchange-memory.js'
import { gatheringDuty } from '../memory/gathering-duty.js'
import { Latencies } from '../memory/latencies.js'
import { Ring } from '../memory/ring.js'
import { Wakeup } from '../memory/wakeup.js'
import { engineVersion } from '../state/engine-version.js'
import { threadId } from './pin-thread.js'
import type { EngineMessage, EngineThreadData } from './thread-data.js'
import { takePlace } from './thread-place.js'

const gatherMillis = 1

const { memory, options, resume } = workerData as EngineThreadData
assert(resume !== null, 'journal thread: started after recovery')

const place = takePlace(memory, wakeupOf.journal, options.pinning['journal'])
const { bell, counters } = place
const flags = new Int32Array(memory.flags)
const snapshotBell = new Wakeup(memory.wakeups, wakeupOf.snapshot)
const latencies = new Latencies(memory.latencies, wakeupOf.journal)
const flushKind = latencyKinds.indexOf('flush')
const timestamps = new FlushTimestamps(memory.batchTimestamps, resume.nextBatchNumber - 1)
const watch = new FlushWatch(
  options.slowFlushMillis,
  kernelCounts(threadId(), options.journalDirectory),
  () => performance.now(),
  (slow) => parentPort?.postMessage({ type: 'slow-flush', slow } satisfies EngineMessage),
)

const writer = new JournalWriter({
  files: new NodeFiles(options.journalDirectory, true, (file) =>
    timedFile(file, () => performance.now(), countFlush),
  ),
  ring: new Ring(memory.journalRing, 'consumer'),
  gate: new DurableGate(memory.eventLog),
  // The core may wait for space in the ring, but is not woken for every flush: it polls within milliseconds.
  wakeups: followersOf(memory).map((index) => new Wakeup(memory.wakeups, index)),
  durability: options.durability,
  engineVersion,
  identity: options.identity,
  resume,
  segmentBytes: options.segmentBytes,
  onDurable: (batchNumber) => timestamps.onDurable(batchNumber),
  onSegmentFinished: (segmentNumber) => {
    Atomics.store(flags, flagWords.segmentsFinished, segmentNumber + 1)
    snapshotBell.ring()
  },
})
Atomics.store(flags, flagWords.segmentsFinished, Math.max(0, resume.segmentNumber))

const done = new StopFlag(memory.flags, flagWords.journalDone)
const duty = {
  role: 'journal',
  onStart() {
    writer.onStart()
    parentPort?.postMessage({ type: 'started' } satisfies EngineMessage)
  },
  doWork() {
    const count = writer.doWork()
    if (count > 0) {
      counters.set(CounterName.JournalBytes, writer.bytesWritten)
      counters.set(CounterName.JournalWrites, writer.groupCount)
      counters.set(CounterName.JournalBatchNumber, writer.nextBatchNumber - 1)
    }
    if (writer.isShutDown) done.raise()
    return count
  },
  onClose() {
    writer.onClose()
  },
}
// With durability `memory`, nothing waits for the file.
const gathering = gatheringDuty(duty, bell, {
  millis: gatherMillis,
  countFull: Number.POSITIVE_INFINITY,
  hasUrgentWork: () => false,
})
const isAwaited = options.durability === 'flush' || options.idle !== 'park'
const beat = () => {
  place.beat()
  watch.sample()
}
runDuty(isAwaited ? duty : gathering, options.idle, bell, done, beat)

function countFlush(writeMillis: number, millis: number): void {
  latencies.count(flushKind, writeMillis + millis)
  watch.take(writeMillis, millis)
  counters.add(CounterName.JournalFlushes, 1)
  counters.add(CounterName.JournalFlushNanos, millis * 1e6)
  counters.raise(CounterName.JournalFlushNanosMax, millis * 1e6)
}
