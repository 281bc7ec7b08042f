import type { StreamOptions } from './stream-types.js'

const millisMinDefault = 100
const millisMaxDefault = 10_000
const doublingsMax = 20
/** A connection that was answered, and stood so long, is no sequel of those before it. */
const answeredMillisMin = 10_000
/** The same of one that ended by what is no message. */
const steadyMillis = 60_000

type PauseBounds = Pick<StreamOptions, 'backoffMillisMin' | 'backoffMillisMax'>

/** How long a stream waits before each connection: longer with each that has failed in a row, and never just as long. */
export class ReconnectPauses {
  readonly #options: PauseBounds
  /** Whatever ends before all is answered, or right behind that, counts as one. */
  #failed = 0
  #isAnswered = false
  /** Connections that ended by what is no message, however much was answered before. */
  #misshapen = 0
  #openedMillis = performance.now()

  constructor(options: PauseBounds) {
    this.#options = options
  }

  opened(): void {
    this.#openedMillis = performance.now()
    this.#isAnswered = false
  }

  /** All is answered. */
  answered(): void {
    this.#isAnswered = true
  }

  /** What was tried has been done: the next time is a first one. */
  succeeded(): void {
    this.#failed = 0
  }

  /** What came is no message. */
  misshapen(): void {
    this.#forget()
    this.#misshapen++
  }

  nextMillis(): number {
    const { backoffMillisMin = millisMinDefault, backoffMillisMax = millisMaxDefault } =
      this.#options
    this.#forget()
    const doublings = Math.min(this.#failed++ + this.#misshapen, doublingsMax)
    const pauseMillis = Math.min(backoffMillisMax, backoffMillisMin * 2 ** doublings)
    // Random between half and whole, so that clients of a restarted exchange do not return at once.
    return pauseMillis * (0.5 + Math.random() / 2)
  }

  #forget(): void {
    const nowMillis = performance.now()
    const stoodMillis = nowMillis - this.#openedMillis
    if (stoodMillis > steadyMillis) this.#misshapen = 0
    if (this.#isAnswered && stoodMillis > answeredMillisMin) this.#failed = 0
    this.#openedMillis = nowMillis
    // It has ended: what comes is no longer its time.
    this.#isAnswered = false
  }
}
