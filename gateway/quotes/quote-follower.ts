import { EventLogReader } from '../../engine/memory/event-log.js'
import { type ExchangeMemory, quoteWords } from '../../engine/memory/exchange-memory.js'
import { recordBytesAt, recordTypeAt } from '../../engine/memory/layout.js'
import { Wakeup } from '../../engine/memory/wakeup.js'
import { quoteRecordBytesMax } from '../../schemas/bounds.js'
import type { QuoteBoard } from './quote-board.js'
import { QuoteDecoder, QuoteRecord, recordHeadBytes } from './quote-records.js'
import { type QuoteRow, QuoteScope, type QuoteTexts } from './quote-rows.js'

/** Log to follow, and the board to update. */
export interface FollowerParts {
  readonly memory: ExchangeMemory
  /** Index of the gateway that writes the log. */
  readonly log: number
  /** Index among the log's readers, of `quoteReaders`. */
  readonly reader: number
  /** Index of the writer's wakeup word. */
  readonly writer: number
  readonly board: QuoteBoard
  /** Returns true if an instrument is no longer quoted, in which case late rows are dropped. */
  readonly isOver: (instrument: number) => boolean
}

const recordsPerTurnMax = 1024

const noTexts: QuoteTexts = { bidPrice: '', askPrice: '', maxBidSize: '', maxAskSize: '' }

/** A follower is complete, or it has lost records and waits until the writer repeats all of them. */
type Refill = { readonly seen: Set<QuoteScope | QuoteRow> | null }

/** Applies the log of another gateway to the board of this thread. */
export class QuoteFollower {
  readonly #parts: FollowerParts
  readonly #log: EventLogReader
  readonly #words: Int32Array
  readonly #writer: Wakeup
  readonly #decoder = new QuoteDecoder()
  #scopes: (QuoteScope | undefined)[] = []
  #rows: (QuoteRow | undefined)[] = []
  #refill: Refill | null = null
  /** Number of times that records were lost. */
  lapped = 0

  constructor(parts: FollowerParts) {
    const { memory, log, reader, writer } = parts
    this.#parts = parts
    this.#log = new EventLogReader(memory.quoteLogs[log]!, reader, quoteRecordBytesMax)
    this.#words = new Int32Array(memory.quoteWords)
    this.#writer = new Wakeup(memory.wakeups, writer)
  }

  hasNext(): boolean {
    return this.#log.hasNext()
  }

  /** Applies a bounded number of records. @returns Their number. */
  take(): number {
    const log = this.#log
    let count = 0
    try {
      for (; count < recordsPerTurnMax; count++) {
        const at = log.next()
        if (at < 0) break
        const bytes = log.i32[(at + recordBytesAt) >> 2]!
        const type = log.i32[(at + recordTypeAt) >> 2]!
        this.#decoder.take(log.u8, at + recordHeadBytes, bytes - recordHeadBytes)
        // Checked before applying, because an overwritten record is invalid.
        if (log.lapped()) return this.#lose(count)
        this.#apply(type)
      }
    } catch (error) {
      if (!log.lapped()) throw error
      return this.#lose(count)
    }
    if (count > 0) log.release()
    return count
  }

  /** Keeps its state and ignores records until the writer repeats all of them. */
  #lose(count: number): number {
    this.lapped++
    this.#log.skipToDurable()
    this.#refill = { seen: null }
    Atomics.add(this.#words, quoteWords.asked(this.#parts.log), 1)
    this.#writer.ring()
    return count + 1
  }

  #apply(type: number): void {
    if (type === QuoteRecord.ResendBegun) this.#beginRefill()
    else if (this.#refill !== null && this.#refill.seen === null) return
    else if (type === QuoteRecord.ScopeOpened) this.#open()
    else if (type === QuoteRecord.RowSet) this.#set()
    else if (type === QuoteRecord.RowsRemoved) this.#remove()
    else if (type === QuoteRecord.FramePublished) this.#publish()
    else if (type === QuoteRecord.ScopeClosed) this.#close()
    else if (type === QuoteRecord.ResendEnded) this.#endRefill()
  }

  /** Ids may have been reassigned, so repeated scopes and rows are matched by their content. */
  #beginRefill(): void {
    if (this.#refill === null) return
    this.#refill = { seen: new Set() }
    this.#scopes = []
    this.#rows = []
  }

  #endRefill(): void {
    const seen = this.#refill?.seen
    if (!seen) return
    this.#refill = null
    const { board, log } = this.#parts
    for (const scope of [...board.scopes()]) {
      if (scope.log !== log) continue
      if (!seen.has(scope)) board.closeScope(scope)
      else for (const row of [...scope.rows.values()]) if (!seen.has(row)) board.removeRow(row)
    }
  }

  #open(): void {
    const { board, log } = this.#parts
    const opened = this.#decoder.scopeOpened()
    const wallet = opened.wallet() ?? ''
    const name = opened.name() ?? ''
    let scope: QuoteScope | undefined
    for (const known of board.scopesOf(wallet)) {
      if (known.log === log && known.name === name) scope = known
    }
    if (scope === undefined) {
      scope = new QuoteScope(log, opened.scope(), wallet, name, opened.updatedMillis())
      board.openScope(scope)
    }
    scope.updatedMillis = opened.updatedMillis()
    this.#scopes[opened.scope()] = scope
    this.#refill?.seen?.add(scope)
  }

  #set(): void {
    const { board, isOver } = this.#parts
    const set = this.#decoder.rowSet()
    const scope = this.#scopes[set.scope()]
    const instrument = set.instrument()
    // During a refill, new rows may precede their scope; they are repeated after it.
    if (scope === undefined || isOver(instrument)) return
    const known = scope.rows.get(instrument) ?? noTexts
    const { bidPrice, askPrice, maxBidSize, maxAskSize } = this.#decoder.textsOf(set, known)
    const row = board.setRow(scope, {
      row: set.row(),
      instrument,
      frame: set.frame(),
      updatedMillis: set.updatedMillis(),
      bidPrice,
      askPrice,
      maxBidSize,
      maxAskSize,
    })
    this.#rows[set.row()] = row
    this.#refill?.seen?.add(row)
  }

  #remove(): void {
    const removed = this.#decoder.rowsRemoved()
    for (let i = 0; i < removed.rowsLength(); i++) {
      const id = removed.rows(i)!
      const row = this.#rows[id]
      this.#rows[id] = undefined
      if (row !== undefined) this.#parts.board.removeRow(row)
    }
  }

  #publish(): void {
    const frame = this.#decoder.framePublished()
    const scope = this.#scopes[frame.scope()]
    if (scope === undefined) return
    this.#parts.board.publishScope(scope, frame.frame(), frame.updatedMillis())
  }

  #close(): void {
    const id = this.#decoder.scopeClosed().scope()
    const scope = this.#scopes[id]
    this.#scopes[id] = undefined
    if (scope !== undefined) this.#parts.board.closeScope(scope)
  }
}
