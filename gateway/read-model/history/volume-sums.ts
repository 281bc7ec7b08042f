import { microsPerUsd } from '../../../schemas/bounds.js'
import { entryOf } from './entry-of.js'
import type { HistoryDatabase } from './history-schema.js'
import { walletVolumes } from './history-tables.js'
import { insertSql } from './table.js'

/** An amount that may be more than 2^53 micros. */
export interface Volume {
  usd: number
  micros: number
}

export function addVolume(sum: Volume, micros: number): void {
  const all = sum.micros + (micros % microsPerUsd)
  sum.usd += Math.floor(micros / microsPerUsd) + Math.floor(all / microsPerUsd)
  sum.micros = all % microsPerUsd
}

/** What fills add to the volumes of their wallets. */
export class VolumeSums {
  readonly #add
  readonly #take
  readonly #sums = new Map<string, Volume>()

  constructor(database: HistoryDatabase) {
    this.#add = database.prepare(insertSql(walletVolumes, 1))
    this.#take = database.prepare(
      'update wallet_volumes set volume_usd = volume_usd - ?1 - (volume_micros < ?2), ' +
        `volume_micros = (volume_micros - ?2 + ${microsPerUsd}) % ${microsPerUsd} where wallet = ?3`,
    )
  }

  add(wallet: string, micros: number): void {
    addVolume(this.of(wallet), micros)
  }

  /** What is to be added to a wallet's; it counts until the next flush. */
  of(wallet: string): Volume {
    return entryOf(this.#sums, wallet, () => ({ usd: 0, micros: 0 }))
  }

  /** Adds it, within a transaction of the store. */
  flush(): void {
    for (const [wallet, { usd, micros }] of this.#sums) this.#add.run(wallet, usd, micros)
    this.#sums.clear()
  }

  /** Takes it away instead. */
  takeAway(): void {
    for (const [wallet, { usd, micros }] of this.#sums) this.#take.run(usd, micros, wallet)
    this.#sums.clear()
  }
}
