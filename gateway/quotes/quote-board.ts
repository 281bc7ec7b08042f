import {
  isLater,
  QuoteRow,
  type QuoteScope,
  type QuoteTexts,
  QuoteWallet,
  unknownAccount,
} from './quote-rows.js'

/** Hears what changed on the board; it looks later what that is. */
export interface QuoteObserver {
  /** Prices, sizes or providers of an instrument. */
  onQuotes(instrument: number): void
  /** The rows of a scope as they came again, from the log of another gateway or this one's. */
  onPublished(scope: QuoteScope): void
}

export const silentQuotes: QuoteObserver = { onQuotes() {}, onPublished() {} }

/** A row as a log tells it. */
export interface SetRow extends QuoteTexts {
  readonly row: number
  readonly instrument: number
  readonly frame: number
  readonly updatedMillis: number
}

const noRows: readonly QuoteRow[] = []

/**
 * Live indicative quotes of all gateways, as one thread knows them. Each log is a table of its own, which only its
 * writer changes; what is shown of them follows from the tables alone, so all threads come to the same. Of a wallet that
 * has a row for an instrument in several logs the latest counts, until their writers have withdrawn the others.
 */
export class QuoteBoard {
  observer: QuoteObserver = silentQuotes
  /** Rows of all logs, hidden ones as well. */
  rowCount = 0
  readonly #byInstrument: (QuoteRow[] | undefined)[] = []
  readonly #wallets = new Map<string, QuoteWallet>()
  /** Of wallets that may quote. */
  readonly #accounts = new Map<string, number>()

  /** Rows of an instrument, one per wallet, in the order in which the wallets came. */
  rowsOf(instrument: number): readonly QuoteRow[] {
    const rows = this.#byInstrument[instrument]
    if (rows === undefined) return noRows
    return rows.some((row) => row.isHidden) ? rows.filter((row) => !row.isHidden) : rows
  }

  /** The same, hidden ones as well: the board's own list, which is read at once. */
  allRowsOf(instrument: number): readonly QuoteRow[] {
    return this.#byInstrument[instrument] ?? noRows
  }

  /** The engine has said which account a wallet is. */
  setAccount(wallet: string, account: number): void {
    this.#accounts.set(wallet, account)
    const owner = this.#wallets.get(wallet)
    if (owner !== undefined) owner.account = account
  }

  /** Forgets all accounts: they may have come of what was no event. */
  clearAccounts(): void {
    this.#accounts.clear()
    for (const owner of this.#wallets.values()) owner.account = unknownAccount
  }

  /** Scopes of a wallet in all logs. */
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
    spread(owner)
  }

  /** Adds a row to a scope, or gives it new texts. @returns the row. */
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
    if (known !== undefined && row.says(set)) return row // told once more
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
    spread(owner)
    if (owner.scopes.size === 0) this.#wallets.delete(scope.wallet)
  }

  /** Rows of an instrument that is quoted no longer, whoever wrote them. */
  removeInstrument(instrument: number): void {
    for (const row of [...(this.#byInstrument[instrument] ?? noRows)]) this.removeRow(row)
  }

  /** Instruments that anybody quotes. */
  *quoted(): Generator<number> {
    for (const [instrument, rows] of this.#byInstrument.entries()) {
      if (rows !== undefined && rows.length > 0) yield instrument
    }
  }

  /** Decides which of the wallet's rows for the instrument counts. */
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

function spread(owner: QuoteWallet): void {
  const [first, ...others] = owner.scopes
  owner.isSpread = others.some(({ log }) => log !== first!.log)
}
