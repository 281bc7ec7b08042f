import { readdirSync, readFileSync } from 'node:fs'

/** What the kernel tells of one process. */
export interface ProcessTimes {
  readonly id: number
  readonly parent: number
  readonly isKernel: boolean
  /** Processor time so far, in hundredths of a second. */
  readonly ticks: number
}

const ticksPerSecond = 100 // USER_HZ: fixed in the kernel's interface
const millisPerSecond = 1000
const kernelThreadFlag = 0x200000
// Places behind the command's name, which is in brackets and may hold anything.
const parentPlace = 1
const flagsPlace = 6
const userTicksPlace = 11
const systemTicksPlace = 12

/**
 * How busy strangers keep the machine while something is measured: processes that this one has not
 * started, itself or through others. Whether a figure is one of a quiet machine can then be decided
 * without looking at the figure. Kernel threads work for whoever asked them to, and do not count.
 */
export class ForeignLoad {
  #before: readonly ProcessTimes[] = []
  #beginMillis = 0

  begin(): void {
    this.#before = readProcesses()
    this.#beginMillis = performance.now()
  }

  /**
   * Cores that strangers kept busy since `begin`: 1 for one whole core. A process that was not there
   * at both ends is not seen; where there is no /proc, nobody is.
   */
  cores(): number {
    const seconds = (performance.now() - this.#beginMillis) / millisPerSecond
    const ticks = strangersTicks(this.#before, readProcesses(), process.pid)
    return ticks / ticksPerSecond / seconds
  }
}

/** Ticks that processes neither of the kernel nor descended from `root` took between two looks. */
export function strangersTicks(
  before: readonly ProcessTimes[],
  after: readonly ProcessTimes[],
  root: number,
): number {
  const parents = new Map(after.map(({ id, parent }) => [id, parent]))
  const ticksBefore = new Map(before.map(({ id, ticks }) => [id, ticks]))
  let sum = 0
  for (const { id, isKernel, ticks } of after) {
    const earlier = ticksBefore.get(id)
    if (earlier === undefined || isKernel || descends(id, root, parents)) continue
    sum += ticks - earlier
  }
  return sum
}

/** @param text content of /proc/ID/stat. */
export function parseProcess(text: string): ProcessTimes {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const number = (place: number) => Number(fields[place])
  return {
    id: Number.parseInt(text, 10),
    parent: number(parentPlace),
    isKernel: (number(flagsPlace) & kernelThreadFlag) !== 0,
    ticks: number(userTicksPlace) + number(systemTicksPlace),
  }
}

function descends(id: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  let ancestor: number | undefined = id
  while (ancestor !== undefined && ancestor !== 0 && ancestor !== root) {
    ancestor = parents.get(ancestor)
  }
  return ancestor === root
}

function readProcesses(): ProcessTimes[] {
  const found: ProcessTimes[] = []
  for (const name of processNames()) {
    try {
      found.push(parseProcess(readFileSync(`/proc/${name}/stat`, 'utf8')))
    } catch {
      // It has ended since the folder was listed.
    }
  }
  return found
}

function processNames(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}
