import { spawn } from 'node:child_process'
import type { Server } from 'node:net'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

// Node before 22.12 cannot set SO_REUSEPORT, and a listening socket belongs to one thread. So each thread gets a
// duplicate of one listening socket. Only messages between processes duplicate a socket: a short-lived child process
// inherits it and sends it back. The kernel gives each new connection to one of the threads that accept.

/** Listening sockets of this thread, by port. */
const own = new Map<number, number>()
const offerKey = (port: number) => `strikebook.listener.${port}`
const childCode = `const server = require('node:net').createServer()
server.listen({ fd: 4 }, () => process.send('listener', server, () => process.exit()))`

/** True if threads of this process can share a listening socket by its descriptor. */
export const hasDescriptors = process.platform !== 'win32'

/** Offers a listening socket to threads that start later, until it is withdrawn. */
export function offerListener(server: Server, port: number): void {
  setEnvironmentData(offerKey(port), descriptorOf(server))
}

export function withdrawListener(port: number): void {
  setEnvironmentData(offerKey(port), undefined)
}

/** Records that a server of this thread listens on a port, so that its successor can take the port over. */
export function keepListener(server: Server, port: number): void {
  const descriptor = descriptorOf(server)
  own.set(port, descriptor)
  server.once('close', () => {
    if (own.get(port) === descriptor) own.delete(port)
  })
}

/**
 * Returns a duplicate of the listening socket of a port: this thread's own, or the one offered.
 * @returns Null if there is none.
 * @throws Error if the child process fails.
 */
export function duplicateListener(port: number): Promise<Server> | null {
  const descriptor = own.get(port) ?? getEnvironmentData(offerKey(port))
  return typeof descriptor === 'number' ? duplicateOf(descriptor) : null
}

function duplicateOf(descriptor: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', childCode], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', descriptor],
      env: {},
    })
    child.once('message', (_, handle) => resolve(handle as Server))
    child.once('error', reject)
    child.once('exit', (code) => {
      reject(
        new Error(`the child process that duplicates the port's socket ended with code ${code}`),
      )
    })
  })
}

/** Node documents no way to read the descriptor of a server. */
function descriptorOf(server: Server): number {
  const { _handle } = server as Server & { readonly _handle?: { readonly fd?: number } }
  return _handle?.fd ?? -1
}
