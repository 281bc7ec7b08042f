import { ChangedBinaryError } from '../native/load-pinned.js'
import { holdNativePort, loadNative, NativeTransport } from './native-transport.js'
import { holdNodePort, NodeTransport, sharesPorts } from './node-transport.js'
import type { HeldPort, Transport, TransportHandlers } from './transport.js'
import type { TransportKind, TransportWish } from './transport-kinds.js'
import type { TransportOptions } from './transport-options.js'

/** Library that creates all servers of a process. */
export interface Transports {
  readonly kind: TransportKind
  /** Reason for the choice of this library. */
  readonly why: string
  /** Restrictions for clients or operators. */
  readonly limits: readonly string[]
  open(handlers: TransportHandlers, options?: TransportOptions): Transport
  /**
   * Reserves, once for all gateway threads, the port to share: the given one if it is free, or a free one for 0. No
   * other process gets it until it is released.
   * @throws Error (`EADDRINUSE` and others) if the port is not available.
   */
  holdPort(host: string, port: number): Promise<HeldPort>
}

const nativeLimits = [
  'HTTP/1.0, absolute request targets and trailers fail with 505',
  'chunk extensions fail or get no answer',
  'more than 99 headers fail with 431',
  'a client that ends its sending side before the answer gets none',
  'a client that pipelines before the answer is disconnected',
]

function overNode(why: string): Transports {
  const { platform, versions } = process
  const isSingle = !sharesPorts(versions.node, platform)
  const limits = isSingle ? ['a single gateway thread'] : []
  return {
    ...{ kind: 'node', why, limits },
    open: (handlers, options) => new NodeTransport(handlers, options),
    holdPort: holdNodePort,
  }
}

/**
 * @throws Error if the native library is required and does not load, or was modified.
 */
export async function loadTransports(wish: TransportWish): Promise<Transports> {
  if (wish === 'node') return overNode('as configured')
  try {
    const library = loadNative()
    return {
      kind: 'native',
      why: wish === 'native' ? 'as configured' : 'its binary loads on this machine',
      limits: nativeLimits,
      open: (handlers, options) => new NativeTransport(library, handlers, options),
      holdPort: (host, port) => holdNativePort(library, host, port),
    }
  } catch (error) {
    if (error instanceof ChangedBinaryError) throw error
    const why = `the native library has no binary that loads here: ${loadFault(error)}`
    if (wish === 'auto') return overNode(why)
    throw new Error(`transport is native; only node is possible: ${why}`, { cause: error })
  }
}

/** Returns the system's own message, which the library puts in the last line of its own. */
function loadFault(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/^Error: /, '')
}

/**
 * @throws Error if the threads cannot share a port.
 */
export function checkTransport({ kind }: Transports, gateways: number): void {
  const { platform, versions } = process
  if (kind === 'native' || gateways === 1 || sharesPorts(versions.node, platform)) return
  throw new Error(
    `transport node: gateways is ${gateways}; only 1 is allowed on ${platform} with Node ${versions.node}, ` +
      'where threads cannot share a port; Node 22.12 and 23.1 or later can',
  )
}
