import { existsSync, readFileSync } from 'node:fs'
import { writeWholeFile } from '../../engine/journal/whole-file.js'
import type { RecordedDelivery } from './settlement-rail.js'

/** In the data folder. */
export const missingFile = 'withdrawals-missing.json'

/**
 * Withdrawals that a rail has taken over, and of which an accepted loss has taken the debit from the journal: their wallets
 * have that money once more. Kept in a file of their own until the operator, who alone can settle that, takes a row out, or
 * the whole file away; so they are shouted about at every start.
 */
export class MissingWithdrawals {
  readonly #path: string
  readonly #byId = new Map<string, RecordedDelivery>()

  /** @throws Error that names the file when it cannot be read. */
  constructor(path: string) {
    this.#path = path
    if (!existsSync(path)) return
    try {
      const rows = JSON.parse(readFileSync(path, 'utf8')) as readonly RecordedDelivery[]
      for (const row of rows) this.#byId.set(row.directiveId, row)
    } catch (error) {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  get rows(): readonly RecordedDelivery[] {
    return [...this.#byId.values()]
  }

  /** Whether a wallet has money once more that was sent away for it. */
  hasWallet(wallet: string): boolean {
    return this.rows.some((row) => row.wallet === wallet)
  }

  /** @returns once they are on disk. */
  add(rows: readonly RecordedDelivery[]): void {
    for (const row of rows) this.#byId.set(row.directiveId, row)
    if (rows.length > 0) this.#write()
  }

  /** The journal has it again: the wallet has signed the same once more. */
  remove(directiveId: string): void {
    if (this.#byId.delete(directiveId)) this.#write()
  }

  #write(): void {
    writeWholeFile(this.#path, `${JSON.stringify(this.rows, null, 2)}\n`)
  }
}
