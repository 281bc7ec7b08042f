import { parentPort, workerData } from 'node:worker_threads'
import { Ring } from '../../engine/memory/ring.js'
import { readReplayFile } from './replay-file.js'
import { flowOf } from './replay-flow.js'
import { hashReports } from './report-hash.js'
import { drainReports, ReportStore } from './report-store.js'

export interface DrainData {
  readonly path: string
  readonly memory: SharedArrayBuffer
}

/** Reports of one run. */
export interface DrainedRun {
  readonly reports: number
  readonly trades: number
  readonly sha256: string
}

// Consumer thread of the ring: reads the reports of a run as they arrive, hashes them when the run ends, answers, and
// waits for the next run.

const { path, memory } = workerData as DrainData
const flow = flowOf(readReplayFile(path))
const ring = new Ring(memory, 'consumer')
const store = new ReportStore()

parentPort?.on('message', () => {
  parentPort?.postMessage('draining')
  drainReports(ring, store)
  const run: DrainedRun = {
    reports: store.count,
    trades: store.trades,
    sha256: hashReports(store.words, store.count, flow),
  }
  parentPort?.postMessage(run)
})
parentPort?.postMessage('ready')
