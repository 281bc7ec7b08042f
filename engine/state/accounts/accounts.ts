import { assert } from '../../../schemas/assert.js'
import { grown } from '../../memory/grown.js'
import { HashKind, rowBytes, rowWords, type StateHash } from '../../memory/state-hash.js'
import { AccountColumns } from '../../tables/generated/account-columns.js'
import { AddressTable, addressWords } from './address-table.js'
import { Agents } from './agents.js'
import { KeptResults } from './kept-results.js'
import { NonceWindow } from './nonces.js'

/**
 * Identity and actions of the accounts: addresses, agents, nonces, stored results. The risk engine has what they own.
 * Only a first deposit or credit opens an account, never a signature: half of all random bytes recover to the address
 * of some wallet.
 */
export class Accounts extends AccountColumns {
  readonly addresses = new AddressTable()
  readonly agents: Agents
  /** Nonces burned by actions that the wallets themselves signed. */
  readonly nonces: NonceWindow[] = []
  /** Nonces burned by their agents, in separate windows, so that agents never fill the window of their owner. */
  readonly agentNonces: (NonceWindow | null)[] = []
  readonly outcomes: KeptResults[] = []
  /** Halves of the highest nonce that a wallet or its agents have used; derived from the windows above. */
  highestNonces = new Uint32Array(2 * 256)
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    super(256)
    this.#hash = hash
    this.agents = new Agents(hash)
  }

  get count(): number {
    return this.addresses.count
  }

  /** Returns the index of the wallet at `source[at]`, or -1. */
  find(source: Uint8Array, at: number): number {
    return this.addresses.find(source, at)
  }

  /** Returns the same for a wallet of five whole words, from `source[word]` on. */
  findWords(source: Uint32Array, word: number): number {
    return this.addresses.findWords(source, word)
  }

  /** Opens an account for a wallet that has none. */
  open(source: Uint8Array, at: number, noncesKept: number, outcomesKept: number): number {
    const account = this.addresses.add(source, at)
    // A second nonce window would allow every signed action to be replayed.
    assert(account === this.nonces.length, 'accounts: a wallet gets one account')
    if (account === this.length) {
      this.highestNonces = grown(this.highestNonces, new Uint32Array(account * 4))
      this.growTo(account * 2)
    }
    this.nonces[account] = new NonceWindow(noncesKept, this.#hash, account)
    this.agentNonces[account] = null
    this.outcomes[account] = new KeptResults(outcomesKept, this.#hash, account)
    rowWords[0] = account
    this.addresses.write(account, rowBytes, 4)
    this.#hash.put(HashKind.Address, 1 + addressWords, true)
    this.hashRow(account, this.#hash, true)
    return account
  }

  /** Returns the nonces of the account's agents; allocates the window on first use. */
  agentNoncesOf(account: number, noncesKept: number): NonceWindow {
    assert(account >= 0 && account < this.count, 'accounts: the account exists')
    return (this.agentNonces[account] ??= new NonceWindow(noncesKept, this.#hash, -1 - account))
  }

  deposit(account: number, amountMicros: number): void {
    assert(account >= 0 && account < this.count, 'accounts: the account exists')
    this.hashRow(account, this.#hash, false)
    this.depositsMicros[account] += amountMicros
    this.hashRow(account, this.#hash, true)
    const { depositsMicros } = this
    assert(
      Number.isSafeInteger(depositsMicros[account]),
      'accounts: the deposit total is a safe integer',
    )
  }

  setSelfTrade(account: number, mode: number): void {
    assert(account >= 0 && account < this.count, 'accounts: the account exists')
    this.hashRow(account, this.#hash, false)
    this.selfTrade[account] = mode
    this.hashRow(account, this.#hash, true)
  }

  /**
   * Returns true if a nonce is above all that the wallet and its agents have used. This holds for nearly every nonce,
   * and then no window needs to be searched.
   */
  isAboveAllNonces(account: number, high: number, low: number): boolean {
    const { highestNonces } = this
    const highest = highestNonces[2 * account]
    if (high >>> 0 !== highest) return high >>> 0 > highest
    return low >>> 0 > highestNonces[2 * account + 1]
  }

  /** Updates the highest nonce after one is burned in either window. */
  noteNonce(account: number, high: number, low: number): void {
    if (!this.isAboveAllNonces(account, high, low)) return
    this.highestNonces[2 * account] = high
    this.highestNonces[2 * account + 1] = low
  }

  /** Updates the highest nonce after the account's windows are loaded. */
  noteWindows(account: number): void {
    const { highestHigh, highestLow } = this.nonces[account]
    this.noteNonce(account, highestHigh, highestLow)
    const ofAgents = this.agentNonces[account]
    if (ofAgents !== null) this.noteNonce(account, ofAgents.highestHigh, ofAgents.highestLow)
  }
}
