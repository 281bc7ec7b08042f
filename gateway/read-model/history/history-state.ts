import { CounterName, Counters } from '../../../engine/memory/counters.js'
import { Doorbell } from '../../../engine/memory/doorbell.js'
import {
  doorbellOf,
  type ExchangeMemory,
  flagWords,
} from '../../../engine/memory/exchange-memory.js'

/** What other threads know of the history store. */
export class HistoryState {
  readonly #memory: ExchangeMemory
  readonly #counters: Counters

  constructor(memory: ExchangeMemory) {
    this.#memory = memory
    this.#counters = new Counters(memory.counters, doorbellOf.history)
  }

  /** Out of service, and being filled. */
  get isDown(): boolean {
    return this.#counters.read(doorbellOf.history, CounterName.HistoryDown) === 1
  }

  /** Rises with each store that was given up. */
  get storeNumber(): number {
    return this.#counters.read(doorbellOf.history, CounterName.HistoryRebuilds)
  }

  /** Has the history thread take in what there is soon. */
  ask(): void {
    Atomics.store(new Int32Array(this.#memory.flags), flagWords.historyAwaited, 1)
  }

  /** Whether anybody has asked since the last call. */
  takeAsked(): boolean {
    return Atomics.exchange(new Int32Array(this.#memory.flags), flagWords.historyAwaited, 0) === 1
  }

  /** Has the history thread set the store aside, and fill another one. */
  reportBroken(): void {
    Atomics.store(new Int32Array(this.#memory.flags), flagWords.historyBroken, 1)
    new Doorbell(this.#memory.doorbells, doorbellOf.history).ring()
  }
}
