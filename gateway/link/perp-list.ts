import { InstrumentState, Right } from '../../schemas/domain.js'
import type { InstrumentEvent } from '../../schemas/generated/events.js'
import type { Perp } from '../../schemas/interface/venue.js'
import { InstrumentChange } from '../../schemas/record-values.js'
import { formatSymbol, perpOf } from '../../schemas/symbol.js'
import { wireIdOf } from '../wire/wire-ids.js'

/**
 * Perps by the engine's number of their instrument; clients know it as asset, by its wire id. A number is never used
 * again, so what was signed for a perp that has been delisted since is not taken for its successor; such a one keeps its
 * name.
 */
export class PerpList {
  readonly #underlyings = new Map<number, string>()
  readonly #listed = new Set<number>()

  /** Forgets all: it may have read what was no event. */
  clear(): void {
    this.#underlyings.clear()
    this.#listed.clear()
  }

  /** Takes an Instrument event, of an option too. */
  take(event: InstrumentEvent): void {
    const { right, instrument: asset, change, state } = event
    if (right !== Right.None) return
    this.#underlyings.set(asset, event.nameText)
    const isListed = change !== InstrumentChange.Deleted && state === InstrumentState.Active
    if (isListed) this.#listed.add(asset)
    else this.#listed.delete(asset)
  }

  /** Underlying of a perp, or null. */
  underlyingOf(asset: number): string | null {
    return this.#underlyings.get(asset) ?? null
  }

  /** All that are listed, the oldest first. */
  rows(): readonly Perp[] {
    return [...this.#listed]
      .sort((one, other) => one - other)
      .map((asset) => {
        const underlying = this.#underlyings.get(asset)!
        return { asset: wireIdOf(asset), underlying, symbol: formatSymbol(perpOf(underlying)) }
      })
  }
}
