import type { StreamSocket, Transport } from '../gateway/transport/transport.js'
import { loadTransports } from '../gateway/transport/transports.js'

const path = '/ws'

/**
 * The venue's transport with nothing else of the venue, as the reference of its figures. It returns every frame to its
 * sender, and can publish to all its clients.
 */
export class BareServer {
  readonly #transport: Transport
  readonly #sockets: Set<StreamSocket>

  private constructor(transport: Transport, sockets: Set<StreamSocket>) {
    this.#transport = transport
    this.#sockets = sockets
  }

  /** @param beforeEcho runs before each frame is sent back. */
  static async open(beforeEcho: () => void = () => {}): Promise<BareServer> {
    const sockets = new Set<StreamSocket>()
    const transport = (await loadTransports('auto')).open({
      onCall: (call) => call.answer(404, '', []),
      refuseCall: () => null,
      onCallEnd: () => {},
      refuseStream: () => null,
      onStream: (socket) => {
        sockets.add(socket)
        return {
          onMessage: (data) => {
            beforeEcho()
            socket.send(data)
          },
          onPong: () => {},
          onDrain: () => {},
          onClose: () => sockets.delete(socket),
        }
      },
    })
    return new BareServer(transport, sockets)
  }

  /** Listens on a free port of the loopback. @returns the stream's URL. */
  async listen(): Promise<string> {
    return `ws://127.0.0.1:${await this.#transport.listen('127.0.0.1', 0)}${path}`
  }

  /** Sends a text to every client. */
  publish(text: Uint8Array): void {
    for (const socket of this.#sockets) socket.send(text)
  }

  close(): void {
    this.#transport.close()
  }
}
