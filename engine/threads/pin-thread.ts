import { execFileSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Kernel id of the calling thread; 0 where /proc does not tell. */
export function threadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return 0
  }
}

/** Pins the calling thread alone to a core, by `taskset`; throws when the system refuses. */
export function pinThread(core: number | undefined): void {
  if (core === undefined) return
  execFileSync('taskset', ['-cp', String(core), String(threadId())], { stdio: 'ignore' })
}

/**
 * Lets the calling thread alone wait for the others where cores are short: it is for work that
 * nobody waits for, unless it falls far behind.
 */
export function yieldToOthers(): void {
  const id = threadId()
  if (id === 0) return
  try {
    setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not allowed here: it keeps its turn, and nothing else changes.
  }
}
