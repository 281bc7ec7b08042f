import { readdirSync, readFileSync } from 'node:fs'

/** What a process may open, and has. */
export interface Descriptors {
  readonly limit: number
  readonly open: number
}

// For what is opened while the venue runs: segments, snapshots, history and its queries, the market maker, and
// connections to the operator port.
const reserve = 128
// What the start itself takes, when all threads load their modules at once, with some left for clients.
const limitMin = 256

/** Counts the descriptors of this process; null where the system does not tell. */
export function readDescriptors(): Descriptors | null {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1]
    if (soft === undefined) return null
    const limit = soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft)
    return { limit, open: readdirSync('/proc/self/fd').length }
  } catch {
    return null
  }
}

/** @throws Error where the limit of the process is too low to begin with. */
export function checkDescriptors(descriptors: Descriptors | null): void {
  if (descriptors === null || descriptors.limit >= limitMin) return
  const { limit } = descriptors
  throw new Error(`the limit of ${limit} open files is too low: at least ${limitMin} (ulimit -n)`)
}

/**
 * Most connections that clients may have, so that the venue never lacks a descriptor of its own.
 * @param wanted by configuration.
 */
export function connectionsMaxOf(wanted: number, descriptors: Descriptors | null): number {
  if (descriptors === null) return wanted
  return Math.max(1, Math.min(wanted, descriptors.limit - descriptors.open - reserve))
}
