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
 * The book, and the bare loop of bare-book.ts, in one thread: each keeps its reports, the book in
 * a ring that holds a whole run and is read after it.
 */
export class KeptReplay {
  readonly flow: ReplayFlow
  readonly ring: Ring
  readonly writer: ReportWriter
  readonly store = new ReportStore()
  readonly bareReports: Int32Array
  /** SHA-256 of the reports of each run: one, when all reported the same. */
  readonly hashes = new Set<string>()

  /** @param reports of a run, at most. */
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
