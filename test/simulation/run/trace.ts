import { hashText } from '../../../engine/memory/state-hash.js'

const notesKept = 24

/** Hash of numbers in order. */
export class RunningHash {
  #low = 0x811c9dc5
  #high = 0x9e3779b9

  /** Adds a number, of which 32 bits count. */
  add(word: number): void {
    this.#low = Math.imul(this.#low ^ word, 0x01000193)
    this.#high = (Math.imul(this.#high, 0x85ebca6b) + (this.#low ^ (this.#high >>> 15))) | 0
  }

  get text(): string {
    return hashText(this.#low, this.#high)
  }
}

/**
 * Hash of everything that happens in a run, in order: two runs with the same hash were the same run. It keeps the
 * latest notable events as text, for the report of a failure.
 */
export class Trace {
  /** Hash of all bytes of all published events, without state hashes. */
  readonly events = new RunningHash()
  /** Step that a note belongs to. */
  step = 0
  readonly #all = new RunningHash()
  /** Latest notable events, as text. */
  readonly notes: string[] = []

  /** Adds a number, of which 32 bits count. */
  add(word: number): void {
    this.#all.add(word)
  }

  note(text: string): void {
    for (let i = 0; i < text.length; i++) this.add(text.charCodeAt(i))
    this.notes.push(`step ${this.step}: ${text}`)
    if (this.notes.length > notesKept) this.notes.shift()
  }

  get hash(): string {
    return this.#all.text
  }
}
