import { readdirSync, readFileSync } from 'node:fs'

/** Kernel's facts about one process. */
export interface ProcessTimes {
  readonly id: number
  readonly parent: number
  readonly isKernel: boolean
  /** Processor time so far in hundredths of a second. */
  readonly ticks: number
}

const ticksPerSecond = 100 // USER_HZ: fixed in the kernel's interface
const millisPerSecond = 1000
const kernelThreadFlag = 0x200000
// Field indexes after the command name, which is in parentheses and may contain any character.
const parentPlace = 1
const flagsPlace = 6
const userTicksPlace = 11
const systemTicksPlace = 12

/**
 * Measures the load of foreign processes: all that are not descendants of this one. So a figure can be discarded as taken
 * on a busy machine, whatever its value. Kernel threads do not count, because they work for any process.
 */
export class ForeignLoad {
  #before: readonly ProcessTimes[] = []
  #beginMillis = 0

  begin(): void {
    this.#before = readProcesses()
    this.#beginMillis = performance.now()
  }

  /**
   * Returns the cores that foreign processes kept busy since `begin`: 1 is one whole core. Processes that did not exist at
   * both ends are not counted. Without /proc the result is 0.
   */
  cores(): number {
    const seconds = (performance.now() - this.#beginMillis) / millisPerSecond
    const ticks = foreignTicks(this.#before, readProcesses(), process.pid)
    return ticks / ticksPerSecond / seconds
  }
}

/** Returns the ticks that foreign processes used between two readings: neither kernel threads nor descendants of `root`. */
export function foreignTicks(
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
