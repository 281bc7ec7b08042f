import { ProviderStatus } from '../../../schemas/domain.js'
import {
  AccountEvent,
  type AnyEvent,
  EventType,
  ProviderEvent,
} from '../../../schemas/generated/events.js'
import { addressBytes } from '../../../schemas/wallet.js'

const event = new ProviderEvent()
const accountEvent = new AccountEvent()

/** Quote provider as the events describe it. */
export interface PublishedProvider {
  readonly account: number
  readonly wallet: Uint8Array
  readonly isActive: boolean
  readonly isConnected: boolean
}

/** Quote providers, for gateways that need their accounts, and for checking whom an order invites. */
export class PublishedProviders {
  readonly #rows = new Map<number, PublishedProvider>()
  readonly #stopped = new Set<number>()

  get all(): readonly PublishedProvider[] {
    return [...this.#rows.values()]
  }

  /** Handles any event. */
  take(taken: AnyEvent): void {
    if (taken.recordType === EventType.BootstrapBegin) this.#rows.clear()
    if (taken.recordType === EventType.Account) this.#noteStop(accountEvent.of(taken))
    if (taken.recordType !== EventType.Provider) return
    const { account, sessions, status, u8, walletAt } = event.of(taken)
    this.#rows.set(account, {
      account,
      wallet: u8.slice(walletAt, walletAt + addressBytes),
      isActive: status === ProviderStatus.Active,
      isConnected: sessions > 0,
    })
  }

  /** Returns a provider; one whose wallet is stopped is not active. */
  find(account: number): PublishedProvider | null {
    const row = this.#rows.get(account) ?? null
    return row !== null && this.#stopped.has(account) ? { ...row, isActive: false } : row
  }

  #noteStop({ account, stopped }: AccountEvent): void {
    if (stopped === 1) this.#stopped.add(account)
    else this.#stopped.delete(account)
  }
}
