import { entryOf } from './entry-of.js'
import { bucketIntervals } from './profit-tables.js'
import { bucketStartMillis } from './theo-intervals.js'
import { add, type SumRow, type WalletSums } from './wallet-sums.js'

/** Sums of each wallet. */
export type SumsByWallet = Map<string, WalletSums>

/** Gathers entries before they are added to stored sums, by start of the five minutes or another interval. */
export class GatheredSums {
  readonly spans = new Map<number, SumsByWallet>()
  readonly #intervalMillis: number

  constructor(intervalMillis: number = bucketIntervals[0]) {
    this.#intervalMillis = intervalMillis
  }

  add(millis: number, wallet: string, row: SumRow): void {
    add(this.sumsOf(millis, wallet), row)
  }

  addAll(millis: number, wallet: string, sums: WalletSums): void {
    const own = this.sumsOf(millis, wallet)
    for (const [about, one] of sums) add(own, { about, ...one })
  }

  /** Returns the sums of a wallet in the interval that contains a time. */
  sumsOf(millis: number, wallet: string): WalletSums {
    const start = bucketStartMillis(millis, this.#intervalMillis)
    return sumsOfWallet(
      entryOf(this.spans, start, () => new Map()),
      wallet,
    )
  }
}

export function sumsOfWallet(wallets: SumsByWallet, wallet: string): WalletSums {
  return entryOf(wallets, wallet, () => new Map())
}
