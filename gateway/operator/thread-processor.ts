import { readFileSync } from 'node:fs'

const tasks = '/proc/self/task'

/**
 * Processor time of a thread of this process in seconds, as the kernel counts it, so that no thread has to measure itself;
 * null where the kernel does not say (none but Linux does), or the thread has no number yet.
 */
export function processorSeconds(threadId: number): number | null {
  if (threadId === 0) return null
  try {
    // Nanoseconds on a core, then those of waiting for one, and the number of turns.
    const [ran] = readFileSync(`${tasks}/${threadId}/schedstat`, 'utf8').split(' ')
    return Number(ran) / 1e9
  } catch {
    return null // the thread has ended, or there is no such file system
  }
}
