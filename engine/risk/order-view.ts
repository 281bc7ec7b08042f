/**
 * What margin needs of the working orders, by slot. Columns may be replaced when they grow: never
 * keep one. The elements of the last four are written by the margin code alone once an order works.
 */
export interface OrderView {
  readonly account: Int32Array
  readonly instrument: Int32Array
  readonly side: Uint8Array
  readonly flags: Uint8Array
  readonly priceMicros: Float64Array
  readonly openLots: Float64Array
  /** The order's exposure, and its neighbours in that exposure's list. */
  readonly exposure: Int32Array
  readonly nextInExposure: Int32Array
  readonly prevInExposure: Int32Array
}
