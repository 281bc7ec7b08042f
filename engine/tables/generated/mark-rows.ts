// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import { grown } from '../../memory/grown.js'

/** Marks and greeks by instrument; NaN if missing. */
export class MarkRows {
  /**
   * Integer micros per contract, half-even. Derived: instrument, inputs and time of the re-mark.
   */
  markMicros: Float64Array
  /**
   * Fraction; 0 is never a missing volatility. Derived: instrument, inputs and time of the re-mark.
   */
  iv: Float64Array
  /** USD per 1 USD of index. Derived: instrument, inputs and time of the re-mark. */
  delta: Float64Array
  /** Delta per 1 USD of index. Derived: instrument, inputs and time of the re-mark. */
  gamma: Float64Array
  /** USD per 0.01 of volatility. Derived: instrument, inputs and time of the re-mark. */
  vegaPerPoint: Float64Array
  /** USD per day. Derived: instrument, inputs and time of the re-mark. */
  thetaPerDay: Float64Array
  /** USD per 0.01 of the rate. Derived: instrument, inputs and time of the re-mark. */
  rhoPerPoint: Float64Array

  constructor(length = 64) {
    this.markMicros = new Float64Array(length).fill(Number.NaN)
    this.iv = new Float64Array(length).fill(Number.NaN)
    this.delta = new Float64Array(length).fill(Number.NaN)
    this.gamma = new Float64Array(length).fill(Number.NaN)
    this.vegaPerPoint = new Float64Array(length).fill(Number.NaN)
    this.thetaPerDay = new Float64Array(length).fill(Number.NaN)
    this.rhoPerPoint = new Float64Array(length).fill(Number.NaN)
  }

  /** Rows that there is memory for. */
  get length(): number {
    return this.markMicros.length
  }

  /** Takes memory for so many rows; columns are replaced, so nobody keeps one over it. */
  growTo(length: number): void {
    this.markMicros = grown(this.markMicros, new Float64Array(length).fill(Number.NaN))
    this.iv = grown(this.iv, new Float64Array(length).fill(Number.NaN))
    this.delta = grown(this.delta, new Float64Array(length).fill(Number.NaN))
    this.gamma = grown(this.gamma, new Float64Array(length).fill(Number.NaN))
    this.vegaPerPoint = grown(this.vegaPerPoint, new Float64Array(length).fill(Number.NaN))
    this.thetaPerDay = grown(this.thetaPerDay, new Float64Array(length).fill(Number.NaN))
    this.rhoPerPoint = grown(this.rhoPerPoint, new Float64Array(length).fill(Number.NaN))
  }

  /** A row as it is at first. */
  resetRow(row: number): void {
    this.markMicros[row] = Number.NaN
    this.iv[row] = Number.NaN
    this.delta[row] = Number.NaN
    this.gamma[row] = Number.NaN
    this.vegaPerPoint[row] = Number.NaN
    this.thetaPerDay[row] = Number.NaN
    this.rhoPerPoint[row] = Number.NaN
  }
}
