import { signConnectProvider } from '../gateway/client/quote-provider-client.js'
import type { SigningContext } from '../gateway/client/signed-actions.js'
import { StreamSocket, textFrame } from './stream-socket.js'

/**
 * Opens a session of a quote provider, for frames that are made before the run.
 * @param streamUrl of /ws. @param nonce never used by this wallet before.
 * @throws Error with the venue's answer when it refuses.
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
