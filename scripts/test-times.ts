import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isMainThread } from 'node:worker_threads'

// Cost of each test file: `npm test -- --times`. A process records the CPU time of itself, its threads and the processes
// that it started, because most of these files do their work in other processes.

const timesFile = 'times.jsonl'
/** Unit of CPU times in /proc (USER_HZ), which is fixed on Linux. */
const ticksPerSecond = 100

interface Timing {
  readonly wallMillis: number
  readonly cpuSeconds: number
}

interface FileTimes {
  readonly name: string
  readonly wallSeconds: number
  readonly cpuSeconds: number
}

export function beginTiming(): Timing {
  return { wallMillis: performance.now(), cpuSeconds: cpuSecondsUsed() }
}

/** Records the times of a file. Call it at the end of the file. */
export function noteTimes(folder: string, name: string, begun: Timing): void {
  const now = beginTiming()
  const times: FileTimes = {
    name,
    wallSeconds: (now.wallMillis - begun.wallMillis) / 1000,
    cpuSeconds: now.cpuSeconds - begun.cpuSeconds,
  }
  appendFileSync(join(folder, timesFile), `${JSON.stringify(times)}\n`)
}

/** Writes a module for a process that runs one file alone. It records the time of the process when it exits. */
export function timesHook(folder: string, root: string): string {
  const file = join(folder, 'times.mjs')
  const [ours, notes, tests] = [import.meta.url, folder, root].map((text) => JSON.stringify(text))
  writeFileSync(file, `import { noteAtEnd } from ${ours}\nnoteAtEnd(${notes}, ${tests})\n`)
  return file
}

export function noteAtEnd(folder: string, root: string): void {
  const file = process.argv[1] ?? ''
  if (!isMainThread || !file.startsWith(root)) return
  const begun = { wallMillis: 0, cpuSeconds: 0 }
  process.once('exit', () => noteTimes(folder, relative(root, file), begun))
}

/** Returns a table of the recorded times, the most expensive file first. */
export function timesText(folder: string): string {
  const rows: FileTimes[] = readFileSync(join(folder, timesFile), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  rows.sort((a, b) => b.cpuSeconds - a.cpuSeconds)
  const total = rows.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  const lines = rows.map(({ name, cpuSeconds, wallSeconds }) => row(cpuSeconds, wallSeconds, name))
  return `\n   CPU s   wall s\n${[...lines, row(total, 0, 'all')].join('\n')}\n`
}

function row(cpuSeconds: number, wallSeconds: number, name: string): string {
  return `${cpuSeconds.toFixed(2).padStart(8)} ${wallSeconds.toFixed(2).padStart(8)}  ${name}`
}

interface RunningProcess {
  readonly parent: string
  /** CPU time of the process and of its children that have been waited for. */
  readonly ticks: number
}

/** Returns the CPU time of this process and all its descendants, finished or running; 0 if there is no /proc. */
function cpuSecondsUsed(): number {
  const running = new Map<string, RunningProcess>()
  for (const pid of existsSync('/proc/self/stat') ? readdirSync('/proc') : []) {
    const found = /^\d+$/.test(pid) ? runningProcess(pid) : null
    if (found !== null) running.set(pid, found)
  }
  let ticks = 0
  for (const [pid, found] of running) if (isBelow(pid, running)) ticks += found.ticks
  return ticks / ticksPerSecond
}

/** @returns null if the process has ended. */
function runningProcess(pid: string): RunningProcess | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: fields[1]!, ticks }
  } catch {
    return null
  }
}

function isBelow(pid: string, running: ReadonlyMap<string, RunningProcess>): boolean {
  for (let at: string | undefined = pid; at !== undefined; at = running.get(at)?.parent) {
    if (at === String(process.pid)) return true
  }
  return false
}
