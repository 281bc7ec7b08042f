import { assert } from '../../../schemas/assert.js'
import { agentsPerWalletMax } from '../../../schemas/bounds.js'
import { addressBytes } from '../../../schemas/wallet.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'

/** Approved agents of every account, in order of approval; at most `agentsPerWalletMax` each. */
export class Agents {
  readonly #ofAccount: (Uint8Array | undefined)[] = []
  readonly #counts: number[] = []
  readonly #hash: StateHash
  readonly #cells: (HashCell | undefined)[] = []

  /** @param hash has an element for each account that has agents. */
  constructor(hash: StateHash) {
    this.#hash = hash
  }

  count(account: number): number {
    return this.#counts[account] ?? 0
  }

  /** Returns true if the address at `source[at]` is an agent of the account. */
  has(account: number, source: Uint8Array, at: number): boolean {
    return this.#find(account, source, at) >= 0
  }

  /** Prefetches the agents' addresses, for a command that an agent signed; returns a byte of them. */
  firstByte(account: number): number {
    return this.#ofAccount[account]?.[0] ?? 0
  }

  /** @returns false if the account has its maximum number of agents. The address must not be an agent. */
  approve(account: number, source: Uint8Array, at: number): boolean {
    const count = this.count(account)
    assert(account >= 0 && !this.has(account, source, at), 'agents: the agent is new')
    if (count === agentsPerWalletMax) return false
    const addresses = (this.#ofAccount[account] ??= new Uint8Array(
      agentsPerWalletMax * addressBytes,
    ))
    for (let i = 0; i < addressBytes; i++) addresses[count * addressBytes + i] = source[at + i]
    this.#setCount(account, count + 1)
    return true
  }

  /** Removes an agent; the others keep their order. */
  revoke(account: number, source: Uint8Array, at: number): void {
    const index = this.#find(account, source, at)
    const addresses = this.#ofAccount[account]
    if (index < 0 || !addresses) return
    addresses.copyWithin(index * addressBytes, (index + 1) * addressBytes)
    this.#setCount(account, this.count(account) - 1)
  }

  /** Copies the agent at `index` to `target[at]`. */
  write(account: number, index: number, target: Uint8Array, at: number): void {
    assert(index >= 0 && index < this.count(account), 'agents: the index exists')
    const addresses = this.#ofAccount[account]
    if (!addresses) return
    for (let i = 0; i < addressBytes; i++) target[at + i] = addresses[index * addressBytes + i]
  }

  save(account: number, sink: StateSink): void {
    const count = this.count(account)
    sink.i32(count)
    const addresses = this.#ofAccount[account]
    if (addresses) sink.bytes(addresses.subarray(0, count * addressBytes))
  }

  load(account: number, reader: StateReader): void {
    const count = reader.i32()
    for (let i = 0; i < count; i++) {
      const isAdded = this.approve(account, reader.bytes(addressBytes), 0)
      assert(isAdded, 'agents: a snapshot has no more agents than an account may have')
    }
  }

  #setCount(account: number, count: number): void {
    this.#counts[account] = count
    const save = (sink: StateSink) => {
      sink.i32(account)
      this.save(account, sink)
    }
    const cell = (this.#cells[account] ??= new HashCell(HashKind.Agents, { save }))
    if (count > 0) this.#hash.note(cell)
    else {
      this.#hash.drop(cell)
      this.#cells[account] = undefined
    }
  }

  #find(account: number, source: Uint8Array, at: number): number {
    const addresses = this.#ofAccount[account]
    if (!addresses) return -1
    for (let index = 0; index < this.#counts[account]; index++) {
      let i = 0
      while (i < addressBytes && addresses[index * addressBytes + i] === source[at + i]) i++
      if (i === addressBytes) return index
    }
    return -1
  }
}
