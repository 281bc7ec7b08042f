import { CompetitionState } from '../../../schemas/domain.js'
import type { AnyEvent } from '../../../schemas/generated/events.js'
import type { Holding } from '../standings/holdings.js'
import type { Ledger, LedgerListener } from '../standings/ledger.js'
import { LedgerBook } from '../standings/ledger-book.js'
import { dropStandingsAfter, gapSeqOf, readLedgers } from './competition-store.js'
import {
  competitionHoldings,
  competitionLedgers,
  competitionMarks,
  competitionRows,
} from './competition-tables.js'
import { entryOf } from './entry-of.js'
import type { HistoryDatabase } from './history-schema.js'
import { RowBatch } from './row-batch.js'

/** Changes of one ledger since the last flush. */
class Changes {
  readonly rows = new Set<number>()
  /** By participant and instrument. */
  readonly holdings = new Map<string, Holding>()
}

/**
 * Stores the results of wallets in competitions, in the same transaction as the position of the store. A start resumes
 * from there, and a rebuilt store gets the same results. After data loss, a replay of the journal closes the gap: the
 * recorder then applies events that the rest of the store already has.
 */
export class CompetitionRecorder implements LedgerListener {
  readonly #database: HistoryDatabase
  /** Null before the first event: until then, data loss may roll the store back. */
  #book: LedgerBook | null = null
  /** Sequence at which the gap begins; earlier events are skipped. -1: no gap. */
  #gapSeq = -1
  /** Sequence to note for the event being applied. */
  #seq = 0
  /** Sequences of the first event of each running competition. */
  readonly #sinceSeqs = new Map<Ledger, number>()
  readonly #changes = new Map<Ledger, Changes>()
  readonly #ledgers: RowBatch
  readonly #rows: RowBatch
  readonly #holdings: RowBatch
  readonly #marks: RowBatch
  readonly #deleteHolding
  readonly #deleteHoldings
  readonly #deleteMarks
  /** True while ledgers are read from the store: their callbacks are not changes. */
  #isReading = false

  constructor(database: HistoryDatabase) {
    this.#database = database
    this.#ledgers = new RowBatch(database, competitionLedgers)
    this.#rows = new RowBatch(database, competitionRows)
    this.#holdings = new RowBatch(database, competitionHoldings)
    this.#marks = new RowBatch(database, competitionMarks)
    this.#deleteHolding = database.prepare(
      'delete from competition_holdings where competition_id = ? and wallet = ? and instrument = ?',
    )
    this.#deleteHoldings = database.prepare(
      'delete from competition_holdings where competition_id = ?',
    )
    this.#deleteMarks = database.prepare('delete from competition_marks where competition_id = ?')
  }

  /** True if events that the rest of the store already has must be applied again. */
  get hasGap(): boolean {
    this.#openBook()
    return this.#gapSeq >= 0
  }

  /** Marks the gap as closed, after the replay has ended. */
  closeGap(): void {
    this.#gapSeq = -1
    this.#database.exec('delete from competition_gaps')
  }

  /**
   * Applies an event within a transaction of the store. With a gap, the store may already have the event.
   * @param isBootstrap true if the event is part of a snapshot of earlier state.
   */
  take(event: AnyEvent, isBootstrap: boolean): void {
    if (!LedgerBook.concerns(event.recordType) || event.seq < this.#gapSeq) return
    // A replay from the snapshot repeats its events, so the gap may begin at its sequence.
    this.#seq = isBootstrap ? event.seq + 1 : event.seq
    this.#openBook().take(event)
  }

  /** Writes the changes, within the same transaction. */
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
    // Flushes pending rows before the deletion, which would otherwise miss them.
    this.flush()
    this.#writeLedger(ledger, CompetitionState.Post, this.#seq)
    this.#sinceSeqs.delete(ledger)
    this.#deleteHoldings.run(ledger.id)
    this.#deleteMarks.run(ledger.id)
  }

  #openBook(): LedgerBook {
    if (this.#book !== null) return this.#book
    const database = this.#database
    const gapSeq = gapSeqOf(database)
    if (gapSeq !== null) {
      this.#gapSeq = gapSeq
      // Removes rows of an earlier attempt to close the gap.
      dropStandingsAfter(database, gapSeq)
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
      if (lots === 0) this.#deleteHolding.run(id, wallet, instrument)
      else this.#holdings.add([id, wallet, instrument, lots, costMicros, paidMicros])
    }
  }
}
