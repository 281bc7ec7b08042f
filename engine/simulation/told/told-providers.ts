import { ProviderStatus } from '../../../schemas/domain.js'
import { type AnyEvent, EventType, ProviderEvent } from '../../../schemas/generated/events.js'
import { addressBytes } from '../../../schemas/wallet.js'

const event = new ProviderEvent()

/** A quote provider as the events told it. */
export interface ToldProvider {
  readonly account: number
  readonly wallet: Uint8Array
  readonly isActive: boolean
  readonly isConnected: boolean
}

/** Quote providers, for gateways that know their accounts, and for who checks whom an order asks. */
export class ToldProviders {
  readonly #rows = new Map<number, ToldProvider>()

  get all(): readonly ToldProvider[] {
    return [...this.#rows.values()]
  }

  /** Takes in one event, whatever it is. */
  take(taken: AnyEvent): void {
    if (taken.recordType === EventType.BootstrapBegin) this.#rows.clear()
    if (taken.recordType !== EventType.Provider) return
    const { account, sessions, status, u8, walletAt } = event.of(taken)
    this.#rows.set(account, {
      account,
      wallet: u8.slice(walletAt, walletAt + addressBytes),
      isActive: status === ProviderStatus.Active,
      isConnected: sessions > 0,
    })
  }

  find(account: number): ToldProvider | null {
    return this.#rows.get(account) ?? null
  }
}
