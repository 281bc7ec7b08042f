import { hashText } from '../../../engine/memory/state-hash.js'

const notesKept = 24

/** A hash of numbers in order. */
export class RunningHash {
  #low = 0x811c9dc5
  #high = 0x9e3779b9

  /** Takes one more number in; any 32 bits of it count. */
  add(word: number): void {
    this.#low = Math.imul(this.#low ^ word, 0x01000193)
    this.#high = (Math.imul(this.#high, 0x85ebca6b) + (this.#low ^ (this.#high >>> 15))) | 0
  }

  get text(): string {
    return hashText(this.#low, this.#high)
  }
}

/**
 * A hash of everything that happens in a run, in order: two runs with the same hash were the same
 * run. The latest remarkable things are kept in words, for the report of a failure.
 */
export class Trace {
  /** Of all bytes of all events that were told, and of nothing else: it knows no state hash. */
  readonly events = new RunningHash()
  /** The step that a note belongs to. */
  step = 0
  readonly #all = new RunningHash()
  /** The latest, in words. */
  readonly notes: string[] = []

  /** Takes one more number in; any 32 bits of it count. */
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
