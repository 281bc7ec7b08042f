import type { StreamOptions } from './stream-types.js'

const millisMinDefault = 100
const millisMaxDefault = 10_000
const doublingsMax = 20
/** A connection that was fully answered and lasted this long resets the count of failures. */
const answeredMillisMin = 10_000
/** A connection that lasted this long resets the count of malformed messages. */
const steadyMillis = 60_000

type PauseBounds = Pick<StreamOptions, 'backoffMillisMin' | 'backoffMillisMax'>

/** Computes the pause before each connection attempt: exponential backoff with jitter. */
export class ReconnectPauses {
  readonly #options: PauseBounds
  /** Consecutive connections that ended before all frames were answered, or within `answeredMillisMin`. */
  #failed = 0
  #isAnswered = false
  /** Connections that ended with a malformed message, even if all frames had been answered. */
  #misshapen = 0
  #openedMillis = performance.now()

  constructor(options: PauseBounds) {
    this.#options = options
  }

  opened(): void {
    this.#openedMillis = performance.now()
    this.#isAnswered = false
  }

  /** Notes that the exchange has answered all frames. */
  answered(): void {
    this.#isAnswered = true
  }

  /** Resets the count of failures. */
  succeeded(): void {
    this.#failed = 0
  }

  /** Notes that the connection ended with a malformed message. */
  misshapen(): void {
    this.#settle()
    this.#misshapen++
  }

  nextMillis(): number {
    const { backoffMillisMin = millisMinDefault, backoffMillisMax = millisMaxDefault } =
      this.#options
    this.#settle()
    const doublings = Math.min(this.#failed++ + this.#misshapen, doublingsMax)
    const pauseMillis = Math.min(backoffMillisMax, backoffMillisMin * 2 ** doublings)
    // Jitter between half and all of the pause, so that clients do not reconnect at once after a restart.
    return pauseMillis * (0.5 + Math.random() / 2)
  }

  #settle(): void {
    const nowMillis = performance.now()
    const lastedMillis = nowMillis - this.#openedMillis
    if (lastedMillis > steadyMillis) this.#misshapen = 0
    if (this.#isAnswered && lastedMillis > answeredMillisMin) this.#failed = 0
    this.#openedMillis = nowMillis
    // The connection has ended, so the next call does not count it again.
    this.#isAnswered = false
  }
}
