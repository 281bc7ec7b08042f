import { execFileSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Returns the kernel's id of the calling thread; 0 without /proc. */
export function threadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return 0
  }
}

/** Pins only the calling thread to a core with `taskset`. @throws if the system refuses. */
export function pinThread(core: number | undefined): void {
  if (core === undefined) return
  execFileSync('taskset', ['-cp', String(core), String(threadId())], { stdio: 'ignore' })
}

/**
 * Lowers the priority of the calling thread alone where cores are scarce. For work that nothing waits for, unless it
 * falls far behind.
 */
export function yieldToOthers(): void {
  const id = threadId()
  if (id === 0) return
  try {
    setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not permitted here: the thread keeps its priority.
  }
}
