import { agentsPerWalletMax } from '../../schemas/bounds.js'
import { addressBytes } from '../../schemas/wallet.js'
import type { StateReader, StateSink } from '../memory/state-codec.js'
import { HashKind, type StateHash } from '../memory/state-hash.js'

/** Approved agents of every account, in order of approval; at most `agentsPerWalletMax` each. */
export class Agents {
  readonly #ofAccount: (Uint8Array | undefined)[] = []
  readonly #counts: number[] = []
  readonly #hash: StateHash

  /** @param hash has an element for each account that has agents. */
  constructor(hash: StateHash) {
    this.#hash = hash
  }

  count(account: number): number {
    return this.#counts[account] ?? 0
  }

  /** Whether the address at `source[at]` is an agent of the account. */
  has(account: number, source: Uint8Array, at: number): boolean {
    return this.#find(account, source, at) >= 0
  }

  /** A byte of the agents' addresses, for whoever wants their memory at hand when one of them signs. */
  firstByte(account: number): number {
    return this.#ofAccount[account]?.[0] ?? 0
  }

  /** @returns false when the account has all the agents it may have; an agent known already is no change. */
  approve(account: number, source: Uint8Array, at: number): boolean {
    const count = this.count(account)
    if (count === agentsPerWalletMax) return false
    const addresses = (this.#ofAccount[account] ??= new Uint8Array(
      agentsPerWalletMax * addressBytes,
    ))
    this.#put(account, false)
    for (let i = 0; i < addressBytes; i++) addresses[count * addressBytes + i] = source[at + i]
    this.#counts[account] = count + 1
    this.#put(account, true)
    return true
  }

  /** Removes an agent; the others keep their order. */
  revoke(account: number, source: Uint8Array, at: number): void {
    const index = this.#find(account, source, at)
    const addresses = this.#ofAccount[account]
    if (index < 0 || !addresses) return
    this.#put(account, false)
    addresses.copyWithin(index * addressBytes, (index + 1) * addressBytes)
    this.#counts[account]--
    this.#put(account, true)
  }

  /** Copies the agent at `index` to `target[at]`. */
  write(account: number, index: number, target: Uint8Array, at: number): void {
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
    for (let i = 0; i < count; i++) this.approve(account, reader.bytes(addressBytes), 0)
  }

  #put(account: number, adds: boolean): void {
    if (this.count(account) === 0) return
    const saved = { save: (sink: StateSink) => this.save(account, sink) }
    this.#hash.putSaved(HashKind.Agents, account, saved, adds)
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
