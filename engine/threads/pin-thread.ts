import { execFileSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'

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
