import { assert } from '../../schemas/assert.js'
import { grown } from '../memory/grown.js'

/** No re-mark. Re-marks are numbered from 1, and new rows have 0. */
const passNone = -1

/**
 * Risk arrays of one scenario table, one row per instrument. They are most of the work of a re-mark, but most
 * instruments have no open interest. A row is therefore computed when it is requested. It is also computed with the
 * next re-mark, between orders, if it was requested since the previous one. The number of its re-mark tells whether a
 * row is current.
 */
export class RiskRows {
  /** Number of scenarios: the length of a row. */
  readonly count: number
  /** [instrument · count + scenario], micros: change of value of one long contract from its mark, before the weight. */
  deltaMicros = new Float64Array(0)
  /** Requested rows, as computed by a re-mark in progress. */
  shadowMicros = new Float64Array(0)
  #pass = new Float64Array(0)
  #shadowPass = new Float64Array(0)
  #asked = new Float64Array(0)

  constructor(count: number) {
    this.count = count
  }

  /** Grows to a number of instruments; the columns become new arrays. */
  growTo(instruments: number): void {
    assert(instruments >= this.#pass.length, 'risk rows: the table never shrinks')
    const cells = instruments * this.count
    this.deltaMicros = grown(this.deltaMicros, new Float64Array(cells))
    this.shadowMicros = grown(this.shadowMicros, new Float64Array(cells))
    this.#pass = grown(this.#pass, new Float64Array(instruments))
    this.#shadowPass = grown(this.#shadowPass, new Float64Array(instruments))
    this.#asked = grown(this.#asked, new Float64Array(instruments))
  }

  /** Records a request during a re-mark. @returns true if the row belongs to it. */
  ask(instrument: number, pass: number): boolean {
    this.#asked[instrument] = pass
    return this.#pass[instrument] === pass
  }

  /** Returns true if a row was requested since a re-mark; the next re-mark then computes it in advance. */
  isRequested(instrument: number, pass: number): boolean {
    return this.count > 0 && this.#asked[instrument] === pass
  }

  /** Marks a row as belonging to this re-mark. */
  note(instrument: number, pass: number): void {
    this.#pass[instrument] = pass
  }

  /** Marks a shadow row as belonging to this re-mark, or to none. */
  noteShadow(instrument: number, pass: number | null): void {
    this.#shadowPass[instrument] = pass ?? passNone
  }

  /** Invalidates the row of an instrument that is marked again within the current re-mark. */
  forget(instrument: number): void {
    this.#pass[instrument] = passNone
  }

  /** Publishes the rows that a re-mark, now current, computed in advance. */
  show(list: readonly number[], pass: number): void {
    if (this.count === 0) return
    for (const instrument of list) {
      if (this.#shadowPass[instrument] !== pass) continue
      const at = instrument * this.count
      for (let cell = at; cell < at + this.count; cell++)
        this.deltaMicros[cell] = this.shadowMicros[cell]
      this.#pass[instrument] = pass
    }
  }
}
