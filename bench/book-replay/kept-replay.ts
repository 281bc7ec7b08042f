import { Book } from '../../engine/matching/book.js'
import { OrderPool } from '../../engine/matching/order-pool.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import type { TimedTask } from '../measure/timed-task.js'
import { BareBook, runBare } from './bare-book.js'
import { ReplayDriver } from './replay-driver.js'
import type { ReplayFlow } from './replay-flow.js'
import { hashReports } from './report-hash.js'
import { blockBytes, blockReportsMax, reportWords } from './report-record.js'
import { drainReports, ReportStore } from './report-store.js'
import { ReportWriter } from './report-writer.js'

/**
 * Replays of the book and of the bare loop (bare-book.ts) in one thread. Each keeps its reports. The book writes them to a
 * ring that has room for a whole run, and that is read afterwards.
 */
export class KeptReplay {
  readonly flow: ReplayFlow
  readonly ring: Ring
  readonly writer: ReportWriter
  readonly store = new ReportStore()
  readonly bareReports: Int32Array
  /** Distinct SHA-256 hashes of the reports of all runs: one if all reported the same. */
  readonly hashes = new Set<string>()

  /** @param reports largest number of reports of a run. */
  constructor(flow: ReplayFlow, reports: number) {
    this.flow = flow
    const blocks = Math.ceil(reports / blockReportsMax) + 3
    const bytes = 2 ** Math.ceil(Math.log2(blocks * blockBytes))
    const memory = allocateRing(bytes)
    this.ring = new Ring(memory, 'consumer')
    this.writer = new ReportWriter(new Ring(memory, 'producer'))
    this.bareReports = new Int32Array(reports * reportWords)
  }

  bookTask(): TimedTask {
    const { flow, ring, store, writer } = this
    let driver: ReplayDriver
    return {
      prepare: () => {
        const book = new Book(new OrderPool(flow.ordersMax, flow.handleCount), writer)
        driver = new ReplayDriver(book, flow, writer)
      },
      run: () => {
        driver.run(0, flow.file.count)
        driver.end()
      },
      finish: () => {
        drainReports(ring, store)
        this.hashes.add(hashReports(store.words, store.count, flow))
      },
    }
  }

  bareTask(): TimedTask {
    const { flow, bareReports } = this
    let book: BareBook
    return {
      prepare: () => {
        book = new BareBook(flow, bareReports)
      },
      run: () => runBare(book, flow, 0, flow.file.count),
      finish: () => {
        this.hashes.add(hashReports(bareReports, book.reportsEnd / reportWords, flow))
      },
    }
  }
}
