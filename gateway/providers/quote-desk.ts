import type { QuoteBoard, SetRow } from '../quotes/quote-board.js'
import type { QuoteLog } from '../quotes/quote-log.js'
import { isLater, type QuoteRow, QuoteScope } from '../quotes/quote-rows.js'
import type { QuoteFrame } from './quote-frame.js'

/** A frame whose rows are on their way to the board. */
export interface Publishing {
  readonly frame: QuoteFrame
  readonly scope: QuoteScope
  readonly number: number
  next: number
}

/**
 * The rows that came in at this gateway: it puts them on the board of its own thread and tells its log, by which the
 * other threads follow.
 */
export class QuoteDesk {
  readonly #board: QuoteBoard
  readonly #log: QuoteLog
  readonly #ttlMillis: number
  /** Own scopes. */
  readonly #scopes = new Set<QuoteScope>()
  readonly #scopeIds = new Numbers()
  readonly #rowIds = new Numbers()
  /** Numbers of rows that are gone, not told yet. */
  #removed: number[] = []

  constructor(board: QuoteBoard, log: QuoteLog, ttlMillis: number) {
    this.#board = board
    this.#log = log
    this.#ttlMillis = ttlMillis
  }

  /** Rows that came in here and stand. */
  get rowCount(): number {
    let count = 0
    for (const scope of this.#scopes) count += scope.rows.size
    return count
  }

  /** Instruments of a scope's rows in their order: what its next frame is likely to be about. */
  instrumentsOf(wallet: string, name: string): Int32Array {
    const scope = this.#find(wallet, name)
    if (scope === undefined) return noInstruments
    const instruments = new Int32Array(scope.rows.size)
    let count = 0
    for (const instrument of scope.rows.keys()) instruments[count++] = instrument
    return instruments
  }

  /** Begins to publish a frame that was read: a full snapshot of the scope. */
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

  /** Publishes up to so many rows more. @returns whether the frame is published to its end. */
  advance(publishing: Publishing, rowsMax: number): boolean {
    const { frame, scope, number } = publishing
    // Its provider has gone meanwhile, or time has.
    if (!this.#scopes.has(scope)) return true
    const end = Math.min(frame.rowCount, publishing.next + rowsMax)
    for (; publishing.next < end; publishing.next++) this.#publishRow(publishing, publishing.next)
    if (end < frame.rowCount) return false
    for (const row of [...scope.rows.values()]) if (row.seenFrame !== number) this.#remove(row)
    this.#tellRemoved()
    this.#board.publishScope(scope, number, frame.receivedMillis)
    this.#log.publishFrame(scope)
    if (scope.rows.size === 0) this.#close(scope)
    return true
  }

  /** Rows of a wallet that has no session any more. */
  closeWallet(wallet: string): void {
    for (const scope of this.#own(wallet)) this.#close(scope)
  }

  closeAll(): void {
    for (const scope of [...this.#scopes]) this.#close(scope)
  }

  /** Rows of an instrument that is quoted no longer. */
  removeInstrument(instrument: number): void {
    for (const scope of this.#scopes) {
      const row = scope.rows.get(instrument)
      if (row !== undefined) this.#remove(row)
    }
    this.#tellRemoved()
  }

  /** Rows that have not come again for too long; those of a scope come together. */
  expire(nowMillis: number): void {
    for (const scope of [...this.#scopes]) {
      if (nowMillis - scope.updatedMillis >= this.#ttlMillis) this.#close(scope)
    }
  }

  /** A wallet's frame came in at another gateway: what stands here for the same, and is older, has to go. */
  onPublished(other: QuoteScope): void {
    if (other.log === this.#log.index) return
    for (const scope of this.#own(other.wallet)) {
      // Of the same scope that frame was all there is; of others it took over what it named.
      const taken = scope.name === other.name ? scope.rows.keys() : other.rows.keys()
      for (const instrument of [...taken]) {
        const row = scope.rows.get(instrument)
        if (row !== undefined && isLater(other.frame, frameOf(row))) this.#remove(row)
      }
    }
    this.#tellRemoved()
  }

  /** Tells readers that have asked for all of it. @returns how much it has told. */
  retell(): number {
    return this.#log.retell(this.#scopes)
  }

  /** Lets the others see what was done. */
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

  /** The latest message wins and moves the row to its scope. */
  #leaveOtherScopes(scope: QuoteScope, instrument: number): void {
    for (const other of this.#own(scope.wallet)) {
      if (other !== scope) this.#removeOf(other, instrument)
    }
    this.#tellRemoved()
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

  /** Before a number of them is given to another row. */
  #tellRemoved(): void {
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

/** Small numbers, each in use once. */
class Numbers {
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

/** A text of a row; that of before where it is the same. */
function textOf(frame: QuoteFrame, row: number, index: number, known: string | undefined): string {
  return known !== undefined && frame.hasText(row, index, known) ? known : frame.textOf(row, index)
}

/** The latest frame that an own row was in: one that is being published has come to it already, or not. */
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
