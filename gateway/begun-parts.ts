import type { Logger } from 'pino'
import { errorOf } from '../engine/threads/error-of.js'

/** What a start has begun: ended backwards where the start fails, so that whoever has asked for it may go on. */
export class BegunParts {
  readonly #log: Logger
  readonly #ends: (() => unknown)[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  /** @param end of a part that has just begun. */
  add(end: () => unknown): void {
    this.#ends.push(end)
  }

  /** One that cannot be ended is told of, and keeps no other from its end. */
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
