import { ChangedBinaryError } from '../native/load-pinned.js'
import { holdNativePort, loadNative, NativeTransport } from './native-transport.js'
import { holdNodePort, NodeTransport, sharesPorts } from './node-transport.js'
import type { HeldPort, Transport, TransportHandlers } from './transport.js'
import type { TransportKind, TransportWish } from './transport-kinds.js'
import type { TransportOptions } from './transport-options.js'

/** The library that all servers of a process are made with. */
export interface Transports {
  readonly kind: TransportKind
  open(handlers: TransportHandlers, options?: TransportOptions): Transport
  /**
   * Finds out, once for all gateway threads, which port to share: the given one when nobody has it, or a free one for 0,
   * which nobody else gets until it is released.
   * @throws Error (`EADDRINUSE` and others) when the port cannot be had.
   */
  holdPort(host: string, port: number): Promise<HeldPort>
}

const overNode: Transports = {
  kind: 'node',
  open: (handlers, options) => new NodeTransport(handlers, options),
  holdPort: holdNodePort,
}

/** @throws Error when the native library is wished for and does not load, or was changed. */
export async function loadTransports(wish: TransportWish): Promise<Transports> {
  if (wish === 'node') return overNode
  try {
    const library = await loadNative()
    return {
      kind: 'native',
      open: (handlers, options) => new NativeTransport(library, handlers, options),
      holdPort: (host, port) => holdNativePort(library, host, port),
    }
  } catch (error) {
    if (error instanceof ChangedBinaryError) throw error
    if (wish === 'auto') return overNode
    const where = `${process.platform} ${process.arch}, Node ${process.versions.node}`
    throw new Error(`transport native: no binary that loads on ${where}`, { cause: error })
  }
}

/** @throws Error when the threads cannot share a port. */
export function checkTransport({ kind }: Transports, gateways: number): void {
  if (kind === 'native' || gateways === 1 || sharesPorts(process.versions.node)) return
  throw new Error(
    `transport node: gateways must be 1, since Node ${process.versions.node} lets no threads share a port; ` +
      'from 22.12 and 23.1 on it does',
  )
}
