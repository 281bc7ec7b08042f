import { pino } from 'pino'
import { errorOf } from '../engine/threads/error-of.js'
import { recoveryPath } from './auth/recover-signer.js'
import { recoveryRatePerSecond } from './auth/recovery-rate.js'
import type { CommandLine } from './config/command-line.js'
import { shownConfig } from './config/config-text.js'
import type { BuildInfo } from './link/gateway-context.js'
import { LogLines } from './log-lines.js'
import { ProcessEnd } from './process-end.js'
import { startVenue } from './venue.js'

const standardError = 2
const how = { native: 'natively', wasm: 'in WebAssembly', noble: 'in JavaScript' } as const

/** Runs the venue in this process until it ends: what is loaded here has native binaries. */
export async function runVenue({ config, isJson }: CommandLine, build: BuildInfo): Promise<void> {
  const log = pino({ base: { pid: process.pid } }, new LogLines(standardError))
  log.info({ build, config: shownConfig(config), signatures: recoveryPath }, 'starting')
  const perSecond = recoveryRatePerSecond()
  const told = { signatures: recoveryPath, perSecond }
  const words = `signatures are recovered ${how[recoveryPath]}, ${perSecond} a second per gateway at most`
  if (recoveryPath === 'native') log.info(told, words)
  else log.warn(told, `NATIVE SECP256K1 DID NOT LOAD: ${words}`)
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
