import { readBuildInfo } from './build-info.js'
import { type CommandLine, CommandLineEnd, readCommandLine } from './config/command-line.js'
import { ConfigError } from './config/config-error.js'
import { configAsJson, configAsToml } from './config/config-text.js'
import { acceptBinaries, ChangedBinaryError } from './native/load-pinned.js'
import { exitFailure, exitOk, exitUsage } from './process-end.js'

// The process. Standard output carries the ready line (or the printed configuration) and nothing else; logs
// are JSON lines on standard error.

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

/** Before anything native is loaded it is known which binaries the operator accepts. */
async function run(line: CommandLine): Promise<void> {
  acceptBinaries(line.config.native.accepted)
  const build = readBuildInfo(import.meta.filename)
  try {
    const { runVenue } = await import('./run-venue.js')
    await runVenue(line, build)
  } catch (error) {
    if (!(error instanceof ChangedBinaryError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = exitFailure
  }
}
