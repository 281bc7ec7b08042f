import { App, type TemplatedApp, us_socket_local_port } from 'uWebSockets.js'

const everybody = 'everybody'

/**
 * The library that the venue's transport stands on, with nothing of the venue: what its figures are
 * measured against. It sends every frame back as it came, and can publish to all its clients.
 */
export class BareServer {
  readonly #app: TemplatedApp

  /** @param beforeEcho runs before each frame is sent back. */
  constructor(beforeEcho: () => void = () => {}) {
    this.#app = App().ws('/*', {
      sendPingsAutomatically: false,
      open: (socket) => {
        socket.subscribe(everybody)
      },
      message: (socket, message, isBinary) => {
        beforeEcho()
        socket.send(message, isBinary)
      },
    })
  }

  /** Listens on a free port of the loopback. @returns the port. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#app.listen('127.0.0.1', 0, (listening) => {
        if (listening) resolve(us_socket_local_port(listening))
        else reject(new Error('bare server: no port'))
      })
    })
  }

  /** Sends a text to every client; it leaves by the end of the turn. */
  publish(text: Uint8Array): void {
    this.#app.publish(everybody, text, false)
  }

  close(): void {
    this.#app.close()
  }
}
