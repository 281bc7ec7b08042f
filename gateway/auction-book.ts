import { AuctionChange } from '../schemas/record-values.js'
import type { EventRecords } from './read-model/event-text.js'
import { auctionFacts } from './read-model/liquidation-facts.js'

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

  /** Takes an Auction event in. */
  take(log: EventRecords, at: number): void {
    const facts = auctionFacts(log, at)
    if (facts.change === AuctionChange.Ended) {
      this.#auctions.delete(facts.auction)
      return
    }
    const { requiredMicros, valuationMillis } = facts
    const versions = this.#auctions.get(facts.auction) ?? new Map<number, KnownTerms>()
    versions.set(facts.version, { requiredMicros, valuationMillis })
    if (versions.size > versionsMax) versions.delete(versions.keys().next().value!)
    this.#auctions.set(facts.auction, versions)
  }

  /** Terms of a version; undefined when this gateway does not know them, no longer or not yet. */
  termsOf(auction: number, version: number): KnownTerms | undefined {
    return this.#auctions.get(auction)?.get(version)
  }
}
