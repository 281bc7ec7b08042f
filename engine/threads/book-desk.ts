import {
  BookDigest,
  type BookDigestState,
  type BookSlice,
  digestOfCore,
  digestOfMatcher,
} from '../invariants/book-digest.js'
import { otherBook } from '../invariants/books.js'
import type { Breach } from '../invariants/breach.js'
import { handlesPerSlice } from '../invariants/sweep.js'
import type { Matcher } from '../matching/matcher.js'
import { cursorBytes } from '../memory/layout.js'

// Whether the books of the running matchers hold what the running core thinks, asked by a thread that has the time. Core
// and matcher each look at their own side between two batches, at a slice that takes microseconds, and say behind which
// record of the order ring that was: at the same place they have to say the same. On the way of an order there is
// nothing of it but the look at one word a turn.
//
//  0          128             256                  384
//  +----------+---------------+--------------------+
//  | ticket   | ticket        | ticket             |
//  | matcher  | place         | place              |
//  | first    | count         | count              |
//  | handles  | low, high     | low, high          |
//  +----------+---------------+--------------------+
//   the asker   the core        the matcher that is asked
const wordsPerSide = cursorBytes >> 2
const sides = { asker: 0, core: 1, matcher: 2 } as const
const word = { ticket: 0, matcher: 1, first: 2, handles: 3, place: 1, count: 2, low: 3, high: 4 }
/** Instead of a count: the slice holds what cannot be compared just now. */
const notNow = -1

const digest = new BookDigest()

class DeskSide {
  protected readonly words: Int32Array
  readonly #at: number

  constructor(memory: SharedArrayBuffer, side: number) {
    this.words = new Int32Array(memory)
    this.#at = side * wordsPerSide
  }

  /** @returns whether something is asked for that this side has not answered. */
  protected isAsked(): boolean {
    return Atomics.load(this.words, word.ticket) !== this.words[this.#at + word.ticket]
  }

  protected get slice(): BookSlice {
    const { words } = this
    const [matcher, firstHandle] = [words[word.matcher], words[word.first]]
    return { matcher, firstHandle, handles: words[word.handles] }
  }

  protected answer(place: number, isComparable: boolean): void {
    const { words } = this
    const at = this.#at
    words[at + word.place] = place
    words[at + word.count] = isComparable ? digest.count : notNow
    words[at + word.low] = digest.low
    words[at + word.high] = digest.high
    Atomics.store(words, at + word.ticket, words[word.ticket])
  }
}

/** The core's side. */
export class CoreDesk extends DeskSide {
  readonly #state: BookDigestState
  readonly #ends: readonly { end(): number }[]
  readonly #own: readonly MatcherDesk[]

  /**
   * @param rings to the matchers.
   * @param own matchers in the core's own thread, who are asked with it.
   */
  constructor(
    memory: SharedArrayBuffer,
    state: BookDigestState,
    rings: readonly { end(): number }[],
    own: readonly Matcher[],
  ) {
    super(memory, sides.core)
    this.#state = state
    this.#ends = rings
    this.#own = own.map((matcher, index) => new MatcherDesk(memory, matcher, index))
  }

  /** Between two batches: the matchers have run all that they were sent, and the core has heard of it. */
  doWork(): void {
    if (!this.isAsked()) return
    const { slice } = this
    const isComparable = digestOfCore(this.#state, slice, digest)
    this.answer(this.#ends[slice.matcher].end(), isComparable)
    for (const desk of this.#own) desk.doWork()
  }
}

/** A matcher's side. */
export class MatcherDesk extends DeskSide {
  readonly #matcher: Matcher
  readonly #index: number

  constructor(memory: SharedArrayBuffer, matcher: Matcher, index: number) {
    super(memory, sides.matcher)
    this.#matcher = matcher
    this.#index = index
  }

  /** When it has run all that it was sent; else it answers at a later turn. */
  doWork(): void {
    if (!this.isAsked() || this.words[word.matcher] !== this.#index) return
    const { orders } = this.#matcher
    const place = orders.end()
    if (!orders.hasRead(place)) return
    digestOfMatcher(this.#matcher, this.slice, digest)
    this.answer(place, true)
  }
}

/** Whoever asks: one slice after the other, of one matcher after the other. */
export class BookAsker {
  /** Slices of which both sides spoke of the same moment. */
  comparedCount = 0
  readonly #words: Int32Array
  readonly #matchers: number
  readonly #core = new BookDigest()
  readonly #found = new BookDigest()
  #slice: BookSlice = { matcher: 0, firstHandle: 0, handles: handlesPerSlice }

  constructor(memory: SharedArrayBuffer, matchers: number) {
    this.#words = new Int32Array(memory)
    this.#matchers = matchers
  }

  /** Asks for the slice at hand. @param wake rings whoever may sleep. */
  ask(wake: (matcher: number) => void): void {
    const words = this.#words
    const { matcher, firstHandle, handles } = this.#slice
    words[word.matcher] = matcher
    words[word.first] = firstHandle
    words[word.handles] = handles
    Atomics.store(words, word.ticket, (words[word.ticket] + 1) | 0)
    wake(matcher)
  }

  /**
   * Compares what was answered, and goes on to the next slice.
   * @param handlesEnd above all orders that there are.
   * @returns what differs; null also while somebody has not answered, or one has gone on before the other did.
   */
  compare(handlesEnd: number): Breach | null {
    const words = this.#words
    const core = sides.core * wordsPerSide
    const matcher = sides.matcher * wordsPerSide
    const ticket = words[word.ticket]
    if (Atomics.load(words, core + word.ticket) !== ticket) return null
    if (Atomics.load(words, matcher + word.ticket) !== ticket) return null
    if (words[core + word.place] !== words[matcher + word.place]) return null
    const slice = this.#slice
    this.#goOn(handlesEnd)
    if (words[core + word.count] === notNow) return null
    this.comparedCount++
    const [kept, found] = [this.#read(this.#core, core), this.#read(this.#found, matcher)]
    return kept.isSame(found) ? null : otherBook('live_book', slice, kept, found)
  }

  #read(into: BookDigest, at: number): BookDigest {
    const words = this.#words
    into.count = words[at + word.count]
    into.low = words[at + word.low]
    into.high = words[at + word.high]
    return into
  }

  #goOn(handlesEnd: number): void {
    const { matcher, firstHandle, handles } = this.#slice
    const next = firstHandle + handles
    this.#slice =
      next < handlesEnd
        ? { matcher, firstHandle: next, handles }
        : { matcher: (matcher + 1) % Math.max(1, this.#matchers), firstHandle: 0, handles }
  }
}
