import { readFileSync } from 'node:fs'

const tasks = '/proc/self/task'

/**
 * Returns the processor time of a thread of this process in seconds, as the kernel counts it, so that no thread has to
 * measure itself. Null on systems other than Linux, or if the thread has no id yet.
 */
export function processorSeconds(threadId: number): number | null {
  if (threadId === 0) return null
  try {
    // Nanoseconds on a core, nanoseconds of waiting for one, number of time slices.
    const [ran] = readFileSync(`${tasks}/${threadId}/schedstat`, 'utf8').split(' ')
    return Number(ran) / 1e9
  } catch {
    return null // the thread has ended, or there is no such file system
  }
}
