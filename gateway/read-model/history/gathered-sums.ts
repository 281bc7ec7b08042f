import { bucketIntervals } from './profit-tables.js'
import { add, type SumRow, type WalletSums } from './wallet-sums.js'

const [shortMillis] = bucketIntervals

/** By wallet. */
export type SumsByWallet = Map<string, WalletSums>

/** Entries on their way to the sums, by start of the five minutes. */
export class GatheredSums {
  readonly spans = new Map<number, SumsByWallet>()

  add(millis: number, wallet: string, row: SumRow): void {
    add(this.sumsOf(startOf(millis, shortMillis), wallet), row)
  }

  /** Those of a wallet and a start. */
  sumsOf(start: number, wallet: string): WalletSums {
    let wallets = this.spans.get(start)
    if (wallets === undefined) {
      wallets = new Map()
      this.spans.set(start, wallets)
    }
    return sumsOfWallet(wallets, wallet)
  }
}

export function sumsOfWallet(wallets: SumsByWallet, wallet: string): WalletSums {
  const known = wallets.get(wallet)
  if (known !== undefined) return known
  const sums: WalletSums = new Map()
  wallets.set(wallet, sums)
  return sums
}

export function startOf(millis: number, interval: number): number {
  return millis - (millis % interval)
}
