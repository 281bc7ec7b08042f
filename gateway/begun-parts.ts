import type { Logger } from 'pino'
import { errorOf } from '../engine/threads/error-of.js'

/** Parts that a start has begun. A failed start ends them in reverse order, so that its caller can continue. */
export class BegunParts {
  readonly #log: Logger
  readonly #ends: (() => unknown)[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  /** Adds a part that has just begun. @param end Ends it. */
  add(end: () => unknown): void {
    this.#ends.push(end)
  }

  /** Ends all parts. Logs a part that fails to end, and continues with the others. */
  async end(): Promise<void> {
    for (const end of this.#ends.reverse()) {
      try {
        await end()
      } catch (error) {
        this.#log.warn({ err: errorOf(error) }, 'cleanup after a failed start was incomplete')
      }
    }
  }
}
