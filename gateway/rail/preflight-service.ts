import { Result } from '../../schemas/results.js'

/** Message of a gateway to the main thread that asks if a destination can receive money. */
export interface PreflightQuestion {
  readonly type: 'preflight'
  readonly id: number
  /** Lower-case addresses. */
  readonly destination: string
  readonly wallet: string
}

/** Reply of the main thread. */
export interface PreflightAnswer {
  readonly type: 'preflighted'
  readonly id: number
  readonly result: Result
}

const waitMillisMax = 5000
const waitingMax = 256
/** Limit of open questions per wallet, so that no wallet delays others on a slow rail. */
const perWalletMax = 32

/** Client of the rail in a gateway. The rail runs on another thread. */
export class PreflightService {
  readonly #ask: (question: PreflightQuestion) => void
  readonly #waiting = new Map<number, (result: Result) => void>()
  /** Number of open questions by wallet. */
  readonly #waitingOf = new Map<string, number>()
  #nextId = 0

  constructor(ask: (question: PreflightQuestion) => void) {
    this.#ask = ask
  }

  /** Returns the result of the rail; `WithdrawalPreflightUnavailable` if it does not reply in time. */
  preflight(destination: string, wallet: string): Promise<Result> {
    const unavailable = Result.WithdrawalPreflightUnavailable
    const ownCount = this.#waitingOf.get(wallet) ?? 0
    const isFull = this.#waiting.size >= waitingMax || ownCount >= perWalletMax
    if (isFull) return Promise.resolve(unavailable)
    this.#waitingOf.set(wallet, ownCount + 1)
    const id = this.#nextId++
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.onAnswer(id, unavailable), waitMillisMax)
      this.#waiting.set(id, (result) => {
        clearTimeout(timer)
        this.#release(wallet)
        resolve(result)
      })
      this.#ask({ type: 'preflight', id, destination, wallet })
    })
  }

  onAnswer(id: number, result: Result): void {
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }

  #release(wallet: string): void {
    const left = this.#waitingOf.get(wallet)! - 1
    if (left > 0) this.#waitingOf.set(wallet, left)
    else this.#waitingOf.delete(wallet)
  }
}
