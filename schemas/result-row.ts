/** One row of the table. */
export interface ResultRow {
  /** The wire's `code` (HTTP errors) or `reason_code` (rejections, cancellations); null: no code. */
  readonly code: string | null
  readonly http: number
  /** Whether the same request may succeed later without a change. */
  readonly retry: boolean
  /** Text with `{name}` places; `details` names the Float64 values that the engine sends along, in order. */
  readonly text: string
  readonly details?: readonly ResultDetail[]
}

/**
 * A named value of the engine, and how it is written: decimal text of micros or lots, a plain integer, the text
 * of an instrument or underlying by its index, a scenario (margin model x 100 + row, -1: none), a row of
 * `marginBounds`, engine time in milliseconds (Infinity: `reset`), a route by its number.
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

/** A trading rejection: an order status, or that of a request. */
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
/** The same with values. */
export const failedWith = (
  code: string,
  http: number,
  text: string,
  details: readonly ResultDetail[],
): ResultRow => ({ code, http, retry: false, text, details })
