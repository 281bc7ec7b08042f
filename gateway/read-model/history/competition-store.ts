import { CompetitionState } from '../../../schemas/domain.js'
import type { Ledger } from '../standings/ledger.js'
import type { LedgerBook } from '../standings/ledger-book.js'
import type { Achieved } from '../standings/participants.js'
import type { KeptStandings } from '../standings/standings-board.js'
import {
  type HistoryDatabase,
  openHistory,
  openHistoryReadOnly,
  progressOf,
} from './history-schema.js'

interface LedgerRow {
  readonly competitionId: number
  readonly state: CompetitionState
  readonly sinceSeq: number
}

interface KeptHolding {
  readonly wallet: string
  readonly instrument: number
  readonly lots: number
  readonly costMicros: number
  readonly paidMicros: number
}

type Steps = Generator<void, void, void>

/** Number of rows read before the generator yields. */
const rowsPerStep = 1000

/**
 * Reads competitions that have not ended from the store into an empty book, a bounded number of rows per step.
 * @param onRead receives each ledger and the sequence of its first event.
 */
export function* readLedgers(
  database: HistoryDatabase,
  book: LedgerBook,
  onRead: (ledger: Ledger, sinceSeq: number) => void = () => {},
): Steps {
  const ledgers = database
    .prepare(
      'select competition_id as competitionId, state, since_seq as sinceSeq ' +
        'from competition_ledgers where state <> ?',
    )
    .all(CompetitionState.Post) as LedgerRow[]
  for (const { competitionId, sinceSeq, state } of ledgers) {
    const ledger = book.restore(competitionId)
    onRead(ledger, sinceSeq)
    // Start marks must be noted before the ledger begins.
    readMarks(database, ledger)
    yield* readRows(database, ledger)
    yield* readHoldings(database, ledger)
    if (state === CompetitionState.Active) book.begin(ledger)
  }
}

function readMarks(database: HistoryDatabase, ledger: Ledger): void {
  const marks = database
    .prepare(
      'select instrument, mark_micros as markMicros from competition_marks where competition_id = ?',
    )
    .all(ledger.id) as { instrument: number; markMicros: number }[]
  for (const { instrument, markMicros } of marks) ledger.noteMark(instrument, markMicros)
}

function* readRows(database: HistoryDatabase, { id, participants }: Ledger): Steps {
  const rows = database.prepare(
    'select wallet, pnl_micros as pnlMicros, volume_usd as volumeUsd, ' +
      'volume_micros as volumeMicros, margin_micros as marginMicros, trades ' +
      `from competition_rows where competition_id = ? and wallet > ? order by wallet limit ${rowsPerStep}`,
  )
  for (let last = ''; ; yield) {
    const part = rows.all(id, last) as Achieved[]
    for (const achieved of part) participants.restore(achieved)
    if (part.length < rowsPerStep) return
    last = part.at(-1)!.wallet
  }
}

function* readHoldings(database: HistoryDatabase, { id, holdings, participants }: Ledger): Steps {
  const rows = database.prepare(
    'select wallet, instrument, lots, cost_micros as costMicros, paid_micros as paidMicros ' +
      'from competition_holdings where competition_id = ? and (wallet, instrument) > (?, ?) ' +
      `order by wallet, instrument limit ${rowsPerStep}`,
  )
  for (let [last, instrument] = ['', -1]; ; yield) {
    const part = rows.all(id, last, instrument) as KeptHolding[]
    for (const { wallet, ...held } of part) {
      holdings.set({ row: participants.rowFor(wallet), ...held })
    }
    if (part.length < rowsPerStep) return
    last = part.at(-1)!.wallet
    instrument = part.at(-1)!.instrument
  }
}

/** Snapshot of the store at one sequence. */
export class CompetitionStore implements KeptStandings {
  readonly #database: HistoryDatabase
  readonly seq: number

  /** @throws if there is no store, or another process has locked it. */
  constructor(dataDir: string) {
    this.#database = openHistoryReadOnly(dataDir)
    this.#database.exec('begin')
    // With a gap, the standings are complete only up to the gap.
    this.seq = gapSeqOf(this.#database) ?? progressOf(this.#database).seq
  }

  read(book: LedgerBook): Steps {
    return readLedgers(this.#database, book)
  }

  readEnded(ledger: Ledger): Steps {
    return readRows(this.#database, ledger)
  }

  close(): void {
    this.#database.close()
  }
}

/** Returns the sequence after which the ledgers need the journal; null: they are complete. */
export function gapSeqOf(database: HistoryDatabase): number | null {
  const row = database.prepare('select seq from competition_gaps').get()
  return (row as { readonly seq: number } | undefined)?.seq ?? null
}

/** Reads the same from a store that is not open. */
export function readGapSeq(dataDir: string): number | null {
  const database = openHistoryReadOnly(dataDir)
  try {
    return gapSeqOf(database)
  } finally {
    database.close()
  }
}

/** Deletes the gap if its journal is gone. The lost events stay missing from the standings. */
export function giveUpGap(dataDir: string): void {
  const database = openHistory(dataDir)
  try {
    database.exec('delete from competition_gaps')
  } finally {
    database.close()
  }
}

/**
 * Removes the effects of events after a sequence from the standings. Single events cannot be subtracted, so a
 * competition that was running is removed whole, as is each one that overlaps it. The gap records where the replay of
 * the journal must begin. Idempotent.
 */
export function dropStandingsAfter(database: HistoryDatabase, seq: number): void {
  const first = database.prepare(
    'select min(since_seq) as sinceSeq from competition_ledgers where end_seq = 0 or end_seq > ?',
  )
  const known = gapSeqOf(database)
  let gapSeq = Math.min(seq, known ?? seq)
  for (let previous = -1; previous !== gapSeq; ) {
    previous = gapSeq
    const { sinceSeq } = first.get(gapSeq) as { readonly sinceSeq: number | null }
    if (sinceSeq !== null) gapSeq = Math.min(gapSeq, sinceSeq - 1)
  }
  const isGap = known !== null || gapSeq < seq
  if (isGap) database.prepare('insert or ignore into competition_gaps values (?)').run(gapSeq)
  database.prepare('delete from competition_gaps where seq > ?').run(gapSeq)
  database.prepare('delete from competition_ledgers where end_seq = 0 or end_seq > ?').run(gapSeq)
  for (const table of ['competition_rows', 'competition_holdings', 'competition_marks']) {
    database.exec(
      `delete from ${table} where competition_id not in (select competition_id from competition_ledgers)`,
    )
  }
}
