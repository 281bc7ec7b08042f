import type { AuctionEvent } from '../../schemas/generated/events.js'
import { AuctionChange } from '../../schemas/record-values.js'

/** What an auction's terms were at one version. */
export interface KnownTerms {
  readonly requiredMicros: number
  readonly valuationMillis: number
}

/** Versions remembered per auction: several times as many as may be bid on. */
const versionsMax = 256

/** The latest terms of running auctions by auction and version, as the events told them. */
export class AuctionBook {
  readonly #auctions = new Map<number, Map<number, KnownTerms>>()

  /** Forgets all: it may have read what was no event. */
  clear(): void {
    this.#auctions.clear()
  }

  take({ number, change, version, requiredMicros, timeMillis }: AuctionEvent): void {
    if (change === AuctionChange.Ended) {
      this.#auctions.delete(number)
      return
    }
    const versions = this.#auctions.get(number) ?? new Map<number, KnownTerms>()
    versions.set(version, { requiredMicros, valuationMillis: timeMillis })
    if (versions.size > versionsMax) versions.delete(versions.keys().next().value!)
    this.#auctions.set(number, versions)
  }

  /** Terms of a version; undefined when this gateway does not know them, no longer or not yet. */
  termsOf(auction: number, version: number): KnownTerms | undefined {
    return this.#auctions.get(auction)?.get(version)
  }
}
