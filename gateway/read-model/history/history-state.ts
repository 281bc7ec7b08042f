import { CounterName, Counters } from '../../../engine/memory/counters.js'
import { type ExchangeMemory, flagWords, wakeupOf } from '../../../engine/memory/exchange-memory.js'
import { Wakeup } from '../../../engine/memory/wakeup.js'

/** State of the history store that other threads share. */
export class HistoryState {
  readonly #memory: ExchangeMemory
  readonly #counters: Counters

  constructor(memory: ExchangeMemory) {
    this.#memory = memory
    this.#counters = new Counters(memory.counters, wakeupOf.history)
  }

  /** True if the store is out of service and being filled. */
  get isDown(): boolean {
    return this.#counters.read(wakeupOf.history, CounterName.HistoryDown) === 1
  }

  /** Number of stores that failed so far. */
  get storeNumber(): number {
    return this.#counters.read(wakeupOf.history, CounterName.HistoryRebuilds)
  }

  /** Asks the history thread to commit pending events soon. */
  ask(): void {
    Atomics.store(new Int32Array(this.#memory.flags), flagWords.historyAwaited, 1)
  }

  /** Returns true if a thread has asked since the last call. */
  takeAsked(): boolean {
    return Atomics.exchange(new Int32Array(this.#memory.flags), flagWords.historyAwaited, 0) === 1
  }

  /** Makes the history thread quarantine the store and fill a new one. */
  reportBroken(): void {
    Atomics.store(new Int32Array(this.#memory.flags), flagWords.historyBroken, 1)
    new Wakeup(this.#memory.wakeups, wakeupOf.history).ring()
  }
}
