import type { RiskEngine } from '../../../engine/risk/risk-engine.js'
import type { Accounts } from '../../../engine/state/accounts/accounts.js'
import type { WalletStops } from '../../../engine/state/accounts/wallet-stops.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import type { RfqTable } from '../../../engine/state/rfq/rfq-table.js'
import { mustHold } from '../run/simulation-errors.js'
import type { Statistics } from '../run/statistics.js'

interface StopWatchState {
  readonly accounts: Accounts
  readonly config: EngineConfig
  readonly risk: RiskEngine
  readonly walletStops: WalletStops
  readonly rfqs: RfqTable
}

/**
 * Checks that a stopped wallet has no request for quote, no live quote and no order in an auction, and gets no new
 * order.
 */
export class StopWatch {
  readonly #statistics: Statistics
  #version = -1
  #ordersBefore = new Map<number, number>()

  constructor(statistics: Statistics) {
    this.#statistics = statistics
  }

  /** Starts another life, whose state counts changes from zero. */
  begin(): void {
    this.#ordersBefore.clear()
  }

  checkBatch(state: StopWatchState): void {
    const { accounts, config, risk, walletStops } = state
    const isSame = this.#version === walletStops.version
    const before = this.#ordersBefore
    this.#version = walletStops.version
    this.#ordersBefore = new Map()
    for (const account of walletStops.accounts) {
      const count = accounts.workingOrders[account]
      const known = before.get(account)
      const isNew = isSame && known !== undefined && count > known
      mustHold(!isNew, () => `stopped account ${account} has ${count} orders, and had ${known}`)
      this.#ordersBefore.set(account, count)
      this.#statistics.add('wallets stopped')
    }
    if (walletStops.size > 0) checkQuotes(state)
    for (let account = 0; account < accounts.count; account++) {
      const { openOrdersMax } = config.tiers[risk.tier[account]]
      if (accounts.workingOrders[account] >= openOrdersMax) this.#statistics.add('wallets at a cap')
    }
  }
}

function checkQuotes({ rfqs, walletStops }: StopWatchState): void {
  for (const { invited, key, terms } of rfqs.rows) {
    const isOpen = walletStops.has(terms.account)
    mustHold(!isOpen, () => `request ${key} is open, account ${terms.account} stopped`)
    for (const { account, quote } of invited) {
      const isLive = quote !== null && walletStops.has(account)
      mustHold(!isLive, () => `request ${key} has a live quote of account ${account}, stopped`)
    }
  }
}
