import type { EventLogReader } from '../engine/memory/event-log.js'
import { InstrumentState, Right } from '../schemas/domain.js'
import {
  InstrumentChange,
  instrumentChangeAt,
  instrumentIdAt,
  instrumentRightAt,
  instrumentStateAt,
} from '../schemas/events.js'
import { formatSymbol, perpOf } from '../schemas/symbol.js'
import { underlyingNameAt } from './read-model/event-text.js'

/** A perp as GET /exchange-info lists it. */
export interface PerpRow {
  readonly asset: number
  readonly underlying: string
  readonly symbol: string
}

/**
 * The perps that are listed, by asset number: the id of their instrument. A number is never used again, so what was
 * signed for a perp that has been delisted since is not taken for its successor.
 */
export class PerpList {
  readonly #underlyings = new Map<number, string>()

  /** Takes an Instrument event, of an option too. */
  take(log: EventLogReader, at: number): void {
    if (log.i32[(at + instrumentRightAt) >> 2] !== Right.None) return
    const asset = log.i32[(at + instrumentIdAt) >> 2]
    const isListed =
      log.i32[(at + instrumentChangeAt) >> 2] !== InstrumentChange.Deleted &&
      log.i32[(at + instrumentStateAt) >> 2] === InstrumentState.Active
    if (isListed) this.#underlyings.set(asset, underlyingNameAt(log, at))
    else this.#underlyings.delete(asset)
  }

  /** Underlying of a perp that is listed, or null. */
  underlyingOf(asset: number): string | null {
    return this.#underlyings.get(asset) ?? null
  }

  /** All of them, the oldest first. */
  rows(): PerpRow[] {
    return [...this.#underlyings]
      .map(([asset, underlying]) => ({
        asset,
        underlying,
        symbol: formatSymbol(perpOf(underlying)),
      }))
      .sort((one, other) => one.asset - other.asset)
  }
}
