import { type Logger, pino } from 'pino'
import { Counters } from '../engine/memory/counters.js'
import { type ExchangeMemory, wakeupOf } from '../engine/memory/exchange-memory.js'
import { steadyMillis } from '../engine/memory/steady-clock.js'
import { errorOf } from '../engine/threads/error-of.js'
import { recoveryPath } from './auth/recover-signer.js'
import { recoveryRatePerSecond } from './auth/recovery-rate.js'
import type { CommandLine } from './config/command-line.js'
import { shownConfig } from './config/config-text.js'
import type { BuildInfo } from './link/gateway-context.js'
import { LogLines } from './log-lines.js'
import { silentThreads } from './operator/health.js'
import { threadHealth, threadRoles } from './operator/thread-table.js'
import { ProcessEnd } from './process-end.js'
import { ServiceNotifier } from './service-notifier.js'
import { startSummary, TerminalLog } from './terminal-log.js'
import { startVenue } from './venue.js'

const standardError = 2
const how = { native: 'natively', wasm: 'in WebAssembly' } as const

/** Runs the venue in this process until it ends. Loads the modules with native binaries. */
export async function runVenue({ config, isJson }: CommandLine, build: BuildInfo): Promise<void> {
  const lines = new LogLines(standardError)
  const terminal = process.stderr.isTTY ? new TerminalLog((text) => lines.write(text)) : null
  const log = pino({ base: { pid: process.pid } }, terminal ?? lines)
  if (terminal !== null)
    lines.write(`Starting Strikebook ${build.version}, preset ${config.preset}\n`)
  log.info({ build, config: shownConfig(config), signatures: recoveryPath }, 'starting')
  logSignatures(log)
  const notifier = new ServiceNotifier(process.env, (text) => log.warn(text))
  const end = new ProcessEnd(log)
  const { stopping } = end
  stopping.addEventListener('abort', () => notifier.stopping())
  process.on('uncaughtException', (error) => end.fail('main', errorOf(error)))
  process.on('SIGTERM', () => end.onSignal())
  process.on('SIGINT', () => end.onSignal())
  try {
    const onFailure = (role: string, error: Error) => end.fail(role, error)
    let isAlive = () => true
    const onMemory = (memory: ExchangeMemory) => {
      isAlive = () => isBeating(memory)
    }
    const venue = await startVenue({ config, build, log, stopping, onMemory, onFailure })
    if (!end.begin(venue)) return
    const { url, operatorUrl } = venue
    const line = isJson ? JSON.stringify({ url, operatorUrl }) : `ready ${url} ${operatorUrl}`
    process.stdout.write(`${line}\n`)
    log.info({ url, operatorUrl }, 'ready')
    notifier.ready(`ready, ${url}`, isAlive)
    const tookMillis = performance.now()
    if (terminal !== null)
      lines.write(startSummary({ config, build, url, operatorUrl, tookMillis }))
  } catch (error) {
    end.failStart(errorOf(error))
  }
}

function logSignatures(log: Logger): void {
  const perSecond = recoveryRatePerSecond()
  const fields = { signatures: recoveryPath, perSecond }
  const words = `signature recovery runs ${how[recoveryPath]}, at most ${perSecond} per second and gateway`
  if (recoveryPath === 'native') log.info(fields, words)
  else log.warn(fields, `the native library secp256k1 did not load: ${words}`)
}

/** Returns true if every thread has a fresh heartbeat. */
function isBeating(memory: ExchangeMemory): boolean {
  const counters = new Counters(memory.counters, wakeupOf.operator)
  return silentThreads(threadHealth(threadRoles(memory), counters, steadyMillis())).length === 0
}
