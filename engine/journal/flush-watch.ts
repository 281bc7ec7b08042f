import { readFileSync, statSync } from 'node:fs'

/** What the kernel has counted, of one thread, of the machine and of one disk; what it does not tell is missing. */
export interface KernelCounts {
  /** The thread: on a core, and ready for one that others had. */
  readonly runMillis?: number
  readonly waitMillis?: number
  /** Somebody on the machine waited, for a core or for a disk. */
  readonly cpuPressureMillis?: number
  readonly ioPressureMillis?: number
  /** The disk: requests done, the time that they took, all together, and that it was busy. */
  readonly diskWrites?: number
  readonly diskWriteMillis?: number
  readonly diskFlushes?: number
  readonly diskFlushMillis?: number
  readonly diskBusyMillis?: number
}

/** A group of batches that took long to be durable, and what else went on since the sample before. */
export interface SlowFlush {
  readonly writeMillis: number
  readonly flushMillis: number
  /** How long before its end the counters were read last: what they rose by is of this time. */
  readonly sinceMillis: number
  readonly counted: KernelCounts
}

const everyMillisDefault = 1000

/**
 * Notes flushes that took long, with what says where the time went: a thread that waited for a core, a disk that was
 * busy with others, or one that was slow by itself. The counters are read now and then between groups, and behind a
 * slow one: the way of a batch pays for two clocks only.
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
   * @param everyMillis least time between two samples; 0: what a flush is told with is of that flush alone.
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

  /** Between two groups. */
  sample(): void {
    const nowMillis = this.#clockMillis()
    if (nowMillis - this.#sampledMillis < this.#everyMillis) return
    this.#sampledMillis = nowMillis
    this.#before = this.#read()
  }

  /** A group was written and flushed. */
  take(writeMillis: number, flushMillis: number): void {
    if (writeMillis + flushMillis < this.#slowMillis) return
    const nowMillis = this.#clockMillis()
    const sinceMillis = nowMillis - this.#sampledMillis
    const now = this.#read()
    const counted = risen(this.#before, now)
    this.#before = now
    this.#sampledMillis = nowMillis
    this.#onSlow({ writeMillis, flushMillis, sinceMillis, counted })
  }
}

function risen(before: KernelCounts, now: KernelCounts): KernelCounts {
  const rows = Object.entries(now).flatMap(([name, value]: [string, number]) => {
    const was = before[name as keyof KernelCounts]
    return was === undefined ? [] : [[name, Math.round((value - was) * 10) / 10] as const]
  })
  return Object.fromEntries(rows)
}

/** Reads the counters of a thread and of the disk below a folder, where the kernel is Linux and lets it. */
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

/** By the kernel's documentation of the file: 8 and 11 are writes and their time, 13 time busy, 19 and 20 flushes. */
function disk(text: string, device: string): KernelCounts {
  const line = text.split('\n').find((each) => each.trim().startsWith(`${device} `))
  if (line === undefined) return {}
  const fields = line.trim().replace(/\s+/g, ' ').split(' ').map(Number)
  const [diskWrites, diskWriteMillis, diskBusyMillis] = [fields[7], fields[10], fields[12]]
  const counts = { diskWrites, diskWriteMillis, diskBusyMillis }
  if (fields.length < 20) return counts
  return { ...counts, diskFlushes: fields[18], diskFlushMillis: fields[19] }
}

/** `major minor` as /proc/diskstats pads them. */
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
