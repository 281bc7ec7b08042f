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
/** Of one wallet, so that none keeps others waiting where the rail is slow: it has ten withdrawals under way at most. */
const perWalletMax = 32

/** A gateway's way to the rail, which lives on another thread. */
export class PreflightDesk {
  readonly #ask: (question: PreflightQuestion) => void
  readonly #waiting = new Map<number, (result: Result) => void>()
  /** How many of them by wallet. */
  readonly #waitingOf = new Map<string, number>()
  #asked = 0

  constructor(ask: (question: PreflightQuestion) => void) {
    this.#ask = ask
  }

  /** As the rail says; `WithdrawalPreflightUnavailable` where it says nothing in time. */
  preflight(destination: string, wallet: string): Promise<Result> {
    const unavailable = Result.WithdrawalPreflightUnavailable
    const ownCount = this.#waitingOf.get(wallet) ?? 0
    const isFull = this.#waiting.size >= waitingMax || ownCount >= perWalletMax
    if (isFull) return Promise.resolve(unavailable)
    this.#waitingOf.set(wallet, ownCount + 1)
    const id = this.#asked++
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.onAnswer(id, unavailable), waitMillisMax)
      this.#waiting.set(id, (result) => {
        clearTimeout(timer)
        this.#leave(wallet)
        resolve(result)
      })
      this.#ask({ type: 'preflight', id, destination, wallet })
    })
  }

  onAnswer(id: number, result: Result): void {
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }

  #leave(wallet: string): void {
    const left = this.#waitingOf.get(wallet)! - 1
    if (left > 0) this.#waitingOf.set(wallet, left)
    else this.#waitingOf.delete(wallet)
  }
}
