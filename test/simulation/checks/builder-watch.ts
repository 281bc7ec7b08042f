import type { BatchView } from '../../../engine/journal/segment-reader.js'
import type { RiskEngine } from '../../../engine/risk/risk-engine.js'
import type { Accounts } from '../../../engine/state/accounts/accounts.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { BuilderStatus } from '../../../schemas/domain.js'
import { CommandType, SetBuilderCommand } from '../../../schemas/generated/commands.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { commandsOf } from '../clients/command-record.js'
import { mustHold } from '../run/simulation-errors.js'

export interface BuilderWatchState {
  readonly accounts: Accounts
  readonly config: EngineConfig
  readonly risk: RiskEngine
}

const setBuilder = new SetBuilderCommand()

/**
 * Checks that only builders earn: addresses in the configuration, or named by the operator in a journaled command. No
 * other wallet has money that nobody deposited to it.
 */
export class BuilderWatch {
  readonly #named = new Set<string>()
  readonly #address = new Uint8Array(20)

  /** Records the builders that a batch names. */
  take(batch: BatchView): void {
    for (const command of commandsOf(batch)) {
      if (command.recordType !== CommandType.SetBuilder) continue
      const { status, u8, walletAt } = setBuilder.of(command)
      if (status === BuilderStatus.Active) this.#named.add(formatAddress(u8, walletAt))
    }
  }

  /** @returns the number of wallets whose money comes from builder fees alone */
  check({ accounts, config, risk }: BuilderWatchState): number {
    let earning = 0
    for (let account = 0; account < accounts.count; account++) {
      // Cash at or below 0 means that the wallet has withdrawn its gains too.
      if (accounts.depositsMicros[account] !== 0 || risk.cashMicros[account] <= 0) continue
      accounts.addresses.write(account, this.#address, 0)
      const address = formatAddress(this.#address, 0)
      const mayEarn = this.#named.has(address) || config.builders.includes(address)
      const what = () => `${address} has ${risk.cashMicros[account]} micros and is no builder`
      mustHold(mayEarn, what)
      earning++
    }
    return earning
  }
}
