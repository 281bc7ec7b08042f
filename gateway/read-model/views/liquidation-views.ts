import type { EventLogReader } from '../../../engine/memory/event-log.js'
import {
  AuctionChange,
  type LiquidationMode,
  LiquidationState,
} from '../../../schemas/record-values.js'
import {
  type AuctionFacts,
  auctionFacts,
  type LiquidationFacts,
  liquidationFacts,
} from '../liquidation-facts.js'

/** Wallets that are not healthy, and their auctions, as the events tell them. */
export class LiquidationViews {
  readonly #log: EventLogReader
  readonly #facts = new Map<number, LiquidationFacts>()
  readonly #auctions = new Map<number, AuctionFacts>()

  constructor(log: EventLogReader) {
    this.#log = log
  }

  /** @returns what the latest Liquidation event said of the account; undefined while it is healthy. */
  of(account: number): LiquidationFacts | undefined {
    return this.#facts.get(account)
  }

  /** Terms of the account's running auction. */
  auctionOf(account: number): AuctionFacts | undefined {
    return this.#auctions.get(account)
  }

  /** Wallets in a state and mode that is not healthy. */
  count(state: LiquidationState, mode: LiquidationMode): number {
    let count = 0
    for (const facts of this.#facts.values()) {
      if (facts.state === state && facts.mode === mode) count++
    }
    return count
  }

  /** Wallets whose check waits for a mark. */
  get waitingCount(): number {
    let count = 0
    for (const { isWaiting } of this.#facts.values()) if (isWaiting) count++
    return count
  }

  /** Takes a Liquidation event in. @returns the account. */
  liquidation(at: number): number {
    const facts = liquidationFacts(this.#log, at)
    const isKept = facts.state !== LiquidationState.Healthy || facts.isWaiting
    if (isKept) this.#facts.set(facts.account, facts)
    else this.#facts.delete(facts.account)
    return facts.account
  }

  auction(at: number): void {
    const facts = auctionFacts(this.#log, at)
    if (facts.change === AuctionChange.Ended) this.#auctions.delete(facts.account)
    else this.#auctions.set(facts.account, facts)
  }
}
