import { assert } from '../../schemas/assert.js'
import { cursorBytes } from './layout.js'

// Stamps can be paused while a venue runs, for who measures what they cost. The word stands in the line of the memory of
// stamps that begins with its cursor, which those who stamp have at hand.
const pausedAt = 64
assert(pausedAt < cursorBytes, 'stamp pause: a word of the first line')

/** The word of a memory of stamps that pauses it. */
export function pausedWord(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, pausedAt, 1)
}

/** Nothing is stamped in these memories from now on, or all is again. */
export function pauseStamps(memories: readonly SharedArrayBuffer[], isPaused: boolean): void {
  for (const memory of memories) Atomics.store(pausedWord(memory), 0, isPaused ? 1 : 0)
}
