import type { HaltMode } from '../../schemas/domain.js'

/** How one underlying is halted, by its operator or by a clock alarm. */
export interface HaltRow {
  readonly underlying: string
  readonly mode: HaltMode
}

//  The read model writes, the operator interface reads
//  0       8
//  +-------+-------- ... ----+   rows: mode (i32), spare, underlying (16 bytes, filled up with 0); names never change, and
//  | count | rows            |   a mode is one word, so no reader sees half of anything
//  +-------+-------- ... ----+
const rowsAt = 8
const rowBytes = 24
const underlyingAt = 8
const underlyingBytes = 16

/** The block of memory; rows for as many underlyings as fit. */
export class HaltBoard {
  readonly #words: Int32Array
  readonly #bytes: Buffer
  readonly #rowsMax: number

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
    this.#bytes = Buffer.from(memory)
    this.#rowsMax = Math.floor((memory.byteLength - rowsAt) / rowBytes)
  }

  /** Owner: stores how all underlyings are halted; ones beyond the room are left out. */
  write(names: readonly string[], modes: Uint8Array): void {
    const count = Math.min(names.length, this.#rowsMax)
    const known = this.#words[0]
    for (let row = 0; row < count; row++) {
      const at = rowsAt + row * rowBytes
      if (row >= known) this.#bytes.write(names[row], at + underlyingAt, underlyingBytes, 'latin1')
      this.#words[at >> 2] = modes[row]
    }
    Atomics.store(this.#words, 0, count)
  }

  read(): readonly HaltRow[] {
    return Array.from({ length: Atomics.load(this.#words, 0) }, (_, row): HaltRow => {
      const at = rowsAt + row * rowBytes
      const text = this.#bytes.toString('latin1', at + underlyingAt, at + rowBytes)
      return { underlying: text.replace(/\0+$/, ''), mode: this.#words[at >> 2] as HaltMode }
    })
  }
}
