import { cursorBytes } from './layout.js'

// A doorbell is one word per thread: 0 awake, 1 parked. The sleeper stores 1, looks at its inputs
// once more and only then waits; a producer publishes its record first and looks at the word
// second. Both sides use sequentially consistent operations, so either the sleeper sees the record
// or the producer sees the 1.

export const idleStrategies = ['spin', 'yield', 'park'] as const
export type IdleStrategy = (typeof idleStrategies)[number]

export function allocateDoorbells(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * cursorBytes)
}

/** One thread's doorbell; `index` is the thread's place in the shared block. */
export class Doorbell {
  readonly #word: Int32Array

  constructor(memory: SharedArrayBuffer, index: number) {
    this.#word = new Int32Array(memory, index * cursorBytes, 1)
  }

  /** Producer: wakes the owner if it sleeps; costs one load when it does not. */
  ring(): void {
    if (Atomics.load(this.#word, 0) === 1) {
      Atomics.store(this.#word, 0, 0)
      Atomics.notify(this.#word, 0)
    }
  }

  /** Owner: says that it is about to sleep; it must look at its inputs again before `wait`. */
  arm(): void {
    Atomics.store(this.#word, 0, 1)
  }

  /** Owner: takes `arm` back, because work was found. */
  disarm(): void {
    Atomics.store(this.#word, 0, 0)
  }

  /**
   * Owner: sleeps until rung, at most `millis`. The whole thread sleeps: it must own no sockets or
   * timers.
   */
  wait(millis: number): void {
    Atomics.wait(this.#word, 0, 1, millis)
    Atomics.store(this.#word, 0, 0)
  }

  /**
   * Owner with an event loop: a promise of being rung (or of `millis`), or null when already rung.
   */
  waitAsync(millis: number): Promise<unknown> | null {
    const waiting = atomicsWaitAsync(this.#word, 0, 1, millis)
    return waiting.async ? waiting.value : null
  }
}

type WaitAsync = (
  words: Int32Array,
  index: number,
  value: number,
  millis: number,
) =>
  | { readonly async: true; readonly value: Promise<string> }
  | { readonly async: false; readonly value: string }

// Node 20 has it; the compiler's ES2023 library does not list it.
const atomicsWaitAsync = (Atomics as unknown as { waitAsync: WaitAsync }).waitAsync.bind(Atomics)
