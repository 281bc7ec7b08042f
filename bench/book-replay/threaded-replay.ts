import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Book } from '../../engine/matching/book.js'
import { OrderPool } from '../../engine/matching/order-pool.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { ReplayDriver } from './replay-driver.js'
import type { ReplayFlow } from './replay-flow.js'
import type { DrainData, DrainedRun } from './report-drain.js'
import { ReportWriter } from './report-writer.js'

/** Length of the ring: about a thousand blocks, enough for a reader that is delayed for a moment. */
const ringBytes = 1 << 24

export interface ReplayRun extends DrainedRun {
  readonly seconds: number
}

/**
 * Replay with the book in this thread, and a second thread that reads all reports from a ring. Each run uses a new book.
 */
export class ThreadedReplay {
  readonly flow: ReplayFlow
  readonly worker: Worker
  readonly ring: Ring
  readonly writer: ReportWriter

  private constructor(flow: ReplayFlow, data: DrainData) {
    this.flow = flow
    this.ring = new Ring(data.memory, 'producer')
    this.writer = new ReportWriter(this.ring)
    this.worker = new Worker(new URL('report-drain.js', import.meta.url), { workerData: data })
  }

  static async start(path: string, flow: ReplayFlow): Promise<ThreadedReplay> {
    const replay = new ThreadedReplay(flow, { path, memory: allocateRing(ringBytes) })
    await once(replay.worker, 'message')
    return replay
  }

  /** Runs the flow once. The clock stops when the second thread has read the last report. */
  async run(): Promise<ReplayRun> {
    const { flow, ring, worker } = this
    const book = new Book(new OrderPool(flow.ordersMax, flow.handleCount), this.writer)
    const driver = new ReplayDriver(book, flow, this.writer)
    const draining = once(worker, 'message')
    worker.postMessage('run')
    await draining
    const begin = process.hrtime.bigint()
    driver.run(0, flow.file.count)
    driver.end()
    while (ring.depthBytes() > 0) {}
    const seconds = Number(process.hrtime.bigint() - begin) / 1e9
    const [drained] = (await once(worker, 'message')) as [DrainedRun]
    return { ...drained, seconds }
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }
}
