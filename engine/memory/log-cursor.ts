import { cursorBytes, logReadersAt } from './layout.js'

/** Reads the position of a reader of the event log, from any thread: one shared word. */
export class LogCursor {
  readonly #word: Int32Array

  /** @param index cursor slot of the reader. */
  constructor(memory: SharedArrayBuffer, index: number) {
    this.#word = new Int32Array(memory, logReadersAt + index * cursorBytes, 1)
  }

  /** Log offset up to which the reader has released everything. */
  get offset(): number {
    return Atomics.load(this.#word, 0)
  }

  /** Returns true if the reader has released everything up to `offset` (wrapping comparison). */
  hasPassed(offset: number): boolean {
    return ((this.offset - offset) | 0) >= 0
  }
}
