import { readdirSync, readFileSync } from 'node:fs'

/** Limit and number of a process's open descriptors. */
export interface Descriptors {
  readonly limit: number
  readonly open: number
}

// Descriptors that the running venue opens: segments, snapshots, history and its queries, the market maker, and
// connections to the operator port.
const reserve = 128
// Descriptors that the start takes when all threads load their modules, with some left for clients.
const limitMin = 256

/** Counts the descriptors of this process; null if the system does not report them. */
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

/** Checks the limit of the process. @throws Error if it is too low for a start. */
export function checkDescriptors(descriptors: Descriptors | null): void {
  if (descriptors === null || descriptors.limit >= limitMin) return
  const { limit } = descriptors
  throw new Error(`the limit of ${limit} open files is too low: at least ${limitMin} (ulimit -n)`)
}

/**
 * Returns the maximum number of client connections that leaves enough descriptors for the venue.
 * @param wanted configured maximum.
 */
export function connectionsMaxOf(wanted: number, descriptors: Descriptors | null): number {
  if (descriptors === null) return wanted
  return Math.max(1, Math.min(wanted, descriptors.limit - descriptors.open - reserve))
}
