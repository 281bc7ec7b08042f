import { BuilderStatus } from '../../../schemas/domain.js'
import { grown } from '../../memory/grown.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'
import { AddressTable } from './address-table.js'

/**
 * Who earns as a builder: the addresses of the configuration, and those of which the operator has said since whether
 * they do. The operator's word counts, and is part of the state; the configuration is hashed and kept as such.
 */
export class Builders implements Saved {
  readonly #addresses = new AddressTable()
  /** `BuilderStatus` by address, as the operator has said. */
  #status = new Uint8Array(16)
  readonly #configured = new AddressTable()
  /** By configured address: whether the configuration still names it. */
  #isConfigured: boolean[] = []
  readonly #hash: StateHash
  readonly #cell = new HashCell(HashKind.Builders, this)
  readonly #bytes = new Uint8Array(20)

  constructor(hash: StateHash) {
    this.#hash = hash
    hash.note(this.#cell)
  }

  /** Takes the addresses of the configuration in place of those before. */
  configure(addresses: readonly string[]): void {
    this.#isConfigured.fill(false)
    for (const text of addresses) {
      for (let i = 0; i < 20; i++) {
        this.#bytes[i] = Number.parseInt(text.slice(2 + 2 * i, 4 + 2 * i), 16)
      }
      this.#isConfigured[this.#configured.add(this.#bytes, 0)] = true
    }
  }

  /** Whether the address at `source[at]` earns. */
  isActive(source: Uint8Array, at: number): boolean {
    const row = this.#addresses.find(source, at)
    if (row >= 0) return this.#status[row] === BuilderStatus.Active
    const configured = this.#configured.find(source, at)
    return configured >= 0 && this.#isConfigured[configured]
  }

  /** The operator's word. @returns whether it was another one, or none. */
  set(source: Uint8Array, at: number, status: BuilderStatus): boolean {
    const row = this.#addresses.add(source, at)
    if (row === this.#status.length) {
      this.#status = grown(this.#status, new Uint8Array(2 * row))
    }
    if (this.#status[row] === status) return false
    this.#status[row] = status
    this.#hash.note(this.#cell)
    return true
  }

  /** Everybody of whom the operator has said something. @param visit gets an address that is valid during the call. */
  forEach(visit: (address: Uint8Array, status: number) => void): void {
    for (let row = 0; row < this.#addresses.count; row++) {
      this.#addresses.write(row, this.#bytes, 0)
      visit(this.#bytes, this.#status[row])
    }
  }

  save(sink: StateSink): void {
    const { count } = this.#addresses
    sink.i32(count)
    for (let row = 0; row < count; row++) {
      this.#addresses.write(row, this.#bytes, 0)
      sink.bytes(this.#bytes)
      sink.i32(this.#status[row])
    }
  }

  load(reader: StateReader): void {
    for (let i = reader.i32(); i > 0; i--) {
      const address = reader.bytes(20)
      this.set(address, 0, reader.i32() as BuilderStatus)
    }
  }
}
