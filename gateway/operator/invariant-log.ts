import type { Logger } from 'pino'
import type { Breach } from '../../engine/invariants/breach.js'
import {
  type ExchangeMemory,
  flagWords,
  InvariantAlarm,
} from '../../engine/memory/exchange-memory.js'
import type { BreachMessage } from '../../engine/threads/thread-data.js'

/** What was found, as health checks and the state of the venue show it. */
export interface BreachRow extends Pick<Breach, 'invariant' | 'text' | 'amounts'> {
  readonly batchNumber: number
}

const howToEnd =
  'the market is halted, cancels go on; keep the data folder, find out why, and open it: ' +
  'POST /operator/halts {"scope": "all", "mode": "open"}'

/** What must always hold and does not: a line for each breach, and those that the operator has not opened the market over. */
export class InvariantLog {
  readonly #log: Logger
  #standing: BreachRow[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  onBreach({ breach, batchNumber }: BreachMessage): void {
    const { invariant, text, amounts } = breach
    this.#standing.push({ invariant, text, amounts, batchNumber })
    const facts = { role: 'snapshot', invariant, batchNumber, amounts }
    this.#log.error(facts, `alarm: invariant ${invariant}: ${text}; ${howToEnd}`)
  }

  /** None from the moment that the operator has opened the market. */
  standing(memory: Pick<ExchangeMemory, 'flags'>): readonly BreachRow[] {
    if (!isInvariantAlarm(memory)) this.#standing = []
    return this.#standing
  }
}

/** Whether the market is halted, or about to be, for something that must never be. */
export function isInvariantAlarm({ flags }: Pick<ExchangeMemory, 'flags'>): boolean {
  const alarm = Atomics.load(new Int32Array(flags), flagWords.invariantAlarm)
  return alarm !== InvariantAlarm.None
}
