import { AuctionEvent, LiquidationEvent } from '../../../schemas/generated/events.js'
import {
  AuctionChange,
  type LiquidationMode,
  LiquidationState,
} from '../../../schemas/record-values.js'
import { type RecordViews, viewsOfCopy } from '../../../schemas/record-views.js'

/** Wallets that are not healthy, and their auctions: the latest relevant event of each. */
export class LiquidationViews {
  readonly #wallets = new Map<number, LiquidationEvent>()
  readonly #auctions = new Map<number, AuctionEvent>()

  /**
   * @returns The latest Liquidation event of the account; undefined while it is healthy.
   */
  of(account: number): LiquidationEvent | undefined {
    return this.#wallets.get(account)
  }

  /** Returns the terms of the account's running auction. */
  auctionOf(account: number): AuctionEvent | undefined {
    return this.#auctions.get(account)
  }

  /** Returns the number of wallets in a state and mode other than healthy. */
  count(state: LiquidationState, mode: LiquidationMode): number {
    let count = 0
    for (const wallet of this.#wallets.values()) {
      if (wallet.state === state && wallet.mode === mode) count++
    }
    return count
  }

  /** Number of wallets whose check waits for a mark. */
  get waitingCount(): number {
    let count = 0
    for (const { isWaiting } of this.#wallets.values()) count += isWaiting
    return count
  }

  liquidation(event: LiquidationEvent): void {
    const { account, state, isWaiting } = event
    if (state === LiquidationState.Healthy && isWaiting === 0) this.#wallets.delete(account)
    else this.#wallets.set(account, new LiquidationEvent().over(copyOf(event), 0))
  }

  auction(event: AuctionEvent): void {
    const { account, change } = event
    if (change === AuctionChange.Ended) this.#auctions.delete(account)
    else this.#auctions.set(account, new AuctionEvent().over(copyOf(event), 0))
  }
}

/** Copies the bytes of an event, which the log will overwrite. */
function copyOf({ u8, at, recordBytes }: LiquidationEvent | AuctionEvent): RecordViews {
  return viewsOfCopy(u8.subarray(at), recordBytes)
}
