/** One row of the result table. */
export interface ResultRow {
  /** Wire value of `code` (HTTP errors) or `reason_code` (rejections, cancellations); null for no code. */
  readonly code: string | null
  readonly http: number
  /** True if the same request may succeed later without a change. */
  readonly retry: boolean
  /** Text with `{name}` placeholders; `details` names the Float64 values from the engine, in order. */
  readonly text: string
  readonly details?: readonly ResultDetail[]
}

/**
 * A named value from the engine and its format.
 * - `micros`, `lots`: decimal text; `int`: a plain integer.
 * - Instrument, underlying: text by index. Scenario: margin model x 100 + row, -1 for none.
 * - Others: a row of `marginBounds`, engine time in milliseconds (Infinity: `reset`), or a route by its number.
 */
export interface ResultDetail {
  readonly name: string
  readonly unit:
    | 'micros'
    | 'lots'
    | 'int'
    | 'instrument'
    | 'underlying'
    | 'scenario'
    | 'bound'
    | 'until'
    | 'route'
}

/** A trading rejection: the status of an order or an RFQ. */
export const rejected = (
  code: string,
  text: string,
  details?: readonly ResultDetail[],
): ResultRow =>
  details
    ? { code, http: 200, retry: false, text, details }
    : { code, http: 200, retry: false, text }
/** An HTTP error. */
export const failed = (code: string, http: number, text: string, retry = false): ResultRow => ({
  code,
  http,
  retry,
  text,
})
/** An HTTP error with values. */
export const failedWith = (
  code: string,
  http: number,
  text: string,
  details: readonly ResultDetail[],
): ResultRow => ({ code, http, retry: false, text, details })
