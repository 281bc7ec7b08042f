import { createServer } from 'node:net'

/**
 * Returns the given port if it is free, or a free one for 0. Does not reserve it.
 * @throws Error (`EADDRINUSE` and others) if the port is not available.
 */
export function findPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const reserved = typeof address === 'object' && address !== null ? address.port : port
      server.close(() => resolve(reserved))
    })
  })
}
