import { destination, type Logger, pino } from 'pino'
import { recoveryPath } from './auth/native-secp256k1.js'
import { readBuildInfo } from './build-info.js'
import { type CommandLine, CommandLineEnd, readCommandLine } from './config/command-line.js'
import { ConfigError } from './config/config-error.js'
import { configAsJson, configAsToml, shownConfig } from './config/config-text.js'
import { startVenue, type Venue } from './venue.js'

// The process. Standard output carries the ready line (or the printed configuration) and nothing else; logs
// are JSON lines on standard error.

const exitOk = 0
const exitFailure = 1
const exitUsage = 2
const standardError = 2

const commandLine = readOrExit()
if (commandLine.print !== null) print(commandLine)
else await run(commandLine)

function readOrExit(): CommandLine {
  try {
    return readCommandLine(process.argv.slice(2), process.env)
  } catch (error) {
    if (error instanceof CommandLineEnd) {
      const stream = error.exitCode === exitOk ? process.stdout : process.stderr
      stream.write(`${error.message.trimEnd()}\n`)
      process.exit(error.exitCode)
    }
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(exitUsage)
  }
}

function print({ config, print: form }: CommandLine): void {
  process.stdout.write(`${form === 'json' ? configAsJson(config) : configAsToml(config)}\n`)
}

async function run({ config, warnings }: CommandLine): Promise<void> {
  const log = pino({ base: { pid: process.pid } }, destination({ fd: standardError, sync: true }))
  const build = readBuildInfo(import.meta.filename)
  for (const warning of warnings) log.warn(warning)
  log.info({ build, config: shownConfig(config), signatures: recoveryPath }, 'starting')
  const end = new End(log)
  process.on('uncaughtException', (error) => end.fail('main', error))
  process.on('SIGTERM', () => end.onSignal())
  process.on('SIGINT', () => end.onSignal())
  try {
    const onFailure = (role: string, error: Error) => end.fail(role, error)
    const venue = await startVenue({ config, build, log, onFailure })
    process.stdout.write(`ready ${venue.url} ${venue.operatorUrl}\n`)
    log.info({ url: venue.url, operatorUrl: venue.operatorUrl }, 'ready')
    end.begin(venue)
  } catch (error) {
    end.fail('start', error instanceof Error ? error : new Error(String(error)))
  }
}

/** How the process ends: gracefully by the first signal, at once by the second, with 1 by a failure. */
class End {
  readonly #log: Logger
  #venue: Venue | null = null
  #signals = 0

  constructor(log: Logger) {
    this.#log = log
  }

  /** The venue is up; a signal may have come while it was starting. */
  begin(venue: Venue): void {
    this.#venue = venue
    if (this.#signals > 0) void this.#stop(venue)
  }

  onSignal(): void {
    this.#signals++
    if (this.#signals > 1) process.exit(exitFailure)
    if (this.#venue !== null) void this.#stop(this.#venue)
  }

  fail(role: string, error: Error): void {
    if (this.#signals > 0 && this.#venue !== null) return
    this.#log.fatal({ role, err: error }, `${role} failed: ${error.message}`)
    process.exit(exitFailure)
  }

  async #stop(venue: Venue): Promise<void> {
    this.#log.info('stopping')
    try {
      await venue.stop()
      this.#log.info('stopped')
      process.exit(exitOk)
    } catch (error) {
      this.#log.fatal({ err: error }, 'stopping failed')
      process.exit(exitFailure)
    }
  }
}
