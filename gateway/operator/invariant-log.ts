import type { Logger } from 'pino'
import type { Breach } from '../../engine/invariants/breach.js'
import {
  type ExchangeMemory,
  flagWords,
  InvariantAlarm,
} from '../../engine/memory/exchange-memory.js'
import type { BreachMessage, StoppedMessage } from '../../engine/threads/thread-data.js'
import type { BreachText } from '../../schemas/interface/operator.js'

/** Breach as health checks and the venue's state show it. */
export interface BreachRow extends Pick<Breach, 'invariant' | 'text'> {
  /** Absent for a wallet that was stopped before this start: the journal has only the stop. */
  readonly amounts?: Breach['amounts']
  /** Absent if the amounts are. */
  readonly batchNumber?: number
  /** Wallet stopped for the breach; absent: the market is halted. */
  readonly wallet?: string
}

const howToOpen =
  'the market is halted and cancels work; back up the data folder, find the cause, then open the market: ' +
  'POST /operator/halts {"scope": "all", "mode": "open"}'
const howToResume = (wallet: string) =>
  'its cancels work and all other wallets trade; back up the data folder, find the cause, then resume the wallet: ' +
  `POST /operator/wallet-halts {"wallet": "${wallet}", "mode": "open"}`

/** Breaches of invariants: logs each, and lists those that the operator has not resolved. */
export class InvariantLog {
  readonly #log: Logger
  #ofMarket: BreachRow[] = []
  /** Latest breach of each wallet since the start. */
  readonly #ofWallets = new Map<string, BreachRow>()
  #stopped: readonly string[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  onBreach({ breach, batchNumber }: BreachMessage): void {
    const { amounts, invariant, text } = breach
    const wallet = breach.wallet?.address
    const row = { invariant, text, amounts, batchNumber }
    if (wallet === undefined) this.#ofMarket.push(row)
    else this.#ofWallets.set(wallet, { ...row, wallet })
    const facts = { role: 'snapshot', invariant, batchNumber, amounts }
    const howToEnd =
      wallet === undefined ? howToOpen : `the wallet is stopped, ${howToResume(wallet)}`
    this.#log.error(facts, `alarm: invariant ${invariant}: ${text}; ${howToEnd}`)
  }

  /** Logs wallets that the engine has stopped or resumed, including those stopped before the start. */
  onStopped({ wallets }: StoppedMessage): void {
    for (const wallet of wallets) {
      if (this.#stopped.includes(wallet)) continue
      const state = this.#ofWallets.has(wallet) ? 'is stopped' : 'was stopped before this start'
      this.#log.error({ role: 'core', wallet }, `wallet ${wallet} ${state}: ${howToResume(wallet)}`)
    }
    for (const wallet of this.#stopped) {
      if (!wallets.includes(wallet)) this.#log.warn({ role: 'core', wallet }, 'wallet resumed')
    }
    this.#stopped = wallets
  }

  /** Returns breaches of the market until the operator opens it, and of wallets until the operator resumes them. */
  standing(memory: Pick<ExchangeMemory, 'flags'>): readonly BreachRow[] {
    if (!isInvariantAlarm(memory)) this.#ofMarket = []
    return [...this.#ofMarket, ...this.#stopped.map((wallet) => this.#rowOf(wallet))]
  }

  #rowOf(wallet: string): BreachRow {
    const text = `wallet ${wallet}: stopped before this start`
    const known = this.#ofWallets.get(wallet)
    return known ?? { invariant: 'margin', text, wallet }
  }
}

/** Returns a breach as answers of the operator port show it. */
export function breachText({ batchNumber, ...breach }: BreachRow): BreachText {
  return batchNumber === undefined ? breach : { ...breach, batch_number: batchNumber }
}

/** True if the market is or will be halted for a broken invariant. */
export function isInvariantAlarm({ flags }: Pick<ExchangeMemory, 'flags'>): boolean {
  const alarm = Atomics.load(new Int32Array(flags), flagWords.invariantAlarm)
  return alarm !== InvariantAlarm.None
}
