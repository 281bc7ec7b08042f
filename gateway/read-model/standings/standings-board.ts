import { AnyEvent } from '../../../schemas/generated/events.js'
import { type RecordViews, viewsOfCopy } from '../../../schemas/record-views.js'
import { EndedLedgers } from './ended-ledgers.js'
import { Ledger, type LedgerListener } from './ledger.js'
import { LedgerBook } from './ledger-book.js'

/** Standings as somebody has kept them, as of one event. */
export interface KeptStandings {
  /** Sequence of the last event that is in them. */
  readonly seq: number
  /** Puts those that run into an empty book, some at a time. */
  read(book: LedgerBook): Iterator<void>
  /** Puts what wallets have come to in one that has ended into an empty ledger, some at a time. */
  readEnded(ledger: Ledger): Iterator<void>
  close(): void
}

/** What the board asks of the thread that runs it. */
interface BoardParts {
  /** Whether what there is of competitions is known. */
  isReady(): boolean
  /** Whether any competition runs. */
  hasActive(): boolean
  isStoreDown(): boolean
}

/** Hears of competitions that begin or end, once the board has its book. */
export interface BoardObserver {
  onTurn(ledger: Ledger): void
}

interface KeptEvent {
  readonly seq: number
  readonly views: RecordViews
}

/** A store that is being read. */
interface Reading {
  readonly kept: KeptStandings
  readonly steps: Iterator<void>
  readonly onEnd: () => void
}

const retryMillis = 200
const keptEventsMax = 65_536

/**
 * Standings for a reader of the event log that begins somewhere in it. What happened before is in the history store, as of
 * an event of its own: until it has been read, what the log tells is kept, and what lies behind that event is taken then.
 * Those of a competition that has ended are read when somebody asks for them. Without a store, or while it is filled
 * again, there are none yet.
 */
export class StandingsBoard implements LedgerListener {
  observer: BoardObserver | null = null
  readonly #parts: BoardParts
  #book: LedgerBook | null = null
  readonly #ended = new EndedLedgers()
  /** Competitions that have ended and were asked for, with the sequence that a store must have to know them. */
  readonly #wanted = new Map<number, number>()
  #open: (() => KeptStandings) | null = null
  #reading: Reading | null = null
  #events: KeptEvent[] = []
  /** Everything from this sequence on is in `#events`; -1: nothing was heard. */
  #fromSeq = -1
  #lastSeq = -1
  /** What lies up to here is in the book. */
  #passedSeq = -1
  #retryMillis = 0
  readonly #cursor = new AnyEvent()

  constructor(parts: BoardParts) {
    this.#parts = parts
  }

  /** Those that run; null while it is not known what has happened so far. */
  get active(): readonly Ledger[] | null {
    return this.#book?.active ?? null
  }

  /** Whether it has to read a store, and was not told how. */
  get lacksStore(): boolean {
    return this.#open === null && this.#wantsStore
  }

  /** @param open throws where there is none, or somebody else has it: it is asked again. */
  bringStore(open: () => KeptStandings): void {
    this.#open = open
  }

  /** The ledger of a competition that has begun; null: it is not known yet, and read if it has to be. */
  find(id: number, hasEnded: boolean): Ledger | null {
    if (!hasEnded) return this.#book?.find(id) ?? null
    const ended = this.#ended.find(id)
    if (ended === null && !this.#wanted.has(id)) this.#wanted.set(id, this.#lastSeq)
    return ended
  }

  take(event: AnyEvent): void {
    this.#lastSeq = event.seq
    if (this.#fromSeq < 0) this.#fromSeq = event.seq
    if (!LedgerBook.concerns(event.recordType)) return
    if (this.#book !== null) {
      if (event.seq > this.#passedSeq) this.#book.take(event)
      return
    }
    const { at, recordBytes, seq, views } = event
    this.#events.push({ seq, views: viewsOfCopy(views.u8.subarray(at), recordBytes) })
    if (this.#events.length > keptEventsMax) this.#forgetHalf()
  }

  /** Reads on what was kept. @returns how much was done. */
  goOn(nowMillis: number): number {
    const parts = this.#parts
    if (!parts.isReady()) return 0
    if (this.#book === null && !parts.hasActive()) {
      return this.#begin(new LedgerBook(this, true), this.#lastSeq)
    }
    try {
      return this.#reading === null ? this.#tryToRead(nowMillis) : this.#readOn(this.#reading)
    } catch {
      this.#giveUp()
      return 0
    }
  }

  onBegin(ledger: Ledger): void {
    if (this.#book !== null) this.observer?.onTurn(ledger)
  }

  onEnd(ledger: Ledger): void {
    this.#ended.add(ledger)
    if (this.#book !== null) this.observer?.onTurn(ledger)
  }

  get #wantsStore(): boolean {
    return this.#wanted.size > 0 || (this.#book === null && this.#parts.hasActive())
  }

  #tryToRead(nowMillis: number): number {
    if (this.#open === null || nowMillis < this.#retryMillis || !this.#wantsStore) return 0
    this.#retryMillis = nowMillis + retryMillis
    if (this.#parts.isStoreDown()) return 0
    const kept = this.#open()
    this.#reading = this.#book === null ? this.#readingOfBook(kept) : this.#readingOfEnded(kept)
    if (this.#reading === null) kept.close()
    return 1
  }

  /** @returns null where the store is too far behind. */
  #readingOfBook(kept: KeptStandings): Reading | null {
    if (kept.seq < this.#fromSeq - 1) return null
    const book = new LedgerBook(this, true)
    const onEnd = () => {
      for (const ledger of book.all) ledger.standings?.rankAll()
      this.#begin(book, kept.seq)
    }
    return { kept, steps: kept.read(book), onEnd }
  }

  #readingOfEnded(kept: KeptStandings): Reading | null {
    const [[id, seq]] = [...this.#wanted] as [[number, number]]
    if (kept.seq < seq) return null
    const ledger = new Ledger(id, {}, true)
    const onEnd = () => {
      ledger.standings?.rankAll()
      this.#ended.add(ledger)
      this.#wanted.delete(id)
      this.#retryMillis = 0
    }
    return { kept, steps: kept.readEnded(ledger), onEnd }
  }

  #readOn({ kept, onEnd, steps }: Reading): number {
    if (steps.next().done !== true) return 1
    kept.close()
    this.#reading = null
    onEnd()
    return 1
  }

  /** @param seq that the book is as of. */
  #begin(book: LedgerBook, seq: number): number {
    for (const { seq: at, views } of this.#events) {
      if (at > seq) book.take(this.#cursor.over(views, 0))
    }
    this.#passedSeq = seq
    this.#events = []
    this.#book = book
    return 1
  }

  /** The store has failed meanwhile: another one is waited for. */
  #giveUp(): void {
    try {
      this.#reading?.kept.close()
    } catch {
      // Nobody asks it anything any more.
    }
    this.#reading = null
  }

  #forgetHalf(): void {
    const gone = this.#events.splice(0, keptEventsMax / 2)
    this.#fromSeq = gone.at(-1)!.seq + 1
  }
}
