import { cursorBytes, logReadersAt } from './layout.js'

/**
 * Looks at how far a reader of the event log has come, from any thread; it reads one shared word.
 */
export class LogCursor {
  readonly #word: Int32Array

  /** @param index cursor slot of the reader that is looked at. */
  constructor(memory: SharedArrayBuffer, index: number) {
    this.#word = new Int32Array(memory, logReadersAt + index * cursorBytes, 1)
  }

  /** Log offset up to which that reader has released everything. */
  get offset(): number {
    return Atomics.load(this.#word, 0)
  }

  /** Whether that reader has released everything up to `offset` (wrapping comparison). */
  hasPassed(offset: number): boolean {
    return ((this.offset - offset) | 0) >= 0
  }
}
