import { readBuildInfo } from './build-info.js'
import { type CommandLine, CommandLineEnd, readCommandLine } from './config/command-line.js'
import { ConfigError } from './config/config-error.js'
import { configAsJson, configAsToml } from './config/config-text.js'
import { acceptBinaries, ChangedBinaryError } from './native/load-pinned.js'
import { outliveOutputs } from './outputs.js'
import { exitFailure, exitOk, exitRefused, exitUsage } from './process-end.js'

// The process. Standard output carries the ready line (or the printed configuration) and nothing else; logs
// are JSON lines on standard error.

const outputs = outliveOutputs()
const commandLine = readOrSay()
if (commandLine === null || commandLine.print !== null) {
  if (commandLine !== null) print(commandLine)
  await failWithoutOutput()
} else await run(commandLine)

/** Returns null if the command line is wrong or needs only an answer. */
function readOrSay(): CommandLine | null {
  try {
    return readCommandLine(process.argv.slice(2), process.env)
  } catch (error) {
    const isEnd = error instanceof CommandLineEnd
    if (!isEnd && !(error instanceof ConfigError)) throw error
    process.exitCode = isEnd ? error.exitCode : exitUsage
    const stream = process.exitCode === exitOk ? process.stdout : process.stderr
    stream.write(`${error.message.trimEnd()}\n`)
    return null
  }
}

function print({ config, print: form }: CommandLine): void {
  process.stdout.write(`${form === 'json' ? configAsJson(config) : configAsToml(config)}\n`)
}

async function failWithoutOutput(): Promise<void> {
  const failure = await outputs.failure()
  if (failure === null) return
  process.stderr.write(`standard output failed: ${failure.message}\n`)
  process.exitCode = exitFailure
}

/** Runs the venue. Registers the accepted binaries before any native one is loaded. */
async function run(line: CommandLine): Promise<void> {
  acceptBinaries(line.config.native.accepted)
  const build = readBuildInfo(import.meta.filename)
  try {
    const { runVenue } = await import('./run-venue.js')
    await runVenue(line, build)
  } catch (error) {
    if (!(error instanceof ChangedBinaryError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = exitRefused
  }
}
