import { createServer } from 'node:net'

/**
 * The given port when nobody has it, or a free one for 0; nobody holds it afterwards.
 * @throws Error (`EADDRINUSE` and others) when the port cannot be had.
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
