/**
 * Columns of the working orders, by slot, that margin reads. Columns may be replaced when they grow: never keep one.
 * Once an order works, only the margin code writes its `openLots`, `exposure`, `nextInExposure` and `prevInExposure`.
 */
export interface OrderView {
  readonly account: Int32Array
  readonly instrument: Int32Array
  readonly side: Uint8Array
  readonly flags: Uint8Array
  readonly priceMicros: Float64Array
  readonly openLots: Float64Array
  /** The order's exposure, and its neighbours in the exposure's list of orders. */
  readonly exposure: Int32Array
  readonly nextInExposure: Int32Array
  readonly prevInExposure: Int32Array
}
