import { assert } from '../../../schemas/assert.js'
/** Instruments that wait for their expiry, the next one first; ties in order of listing. */
export class ExpiryQueue {
  readonly #millis: number[] = []
  readonly #instruments: number[] = []

  /** Time of the next expiry; Infinity if the queue is empty. */
  get nextMillis(): number {
    return this.#millis.length === 0 ? Number.POSITIVE_INFINITY : this.#millis[0]
  }

  add(expiryMillis: number, instrument: number): void {
    assert(expiryMillis > 0 && instrument >= 0, 'expiry queue: the instrument has an expiry')
    let at = this.#millis.length
    while (at > 0 && this.#millis[at - 1] > expiryMillis) at--
    this.#millis.splice(at, 0, expiryMillis)
    this.#instruments.splice(at, 0, instrument)
  }

  /** Removes and returns the next instrument; there must be one. */
  take(): number {
    assert(this.#millis.length > 0, 'expiry queue: it is not empty')
    this.#millis.shift()
    return this.#instruments.shift()!
  }

  remove(instrument: number): void {
    const at = this.#instruments.indexOf(instrument)
    if (at < 0) return
    this.#millis.splice(at, 1)
    this.#instruments.splice(at, 1)
  }
}
