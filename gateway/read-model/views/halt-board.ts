import type { HaltMode } from '../../../schemas/domain.js'
import { readText, writeText } from '../../../schemas/record-text.js'

/** How one underlying is halted, by its operator or by a clock alarm. */
export interface HaltRow {
  readonly underlying: string
  readonly mode: HaltMode
}

//  The read model writes, the operator interface reads: a row per underlying
//  0          8
//  +----------+------------+   The name is there before the mode is, and never changes; a mode is one word. So no reader
//  | mode + 1 | underlying |   sees half of anything. 0: nothing has been listed of it, so its name is not known.
//  +----------+------------+   A name has 16 bytes, filled up with 0.
const rowBytes = 24
const underlyingAt = 8
const underlyingBytes = 16

/** The block of memory; rows for as many underlyings as fit. */
export class HaltBoard {
  readonly #words: Int32Array
  readonly #bytes: Uint8Array
  readonly #rowsMax: number

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
    this.#bytes = new Uint8Array(memory)
    this.#rowsMax = Math.floor(memory.byteLength / rowBytes)
  }

  /** Owner: stores how all underlyings are halted; ones beyond the room are left out. @param names '' where not known. */
  write(names: readonly string[], modes: Uint8Array): void {
    const count = Math.min(names.length, this.#rowsMax)
    for (let row = 0; row < count; row++) {
      if (names[row] === '') continue
      const at = row * rowBytes
      const isNew = this.#words[at >> 2] === 0
      if (isNew) writeText(names[row]!, this.#bytes, at + underlyingAt, underlyingBytes)
      Atomics.store(this.#words, at >> 2, modes[row] + 1)
    }
  }

  read(): readonly HaltRow[] {
    const rows: HaltRow[] = []
    for (let row = 0; row < this.#rowsMax; row++) {
      const at = row * rowBytes
      const mode = Atomics.load(this.#words, at >> 2) - 1
      if (mode < 0) continue
      const underlying = readText(this.#bytes, at + underlyingAt, underlyingBytes)
      rows.push({ underlying, mode: mode as HaltMode })
    }
    return rows
  }
}
