import { grown } from '../memory/grown.js'
import { AddressTable } from './address-table.js'
import { Agents } from './agents.js'
import { KeptOutcomes } from './kept-outcomes.js'
import { NonceWindow } from './nonces.js'

/**
 * Who the accounts are and what they did: addresses, agents, nonces, kept outcomes. What they own is the risk
 * engine's. An account is opened by its first deposit or credit, and by nothing that anybody signs: half of all random
 * bytes are the signature of some address.
 */
export class Accounts {
  readonly addresses = new AddressTable()
  readonly agents = new Agents()
  /** Nonces burned by what the wallets themselves have signed. */
  readonly nonces: NonceWindow[] = []
  /** The same of what their agents have signed, so that those never fill the window of their owner. */
  readonly agentNonces: (NonceWindow | null)[] = []
  readonly outcomes: KeptOutcomes[] = []
  selfTrade = new Uint8Array(256)
  workingOrders = new Int32Array(256)
  depositsMicros = new Float64Array(256)

  get count(): number {
    return this.addresses.count
  }

  /** Index of the wallet at `source[at]`, or -1. */
  find(source: Uint8Array, at: number): number {
    return this.addresses.find(source, at)
  }

  /** The same for a wallet of five whole words from `source[word]` on. */
  findWords(source: Uint32Array, word: number): number {
    return this.addresses.findWords(source, word)
  }

  /** Opens an account for a wallet that has none. */
  open(source: Uint8Array, at: number, noncesKept: number, outcomesKept: number): number {
    const account = this.addresses.add(source, at)
    if (account === this.selfTrade.length) {
      this.selfTrade = grown(this.selfTrade, new Uint8Array(account * 2))
      this.workingOrders = grown(this.workingOrders, new Int32Array(account * 2))
      this.depositsMicros = grown(this.depositsMicros, new Float64Array(account * 2))
    }
    this.nonces[account] = new NonceWindow(noncesKept)
    this.agentNonces[account] = null
    this.outcomes[account] = new KeptOutcomes(outcomesKept)
    return account
  }
}
