import type { SigningContext } from '../gateway/client/signed-actions.js'
import type { MarketOperator } from './market-operator.js'
import { openProvider } from './provider-socket.js'
import type { StreamSocket } from './stream-socket.js'

/** Connected provider with enough funds for its quotes. */
export interface FirmProvider {
  readonly context: SigningContext
  readonly socket: StreamSocket
}

const connectNonce = 1
/** First nonce for quotes: provider wallets have signed only their handshakes before. */
export const firmNonceFirst = 2

/** Creates funded providers and opens a session for each. @param streamUrl URL of /ws. */
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
