import { CompetitionState } from '../../../schemas/domain.js'
import type { AnyEvent } from '../../../schemas/generated/events.js'
import type { Holding } from '../standings/holdings.js'
import type { Ledger, LedgerListener } from '../standings/ledger.js'
import { LedgerBook } from '../standings/ledger-book.js'
import { dropStandingsBehind, gapSeqOf, readLedgers } from './competition-store.js'
import {
  competitionHoldings,
  competitionLedgers,
  competitionMarks,
  competitionRows,
} from './competition-tables.js'
import { entryOf } from './entry-of.js'
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
 * it, and a store that is filled again comes to the same. Where a loss has left a gap, the journal tells the store again
 * what it has otherwise, and the gap is closed.
 */
export class CompetitionRecorder implements LedgerListener {
  readonly #database: HistoryDatabase
  /** Null before the first event: until then a loss may take the store back. */
  #book: LedgerBook | null = null
  /** Events before it say nothing new; -1: of those that the store does not have each one does. */
  #gapSeq = -1
  /** Of the event that is taken. */
  #seq = 0
  /** Sequences of the first events about those that run. */
  readonly #sinceSeqs = new Map<Ledger, number>()
  readonly #changes = new Map<Ledger, Changes>()
  readonly #ledgers: RowBatch
  readonly #rows: RowBatch
  readonly #holdings: RowBatch
  readonly #marks: RowBatch
  readonly #closed
  readonly #endedHoldings
  readonly #endedMarks
  /** What has been read from the store is no change of it. */
  #isReading = false

  constructor(database: HistoryDatabase) {
    this.#database = database
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
  }

  /** Whether it has to hear again what the rest of the store has. */
  get hasGap(): boolean {
    this.#opened()
    return this.#gapSeq >= 0
  }

  /** It has heard everything again that there is. */
  closeGap(): void {
    this.#gapSeq = -1
    this.#database.exec('delete from competition_gaps')
  }

  /**
   * Takes in an event that the store does not have, or any where there is a gap, within a transaction of the store.
   * @param isBootstrap whether it tells what was so before it.
   */
  take(event: AnyEvent, isBootstrap: boolean): void {
    if (!LedgerBook.concerns(event.recordType) || event.seq < this.#gapSeq) return
    // What a snapshot tells can be had again from that snapshot.
    this.#seq = isBootstrap ? event.seq + 1 : event.seq
    this.#opened().take(event)
  }

  /** Writes what has changed, within the same transaction. */
  flush(): void {
    for (const [ledger, changes] of this.#changes) this.#write(ledger, changes)
    this.#changes.clear()
    for (const batch of [this.#ledgers, this.#rows, this.#holdings, this.#marks]) batch.flush()
  }

  onOpen(ledger: Ledger): void {
    this.#sinceSeqs.set(ledger, this.#seq)
    this.#writeLedger(ledger, CompetitionState.Pre, 0)
  }

  onBegin(ledger: Ledger): void {
    if (!this.#isReading) this.#writeLedger(ledger, CompetitionState.Active, 0)
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
    this.#writeLedger(ledger, CompetitionState.Post, this.#seq)
    this.#sinceSeqs.delete(ledger)
    this.#endedHoldings.run(ledger.id)
    this.#endedMarks.run(ledger.id)
  }

  #opened(): LedgerBook {
    if (this.#book !== null) return this.#book
    const database = this.#database
    const gapSeq = gapSeqOf(database)
    if (gapSeq !== null) {
      this.#gapSeq = gapSeq
      // What an earlier attempt to close it has left.
      dropStandingsBehind(database, gapSeq)
    }
    this.#book = new LedgerBook(this, false)
    this.#isReading = true
    for (const _ of readLedgers(database, this.#book, (ledger, sinceSeq) =>
      this.#sinceSeqs.set(ledger, sinceSeq),
    ));
    this.#isReading = false
    return this.#book
  }

  #writeLedger(ledger: Ledger, state: CompetitionState, endSeq: number): void {
    this.#ledgers.add([ledger.id, state, this.#sinceSeqs.get(ledger)!, endSeq])
  }

  #changesOf(ledger: Ledger): Changes {
    return entryOf(this.#changes, ledger, () => new Changes())
  }

  #write({ id, participants }: Ledger, { holdings, rows }: Changes): void {
    for (const row of rows) {
      const { wallet, ...achieved } = participants.achieved(row)
      const { marginMicros, pnlMicros, trades, volumeMicros, volumeUsd } = achieved
      this.#rows.add([id, wallet, pnlMicros, volumeUsd, volumeMicros, marginMicros, trades])
    }
    for (const { costMicros, instrument, lots, paidMicros, row } of holdings.values()) {
      const wallet = participants.wallets[row]!
      if (lots === 0) this.#closed.run(id, wallet, instrument)
      else this.#holdings.add([id, wallet, instrument, lots, costMicros, paidMicros])
    }
  }
}
