import type { SigningContext } from '../gateway/client/signed-actions.js'
import type { MarketOperator } from './market-operator.js'
import { openProvider } from './provider-socket.js'
import type { StreamSocket } from './stream-socket.js'

/** A provider that can bear what it quotes, connected. */
export interface FirmProvider {
  readonly context: SigningContext
  readonly socket: StreamSocket
}

const connectNonce = 1
/** Provider wallets have signed nothing but their handshakes before. */
export const firmNonceFirst = 2

/** New providers with money, each with a session. @param streamUrl of /ws. */
export async function openFirmProviders(
  operator: MarketOperator,
  streamUrl: string,
  count: number,
): Promise<readonly FirmProvider[]> {
  const providers: FirmProvider[] = []
  for (let i = 0; i < count; i++) {
    const context = await operator.fundWallet()
    await operator.registerProvider(context.wallet)
    const socket = await openProvider(streamUrl, context, connectNonce)
    providers.push({ context, socket })
  }
  return providers
}
