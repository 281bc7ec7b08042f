import { grown } from '../../../engine/memory/grown.js'
import { Side } from '../../../schemas/domain.js'
import type { AnyEvent } from '../../../schemas/generated/events.js'
import { bookClearedOf, bookLevelOf } from '../../wire/market-data.js'

const capacityFirst = 16

/** One side: prices and sizes in order, the best last, because most changes are near the best. */
interface Levels {
  count: number
  priceMicros: Float64Array
  sizeLots: Float64Array
}

/**
 * Price levels of one instrument as the event log tells them. Levels are counted from the best.
 * It knows events only, so a gateway keeps its own for the `orderbook` channel.
 */
export class LevelBook {
  /** Sequence and engine time of the last change; 0 before the first. */
  seq = 0
  changedMillis = 0
  readonly #sides: readonly [Levels, Levels] = [emptyLevels(), emptyLevels()]

  /** @param sizeLots total size at the price after the change, 0 when the level is gone. */
  set(side: number, priceMicros: number, sizeLots: number, seq: number, timeMillis: number): void {
    const levels = this.#sides[side]!
    const place = placeOf(levels, side, priceMicros)
    const isThere = place < levels.count && levels.priceMicros[place] === priceMicros
    if (sizeLots > 0) {
      if (!isThere) insert(levels, place, priceMicros)
      levels.sizeLots[place] = sizeLots
    } else if (isThere) remove(levels, place)
    this.#changed(seq, timeMillis)
  }

  /** All levels of both sides are gone. */
  clear(seq: number, timeMillis: number): void {
    this.#sides[0].count = 0
    this.#sides[1].count = 0
    this.#changed(seq, timeMillis)
  }

  count(side: number): number {
    return this.#sides[side]!.count
  }

  /** Price of a level, 0 the best; 0 when there is no such level. */
  priceMicros(side: number, level: number): number {
    const levels = this.#sides[side]!
    return level < levels.count ? levels.priceMicros[levels.count - 1 - level]! : 0
  }

  /** Total size of a level, 0 the best; 0 when there is no such level. */
  sizeLots(side: number, level: number): number {
    const levels = this.#sides[side]!
    return level < levels.count ? levels.sizeLots[levels.count - 1 - level]! : 0
  }

  /** All that works in the book, lots. */
  get totalLots(): number {
    let lots = 0
    for (const side of this.#sides) {
      for (let place = 0; place < side.count; place++) lots += side.sizeLots[place]!
    }
    return lots
  }

  #changed(seq: number, timeMillis: number): void {
    this.seq = seq
    this.changedMillis = timeMillis
  }
}

/** Books by instrument id; one that never changed is an empty book. */
export class LevelBooks {
  readonly #books: LevelBook[] = []

  of(instrument: number): LevelBook {
    while (this.#books.length <= instrument) this.#books.push(new LevelBook())
    return this.#books[instrument]!
  }

  /** Takes a BookLevel event in. @returns the instrument. */
  takeLevel(event: AnyEvent): number {
    const level = bookLevelOf(event)
    const instrument = level.instrument()
    const priceMicros = level.priceMicros()
    const sizeLots = level.sizeLots()
    this.of(instrument).set(level.side(), priceMicros, sizeLots, event.seq, event.timeMillis)
    return instrument
  }

  /** Takes a BookCleared event in. @returns the instrument. */
  takeClearing(event: AnyEvent): number {
    const instrument = bookClearedOf(event).instrument()
    this.of(instrument).clear(event.seq, event.timeMillis)
    return instrument
  }
}

function emptyLevels(): Levels {
  return {
    count: 0,
    priceMicros: new Float64Array(capacityFirst),
    sizeLots: new Float64Array(capacityFirst),
  }
}

/** First place whose price is not worse than the given one. */
function placeOf(levels: Levels, side: number, priceMicros: number): number {
  let low = 0
  let high = levels.count
  while (low < high) {
    const middle = (low + high) >> 1
    const price = levels.priceMicros[middle]!
    const isWorse = side === Side.Buy ? price < priceMicros : price > priceMicros
    if (isWorse) low = middle + 1
    else high = middle
  }
  return low
}

function insert(levels: Levels, place: number, priceMicros: number): void {
  if (levels.count === levels.priceMicros.length) {
    levels.priceMicros = grown(levels.priceMicros, new Float64Array(levels.count * 2))
    levels.sizeLots = grown(levels.sizeLots, new Float64Array(levels.count * 2))
  }
  levels.priceMicros.copyWithin(place + 1, place, levels.count)
  levels.sizeLots.copyWithin(place + 1, place, levels.count)
  levels.priceMicros[place] = priceMicros
  levels.count++
}

function remove(levels: Levels, place: number): void {
  levels.priceMicros.copyWithin(place, place + 1, levels.count)
  levels.sizeLots.copyWithin(place, place + 1, levels.count)
  levels.count--
}
