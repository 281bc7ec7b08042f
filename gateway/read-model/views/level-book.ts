import { grown } from '../../../engine/memory/grown.js'
import { Side } from '../../../schemas/domain.js'
import type { AnyEvent } from '../../../schemas/generated/events.js'
import { bookClearedOf, bookLevelOf } from '../../wire/market-data.js'

const capacityFirst = 16

/** One side: prices and sizes in order, best last, because most changes are near the best. */
interface Levels {
  count: number
  priceMicros: Float64Array
  sizeLots: Float64Array
}

/**
 * Price levels of one instrument, from the event log. Levels are numbered from the best. Depends on events only, so
 * that a gateway can maintain its own for the `orderbook` channel.
 */
export class LevelBook {
  /** Sequence and engine time of the last change; 0 before the first. */
  seq = 0
  changedMillis = 0
  readonly #sides: readonly [Levels, Levels] = [emptyLevels(), emptyLevels()]

  /**
   * @param sizeLots Total size at the price after the change; 0 removes the level.
   */
  set(side: number, priceMicros: number, sizeLots: number, seq: number, timeMillis: number): void {
    const levels = this.#sides[side]!
    const index = indexOf(levels, side, priceMicros)
    const exists = index < levels.count && levels.priceMicros[index] === priceMicros
    if (sizeLots > 0) {
      if (!exists) insert(levels, index, priceMicros)
      levels.sizeLots[index] = sizeLots
    } else if (exists) remove(levels, index)
    this.#changed(seq, timeMillis)
  }

  /** Removes all levels of both sides. */
  clear(seq: number, timeMillis: number): void {
    this.#sides[0].count = 0
    this.#sides[1].count = 0
    this.#changed(seq, timeMillis)
  }

  count(side: number): number {
    return this.#sides[side]!.count
  }

  /** Returns the price of a level, 0 is the best; 0 if there is no such level. */
  priceMicros(side: number, level: number): number {
    const levels = this.#sides[side]!
    return level < levels.count ? levels.priceMicros[levels.count - 1 - level]! : 0
  }

  /** Returns the total size of a level, 0 is the best; 0 if there is no such level. */
  sizeLots(side: number, level: number): number {
    const levels = this.#sides[side]!
    return level < levels.count ? levels.sizeLots[levels.count - 1 - level]! : 0
  }

  /** Total size of all orders in the book, lots. */
  get totalLots(): number {
    let lots = 0
    for (const side of this.#sides) {
      for (let index = 0; index < side.count; index++) lots += side.sizeLots[index]!
    }
    return lots
  }

  #changed(seq: number, timeMillis: number): void {
    this.seq = seq
    this.changedMillis = timeMillis
  }
}

/** Books by instrument id. An instrument without changes has an empty book. */
export class LevelBooks {
  readonly #books: LevelBook[] = []

  of(instrument: number): LevelBook {
    while (this.#books.length <= instrument) this.#books.push(new LevelBook())
    return this.#books[instrument]!
  }

  /** Applies a BookLevel event. @returns The instrument. */
  takeLevel(event: AnyEvent): number {
    const level = bookLevelOf(event)
    const instrument = level.instrument()
    const priceMicros = level.priceMicros()
    const sizeLots = level.sizeLots()
    this.of(instrument).set(level.side(), priceMicros, sizeLots, event.seq, event.timeMillis)
    return instrument
  }

  /** Applies a BookCleared event. @returns The instrument. */
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

/** Returns the first index whose price is not worse than the given one. */
function indexOf(levels: Levels, side: number, priceMicros: number): number {
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

function insert(levels: Levels, index: number, priceMicros: number): void {
  if (levels.count === levels.priceMicros.length) {
    levels.priceMicros = grown(levels.priceMicros, new Float64Array(levels.count * 2))
    levels.sizeLots = grown(levels.sizeLots, new Float64Array(levels.count * 2))
  }
  levels.priceMicros.copyWithin(index + 1, index, levels.count)
  levels.sizeLots.copyWithin(index + 1, index, levels.count)
  levels.priceMicros[index] = priceMicros
  levels.count++
}

function remove(levels: Levels, index: number): void {
  levels.priceMicros.copyWithin(index, index + 1, levels.count)
  levels.sizeLots.copyWithin(index, index + 1, levels.count)
  levels.count--
}
