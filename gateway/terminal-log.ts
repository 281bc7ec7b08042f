import type { Config } from './config/config-schema.js'
import type { BuildInfo } from './link/gateway-context.js'

/** Levels of the logger by number, from warnings on. */
const levels: Readonly<Record<number, string>> = { 40: 'warning', 50: 'error', 60: 'fatal' }
/** Messages that a person waits for, although they are no warnings. */
const awaited: ReadonlySet<string> = new Set(['stopping', 'stopped'])

interface LogLine {
  readonly level: number
  readonly time: number
  readonly role?: string
  readonly msg?: string
}

/** Log for a person at a terminal: warnings, errors and the end, a short line each. */
export class TerminalLog {
  readonly #print: (text: string) => void

  constructor(print: (text: string) => void) {
    this.#print = print
  }

  /** Takes a JSON line of the logger. */
  write(line: string): void {
    const { level, time, role, msg = '' } = JSON.parse(line) as LogLine
    const name = levels[level]
    if (name === undefined && !awaited.has(msg)) return
    const clock = new Date(time).toTimeString().slice(0, 8)
    this.#print(`${clock} ${[name, role, msg].filter(Boolean).join(': ')}\n`)
  }
}

export interface StartedVenue {
  readonly config: Config
  readonly build: BuildInfo
  readonly url: string
  readonly operatorUrl: string
  readonly tookMillis: number
}

/** Returns the addresses of a started venue and the next steps, for a person at a terminal. */
export function startSummary({
  config,
  build,
  url,
  operatorUrl,
  tookMillis,
}: StartedVenue): string {
  const { dataDir, feed, maker, preset } = config
  const parts = [feed === 'none' ? 'no feed' : `${feed} feed`, `market maker ${maker}`]
  const rows = [
    ['trading', `${url}/app`],
    ['API', `${url}/docs`],
    ['operator', `${operatorUrl}/app`],
    ['market', parts.join(', ')],
    ['data', dataDir],
    ['stop', 'Ctrl-C'],
  ]
  const seconds = (tookMillis / 1000).toFixed(1)
  const lines = rows.map(([name, value]) => `  ${name!.padEnd(10)} ${value}`)
  const head = `Strikebook ${build.version}, preset ${preset}, is ready (${seconds} s)`
  return `${[head, ...lines].join('\n')}\n`
}
