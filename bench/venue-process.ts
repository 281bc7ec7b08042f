import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface VenueProcessOptions {
  /** Additional command-line flags. The last of two equal flags wins. */
  readonly arguments?: readonly string[]
  /** Main file of another build; undefined: this build. */
  readonly program?: string
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>
  /** Existing data folder, which is kept; undefined: a temporary folder that `dispose` removes. */
  readonly dataDir?: string
  /** Parent of the temporary folder; default the system's temporary folder. */
  readonly directory?: string | undefined
  /** Operator token, for presets that do not create one. */
  readonly token?: string
  /** Limit of open files, set by a shell that starts the process. */
  readonly openFilesMax?: number
}

const mainFile = join(import.meta.dirname, '../gateway/main.js')
// The system chooses the ports, and only the caller moves the market. Environment variables set the number of threads and
// the idle strategy, so that a suite can run in every layout.
const baseArguments = ['--port=0', '--operator-port=0', '--feed=none', '--maker=off']
/** Longest start. It normally takes a second, but many times longer on a busy machine. */
const startMillisMax = 180_000
const logCharsShown = 4000
const removalsMax = 5

/** Venue in its own process, for benchmarks and tests. A restart finds its data. */
export class VenueProcess {
  readonly dataDir: string
  readonly #options: VenueProcessOptions
  #child: ChildProcess | null = null
  #exited: Promise<number | null> = Promise.resolve(null)
  #isEnding = false
  /** Public URL without a path. It changes with each start, like the two below. */
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

  /** Id of the running process. */
  get pid(): number {
    return this.#child!.pid!
  }

  /**
   * Starts the process and waits for its ready line.
   * @throws Error with the exit code and the end of the log if it exits before.
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
    // Kills the venue if the caller exits without `end`.
    process.once('exit', kill)
    this.#child = child
    this.#isEnding = false
    this.#exited = once(child, 'exit').then(([code]) => {
      process.removeListener('exit', kill)
      return code as number | null
    })
    const urls = await readyUrls(child)
    if (urls === null) {
      throw new Error(`the venue ended with code ${await this.#exited} ${this.#logEnd()}`)
    }
    this.url = urls[0]
    this.operatorUrl = urls[1]
    this.token = token ?? readFileSync(join(this.dataDir, 'operator.token'), 'utf8').trim()
  }

  /** Unrefs the child, so that the caller can exit. The venue then ends with it. */
  letGo(): void {
    this.#child!.unref()
    ;(this.#child!.stdout as Socket).unref()
  }

  /** Sends a signal and waits for the end. @returns the exit code, null after a fatal signal. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    this.#isEnding = true
    // Refs it again after `letGo`: the caller must not exit while it waits here.
    this.#child?.ref()
    if (this.#isRunning) this.#child!.kill(signal)
    return this.#exited
  }

  /** Resolves with the exit code when the process ends; null after a fatal signal. */
  get exited(): Promise<number | null> {
    return this.#exited
  }

  /** Kills the process and removes its temporary data. If it ended unexpectedly, prints the end of its log. */
  async dispose(): Promise<void> {
    const hasFailed = this.#child !== null && !this.#isRunning && !this.#isEnding
    if (hasFailed) process.stderr.write(`${this.#logEnd()}\n`)
    await this.end('SIGKILL')
    if (this.#options.dataDir === undefined) {
      removeData(this.dataDir)
    }
  }

  /** Returns the log of the process. */
  log(): string {
    return readFileSync(this.#logFile, 'utf8')
  }

  get #logFile(): string {
    return join(this.dataDir, 'venue.log')
  }

  get #isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  #logEnd(): string {
    return this.log().slice(-logCharsShown)
  }
}

/** Starts a venue, and disposes of it when the work is done or has failed. */
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
 * Removes a data folder. A killed process or its children may still create files that the removal does not see, so it is
 * repeated.
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

/** Returns the public and operator URLs of the ready line; null if standard output ends before. */
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
