import type { LedgerBook } from '../standings/ledger-book.js'
import type { Achieved } from '../standings/participants.js'
import { type HistoryDatabase, openHistoryReadOnly, progressOf } from './history-schema.js'

// What the history store has of competitions, for whoever goes on from it.

interface LedgerRow {
  readonly competitionId: number
  readonly isActive: number
}

interface KeptHolding {
  readonly wallet: string
  readonly instrument: number
  readonly lots: number
  readonly costMicros: number
  readonly paidMicros: number
}

/** Rows that are read between two looks at anything else. */
const rowsPerStep = 1000

/**
 * Puts what the store has into a book without ledgers, some rows a step.
 * @param onlyActive leaves out those that have ended.
 */
export function* readLedgers(
  database: HistoryDatabase,
  book: LedgerBook,
  { onlyActive }: { readonly onlyActive: boolean },
): Generator<void, void, void> {
  const ledgers = database
    .prepare(
      'select competition_id as competitionId, is_active as isActive from competition_ledgers',
    )
    .all() as LedgerRow[]
  for (const { competitionId, isActive } of ledgers) {
    if (onlyActive && isActive === 0) continue
    yield* readLedger(database, book, competitionId, isActive === 1)
  }
}

function* readLedger(
  database: HistoryDatabase,
  book: LedgerBook,
  id: number,
  isActive: boolean,
): Generator<void, void, void> {
  // Marks are of what begins, so they come before it does.
  const ledger = book.restore(id)
  const marks = database
    .prepare(
      'select instrument, mark_micros as markMicros from competition_marks where competition_id = ?',
    )
    .all(id) as { instrument: number; markMicros: number }[]
  for (const { instrument, markMicros } of marks) ledger.noteMark(instrument, markMicros)
  const rows = database.prepare(
    'select wallet, pnl_micros as pnlMicros, volume_parts as volumeParts, ' +
      'volume_micros as volumeMicros, margin_micros as marginMicros, trades ' +
      `from competition_rows where competition_id = ? and wallet > ? order by wallet limit ${rowsPerStep}`,
  )
  for (let last = ''; ; yield) {
    const part = rows.all(id, last) as Achieved[]
    for (const achieved of part) ledger.participants.restore(achieved)
    if (part.length < rowsPerStep) break
    last = part.at(-1)!.wallet
  }
  const holdings = database.prepare(
    'select wallet, instrument, lots, cost_micros as costMicros, paid_micros as paidMicros ' +
      'from competition_holdings where competition_id = ? and (wallet, instrument) > (?, ?) ' +
      `order by wallet, instrument limit ${rowsPerStep}`,
  )
  for (let [wallet, instrument] = ['', -1]; ; yield) {
    const part = holdings.all(id, wallet, instrument) as KeptHolding[]
    for (const { wallet: holder, ...held } of part) {
      ledger.holdings.set({ row: ledger.participants.rowFor(holder), ...held })
    }
    if (part.length < rowsPerStep) break
    wallet = part.at(-1)!.wallet
    instrument = part.at(-1)!.instrument
  }
  if (isActive) book.begin(ledger)
}

/** A look at the store as of one moment. */
export class CompetitionStore {
  readonly #database: HistoryDatabase
  /** Sequence of the last event that is in it. */
  readonly seq: number

  /** @throws where there is no store, or somebody else has it. */
  constructor(dataDir: string) {
    this.#database = openHistoryReadOnly(dataDir)
    this.#database.exec('begin')
    this.seq = progressOf(this.#database).seq
  }

  read(book: LedgerBook): Generator<void, void, void> {
    return readLedgers(this.#database, book, { onlyActive: false })
  }

  close(): void {
    this.#database.close()
  }
}
