import type { QuoteBoard, SetRow } from '../quotes/quote-board.js'
import type { QuoteLog } from '../quotes/quote-log.js'
import { isLater, type QuoteRow, QuoteScope } from '../quotes/quote-rows.js'
import type { QuoteFrame } from './quote-frame.js'

/** Frame whose rows are being published. */
export interface Publishing {
  readonly frame: QuoteFrame
  readonly scope: QuoteScope
  readonly number: number
  next: number
}

/**
 * Rows received by this gateway. Puts them on the board of its own thread and writes its log, which the other threads
 * follow.
 */
export class QuoteService {
  readonly #board: QuoteBoard
  readonly #log: QuoteLog
  readonly #ttlMillis: number
  /** Scopes of this gateway. */
  readonly #scopes = new Set<QuoteScope>()
  readonly #scopeIds = new Ids()
  readonly #rowIds = new Ids()
  /** Ids of removed rows that are not in the log yet. */
  #removed: number[] = []

  constructor(board: QuoteBoard, log: QuoteLog, ttlMillis: number) {
    this.#board = board
    this.#log = log
    this.#ttlMillis = ttlMillis
  }

  /** Number of live rows received by this gateway. */
  get rowCount(): number {
    let count = 0
    for (const scope of this.#scopes) count += scope.rows.size
    return count
  }

  /** Returns the instruments of a scope's rows in order: the likely ones of its next frame. */
  instrumentsOf(wallet: string, name: string): Int32Array {
    const scope = this.#find(wallet, name)
    if (scope === undefined) return noInstruments
    const instruments = new Int32Array(scope.rows.size)
    let count = 0
    for (const instrument of scope.rows.keys()) instruments[count++] = instrument
    return instruments
  }

  /** Begins to publish a complete frame, which is a full snapshot of the scope. */
  begin(wallet: string, name: string, frame: QuoteFrame): Publishing {
    let scope = this.#find(wallet, name)
    if (scope === undefined) {
      const id = this.#scopeIds.take()
      scope = new QuoteScope(this.#log.index, id, wallet, name, frame.receivedMillis)
      this.#scopes.add(scope)
      this.#board.openScope(scope)
      this.#log.openScope(scope)
    }
    return { frame, scope, number: this.#log.nextFrame(), next: 0 }
  }

  /** Publishes up to `rowsMax` more rows. @returns True when the whole frame is published. */
  advance(publishing: Publishing, rowsMax: number): boolean {
    const { frame, scope, number } = publishing
    // The provider has left since, or the rows have expired.
    if (!this.#scopes.has(scope)) return true
    const end = Math.min(frame.rowCount, publishing.next + rowsMax)
    for (; publishing.next < end; publishing.next++) this.#publishRow(publishing, publishing.next)
    if (end < frame.rowCount) return false
    for (const row of [...scope.rows.values()]) if (row.seenFrame !== number) this.#remove(row)
    this.#logRemoved()
    this.#board.publishScope(scope, number, frame.receivedMillis)
    this.#log.publishFrame(scope)
    if (scope.rows.size === 0) this.#close(scope)
    return true
  }

  /** Removes the rows of a wallet without a session. */
  closeWallet(wallet: string): void {
    for (const scope of this.#own(wallet)) this.#close(scope)
  }

  closeAll(): void {
    for (const scope of [...this.#scopes]) this.#close(scope)
  }

  /** Removes rows of an instrument that is no longer quoted. */
  removeInstrument(instrument: number): void {
    for (const scope of this.#scopes) {
      const row = scope.rows.get(instrument)
      if (row !== undefined) this.#remove(row)
    }
    this.#logRemoved()
  }

  /** Removes scopes that have not been repeated for too long. The rows of a scope are repeated together. */
  expire(nowMillis: number): void {
    for (const scope of [...this.#scopes]) {
      if (nowMillis - scope.updatedMillis >= this.#ttlMillis) this.#close(scope)
    }
  }

  /** Removes older rows here that a frame at another gateway replaces. */
  onPublished(other: QuoteScope): void {
    if (other.log === this.#log.index) return
    for (const scope of this.#own(other.wallet)) {
      // The frame replaces all rows of its own scope; of other scopes, those that it names.
      const replaced = scope.name === other.name ? scope.rows.keys() : other.rows.keys()
      for (const instrument of [...replaced]) {
        const row = scope.rows.get(instrument)
        if (row !== undefined && isLater(other.frame, frameOf(row))) this.#remove(row)
      }
    }
    this.#logRemoved()
  }

  /** Repeats the log for readers that requested it. @returns Number of records written. */
  resend(): number {
    return this.#log.resend(this.#scopes)
  }

  /** Publishes the changes to the other threads. */
  commit(): void {
    this.#log.commit()
  }

  #publishRow({ frame, scope, number }: Publishing, index: number): void {
    const instrument = frame.instrumentOf(index)
    const known = scope.rows.get(instrument)
    if (known !== undefined && isSame(frame, index, known)) {
      known.seenFrame = number
      return
    }
    if (known === undefined) this.#leaveOtherScopes(scope, instrument)
    const set: SetRow = {
      row: known?.id ?? this.#rowIds.take(),
      instrument,
      frame: number,
      updatedMillis: frame.receivedMillis,
      bidPrice: textOf(frame, index, 0, known?.bidPrice),
      askPrice: textOf(frame, index, 1, known?.askPrice),
      maxBidSize: textOf(frame, index, 2, known?.maxBidSize),
      maxAskSize: textOf(frame, index, 3, known?.maxAskSize),
    }
    this.#board.setRow(scope, set).seenFrame = number
    this.#log.setRow(scope, set)
  }

  /** Removes the row from the wallet's other scopes: the latest message wins. */
  #leaveOtherScopes(scope: QuoteScope, instrument: number): void {
    for (const other of this.#own(scope.wallet)) {
      if (other !== scope) this.#removeOf(other, instrument)
    }
    this.#logRemoved()
  }

  #removeOf(scope: QuoteScope, instrument: number): void {
    const row = scope.rows.get(instrument)
    if (row !== undefined) this.#remove(row)
  }

  #remove(row: QuoteRow): void {
    this.#board.removeRow(row)
    this.#rowIds.give(row.id)
    this.#removed.push(row.id)
  }

  /** Writes removed ids to the log, before any of them is reused. */
  #logRemoved(): void {
    if (this.#removed.length === 0) return
    this.#log.removeRows(this.#removed)
    this.#removed = []
  }

  #close(scope: QuoteScope): void {
    for (const row of scope.rows.values()) this.#rowIds.give(row.id)
    this.#board.closeScope(scope)
    this.#log.closeScope(scope)
    this.#scopes.delete(scope)
    this.#scopeIds.give(scope.id)
  }

  #find(wallet: string, name: string): QuoteScope | undefined {
    return this.#own(wallet).find((scope) => scope.name === name)
  }

  #own(wallet: string): QuoteScope[] {
    return [...this.#board.scopesOf(wallet)].filter((scope) => scope.log === this.#log.index)
  }
}

/** Allocates small ids and reuses freed ones. */
class Ids {
  readonly #free: number[] = []
  #next = 0

  take(): number {
    return this.#free.pop() ?? this.#next++
  }

  give(number: number): void {
    this.#free.push(number)
  }
}

const noInstruments = new Int32Array(0)

/** Returns a text of a row; reuses the known string if it is equal. */
function textOf(frame: QuoteFrame, row: number, index: number, known: string | undefined): string {
  return known !== undefined && frame.hasText(row, index, known) ? known : frame.textOf(row, index)
}

/** Returns the latest frame that contained an own row, including a frame still being published. */
function frameOf({ seenFrame, latestFrame }: QuoteRow): number {
  return isLater(seenFrame, latestFrame) ? seenFrame : latestFrame
}

function isSame(frame: QuoteFrame, index: number, row: QuoteRow): boolean {
  return (
    frame.hasText(index, 0, row.bidPrice) &&
    frame.hasText(index, 1, row.askPrice) &&
    frame.hasText(index, 2, row.maxBidSize) &&
    frame.hasText(index, 3, row.maxAskSize)
  )
}
