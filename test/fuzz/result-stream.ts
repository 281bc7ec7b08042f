import type { CountedFill as Counted } from '../../engine/matching/mmp-window.js'
import type { BookSink } from '../../engine/matching/order-book.js'
import { priceMicrosOf } from '../../engine/matching/price-grid.js'
import type { Ring } from '../../engine/memory/ring.js'
import {
  AnyResult,
  BookTop,
  ChangedLevel,
  CountedFill,
  DoneCommand,
  MatchedFill,
  ReducedOrder,
  RemovedOrder,
  ResultRecord,
} from '../../schemas/generated/results.js'

/** Counted fill of a matcher or a twin. */
type CountedAlike = Omit<Counted, 'nowMillis'>

/** Numbers of one result in a stream: type, ticket, instrument, then its own, padded with zeros. */
const resultNumbers = 7
const names = ['', 'fill', 'removed', 'level', 'done', 'reduced', 'counted', 'top']

const result = new AnyResult()
const fill = new MatchedFill()
const removed = new RemovedOrder()
const counted = new CountedFill()
const reduced = new ReducedOrder()
const level = new ChangedLevel()
const top = new BookTop()
const done = new DoneCommand()

/** Results of a matcher as numbers: cheap enough to compare for every command. */
export class ResultStream implements BookSink {
  readonly numbers: number[] = []
  ticket = 0
  instrument = 0

  fill(maker: number, taker: number, priceIndex: number, sizeLots: number): void {
    this.add(ResultRecord.Fill, maker, taker, priceMicrosOf(priceIndex), sizeLots)
  }

  removed(handle: number, cause: number, openLots: number): void {
    this.add(ResultRecord.Removed, handle, cause, openLots, 0)
  }

  reduced(handle: number, openLots: number): void {
    this.add(ResultRecord.Reduced, handle, openLots, 0, 0)
  }

  counted({
    account,
    underlying,
    triggers,
    sizeLots,
    deltaMicros,
    vegaMicros,
  }: CountedAlike): void {
    const { instrument } = this
    this.instrument = underlying
    this.add(ResultRecord.Mmp, account * 8 + triggers, sizeLots, deltaMicros, vegaMicros)
    this.instrument = instrument
  }

  level(side: number, priceIndex: number, sizeLots: number): void {
    this.add(ResultRecord.Level, side, priceMicrosOf(priceIndex), sizeLots, 0)
  }

  top(bidMicros: number, askMicros: number): void {
    this.add(ResultRecord.BookTop, bidMicros, askMicros, 0, 0)
  }

  done(outcome: number, openLots: number): void {
    this.instrument = -1
    this.add(ResultRecord.Done, outcome, openLots, 0, 0)
  }

  add(type: number, a: number, b: number, c: number, d: number): void {
    this.numbers.push(type, this.ticket, this.instrument, a, b, c, d)
  }

  /** Takes every visible record of a result ring. */
  drain(ring: Ring): void {
    for (let at = ring.next(); at >= 0; at = ring.next()) this.#read(ring, at)
    ring.release()
  }

  #read(ring: Ring, at: number): void {
    const { recordType, ticket } = result.over(ring, at)
    this.ticket = ticket
    switch (recordType) {
      case ResultRecord.Fill: {
        const { makerHandle, takerHandle, priceMicros, sizeLots } = fill.over(ring, at)
        this.instrument = fill.instrument
        this.add(recordType, makerHandle, takerHandle, priceMicros, sizeLots)
        break
      }
      case ResultRecord.Removed:
        this.instrument = removed.over(ring, at).instrument
        this.removed(removed.handle, removed.cause, removed.openLots)
        break
      case ResultRecord.Mmp:
        this.counted(counted.over(ring, at))
        break
      case ResultRecord.Reduced:
        this.instrument = reduced.over(ring, at).instrument
        this.reduced(reduced.handle, reduced.openLots)
        break
      case ResultRecord.Level:
        this.instrument = level.over(ring, at).instrument
        this.add(recordType, level.side, level.priceMicros, level.sizeLots, 0)
        break
      case ResultRecord.BookTop:
        this.instrument = top.over(ring, at).instrument
        this.top(top.bidMicros, top.askMicros)
        break
      default:
        done.over(ring, at)
        this.done(done.outcome, done.openLots)
    }
  }
}

/** @returns where two streams first differ, in words, or null; then both are empty. */
export function streamDifference(found: ResultStream, expected: ResultStream): string | null {
  const [left, right] = [found.numbers, expected.numbers]
  const length = Math.max(left.length, right.length)
  for (let place = 0; place < length; place++) {
    if (left[place] === right[place]) continue
    const start = place - (place % resultNumbers)
    return `found ${resultText(left, start)}, expected ${resultText(right, start)}`
  }
  left.length = 0
  right.length = 0
  return null
}

/** Counts results by name, those of a removal by cause and of a Done by its result. */
export function countResults(stream: ResultStream, counts: Map<string, number>): void {
  for (let start = 0; start < stream.numbers.length; start += resultNumbers) {
    const type = stream.numbers[start]
    const kind = stream.numbers[start + (type === ResultRecord.Removed ? 4 : 3)]
    const isPlain = type !== ResultRecord.Removed && type !== ResultRecord.Done
    const name = isPlain ? names[type]! : `${names[type]} ${kind}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
}

function resultText(numbers: readonly number[], start: number): string {
  if (start >= numbers.length) return 'nothing more'
  const [type, ticket, instrument, ...values] = numbers.slice(start, start + resultNumbers)
  return `${names[type!]} (ticket ${ticket}, instrument ${instrument}): ${values.join(', ')}`
}
