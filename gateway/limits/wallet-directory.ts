import { AddressTable } from '../../engine/state/address-table.js'
import { Tier } from '../../schemas/domain.js'
import {
  AccountEvent,
  AgentEvent,
  type AnyEvent,
  EventType,
} from '../../schemas/generated/events.js'
import { AgentChange } from '../../schemas/record-values.js'
import { addressBytes, formatAddress, writeAddress } from '../../schemas/wallet.js'

const account = new AccountEvent()
const agent = new AgentEvent()
const noAgents: ReadonlySet<string> = new Set()

/**
 * Which wallets have an account, and their tier and agents as far as they differ from a new one's, from the event log
 * (bootstrap included). It may lag the core by the events that this gateway has not read yet, so an agent it does not
 * know is for the core to judge. Wallets are lower-case address text.
 */
export class WalletDirectory {
  #accounts = new AddressTable()
  readonly #tiers = new Map<string, Tier>()
  readonly #agents = new Map<string, Set<string>>()
  readonly #address = new Uint8Array(addressBytes)

  /** Forgets all: it may have read what was no event. */
  clear(): void {
    this.#tiers.clear()
    this.#agents.clear()
    this.#accounts = new AddressTable()
  }

  /** Wallets that have an account. */
  get accountCount(): number {
    return this.#accounts.count
  }

  tierOf(wallet: string): Tier {
    return this.#tiers.get(wallet) ?? Tier.Default
  }

  /** Whether the engine has an account for a wallet; false of a text that is no address. */
  hasAccount(wallet: string): boolean {
    return writeAddress(wallet, this.#address, 0) && this.#accounts.find(this.#address, 0) >= 0
  }

  agentsOf(wallet: string): ReadonlySet<string> {
    return this.#agents.get(wallet) ?? noAgents
  }

  /** Takes Account and Agent events; the others are none of its business. */
  onEvent(event: AnyEvent): void {
    if (event.recordType === EventType.Account) this.#account(account.of(event))
    else if (event.recordType === EventType.Agent) this.#agent(agent.of(event))
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
}
