import type { AnyEvent } from '../../../schemas/generated/events.js'
import type { Holding } from '../standings/holdings.js'
import type { Ledger, LedgerListener } from '../standings/ledger.js'
import { LedgerBook } from '../standings/ledger-book.js'
import { readLedgers } from './competition-store.js'
import {
  competitionHoldings,
  competitionLedgers,
  competitionMarks,
  competitionRows,
} from './competition-tables.js'
import type { HistoryDatabase } from './history-schema.js'
import { RowBatch } from './row-batch.js'

/** What has changed of one ledger since the last flush. */
class Changes {
  readonly rows = new Set<number>()
  /** By participant and instrument. */
  readonly holdings = new Map<string, Holding>()
}

/**
 * Keeps what wallets achieve in competitions, in the same transaction as the position of the store: a start goes on from
 * it, and a store that is filled again comes to the same.
 */
export class CompetitionRecorder implements LedgerListener {
  readonly #book: LedgerBook
  readonly #changes = new Map<Ledger, Changes>()
  readonly #ledgers: RowBatch
  readonly #rows: RowBatch
  readonly #holdings: RowBatch
  readonly #marks: RowBatch
  readonly #closed
  readonly #endedHoldings
  readonly #endedMarks
  /** What has been read from the store is no change of it. */
  #isReading = true

  constructor(database: HistoryDatabase) {
    this.#ledgers = new RowBatch(database, competitionLedgers)
    this.#rows = new RowBatch(database, competitionRows)
    this.#holdings = new RowBatch(database, competitionHoldings)
    this.#marks = new RowBatch(database, competitionMarks)
    this.#closed = database.prepare(
      'delete from competition_holdings where competition_id = ? and wallet = ? and instrument = ?',
    )
    this.#endedHoldings = database.prepare(
      'delete from competition_holdings where competition_id = ?',
    )
    this.#endedMarks = database.prepare('delete from competition_marks where competition_id = ?')
    this.#book = new LedgerBook(this, false)
    for (const _ of readLedgers(database, this.#book, { onlyActive: true }));
    this.#isReading = false
  }

  /** Takes in an event that the store does not have, within a transaction of the store. */
  take(event: AnyEvent): void {
    if (LedgerBook.concerns(event.recordType)) this.#book.take(event)
  }

  /** Writes what has changed, within the same transaction. */
  flush(): void {
    for (const [ledger, changes] of this.#changes) this.#write(ledger, changes)
    this.#changes.clear()
    for (const batch of [this.#ledgers, this.#rows, this.#holdings, this.#marks]) batch.flush()
  }

  onBegin({ id }: Ledger): void {
    if (!this.#isReading) this.#ledgers.add([id, 1])
  }

  onStartMark({ id }: Ledger, instrument: number, markMicros: number): void {
    if (!this.#isReading) this.#marks.add([id, instrument, markMicros])
  }

  onRow(ledger: Ledger, row: number): void {
    this.#changesOf(ledger).rows.add(row)
  }

  onHolding(ledger: Ledger, holding: Holding): void {
    this.#changesOf(ledger).holdings.set(`${holding.row} ${holding.instrument}`, holding)
  }

  onEnd(ledger: Ledger): void {
    // What is on its way to the tables goes first: it would come back behind the deletion.
    this.flush()
    this.#ledgers.add([ledger.id, 0])
    this.#endedHoldings.run(ledger.id)
    this.#endedMarks.run(ledger.id)
  }

  #changesOf(ledger: Ledger): Changes {
    let changes = this.#changes.get(ledger)
    if (changes === undefined) {
      changes = new Changes()
      this.#changes.set(ledger, changes)
    }
    return changes
  }

  #write({ id, participants }: Ledger, { holdings, rows }: Changes): void {
    for (const row of rows) {
      const { wallet, ...achieved } = participants.achieved(row)
      const { marginMicros, pnlMicros, trades, volumeMicros, volumeParts } = achieved
      this.#rows.add([...[id, wallet, pnlMicros, volumeParts, volumeMicros, marginMicros, trades]])
    }
    for (const { costMicros, instrument, lots, paidMicros, row } of holdings.values()) {
      const wallet = participants.wallets[row]!
      if (lots === 0) this.#closed.run(id, wallet, instrument)
      else this.#holdings.add([id, wallet, instrument, lots, costMicros, paidMicros])
    }
  }
}
