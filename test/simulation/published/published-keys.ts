import { apiWalletNameBytes } from '../../../schemas/bounds.js'
import { type AnyEvent, ApiWalletEvent, EventType } from '../../../schemas/generated/events.js'
import { formatHex } from '../../../schemas/hex.js'
import { AgentChange } from '../../../schemas/record-values.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { mustHold } from '../run/simulation-errors.js'

const event = new ApiWalletEvent()
const noKeys: ReadonlyMap<string, string> = new Map()

/** Trading keys as the events describe them, as a gateway keeps them. */
export class PublishedKeys {
  /** Addresses by name, by account. */
  readonly #rows = new Map<number, Map<string, string>>()
  /** True after the bootstrap. Events that a history store has missed come before it. */
  #isBootstrapped = false

  take(taken: AnyEvent): void {
    if (taken.recordType === EventType.BootstrapBegin) {
      this.#rows.clear()
      this.#isBootstrapped = true
    }
    if (taken.recordType !== EventType.ApiWallet || !this.#isBootstrapped) return
    const { account, apiWalletAt, change, nameAt, u8 } = event.of(taken)
    const named = this.#rows.get(account) ?? new Map<string, string>()
    this.#rows.set(account, named)
    const name = formatHex(u8, nameAt, apiWalletNameBytes)
    const isKnown = named.has(name)
    const isSet = change === AgentChange.Approved
    mustHold(isSet !== isKnown, () => `the key ${name} of account ${account} is published twice`)
    if (isSet) named.set(name, formatAddress(u8, apiWalletAt))
    else named.delete(name)
  }

  /** Returns addresses by name, as hexadecimal text. */
  of(account: number): ReadonlyMap<string, string> {
    return this.#rows.get(account) ?? noKeys
  }
}
