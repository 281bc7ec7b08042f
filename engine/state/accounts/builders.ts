import { BuilderStatus } from '../../../schemas/domain.js'
import { grown } from '../../memory/grown.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'
import { AddressTable } from './address-table.js'

/**
 * Wallets that earn builder fees: the addresses of the configuration, and those whose status the operator has set
 * since. The operator's status takes precedence, and is part of the state. The addresses of the configuration are
 * hashed and stored with the configuration.
 */
export class Builders implements Saved {
  readonly #addresses = new AddressTable()
  /** `BuilderStatus` by address, as set by the operator. */
  #status = new Uint8Array(16)
  readonly #configured = new AddressTable()
  /** By configured address: true if the current configuration names it. */
  #isConfigured: boolean[] = []
  readonly #hash: StateHash
  readonly #cell = new HashCell(HashKind.Builders, this)
  readonly #bytes = new Uint8Array(20)

  constructor(hash: StateHash) {
    this.#hash = hash
    hash.note(this.#cell)
  }

  /** Replaces the configured addresses. */
  configure(addresses: readonly string[]): void {
    this.#isConfigured.fill(false)
    for (const text of addresses) {
      for (let i = 0; i < 20; i++) {
        this.#bytes[i] = Number.parseInt(text.slice(2 + 2 * i, 4 + 2 * i), 16)
      }
      this.#isConfigured[this.#configured.add(this.#bytes, 0)] = true
    }
  }

  /** Returns true if the address at `source[at]` earns builder fees. */
  isActive(source: Uint8Array, at: number): boolean {
    const row = this.#addresses.find(source, at)
    if (row >= 0) return this.#status[row] === BuilderStatus.Active
    const configured = this.#configured.find(source, at)
    return configured >= 0 && this.#isConfigured[configured]
  }

  /**
   * Sets the operator's status of a builder.
   * @returns true if it changed.
   */
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

  /**
   * Visits every builder whose status the operator has set.
   * @param visit gets an address that is valid during the call.
   */
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
