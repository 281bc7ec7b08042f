import { microsPerUsd } from '../../../schemas/bounds.js'
import { entryOf } from './entry-of.js'
import type { HistoryDatabase } from './history-schema.js'
import { walletVolumes } from './history-tables.js'
import { insertSql } from './table.js'

/** Amount that may exceed 2^53 micros. */
export interface Volume {
  usd: number
  micros: number
}

export function addVolume(sum: Volume, micros: number): void {
  const all = sum.micros + (micros % microsPerUsd)
  sum.usd += Math.floor(micros / microsPerUsd) + Math.floor(all / microsPerUsd)
  sum.micros = all % microsPerUsd
}

/** Sums fills for the volumes of their wallets. */
export class VolumeSums {
  readonly #add
  readonly #subtract
  readonly #sums = new Map<string, Volume>()

  constructor(database: HistoryDatabase) {
    this.#add = database.prepare(insertSql(walletVolumes, 1))
    this.#subtract = database.prepare(
      'update wallet_volumes set volume_usd = volume_usd - ?1 - (volume_micros < ?2), ' +
        `volume_micros = (volume_micros - ?2 + ${microsPerUsd}) % ${microsPerUsd} where wallet = ?3`,
    )
  }

  add(wallet: string, micros: number): void {
    addVolume(this.of(wallet), micros)
  }

  /** Returns the pending sum of a wallet, which is valid until the next flush. */
  of(wallet: string): Volume {
    return entryOf(this.#sums, wallet, () => ({ usd: 0, micros: 0 }))
  }

  /** Adds the pending sums, within a transaction of the store. */
  flush(): void {
    for (const [wallet, { usd, micros }] of this.#sums) this.#add.run(wallet, usd, micros)
    this.#sums.clear()
  }

  /** Subtracts the pending sums instead. */
  subtract(): void {
    for (const [wallet, { usd, micros }] of this.#sums) this.#subtract.run(usd, micros, wallet)
    this.#sums.clear()
  }
}
