import { type ChildProcess, execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ExchangeMemory } from '../../../engine/memory/exchange-memory.js'
import { acceptedEnvironment } from '../../native/load-pinned.js'
import { HistoryState } from './history-state.js'

export interface HistoryChecksOptions {
  readonly memory: ExchangeMemory
  readonly dataDir: string
  /** Hours between two checks; 0: no checks. */
  readonly hours: number
  /** Receives lines for the log. */
  readonly onNote: (text: string) => void
}

/** Delay of the first check after the start, and of retries while a store is being filled. */
const firstMillis = 5000
const hourMillis = 3_600_000
const checkFile = fileURLToPath(new URL('./history-check.js', import.meta.url))

/**
 * Checks the history store in the background: without it, damage in rows that no query reads would go unnoticed.
 * Reports a broken store to the history thread, which quarantines it.
 */
export class HistoryChecks {
  readonly #options: HistoryChecksOptions
  readonly #state: HistoryState
  #timer: NodeJS.Timeout | null = null
  #check: ChildProcess | null = null
  #isStopped = false

  constructor(options: HistoryChecksOptions) {
    this.#options = options
    this.#state = new HistoryState(options.memory)
  }

  start(): void {
    if (this.#options.hours > 0) this.#wait(firstMillis)
  }

  /** Stops, and kills a running check. */
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
    // Passes only these variables: the environment may contain the operator's token.
    const options = { env: acceptedEnvironment() }
    const onExit = (error: Error | null, finding: string) => {
      this.#check = null
      if (this.#isStopped) return
      this.#wait(this.#options.hours * hourMillis)
      // The finding is about a store that has been replaced.
      if (this.#state.isDown || storeNumber !== this.#state.storeNumber) return
      if (finding !== '') this.#report(finding)
      else if (error !== null)
        this.#options.onNote(`history: the check of the store failed to run: ${error.message}`)
    }
    this.#check = execFile(process.execPath, [checkFile, this.#options.dataDir], options, onExit)
    this.#check.unref()
  }

  #report(finding: string): void {
    this.#options.onNote(`alarm: history: the check of the store found a fault: ${finding}`)
    this.#state.reportBroken()
  }
}
