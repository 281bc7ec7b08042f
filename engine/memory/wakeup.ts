import { cursorBytes } from './layout.js'
import { waitAsync } from './wait-async.js'

// Each thread has a wakeup word in its own cache line:
//  0        4
//  +--------+
//  | state  |
//  +--------+
// A sleeper stores its state, checks its inputs once more, and only then waits. A producer publishes its record first
// and reads the state second. Both use sequentially consistent operations, so either the sleeper sees the record or the
// producer sees the state.
const awake = 0
const parked = 1
/** Parked until `rouse` or the timeout; `ring` does not wake the thread for one more record. */
const dozing = 2
const stateWord = 0
const wakeupWords = 1

export const idleStrategies = ['spin', 'yield', 'park'] as const
export type IdleStrategy = (typeof idleStrategies)[number]

export function allocateWakeups(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * cursorBytes)
}

/** Wakeup word of one thread; `index` is the thread's place in the shared block. */
export class Wakeup {
  readonly #words: Int32Array

  constructor(memory: SharedArrayBuffer, index: number) {
    this.#words = new Int32Array(memory, index * cursorBytes, wakeupWords)
  }

  /** Producer: wakes the owner if it is parked. Costs one load if it is not. */
  ring(): void {
    const state = Atomics.load(this.#words, stateWord)
    if (state === parked) this.#wake(state)
  }

  /** Producer: wakes the owner even if it gathers work. */
  rouse(): void {
    const state = Atomics.load(this.#words, stateWord)
    if (state !== awake) this.#wake(state)
  }

  /** Owner: announces that it will sleep. It must check its inputs again before `wait`. */
  arm(): void {
    Atomics.store(this.#words, stateWord, parked)
  }

  /** Owner: withdraws `arm`, because it found work. */
  disarm(): void {
    Atomics.store(this.#words, stateWord, awake)
  }

  /**
   * Owner: sleeps until a producer rings, at most `millis`. The whole thread sleeps, so it must own no sockets or
   * timers.
   */
  wait(millis: number): void {
    Atomics.wait(this.#words, stateWord, parked, millis)
    this.disarm()
  }

  /** Owner with an event loop: returns a promise that resolves on a ring or after `millis`; null if already rung. */
  waitAsync(millis: number): Promise<unknown> | null {
    return waitAsync(this.#words, stateWord, parked, millis)
  }

  /**
   * Owner: sleeps `millis`, unless `hasWork`, or until `rouse`. `ring` does not wake it.
   * @param hasWork checks the inputs of producers that call `rouse`.
   */
  doze(millis: number, hasWork: () => boolean): void {
    Atomics.store(this.#words, stateWord, dozing)
    if (!hasWork()) Atomics.wait(this.#words, stateWord, dozing, millis)
    this.disarm()
  }

  // The owner may have woken since the producer read the state, and may be about to sleep again. It then checks its
  // inputs first and finds the record, so the failed exchange may leave that sleep armed.
  #wake(state: number): void {
    if (Atomics.compareExchange(this.#words, stateWord, state, awake) !== state) return
    Atomics.notify(this.#words, stateWord)
  }
}
