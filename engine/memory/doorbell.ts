import { cursorBytes } from './layout.js'
import { waitAsync } from './wait-async.js'

// Each thread has a doorbell in a cache line of its own:
//  0        4
//  +--------+
//  | state  |
//  +--------+
// The sleeper stores how it sleeps, looks at its inputs once more and only then waits; a producer
// publishes its record first and looks at the state second. Both sides use sequentially consistent
// operations, so either the sleeper sees the record or the producer sees the state.
const awake = 0
const parked = 1
/** Not worth waking for one more record: only `rouse` does. */
const dozing = 2
const stateWord = 0
const doorbellWords = 1

export const idleStrategies = ['spin', 'yield', 'park'] as const
export type IdleStrategy = (typeof idleStrategies)[number]

export function allocateDoorbells(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * cursorBytes)
}

/** One thread's doorbell; `index` is the thread's place in the shared block. */
export class Doorbell {
  readonly #words: Int32Array

  constructor(memory: SharedArrayBuffer, index: number) {
    this.#words = new Int32Array(memory, index * cursorBytes, doorbellWords)
  }

  /** Producer: wakes the owner if it sleeps and does not doze; costs one load when it does not. */
  ring(): void {
    const state = Atomics.load(this.#words, stateWord)
    if (state === parked) this.#wake(state)
  }

  /** Producer: wakes the owner even if it dozes. */
  rouse(): void {
    const state = Atomics.load(this.#words, stateWord)
    if (state !== awake) this.#wake(state)
  }

  /** Owner: says that it is about to sleep; it must look at its inputs again before `wait`. */
  arm(): void {
    Atomics.store(this.#words, stateWord, parked)
  }

  /** Owner: takes `arm` back, because work was found. */
  disarm(): void {
    Atomics.store(this.#words, stateWord, awake)
  }

  /**
   * Owner: sleeps until rung, at most `millis`. The whole thread sleeps: it must own no sockets or
   * timers.
   */
  wait(millis: number): void {
    Atomics.wait(this.#words, stateWord, parked, millis)
    this.disarm()
  }

  /**
   * Owner with an event loop: a promise of being rung (or of `millis`), or null when already rung.
   */
  waitAsync(millis: number): Promise<unknown> | null {
    return waitAsync(this.#words, stateWord, parked, millis)
  }

  /**
   * Owner: sleeps `millis` unless `hasWork`, or until roused; `ring` lets it sleep.
   * @param hasWork looks at the inputs of those who rouse.
   */
  doze(millis: number, hasWork: () => boolean): void {
    Atomics.store(this.#words, stateWord, dozing)
    if (!hasWork()) Atomics.wait(this.#words, stateWord, dozing, millis)
    this.disarm()
  }

  // The owner may have woken by itself since the producer looked, and may be about to sleep again: then
  // it looks at its inputs first, finds the record, and that sleep keeps its bell.
  #wake(state: number): void {
    if (Atomics.compareExchange(this.#words, stateWord, state, awake) !== state) return
    Atomics.notify(this.#words, stateWord)
  }
}
