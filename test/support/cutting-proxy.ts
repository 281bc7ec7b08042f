import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Forwards connections to a port, and cuts each after a given number of bytes from the server. */
export class CuttingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  cuts = 0

  /** @param nextBytes returns the number of bytes after which the next connection is cut; Infinity for never */
  static async start(port: number, nextBytes: () => number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(port, nextBytes)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  private constructor(port: number, nextBytes: () => number) {
    this.#server = createServer((client) => {
      const server = connect(port, '127.0.0.1')
      let bytesLeft = nextBytes()
      const cut = () => {
        client.destroy()
        server.destroy()
      }
      for (const socket of [client, server]) {
        this.#sockets.add(socket)
        socket.on('error', cut)
        socket.on('close', () => {
          cut()
          this.#sockets.delete(socket)
        })
      }
      client.on('data', (bytes) => server.write(bytes))
      server.on('data', (bytes) => {
        if (bytes.length < bytesLeft) {
          bytesLeft -= bytes.length
          client.write(bytes)
          return
        }
        this.cuts++
        // The bytes for the client end in the middle of a message.
        client.end(bytes.subarray(0, bytesLeft))
        server.destroy()
        bytesLeft = 0
      })
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
