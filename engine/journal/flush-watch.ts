import { readFileSync, statSync } from 'node:fs'

/** Kernel counters of one thread, the machine and one disk. Counters that the kernel does not provide are missing. */
export interface KernelCounts {
  /** Time for which the thread ran, and time for which it was ready but had no core. */
  readonly runMillis?: number
  readonly waitMillis?: number
  /** Time in which some task on the machine waited for a core, or for a disk. */
  readonly cpuPressureMillis?: number
  readonly ioPressureMillis?: number
  /** Requests that the disk completed, their total time, and the time for which the disk was busy. */
  readonly diskWrites?: number
  readonly diskWriteMillis?: number
  readonly diskFlushes?: number
  readonly diskFlushMillis?: number
  readonly diskBusyMillis?: number
}

/** A group of batches whose flush was slow, and the counters of that period. */
export interface SlowFlush {
  readonly writeMillis: number
  readonly flushMillis: number
  /** Time between the previous read of the counters and the end of the flush: the period of `counted`. */
  readonly sinceMillis: number
  readonly counted: KernelCounts
}

const everyMillisDefault = 1000

/**
 * Records slow flushes together with counters that show where the time went: a thread that waited for a core, a disk
 * that was busy with other work, or a slow disk. The counters are read occasionally between groups, and after a slow
 * flush. An ordinary batch pays for two clock reads only.
 */
export class FlushWatch {
  readonly #slowMillis: number
  readonly #read: () => KernelCounts
  readonly #clockMillis: () => number
  readonly #onSlow: (slow: SlowFlush) => void
  readonly #everyMillis: number
  #before: KernelCounts = {}
  #sampledMillis = Number.NEGATIVE_INFINITY

  /**
   * @param clockMillis a monotonic clock.
   * @param everyMillis minimum time between two samples; 0 to make the counters of a slow flush cover that flush alone.
   */
  constructor(
    slowMillis: number,
    read: () => KernelCounts,
    clockMillis: () => number,
    onSlow: (slow: SlowFlush) => void,
    everyMillis: number = everyMillisDefault,
  ) {
    this.#everyMillis = everyMillis
    this.#slowMillis = slowMillis
    this.#read = read
    this.#clockMillis = clockMillis
    this.#onSlow = onSlow
  }

  /** Reads the counters between two groups, if a sample is due. */
  sample(): void {
    const nowMillis = this.#clockMillis()
    if (nowMillis - this.#sampledMillis < this.#everyMillis) return
    this.#sampledMillis = nowMillis
    this.#before = this.#read()
  }

  /** Takes the times of a group that was written and flushed. */
  take(writeMillis: number, flushMillis: number): void {
    if (writeMillis + flushMillis < this.#slowMillis) return
    const nowMillis = this.#clockMillis()
    const sinceMillis = nowMillis - this.#sampledMillis
    const now = this.#read()
    const counted = increases(this.#before, now)
    this.#before = now
    this.#sampledMillis = nowMillis
    this.#onSlow({ writeMillis, flushMillis, sinceMillis, counted })
  }
}

function increases(before: KernelCounts, now: KernelCounts): KernelCounts {
  const rows = Object.entries(now).flatMap(([name, value]: [string, number]) => {
    const previous = before[name as keyof KernelCounts]
    return previous === undefined ? [] : [[name, Math.round((value - previous) * 10) / 10] as const]
  })
  return Object.fromEntries(rows)
}

/**
 * Returns a function that reads the counters of a thread and of the disk that holds a folder, where Linux provides
 * them.
 */
export function kernelCounts(threadId: number, folder: string): () => KernelCounts {
  const device = deviceOf(folder)
  return () => ({
    ...scheduled(textOf(`/proc/self/task/${threadId}/schedstat`)),
    ...pressure('cpuPressureMillis', textOf('/proc/pressure/cpu')),
    ...pressure('ioPressureMillis', textOf('/proc/pressure/io')),
    ...disk(textOf('/proc/diskstats'), device),
  })
}

function scheduled(text: string): KernelCounts {
  const [run, wait] = text.split(' ').map(Number)
  return Number.isFinite(run) && Number.isFinite(wait) && text !== ''
    ? { runMillis: run / 1e6, waitMillis: wait / 1e6 }
    : {}
}

function pressure(name: 'cpuPressureMillis' | 'ioPressureMillis', text: string): KernelCounts {
  const total = /^some .*total=(\d+)/m.exec(text)
  return total === null ? {} : { [name]: Number(total[1]) / 1000 }
}

/**
 * Fields of /proc/diskstats by the kernel's documentation: 8 and 11 are writes and their time, 13 time busy, 19 and 20
 * flushes.
 */
function disk(text: string, device: string): KernelCounts {
  const line = text.split('\n').find((each) => each.trim().startsWith(`${device} `))
  if (line === undefined) return {}
  const fields = line.trim().replace(/\s+/g, ' ').split(' ').map(Number)
  const [diskWrites, diskWriteMillis, diskBusyMillis] = [fields[7], fields[10], fields[12]]
  const counts = { diskWrites, diskWriteMillis, diskBusyMillis }
  if (fields.length < 20) return counts
  return { ...counts, diskFlushes: fields[18], diskFlushMillis: fields[19] }
}

/** Returns `major minor` of a folder's device, padded as in /proc/diskstats. */
function deviceOf(folder: string): string {
  try {
    const { dev } = statSync(folder)
    const major = ((dev >>> 8) & 0xfff) | 0
    const minor = (dev & 0xff) | ((dev >>> 12) & 0xfff00)
    return `${major} ${String(minor).padStart(7, ' ')}`
  } catch {
    return 'none'
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // not this kernel, or not for this process
  }
}
