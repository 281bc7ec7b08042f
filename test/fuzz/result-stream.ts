import type { CountedFill } from '../../engine/matching/mmp-window.js'
import type { BookSink } from '../../engine/matching/order-book.js'
import { priceMicrosOf } from '../../engine/matching/price-grid.js'
import * as records from '../../engine/matching/records.js'
import { recordTypeAt } from '../../engine/memory/layout.js'
import type { Ring } from '../../engine/memory/ring.js'
import { ResultRecord } from '../../schemas/generated/results.js'

/** Numbers of one result in a stream: type, ticket, instrument, then its own, padded with zeros. */
const resultNumbers = 7
const names = ['', 'fill', 'removed', 'level', 'done', 'reduced', 'counted']

/** What a matcher answers, as numbers: cheap enough to compare for every command. */
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

  counted({ account, underlying, triggers, sizeLots, deltaMicros, vegaMicros }: CountedFill): void {
    const { instrument } = this
    this.instrument = underlying
    this.add(ResultRecord.Mmp, account * 8 + triggers, sizeLots, deltaMicros, vegaMicros)
    this.instrument = instrument
  }

  level(side: number, priceIndex: number, sizeLots: number): void {
    this.add(ResultRecord.Level, side, priceMicrosOf(priceIndex), sizeLots, 0)
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

  #read({ i32, f64 }: Ring, at: number): void {
    const type = i32[(at + recordTypeAt) >> 2]
    this.ticket = i32[(at + records.fillTicketAt) >> 2]
    // Fill, Removed, Reduced and Level have their instrument at the same place.
    this.instrument = i32[(at + records.fillInstrumentAt) >> 2]
    switch (type) {
      case ResultRecord.Fill:
        this.add(
          type,
          i32[(at + records.fillMakerHandleAt) >> 2],
          i32[(at + records.fillTakerHandleAt) >> 2],
          f64[(at + records.fillPriceMicrosAt) >> 3],
          f64[(at + records.fillSizeLotsAt) >> 3],
        )
        break
      case ResultRecord.Removed:
        this.removed(
          i32[(at + records.removedHandleAt) >> 2],
          i32[(at + records.removedCauseAt) >> 2],
          f64[(at + records.removedOpenLotsAt) >> 3],
        )
        break
      case ResultRecord.Mmp:
        this.instrument = i32[(at + records.countedUnderlyingAt) >> 2]
        this.add(
          type,
          i32[(at + records.countedAccountAt) >> 2] * 8 +
            i32[(at + records.countedTriggersAt) >> 2],
          f64[(at + records.countedSizeLotsAt) >> 3],
          f64[(at + records.countedDeltaMicrosAt) >> 3],
          f64[(at + records.countedVegaMicrosAt) >> 3],
        )
        break
      case ResultRecord.Reduced:
        this.reduced(
          i32[(at + records.reducedHandleAt) >> 2],
          f64[(at + records.reducedOpenLotsAt) >> 3],
        )
        break
      case ResultRecord.Level:
        this.add(
          type,
          i32[(at + records.levelSideAt) >> 2],
          f64[(at + records.levelPriceMicrosAt) >> 3],
          f64[(at + records.levelSizeLotsAt) >> 3],
          0,
        )
        break
      default:
        this.done(i32[(at + records.doneOutcomeAt) >> 2], f64[(at + records.doneOpenLotsAt) >> 3])
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

/** Counts results by name, those of a removal by cause and of a Done by outcome. */
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
