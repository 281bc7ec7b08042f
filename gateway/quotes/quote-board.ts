import {
  isLater,
  QuoteRow,
  type QuoteScope,
  type QuoteTexts,
  QuoteWallet,
  unknownAccount,
} from './quote-rows.js'

/** Receives change notifications of the board, and reads the changes later. */
export interface QuoteObserver {
  /** Prices, sizes or providers of an instrument changed. */
  onQuotes(instrument: number): void
  /** A scope's rows were repeated, in the log of this or another gateway. */
  onPublished(scope: QuoteScope): void
}

export const silentQuotes: QuoteObserver = { onQuotes() {}, onPublished() {} }

/** Row as a log contains it. */
export interface SetRow extends QuoteTexts {
  readonly row: number
  readonly instrument: number
  readonly frame: number
  readonly updatedMillis: number
}

const noRows: readonly QuoteRow[] = []

/**
 * Live indicative quotes of all gateways, as one thread sees them. Each log is a separate table that only its writer
 * changes. The visible rows depend only on the tables, so all threads agree. If a wallet has rows for an instrument in
 * several logs, the latest counts until the writers have withdrawn the others.
 */
export class QuoteBoard {
  observer: QuoteObserver = silentQuotes
  /** Rows of all logs, including hidden ones. */
  rowCount = 0
  readonly #byInstrument: (QuoteRow[] | undefined)[] = []
  readonly #wallets = new Map<string, QuoteWallet>()
  /** Account numbers of wallets that may quote. */
  readonly #accounts = new Map<string, number>()

  /** Returns the rows of an instrument, one per wallet, in order of the wallets' arrival. */
  rowsOf(instrument: number): readonly QuoteRow[] {
    const rows = this.#byInstrument[instrument]
    if (rows === undefined) return noRows
    return rows.some((row) => row.isHidden) ? rows.filter((row) => !row.isHidden) : rows
  }

  /** Returns the rows including hidden ones: the board's own array, valid until the next change. */
  allRowsOf(instrument: number): readonly QuoteRow[] {
    return this.#byInstrument[instrument] ?? noRows
  }

  /** Sets the account number of a wallet, from the engine. */
  setAccount(wallet: string, account: number): void {
    this.#accounts.set(wallet, account)
    const owner = this.#wallets.get(wallet)
    if (owner !== undefined) owner.account = account
  }

  /** Forgets all account numbers, after the pump may have read overwritten records. */
  clearAccounts(): void {
    this.#accounts.clear()
    for (const owner of this.#wallets.values()) owner.account = unknownAccount
  }

  /** Returns the scopes of a wallet in all logs. */
  scopesOf(wallet: string): ReadonlySet<QuoteScope> {
    return this.#wallets.get(wallet)?.scopes ?? noScopes
  }

  *scopes(): Generator<QuoteScope> {
    for (const { scopes } of this.#wallets.values()) yield* scopes
  }

  openScope(scope: QuoteScope): void {
    let owner = this.#wallets.get(scope.wallet)
    if (owner === undefined) {
      owner = new QuoteWallet(scope.wallet)
      owner.account = this.#accounts.get(scope.wallet) ?? unknownAccount
      this.#wallets.set(scope.wallet, owner)
    }
    owner.scopes.add(scope)
    scope.owner = owner
    updateIsSpread(owner)
  }

  /** Adds a row to a scope, or updates its texts. @returns The row. */
  setRow(scope: QuoteScope, set: SetRow): QuoteRow {
    const known = scope.rows.get(set.instrument)
    const row = known ?? new QuoteRow(scope, set.row, set.instrument, set)
    if (known === undefined) {
      scope.rows.set(set.instrument, row)
      const rows = (this.#byInstrument[set.instrument] ??= [])
      rows.push(row)
      this.rowCount++
    }
    row.frame = set.frame
    row.setMillis = set.updatedMillis
    if (scope.owner!.isSpread) this.#settle(row)
    if (known !== undefined && row.says(set)) return row // repeated without a change
    row.take(set)
    this.observer.onQuotes(set.instrument)
    return row
  }

  removeRow(row: QuoteRow): void {
    const { scope, instrument } = row
    if (scope.rows.get(instrument) !== row) return
    scope.rows.delete(instrument)
    const rows = this.#byInstrument[instrument]!
    rows.splice(rows.indexOf(row), 1)
    this.rowCount--
    if (scope.owner!.isSpread) this.#settle(row)
    this.observer.onQuotes(instrument)
  }

  publishScope(scope: QuoteScope, frame: number, updatedMillis: number): void {
    scope.frame = frame
    scope.updatedMillis = updatedMillis
    if (scope.owner!.isSpread) for (const row of scope.rows.values()) this.#settle(row)
    this.observer.onPublished(scope)
  }

  closeScope(scope: QuoteScope): void {
    for (const row of [...scope.rows.values()]) this.removeRow(row)
    const owner = scope.owner!
    owner.scopes.delete(scope)
    updateIsSpread(owner)
    if (owner.scopes.size === 0) this.#wallets.delete(scope.wallet)
  }

  /** Removes the rows of an instrument that is no longer quoted, in all logs. */
  removeInstrument(instrument: number): void {
    for (const row of [...(this.#byInstrument[instrument] ?? noRows)]) this.removeRow(row)
  }

  /** Iterates over the instruments that have quotes. */
  *quoted(): Generator<number> {
    for (const [instrument, rows] of this.#byInstrument.entries()) {
      if (rows !== undefined && rows.length > 0) yield instrument
    }
  }

  /** Determines which of the wallet's rows for the instrument counts. */
  #settle({ instrument, scope }: QuoteRow): void {
    let latest: QuoteRow | null = null
    let isChanged = false
    for (const row of this.#byInstrument[instrument]!) {
      if (row.scope.owner !== scope.owner) continue
      const isHidden = latest !== null && !isLater(row.latestFrame, latest.latestFrame)
      isChanged ||= row.isHidden !== isHidden
      row.isHidden = isHidden
      if (isHidden) continue
      if (latest !== null) latest.isHidden = true
      latest = row
    }
    if (isChanged) this.observer.onQuotes(instrument)
  }
}

const noScopes: ReadonlySet<QuoteScope> = new Set()

function updateIsSpread(owner: QuoteWallet): void {
  const [first, ...others] = owner.scopes
  owner.isSpread = others.some(({ log }) => log !== first!.log)
}
