import { signConnectProvider } from '../gateway/client/quote-provider-client.js'
import type { SigningContext } from '../gateway/client/signed-actions.js'
import { StreamSocket, textFrame } from './stream-socket.js'

/**
 * Opens a session of a quote provider, for pre-built frames.
 * @param streamUrl URL of /ws. @param nonce not yet used by this wallet.
 * @throws Error with the venue's answer if authentication fails.
 */
export async function openProvider(
  streamUrl: string,
  context: SigningContext,
  nonce: number,
): Promise<StreamSocket> {
  const socket = await StreamSocket.open(`${streamUrl}/quotes`)
  await new Promise<void>((resolve, reject) => {
    socket.onFailure = reject
    socket.onText = (payload) => {
      if (payload.includes('"authenticated"')) resolve()
      else reject(new Error(`a provider was refused: ${payload.toString()}`))
    }
    socket.send(textFrame(JSON.stringify(signConnectProvider({ context, nonce }))))
  })
  return socket
}
