import { type ChildProcess, execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ExchangeMemory } from '../../../engine/memory/exchange-memory.js'
import { acceptedEnvironment } from '../../native/load-pinned.js'
import { HistoryState } from './history-state.js'

export interface HistoryPatrolOptions {
  readonly memory: ExchangeMemory
  readonly dataDir: string
  /** Between two checks; 0: none. */
  readonly hours: number
  /** Something worth a line in the log. */
  readonly onNote: (text: string) => void
}

/** After the start, and as long as a store is being filled. */
const firstMillis = 5000
const hourMillis = 3_600_000
const checkFile = fileURLToPath(new URL('./history-check.js', import.meta.url))

/**
 * Has the history store checked in the background, because rows that no query meets can be broken for years. The
 * history thread hears of a store that is not sound, and sets it aside.
 */
export class HistoryPatrol {
  readonly #options: HistoryPatrolOptions
  readonly #state: HistoryState
  #timer: NodeJS.Timeout | null = null
  #check: ChildProcess | null = null
  #isStopped = false

  constructor(options: HistoryPatrolOptions) {
    this.#options = options
    this.#state = new HistoryState(options.memory)
  }

  start(): void {
    if (this.#options.hours > 0) this.#wait(firstMillis)
  }

  /** Ends a check that is under way at once. */
  stop(): void {
    this.#isStopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#check?.kill('SIGKILL')
  }

  #wait(millis: number): void {
    this.#timer = setTimeout(() => this.#begin(), millis).unref()
  }

  #begin(): void {
    const { storeNumber } = this.#state
    if (this.#state.isDown) {
      this.#wait(firstMillis)
      return
    }
    // It needs nothing else of the environment, where the operator's token may stand.
    const options = { env: acceptedEnvironment() }
    const done = (error: Error | null, finding: string) => {
      this.#check = null
      if (this.#isStopped) return
      this.#wait(this.#options.hours * hourMillis)
      // What was found is of a store that another one stands in for.
      if (this.#state.isDown || storeNumber !== this.#state.storeNumber) return
      if (finding !== '') this.#report(finding)
      else if (error !== null) this.#options.onNote(`history: not checked: ${error.message}`)
    }
    this.#check = execFile(process.execPath, [checkFile, this.#options.dataDir], options, done)
    this.#check.unref()
  }

  #report(finding: string): void {
    this.#options.onNote(`alarm: history: the check of the store found: ${finding}`)
    this.#state.reportBroken()
  }
}
