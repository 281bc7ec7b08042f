import { Book } from '../../engine/matching/book.js'
import { BookPool } from '../../engine/matching/book-pool.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { BareBook, runBare } from './bare-book.js'
import { ReplayDriver } from './replay-driver.js'
import type { ReplayFlow } from './replay-flow.js'
import { hashReports } from './report-hash.js'
import { blockBytes, blockReportsMax, reportWords } from './report-record.js'
import { drainReports, ReportStore } from './report-store.js'
import { ReportWriter } from './report-writer.js'

/** A run whose reports stay in this thread. */
export interface KeptRun {
  readonly seconds: number
  readonly sha256: string
}

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

  runBook(): KeptRun {
    const { flow, ring, store, writer } = this
    const book = new Book(new BookPool(flow.ordersMax, flow.handleCount), writer)
    const driver = new ReplayDriver(book, flow, writer)
    const begin = process.hrtime.bigint()
    driver.run(0, flow.file.count)
    driver.end()
    const seconds = secondsSince(begin)
    drainReports(ring, store)
    return { seconds, sha256: hashReports(store.words, store.count, flow) }
  }

  runBare(): KeptRun {
    const { flow, bareReports } = this
    const book = new BareBook(flow, bareReports)
    const begin = process.hrtime.bigint()
    runBare(book, flow, 0, flow.file.count)
    const seconds = secondsSince(begin)
    return { seconds, sha256: hashReports(bareReports, book.reportsEnd / reportWords, flow) }
  }
}

function secondsSince(begin: bigint): number {
  return Number(process.hrtime.bigint() - begin) / 1e9
}
