import { assert } from '../../schemas/assert.js'
import { grown } from '../memory/grown.js'

/** Of no re-mark: rows are numbered by re-marks from 1 on, and 0 is what a new row has. */
const passNone = -1

/**
 * Risk arrays of one scenario table, a row an instrument. They are most of the work of a re-mark, and of most instruments
 * nobody has anything: a row is worked out when somebody asks for it, or along with the next re-mark, between orders, when
 * somebody has asked since the one before. Whether a row is current is told by the number of the re-mark that it is of.
 */
export class RiskRows {
  /** Scenarios: the length of a row. */
  readonly count: number
  /** [instrument · count + scenario], micros: value change of one long contract against its mark, before the weight. */
  deltaMicros = new Float64Array(0)
  /** What a re-mark that has begun makes of the rows that were asked for. */
  shadowMicros = new Float64Array(0)
  #pass = new Float64Array(0)
  #shadowPass = new Float64Array(0)
  #asked = new Float64Array(0)

  constructor(count: number) {
    this.count = count
  }

  /** Makes room for so many instruments; the columns become new arrays. */
  growTo(instruments: number): void {
    assert(instruments >= this.#pass.length, 'risk rows: the table never shrinks')
    const cells = instruments * this.count
    this.deltaMicros = grown(this.deltaMicros, new Float64Array(cells))
    this.shadowMicros = grown(this.shadowMicros, new Float64Array(cells))
    this.#pass = grown(this.#pass, new Float64Array(instruments))
    this.#shadowPass = grown(this.#shadowPass, new Float64Array(instruments))
    this.#asked = grown(this.#asked, new Float64Array(instruments))
  }

  /** Notes that somebody asks while a re-mark is in force. @returns whether the row is of that one. */
  ask(instrument: number, pass: number): boolean {
    this.#asked[instrument] = pass
    return this.#pass[instrument] === pass
  }

  /** Whether somebody has asked since a re-mark is in force: then the next one makes the row ready. */
  isAsked(instrument: number, pass: number): boolean {
    return this.count > 0 && this.#asked[instrument] === pass
  }

  /** The row is of this re-mark now. */
  note(instrument: number, pass: number): void {
    this.#pass[instrument] = pass
  }

  /** The shadow row is of this re-mark now, or of none. */
  noteShadow(instrument: number, pass: number | null): void {
    this.#shadowPass[instrument] = pass ?? passNone
  }

  /** The instrument is marked anew within the re-mark in force. */
  forget(instrument: number): void {
    this.#pass[instrument] = passNone
  }

  /** Shows the rows that a re-mark, now in force, has made ready. */
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
