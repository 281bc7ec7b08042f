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

// Comparison of the running matchers' books with the core's state, requested by a background thread. Core and matcher
// each digest their own side of a slice between two batches, which takes microseconds. Both report the position in the
// order ring at that moment; at the same position the digests must be equal. The order path pays one word read per turn.
//
//  0          128             256                  384
//  +----------+---------------+--------------------+
//  | ticket   | ticket        | ticket             |
//  | matcher  | place         | place              |
//  | first    | count         | count              |
//  | handles  | low, high     | low, high          |
//  +----------+---------------+--------------------+
//   requester   core            the matcher of the request
const wordsPerSide = cursorBytes >> 2
const sides = { requester: 0, core: 1, matcher: 2 } as const
const word = { ticket: 0, matcher: 1, first: 2, handles: 3, place: 1, count: 2, low: 3, high: 4 }
/** Instead of a count: the slice cannot be compared now. */
const notComparable = -1

const digest = new BookDigest()

class DigestSide {
  protected readonly words: Int32Array
  readonly #at: number

  constructor(memory: SharedArrayBuffer, side: number) {
    this.words = new Int32Array(memory)
    this.#at = side * wordsPerSide
  }

  /** @returns true if there is a request that this side has not answered. */
  protected isRequested(): boolean {
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
    words[at + word.count] = isComparable ? digest.count : notComparable
    words[at + word.low] = digest.low
    words[at + word.high] = digest.high
    Atomics.store(words, at + word.ticket, words[word.ticket])
  }
}

/** Core's side of the comparison. */
export class CoreDigestSide extends DigestSide {
  readonly #state: BookDigestState
  readonly #ends: readonly { end(): number }[]
  readonly #own: readonly MatcherDigestSide[]

  /**
   * @param rings to the matchers.
   * @param own matchers in the core's own thread, which it answers for.
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
    this.#own = own.map((matcher, index) => new MatcherDigestSide(memory, matcher, index))
  }

  /**
   * Answers a request between two batches. The matchers have then run all their commands, and the core has read the
   * results.
   */
  doWork(): void {
    if (!this.isRequested()) return
    const { slice } = this
    const isComparable = digestOfCore(this.#state, slice, digest)
    this.answer(this.#ends[slice.matcher].end(), isComparable)
    for (const side of this.#own) side.doWork()
  }
}

/** Matcher's side of the comparison. */
export class MatcherDigestSide extends DigestSide {
  readonly #matcher: Matcher
  readonly #index: number

  constructor(memory: SharedArrayBuffer, matcher: Matcher, index: number) {
    super(memory, sides.matcher)
    this.#matcher = matcher
    this.#index = index
  }

  /** Answers a request once the matcher has run all its commands; otherwise at a later turn. */
  doWork(): void {
    if (!this.isRequested() || this.words[word.matcher] !== this.#index) return
    const { orders } = this.#matcher
    const place = orders.end()
    if (!orders.hasRead(place)) return
    digestOfMatcher(this.#matcher, this.slice, digest)
    this.answer(place, true)
  }
}

/** Requester's side: requests slice after slice, matcher after matcher. */
export class BookComparison {
  /** Number of slices for which both sides answered at the same position. */
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

  /** Requests the current slice. @param wake wakes the core and the matcher. */
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
   * Compares the answers and moves to the next slice.
   * @param handlesEnd above the handles of all orders.
   * @returns the difference. Null if both are equal, if an answer is missing, or if the answers are from different
   * positions.
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
    this.#advance(handlesEnd)
    if (words[core + word.count] === notComparable) return null
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

  #advance(handlesEnd: number): void {
    const { matcher, firstHandle, handles } = this.#slice
    const next = firstHandle + handles
    this.#slice =
      next < handlesEnd
        ? { matcher, firstHandle: next, handles }
        : { matcher: (matcher + 1) % Math.max(1, this.#matchers), firstHandle: 0, handles }
  }
}
