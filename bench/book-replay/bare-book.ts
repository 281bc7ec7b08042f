import { immediateBit, kindMask, MessageKind, sellBit } from './replay-file.js'
import type { ReplayFlow } from './replay-flow.js'
import { ReportType, reportWords, termsOf } from './report-record.js'

// Minimal matching loop over typed arrays, as a reference for the book: one instrument, one array per field, all memory
// sized by the file and allocated before. Orders are found by handle, and levels by price. No pools, accounts or checks.
//
// Place of a level: key x 2 + side. The best key of a side is its smallest, and keys are at least 1. An order of place 0
// does not rest. A bitmap of three levels marks the keys of a side that have orders.

const none = -1
const words = reportWords
const { New: newOrder, Cancel: cancel } = MessageKind
const [kindBits, sell, immediate] = [kindMask, sellBit, immediateBit]
const { OrderAck, Trade, CancelAck, ModifyAck, CancelReject, ModifyReject } = ReportType

export class BareBook {
  /** Greatest price index + 1. The key of a buy is its distance from it. */
  readonly top: number
  /** Fields of orders by handle. */
  readonly next: Int32Array
  readonly prev: Int32Array
  readonly placeOf: Int32Array
  readonly open: Int32Array
  /** Fields of levels by place. */
  readonly head: Int32Array
  readonly tail: Int32Array
  readonly total: Int32Array
  /** Used keys and best key by side. */
  readonly bits: readonly [KeyBits, KeyBits]
  readonly best: Int32Array
  readonly reports: Int32Array
  reportsEnd = 0

  /** @param reports memory for the reports of a run (report-record.ts). */
  constructor(flow: ReplayFlow, reports: Int32Array) {
    let indexMax = 0
    for (const index of flow.priceIndexes) indexMax = Math.max(indexMax, index)
    this.top = indexMax + 1
    this.next = new Int32Array(flow.handleCount)
    this.prev = new Int32Array(flow.handleCount)
    this.placeOf = new Int32Array(flow.handleCount)
    this.open = new Int32Array(flow.handleCount)
    this.head = new Int32Array((this.top + 1) << 1).fill(none)
    this.tail = new Int32Array((this.top + 1) << 1).fill(none)
    this.total = new Int32Array((this.top + 1) << 1)
    this.bits = [new KeyBits(this.top), new KeyBits(this.top)]
    this.best = Int32Array.of(this.top, this.top)
    this.reports = reports
  }
}

class KeyBits {
  readonly end: number
  readonly words: Int32Array
  readonly groups: Int32Array
  readonly heaps: Int32Array

  constructor(end: number) {
    this.end = end
    this.words = new Int32Array((end >> 5) + 1)
    this.groups = new Int32Array((end >> 10) + 1)
    this.heaps = new Int32Array((end >> 15) + 1)
  }
}

/** Runs the messages from `from` up to `to`, exclusive. */
export function runBare(book: BareBook, flow: ReplayFlow, from: number, to: number): void {
  const { handles, priceIndexes } = flow
  const { kinds, quantities } = flow.file
  const { placeOf } = book
  for (let message = from; message < to; message++) {
    const kind = kinds[message]
    const handle = handles[message]
    const isNew = (kind & kindBits) === newOrder
    const place = isNew ? 0 : placeOf[handle]
    if (!isNew && place === 0) {
      const type = (kind & kindBits) === cancel ? CancelReject : ModifyReject
      report(book, message, type, handle, 0, 0)
      continue
    }
    if (place !== 0) unlink(book, handle, place)
    if ((kind & kindBits) === cancel) {
      report(book, message, termsOf(CancelAck, place & 1, 0), handle, indexOf(book, place), 0)
      continue
    }
    const side = isNew ? (kind & sell) >> 2 : place & 1
    const index = priceIndexes[message]
    const quantity = quantities[message]
    if (isNew) report(book, message, termsOf(OrderAck, side, quantity), handle, index, 0)
    const open = match(book, message, handle, side, index, quantity)
    if (open > 0 && isNew && (kind & immediate) !== 0) {
      report(book, message, termsOf(CancelAck, side, 0), handle, index, 0)
    } else if (open > 0) {
      rest(book, handle, side, side === 0 ? book.top - index : index, open)
    }
    if (!isNew) report(book, message, termsOf(ModifyAck, side, quantity), handle, index, 0)
  }
}

/** @returns the open quantity. */
function match(
  book: BareBook,
  message: number,
  handle: number,
  side: number,
  index: number,
  quantity: number,
): number {
  const { head, total, best, top } = book
  const openOf = book.open
  const other = 1 - side
  const limitKey = other === 0 ? top - index : index
  let open = quantity
  while (open > 0 && best[other] <= limitKey && best[other] < top) {
    const place = (best[other] << 1) | other
    const maker = head[place]
    const traded = Math.min(open, openOf[maker])
    report(book, message, termsOf(Trade, 0, traded), maker, indexOf(book, place), handle)
    open -= traded
    openOf[maker] -= traded
    total[place] -= traded
    if (openOf[maker] === 0) unlink(book, maker, place)
  }
  return open
}

function rest(book: BareBook, handle: number, side: number, key: number, quantity: number): void {
  const { next, head, tail, best } = book
  const place = (key << 1) | side
  const last = tail[place]
  next[handle] = none
  book.prev[handle] = last
  book.placeOf[handle] = place
  book.open[handle] = quantity
  book.total[place] += quantity
  tail[place] = handle
  if (last !== none) {
    next[last] = handle
    return
  }
  head[place] = handle
  addKey(book.bits[side], key)
  if (key < best[side]) best[side] = key
}

function unlink(book: BareBook, handle: number, place: number): void {
  const { next, prev, head, best } = book
  const after = next[handle]
  const before = prev[handle]
  book.placeOf[handle] = 0
  book.total[place] -= book.open[handle]
  if (after === none) book.tail[place] = before
  else prev[after] = before
  if (before !== none) {
    next[before] = after
    return
  }
  head[place] = after
  if (after !== none) return
  const side = place & 1
  const key = place >> 1
  removeKey(book.bits[side], key)
  if (key === best[side]) best[side] = leastKey(book.bits[side])
}

function indexOf(book: BareBook, place: number): number {
  return (place & 1) === 0 ? book.top - (place >> 1) : place >> 1
}

function report(
  book: BareBook,
  message: number,
  terms: number,
  handle: number,
  index: number,
  taker: number,
): void {
  const { reports } = book
  const at = book.reportsEnd
  reports[at] = message
  reports[at + 1] = terms
  reports[at + 2] = handle
  reports[at + 3] = index
  reports[at + 4] = taker
  book.reportsEnd = at + words
}

function addKey({ words, groups, heaps }: KeyBits, key: number): void {
  words[key >> 5] |= 1 << (key & 31)
  groups[key >> 10] |= 1 << ((key >> 5) & 31)
  heaps[key >> 15] |= 1 << ((key >> 10) & 31)
}

function removeKey({ words, groups, heaps }: KeyBits, key: number): void {
  if ((words[key >> 5] &= ~(1 << (key & 31))) !== 0) return
  if ((groups[key >> 10] &= ~(1 << ((key >> 5) & 31))) !== 0) return
  heaps[key >> 15] &= ~(1 << ((key >> 10) & 31))
}

function leastKey({ end, words, groups, heaps }: KeyBits): number {
  let heap = 0
  while (heap < heaps.length && heaps[heap] === 0) heap++
  if (heap === heaps.length) return end
  const group = (heap << 5) | lowestBit(heaps[heap])
  const word = (group << 5) | lowestBit(groups[group])
  return (word << 5) | lowestBit(words[word])
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}
