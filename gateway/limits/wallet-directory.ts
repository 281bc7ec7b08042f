import { AddressTable } from '../../engine/state/accounts/address-table.js'
import { apiWalletNameBytes } from '../../schemas/bounds.js'
import { Tier } from '../../schemas/domain.js'
import {
  AccountEvent,
  AgentEvent,
  type AnyEvent,
  ApiWalletEvent,
  EventType,
} from '../../schemas/generated/events.js'
import { formatHex } from '../../schemas/hex.js'
import { AgentChange } from '../../schemas/record-values.js'
import { addressBytes, formatAddress, writeAddress } from '../../schemas/wallet.js'

const account = new AccountEvent()
const agent = new AgentEvent()
const apiWallet = new ApiWalletEvent()
const noAgents: ReadonlySet<string> = new Set()

/**
 * Accounts by wallet, from the event log (bootstrap included): tier, agents and trading keys that differ from those of a
 * new account. It may lag the core by the events that this gateway has not read, so the core decides on an agent that is
 * unknown here. Wallets are lower-case address text.
 */
export class WalletDirectory {
  #accounts = new AddressTable()
  readonly #tiers = new Map<string, Tier>()
  readonly #agents = new Map<string, Set<string>>()
  /** By wallet, addresses by name. */
  readonly #apiWallets = new Map<string, Map<string, string>>()
  readonly #address = new Uint8Array(addressBytes)

  /** Forgets everything, after overwritten events. */
  clear(): void {
    this.#tiers.clear()
    this.#agents.clear()
    this.#apiWallets.clear()
    this.#accounts = new AddressTable()
  }

  /** Wallets that have an account. */
  get accountCount(): number {
    return this.#accounts.count
  }

  tierOf(wallet: string): Tier {
    return this.#tiers.get(wallet) ?? Tier.Default
  }

  /** Returns true if the engine has an account for a wallet; false for a text that is no address. */
  hasAccount(wallet: string): boolean {
    return writeAddress(wallet, this.#address, 0) && this.#accounts.find(this.#address, 0) >= 0
  }

  agentsOf(wallet: string): ReadonlySet<string> {
    return this.#agents.get(wallet) ?? noAgents
  }

  /** Returns true if an address is an API wallet of a wallet, which may sign trading directives. */
  isApiWallet(wallet: string, address: string): boolean {
    for (const known of this.#apiWallets.get(wallet)?.values() ?? []) {
      if (known === address) return true
    }
    return false
  }

  /** Takes Account, Agent and ApiWallet events; ignores all others. */
  onEvent(event: AnyEvent): void {
    if (event.recordType === EventType.Account) this.#account(account.of(event))
    else if (event.recordType === EventType.Agent) this.#agent(agent.of(event))
    else if (event.recordType === EventType.ApiWallet) this.#apiWallet(apiWallet.of(event))
  }

  #account({ tier, u8, walletAt }: AccountEvent): void {
    const wallet = formatAddress(u8, walletAt)
    this.#accounts.add(u8, walletAt)
    if (tier === Tier.Default) this.#tiers.delete(wallet)
    else this.#tiers.set(wallet, tier)
  }

  #agent({ change, u8, walletAt, agentAt }: AgentEvent): void {
    const wallet = formatAddress(u8, walletAt)
    const agent = formatAddress(u8, agentAt)
    const agents = this.#agents.get(wallet)
    if (change === AgentChange.Approved) {
      if (agents === undefined) this.#agents.set(wallet, new Set([agent]))
      else agents.add(agent)
    } else if (agents?.delete(agent) && agents.size === 0) this.#agents.delete(wallet)
  }

  #apiWallet({ change, u8, walletAt, apiWalletAt, nameAt }: ApiWalletEvent): void {
    const wallet = formatAddress(u8, walletAt)
    const name = formatHex(u8, nameAt, apiWalletNameBytes)
    const named = this.#apiWallets.get(wallet) ?? new Map<string, string>()
    if (change === AgentChange.Approved) named.set(name, formatAddress(u8, apiWalletAt))
    else named.delete(name)
    if (named.size > 0) this.#apiWallets.set(wallet, named)
    else this.#apiWallets.delete(wallet)
  }
}
