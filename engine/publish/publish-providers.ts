import { ProviderEvent } from '../../schemas/generated/events.js'
import { ProviderChange } from '../../schemas/record-values.js'
import type { Accounts } from '../state/accounts/accounts.js'
import type { EventSink } from '../state/event-sink.js'
import type { Provider, ProviderSession, ProviderTable } from '../state/rfq/provider-table.js'

interface PublishProvidersState {
  readonly sink: EventSink
  readonly accounts: Accounts
  readonly providers: ProviderTable
}

const event = new ProviderEvent()
const noSession = { gateway: -1, session: -1 }

/** Publishes a provider after a change. @param session that was opened or has ended. */
export function publishProvider(
  state: PublishProvidersState,
  provider: Provider,
  change: ProviderChange,
  { gateway, session }: Pick<ProviderSession, 'gateway' | 'session'> = noSession,
): void {
  if (!event.claim(state.sink)) return
  event.account = provider.account
  event.change = change
  event.status = provider.status
  event.sessions = provider.sessions.length
  event.gateway = gateway
  event.session = session
  state.accounts.addresses.write(provider.account, event.u8, event.walletAt)
}

/** Publishes all providers, for readers without state. */
export function republishProviders(state: PublishProvidersState): void {
  for (const row of state.providers.rows) publishProvider(state, row, ProviderChange.Bootstrap)
}
