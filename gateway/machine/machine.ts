import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** What there is to be pinned to. */
export interface Machine {
  /** Cores that this process may run on. */
  readonly cores: readonly number[]
  /** Cores that the kernel gives to nobody by itself. */
  readonly isolated: readonly number[]
  /** By core: those that are threads of the same one, itself among them. */
  readonly siblings: ReadonlyMap<number, readonly number[]>
}

const cpuFolder = '/sys/devices/system/cpu'

/** Looks at this machine. */
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

/** Cores of a list as the kernel writes it: `0-3,8`. */
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

/** By what the kernel chooses how fast a core is; null where it does not. */
export function governorOf(core: number): string | null {
  return fileText(`${cpuFolder}/cpu${core}/cpufreq/scaling_governor`)
}

/** Text of a file of the system; null where it does not tell. */
export function fileText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}
