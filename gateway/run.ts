import { pino } from 'pino'
import { errorOf } from '../engine/threads/error-of.js'
import { recoveryPath } from './auth/recover-signer.js'
import { readBuildInfo } from './build-info.js'
import { type CommandLine, CommandLineEnd, readCommandLine } from './config/command-line.js'
import { ConfigError } from './config/config-error.js'
import { configAsJson, configAsToml, shownConfig } from './config/config-text.js'
import { LogLines } from './log-lines.js'
import { exitOk, exitUsage, ProcessEnd } from './process-end.js'
import { startVenue } from './venue.js'

// The process. Standard output carries the ready line (or the printed configuration) and nothing else; logs
// are JSON lines on standard error.

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

async function run({ config, isJson }: CommandLine): Promise<void> {
  const log = pino({ base: { pid: process.pid } }, new LogLines(standardError))
  const build = readBuildInfo(import.meta.filename)
  log.info({ build, config: shownConfig(config), signatures: recoveryPath }, 'starting')
  if (recoveryPath !== 'native') {
    const { recoveryRatePerSecond } = await import('./auth/recovery-rate.js')
    const perSecond = recoveryRatePerSecond()
    const instead = recoveryPath === 'wasm' ? 'in WebAssembly' : 'in JavaScript'
    const slow = `signatures are recovered ${instead}, ${perSecond} a second per gateway at most`
    log.warn({ signatures: recoveryPath, perSecond }, `NATIVE SECP256K1 DID NOT LOAD: ${slow}`)
  }
  const end = new ProcessEnd(log)
  process.on('uncaughtException', (error) => end.fail('main', errorOf(error)))
  process.on('SIGTERM', () => end.onSignal())
  process.on('SIGINT', () => end.onSignal())
  try {
    const onFailure = (role: string, error: Error) => end.fail(role, error)
    const { stopping } = end
    const venue = await startVenue({ config, build, log, stopping, onFailure })
    if (!end.begin(venue)) return
    const { url, operatorUrl } = venue
    const line = isJson ? JSON.stringify({ url, operatorUrl }) : `ready ${url} ${operatorUrl}`
    process.stdout.write(`${line}\n`)
    log.info({ url, operatorUrl }, 'ready')
  } catch (error) {
    end.failStart(errorOf(error))
  }
}
