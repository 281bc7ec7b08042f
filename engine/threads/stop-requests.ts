import { stopRequestsMax } from '../memory/exchange-memory.js'

/** Word after the requests: their number. */
const pendingAt = stopRequestsMax

/** Wallets that the watch requests the core to stop, in shared memory: one writer, one reader, one word per wallet. */
export class StopRequests {
  readonly #words: Int32Array

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
  }

  /** Watch: requests the stop of a wallet, once. @returns false if all words are in use. */
  put(account: number): boolean {
    const words = this.#words
    let free = -1
    for (let i = 0; i < stopRequestsMax; i++) {
      const word = Atomics.load(words, i)
      if (word === account + 1) return true
      if (word === 0 && free < 0) free = i
    }
    if (free < 0) return false
    Atomics.store(words, free, account + 1)
    Atomics.add(words, pendingAt, 1)
    return true
  }

  /** Core: takes one request. @returns its account, or -1. */
  take(): number {
    const words = this.#words
    if (Atomics.load(words, pendingAt) === 0) return -1
    for (let i = 0; i < stopRequestsMax; i++) {
      const word = Atomics.exchange(words, i, 0)
      if (word === 0) continue
      Atomics.sub(words, pendingAt, 1)
      return word - 1
    }
    return -1
  }
}
