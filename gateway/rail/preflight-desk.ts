import { Result } from '../../schemas/results.js'

/** Gateway thread to main thread: can anything be sent there? */
export interface PreflightQuestion {
  readonly type: 'preflight'
  readonly id: number
  /** Lower-case addresses. */
  readonly destination: string
  readonly wallet: string
}

/** Main thread to gateway thread. */
export interface PreflightAnswer {
  readonly type: 'preflighted'
  readonly id: number
  readonly result: Result
}

const waitMillisMax = 5000
const waitingMax = 256

/** A gateway's way to the rail, which lives on another thread. */
export class PreflightDesk {
  readonly #ask: (question: PreflightQuestion) => void
  readonly #waiting = new Map<number, (result: Result) => void>()
  #asked = 0

  constructor(ask: (question: PreflightQuestion) => void) {
    this.#ask = ask
  }

  /** As the rail says; `WithdrawalPreflightUnavailable` where it says nothing in time. */
  preflight(destination: string, wallet: string): Promise<Result> {
    const unavailable = Result.WithdrawalPreflightUnavailable
    if (this.#waiting.size >= waitingMax) return Promise.resolve(unavailable)
    const id = this.#asked++
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.onAnswer(id, unavailable), waitMillisMax)
      this.#waiting.set(id, (result) => {
        clearTimeout(timer)
        resolve(result)
      })
      this.#ask({ type: 'preflight', id, destination, wallet })
    })
  }

  onAnswer(id: number, result: Result): void {
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }
}
