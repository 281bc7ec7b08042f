import { InstrumentState, Right } from '../../schemas/domain.js'
import type { InstrumentEvent } from '../../schemas/generated/events.js'
import type { Perp } from '../../schemas/interface/venue.js'
import { InstrumentChange } from '../../schemas/record-values.js'
import { formatSymbol, perpOf } from '../../schemas/symbol.js'
import { wireIdOf } from '../wire/wire-ids.js'

/**
 * Perps by the engine's number of their instrument, which clients know as the asset, by its wire id. Numbers are never
 * reused, so a signature for a delisted perp is not valid for its successor. A delisted perp keeps its name.
 */
export class PerpList {
  readonly #underlyings = new Map<number, string>()
  readonly #listed = new Set<number>()

  /** Forgets all perps, after the pump may have read overwritten records. */
  clear(): void {
    this.#underlyings.clear()
    this.#listed.clear()
  }

  /** Applies an Instrument event of an option or perp. */
  take(event: InstrumentEvent): void {
    const { right, instrument: asset, change, state } = event
    if (right !== Right.None) return
    this.#underlyings.set(asset, event.nameText)
    const isListed = change !== InstrumentChange.Deleted && state === InstrumentState.Active
    if (isListed) this.#listed.add(asset)
    else this.#listed.delete(asset)
  }

  /** Returns the underlying of a perp, or null. */
  underlyingOf(asset: number): string | null {
    return this.#underlyings.get(asset) ?? null
  }

  /** Returns all listed perps, oldest first. */
  rows(): readonly Perp[] {
    return [...this.#listed]
      .sort((one, other) => one - other)
      .map((asset) => {
        const underlying = this.#underlyings.get(asset)!
        return { asset: wireIdOf(asset), underlying, symbol: formatSymbol(perpOf(underlying)) }
      })
  }
}
