import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Counters } from '../memory/counters.js'
import { type ExchangeMemory, flagWords, wakeupOf } from '../memory/exchange-memory.js'
import { steadyMillis } from '../memory/steady-clock.js'

/** Exit code of a thread whose module awaits a promise that never settles. */
const unsettledCode = 13
const flagNames = ['ready', 'draining', 'failed', 'stopCore', 'journalDone', 'stopOthers'] as const
const places: Readonly<Record<string, number>> = {
  core: wakeupOf.core,
  journal: wakeupOf.journal,
  snapshot: wakeupOf.snapshot,
  'read-model': wakeupOf.readModel,
  history: wakeupOf.history,
  push: wakeupOf.push,
}

/** A thread that ended without a request to end. */
export interface EndedThread {
  readonly role: string
  /** Module of the thread. */
  readonly url: URL
  readonly exitCode: number
  /** Type of the last message that it posted; null: it posted none. */
  readonly lastMessage: string | null
}

/** Returns why a thread ended by itself, and how far it had come, as the text of an error. */
export function endOfThread(memory: ExchangeMemory, ended: EndedThread): string {
  const { exitCode, lastMessage, role, url } = ended
  const counters = new Counters(memory.counters, wakeupOf.operator)
  const beatMillis = counters.heartbeatMillis(placeOf(memory, role))
  const hasRun = beatMillis > 0 || lastMessage !== null
  const flags = new Int32Array(memory.flags)
  const raised = flagNames.filter((name) => Atomics.load(flags, flagWords[name]) !== 0)
  const beat = beatMillis === 0 ? 'none' : `${Math.round(steadyMillis() - beatMillis)} ms before`
  return [
    `the thread ended by itself with exit code ${exitCode}: ${causeOf(exitCode, hasRun, url)}`,
    `last message: ${lastMessage ?? 'none'}`,
    `last heartbeat: ${beat}`,
    `raised flags: ${raised.length === 0 ? 'none' : raised.join(', ')}`,
  ].join('; ')
}

function causeOf(exitCode: number, hasRun: boolean, url: URL): string {
  if (exitCode === unsettledCode) return 'its module awaits a promise that never settles'
  if (exitCode !== 0) return 'it threw nothing that could be reported'
  if (hasRun) return 'its loop returned, or it was terminated'
  const path = fileURLToPath(url)
  const bytes = statSync(path, { throwIfNoEntry: false })?.size
  if (bytes === undefined) return `its code never ran, and ${path} is missing`
  const hint = ': a build or a copy may be writing it'
  return `its code never ran; ${path} has ${bytes} bytes${bytes === 0 ? hint : ''}`
}

function placeOf({ gateways }: ExchangeMemory, role: string): number {
  const numbered = /^(gateway|matcher)-(\d+)$/.exec(role)
  if (numbered === null) return places[role] ?? wakeupOf.operator
  const index = Number(numbered[2])
  return numbered[1] === 'gateway' ? wakeupOf.gateway(index) : wakeupOf.matcher({ gateways }, index)
}
