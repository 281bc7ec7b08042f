import type { AuctionEvent } from '../../schemas/generated/events.js'
import { AuctionChange } from '../../schemas/record-values.js'

/** Terms of an auction at one version. */
export interface KnownTerms {
  readonly requiredMicros: number
  readonly valuationMillis: number
}

/** Versions retained per auction: several times as many as accept bids. */
const versionsMax = 256

/** Latest terms of running auctions by auction and version, from the events. */
export class AuctionBook {
  readonly #auctions = new Map<number, Map<number, KnownTerms>>()

  /** Forgets everything, after the pump may have read overwritten records. */
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

  /** Returns the terms of a version; undefined if this gateway does not know them, no longer or not yet. */
  termsOf(auction: number, version: number): KnownTerms | undefined {
    return this.#auctions.get(auction)?.get(version)
  }
}
