import { readFile } from 'node:fs/promises'
import type { SocketCounts } from './socket-counts.js'

export interface SocketCensusOptions {
  readonly counts: SocketCounts
  /** Port that clients connect to. */
  readonly port: number
  /** Text of the kernel's tables; rejects where it has none. */
  readonly tables?: () => Promise<readonly string[]>
}

const lookMillis = 100
const soonMillis = 1000
const listeningState = '0A'
const tablePaths = ['/proc/net/tcp', '/proc/net/tcp6']

/**
 * Reads the connected addresses from the kernel's tables, because counts per address may become too high. Without such
 * tables the counts only rise, so they are not used there.
 */
export class SocketCensus {
  readonly #options: SocketCensusOptions
  #isBusy = false
  #doneMillis = Number.NEGATIVE_INFINITY

  constructor(options: SocketCensusOptions) {
    this.#options = options
  }

  /** Starts if the kernel has such tables. */
  async start(): Promise<void> {
    const { counts, tables = readTables } = this.#options
    try {
      await tables()
    } catch {
      return
    }
    counts.trackAddresses()
    setInterval(() => void this.look(), lookMillis).unref()
  }

  /** Corrects the counts when a correction is due. */
  async look(): Promise<void> {
    const { counts, port, tables = readTables } = this.#options
    const need = counts.needsCensus()
    const isDue = need === 'now' || performance.now() - this.#doneMillis >= soonMillis
    if (this.#isBusy || need === null || !isDue) return
    this.#isBusy = true
    try {
      const begun = counts.begun()
      const texts = await tables()
      counts.correct(
        begun,
        texts.flatMap((text) => peersOf(text, port)),
      )
    } catch {
      // The table could not be read: the counts stay, and are at worst too high.
    }
    this.#doneMillis = performance.now()
    this.#isBusy = false
  }
}

/**
 * Returns the remote addresses of a port's connections, 4 or 16 bytes each, from the text of /proc/net/tcp or tcp6.
 * Counts only connections with a descriptor.
 */
export function peersOf(table: string, port: number): Uint8Array[] {
  const portText = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const peers: Uint8Array[] = []
  for (const line of table.split('\n')) {
    if (!line.includes(portText)) continue
    const [, local, remote, state, , , , , , inode] = line.trim().split(/\s+/)
    const isOurs = local?.endsWith(portText) === true && state !== listeningState
    if (isOurs && remote !== undefined && inode !== '0') peers.push(addressOf(remote))
  }
  return peers
}

/** The kernel writes an address as numbers of 32 bits in its own order of bytes. */
function addressOf(text: string): Uint8Array {
  const bytes = Buffer.from(text.slice(0, text.indexOf(':')), 'hex')
  return isLittleEndian ? bytes.swap32() : bytes
}

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

function readTables(): Promise<readonly string[]> {
  return Promise.all(
    tablePaths.map((path, index) => {
      const text = readFile(path, 'latin1')
      return index === 0 ? text : text.catch(() => '') // a kernel without IPv6
    }),
  )
}
