import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Cores to which threads can be pinned. */
export interface Machine {
  /** Cores that this process may run on. */
  readonly cores: readonly number[]
  /** Isolated cores, on which the kernel schedules no other threads. */
  readonly isolated: readonly number[]
  /** Logical cores of the same physical core, by logical core; each includes itself. */
  readonly siblings: ReadonlyMap<number, readonly number[]>
}

const cpuFolder = '/sys/devices/system/cpu'

/** Reads the cores of this machine. */
export function readMachine(): Machine {
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(fileText('/proc/self/status') ?? '')?.[1]
  const cores = allowed === undefined ? cpus().map((_, core) => core) : coresOf(allowed)
  const isolated = coresOf(fileText(`${cpuFolder}/isolated`) ?? '')
  const all = [...new Set([...cores, ...isolated])].sort((one, other) => one - other)
  const siblings = all.map((core) => {
    const list = fileText(`${cpuFolder}/cpu${core}/topology/thread_siblings_list`)
    return [core, list === null ? [core] : coresOf(list)] as const
  })
  return { cores: all, isolated, siblings: new Map(siblings) }
}

/** Parses a list of cores in the form of the kernel: `0-3,8`. */
export function coresOf(list: string): readonly number[] {
  return list
    .trim()
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first, last = first] = part.split('-').map(Number) as [number, number?]
      return Array.from({ length: last! - first + 1 }, (_, i) => first + i)
    })
}

/** Returns the frequency governor of a core; null: none. */
export function governorOf(core: number): string | null {
  return fileText(`${cpuFolder}/cpu${core}/cpufreq/scaling_governor`)
}

/** Returns the trimmed text of a file; null if it cannot be read. */
export function fileText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}
