import { Tier } from '../../schemas/domain.js'
import {
  AgentChange,
  accountTierAt,
  accountWalletAt,
  agentAgentAt,
  agentChangeAt,
  agentWalletAt,
  EventType,
} from '../../schemas/events.js'
import { formatAddress } from '../../schemas/wallet.js'
import type { EventRecords } from '../read-model/event-text.js'

const noAgents: ReadonlySet<string> = new Set()
// Of an address, as a number: two wallets that share them are both known, which costs one recovery.
const knownDigits = 12

/**
 * Tier and agents of wallets, as far as they differ from a new wallet's, from the event log (bootstrap
 * included). It may lag the core by the events that this gateway has not read yet, so an agent it does not
 * know is for the core to judge. Wallets are lower-case address text.
 */
export class WalletDirectory {
  readonly #tiers = new Map<string, Tier>()
  readonly #agents = new Map<string, Set<string>>()
  /** Wallets that have an account, each by the first `knownDigits` of its address. */
  readonly #accounts = new Set<number>()

  /** Forgets all: it may have read what was no event. */
  clear(): void {
    this.#tiers.clear()
    this.#agents.clear()
    this.#accounts.clear()
  }

  tierOf(wallet: string): Tier {
    return this.#tiers.get(wallet) ?? Tier.Default
  }

  /** Whether the engine has an account for a wallet; hardly ever true of one without. */
  hasAccount(wallet: string): boolean {
    return this.#accounts.has(shortOf(wallet))
  }

  agentsOf(wallet: string): ReadonlySet<string> {
    return this.#agents.get(wallet) ?? noAgents
  }

  /** Takes Account and Agent events; the others are none of its business. */
  onEvent(type: EventType, log: EventRecords, at: number): void {
    if (type === EventType.Account) this.#account(log, at)
    else if (type === EventType.Agent) this.#agent(log, at)
  }

  #account({ i32, u8 }: EventRecords, at: number): void {
    const tier = i32[(at + accountTierAt) >> 2] as Tier
    const wallet = formatAddress(u8, at + accountWalletAt)
    this.#accounts.add(shortOf(wallet))
    if (tier === Tier.Default) this.#tiers.delete(wallet)
    else this.#tiers.set(wallet, tier)
  }

  #agent({ i32, u8 }: EventRecords, at: number): void {
    const wallet = formatAddress(u8, at + agentWalletAt)
    const agent = formatAddress(u8, at + agentAgentAt)
    const agents = this.#agents.get(wallet)
    if (i32[(at + agentChangeAt) >> 2] === AgentChange.Approved) {
      if (agents === undefined) this.#agents.set(wallet, new Set([agent]))
      else agents.add(agent)
    } else if (agents?.delete(agent) && agents.size === 0) this.#agents.delete(wallet)
  }
}

function shortOf(wallet: string): number {
  return Number.parseInt(wallet.slice(2, 2 + knownDigits), 16)
}
