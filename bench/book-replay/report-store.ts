import { recordTypeAt } from '../../engine/memory/layout.js'
import type { Ring } from '../../engine/memory/ring.js'
import {
  BlockType,
  blockCountAt,
  blockReportsAt,
  blockReportsMax,
  ReportType,
  reportField,
  reportWords,
} from './report-record.js'

const words = reportWords
const typeMask = 7
const wordsFirst = 1 << 20
const termsField = reportField.terms
const trade = ReportType.Trade

/** Reports of one run in the order read. Its memory is reused for the next run. */
export class ReportStore {
  words = new Int32Array(wordsFirst)
  count = 0
  trades = 0
}

/** Reads every report of a run from a ring, up to the run's last block. Spins while the ring is empty. */
export function drainReports(ring: Ring, store: ReportStore): void {
  const { i32 } = ring
  store.count = 0
  store.trades = 0
  for (;;) {
    const block = ring.next() >> 2
    if (block < 0) continue
    keepReports(store, i32, block + (blockReportsAt >> 2), i32[block + (blockCountAt >> 2)])
    const isLast = i32[block + (recordTypeAt >> 2)] === BlockType.LastReports
    ring.release()
    if (isLast) return
  }
}

function keepReports(store: ReportStore, block: Int32Array, from: number, count: number): void {
  const start = store.count * words
  if (start + blockReportsMax * words > store.words.length) growStore(store)
  const kept = store.words
  let trades = 0
  for (let at = 0; at < count * words; at += words) {
    const terms = block[from + at + termsField]
    if ((terms & typeMask) === trade) trades++
    kept[start + at] = block[from + at]
    kept[start + at + 1] = terms
    kept[start + at + 2] = block[from + at + 2]
    kept[start + at + 3] = block[from + at + 3]
    kept[start + at + 4] = block[from + at + 4]
  }
  store.count += count
  store.trades += trades
}

function growStore(store: ReportStore): void {
  const kept = new Int32Array(store.words.length * 2)
  kept.set(store.words)
  store.words = kept
}
