import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface VenueProcessOptions {
  /** Added to the command line; the last of two flags of one name counts. */
  readonly arguments?: readonly string[]
  /** Of another build; without, this one's. */
  readonly program?: string
  /** Added to the environment. */
  readonly environment?: Readonly<Record<string, string>>
  /** Data of somebody else, which stays; without it a temporary folder that `dispose` removes. */
  readonly dataDir?: string
  /** Where the temporary folder is made; default the system's own place. */
  readonly directory?: string | undefined
  /** Operator token, for presets that make none of their own. */
  readonly token?: string
  /** Limit of open files, of the shell that starts it. */
  readonly openFilesMax?: number
}

const mainFile = join(import.meta.dirname, '../gateway/main.js')
// Ports chosen by the system; nobody but the caller moves the market. How many threads there are, and how
// they wait, stays with the environment: a suite can be run in every layout.
const baseArguments = ['--port=0', '--operator-port=0', '--feed=none', '--maker=off']
/** On a machine that has much else to do a start takes many times its second. */
const startMillisMax = 180_000
const logCharsShown = 4000
const removalsMax = 5

/** The venue as a process of its own, for benchmarks and tests; started again it finds its data. */
export class VenueProcess {
  readonly dataDir: string
  readonly #options: VenueProcessOptions
  #child: ChildProcess | null = null
  #exited: Promise<number | null> = Promise.resolve(null)
  #isEnding = false
  /** Public address, without a path; another one after each start, like the two below. */
  url = ''
  operatorUrl = ''
  token = ''

  constructor(options: VenueProcessOptions = {}) {
    this.#options = options
    this.dataDir =
      options.dataDir ?? mkdtempSync(join(options.directory ?? tmpdir(), 'strikebook-'))
  }

  get streamUrl(): string {
    return `${this.url.replace('http', 'ws')}/ws`
  }

  /** Kernel's id of the process that runs. */
  get pid(): number {
    return this.#child!.pid!
  }

  /**
   * Starts the process and waits for its ready line.
   * @throws Error with the exit code and the end of the log when it ends before.
   */
  async start(): Promise<void> {
    const { arguments: added = [], environment = {}, token, openFilesMax } = this.#options
    const { program = mainFile } = this.#options
    const flags = [...baseArguments, `--data-dir=${this.dataDir}`, ...added]
    if (token !== undefined) flags.push(`--operator-token=${token}`)
    const log = openSync(this.#logFile, 'a')
    const options: SpawnOptions = {
      stdio: ['ignore', 'pipe', log],
      env: { ...process.env, ...environment },
    }
    const limited = ['-c', `ulimit -n ${openFilesMax} && exec "$0" "$@"`, process.execPath]
    const child =
      openFilesMax === undefined
        ? spawn(process.execPath, [program, ...flags], options)
        : spawn('/bin/sh', [...limited, program, ...flags], options)
    closeSync(log)
    const kill = () => child.kill('SIGKILL')
    // A caller that ends without a word leaves no process behind.
    process.once('exit', kill)
    this.#child = child
    this.#isEnding = false
    this.#exited = once(child, 'exit').then(([code]) => {
      process.removeListener('exit', kill)
      return code as number | null
    })
    const urls = await readyUrls(child)
    if (urls === null) {
      throw new Error(`the venue ended with code ${await this.#exited} ${this.#lastWords()}`)
    }
    this.url = urls[0]
    this.operatorUrl = urls[1]
    this.token = token ?? readFileSync(join(this.dataDir, 'operator.token'), 'utf8').trim()
  }

  /** Keeps the calling process from ending no more: the venue ends with it. */
  letGo(): void {
    this.#child!.unref()
    ;(this.#child!.stdout as Socket).unref()
  }

  /** Sends a signal and waits for the end. @returns the exit code, null after a fatal signal. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    this.#isEnding = true
    // Let go or not: who waits for the end is not to end before.
    this.#child?.ref()
    if (this.#isRunning) this.#child!.kill(signal)
    return this.#exited
  }

  /** The exit code, once it has ended, if by itself; null after a fatal signal. */
  get exited(): Promise<number | null> {
    return this.#exited
  }

  /** Ends the process and removes its temporary data; one that ended by itself leaves its last words. */
  async dispose(): Promise<void> {
    const hasFailed = this.#child !== null && !this.#isRunning && !this.#isEnding
    if (hasFailed) process.stderr.write(`${this.#lastWords()}\n`)
    await this.end('SIGKILL')
    if (this.#options.dataDir === undefined) {
      removeData(this.dataDir)
    }
  }

  /** What the process has logged. */
  log(): string {
    return readFileSync(this.#logFile, 'utf8')
  }

  get #logFile(): string {
    return join(this.dataDir, 'venue.log')
  }

  get #isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  #lastWords(): string {
    return this.log().slice(-logCharsShown)
  }
}

/** Starts a venue, and ends it when the work is done or has failed. */
export async function withVenue<T>(
  options: VenueProcessOptions,
  work: (venue: VenueProcess) => Promise<T>,
): Promise<T> {
  const venue = new VenueProcess(options)
  try {
    await venue.start()
    return await work(venue)
  } finally {
    await venue.dispose()
  }
}

/**
 * Removes a data folder. What a killed process, or one that it had started, was about to create may still appear, and a
 * folder is listed only once: it is removed anew then.
 */
export function removeData(folder: string): void {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      return
    } catch (error) {
      if (tries === removalsMax || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY')
        throw error
    }
  }
}

/** Public and operator address from the ready line; null when standard output ends before. */
async function readyUrls(child: ChildProcess): Promise<[string, string] | null> {
  const timer = setTimeout(() => child.kill('SIGKILL'), startMillisMax)
  try {
    for await (const line of createInterface({ input: child.stdout! })) {
      const match = /^ready (\S+) (\S+)$/.exec(line)
      if (match === null) continue
      child.stdout!.resume()
      return [match[1]!, match[2]!]
    }
    return null
  } finally {
    clearTimeout(timer)
  }
}
