import { existsSync, readFileSync } from 'node:fs'
import { writeWholeFile } from '../../engine/journal/whole-file.js'
import type { RecordedDelivery } from './settlement-rail.js'

/** File in the data folder. */
export const missingFile = 'withdrawals-missing.json'

/**
 * Withdrawals in the hands of a rail, without a debit, because an accepted loss removed it from the journal. Their wallets have the
 * money again. They stay in a file, and every start raises an alarm for each until the operator removes its row or the
 * file.
 */
export class MissingWithdrawals {
  readonly #path: string
  readonly #byId = new Map<string, RecordedDelivery>()

  /** @throws Error that names the file if it cannot be read. */
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

  /** Returns true if a wallet still has money that the rail already sent. */
  hasWallet(wallet: string): boolean {
    return this.rows.some((row) => row.wallet === wallet)
  }

  /** Adds withdrawals. @returns once they are on disk. */
  add(rows: readonly RecordedDelivery[]): void {
    for (const row of rows) this.#byId.set(row.directiveId, row)
    if (rows.length > 0) this.#write()
  }

  /** Removes a withdrawal that the journal has again, because the wallet signed it once more. */
  remove(directiveId: string): void {
    if (this.#byId.delete(directiveId)) this.#write()
  }

  #write(): void {
    writeWholeFile(this.#path, `${JSON.stringify(this.rows, null, 2)}\n`)
  }
}
