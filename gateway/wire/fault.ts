import { type Result, resultText } from '../../schemas/results.js'
import type { JsonValue } from './json-text.js'
import { boundedMessage, printable } from './shown-text.js'

type Details = Readonly<Record<string, JsonValue>>

/** Why a request went no further than the gateway: a row of the result table, and its text for people. */
export class Fault {
  readonly result: Result
  readonly message: string
  /** What stands behind the refusal, which the answer names as `details`; null: none. */
  readonly details: Details | null
  /** Keeps look-alikes out: callers tell faults from values with `instanceof`. */
  protected readonly isFault = true

  /**
   * @param values for the `{name}` places of the row's text; all but `detail` may be a client's own.
   * @param message in place of the row's text, where an endpoint has words of its own.
   * @param details as decimal texts.
   */
  constructor(
    result: Result,
    values: Readonly<Record<string, string>> = {},
    message: string = resultText(result, shown(values)),
    details: Details | null = null,
  ) {
    this.result = result
    this.message = boundedMessage(message)
    this.details = details
  }
}

function shown(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(values)
  return Object.fromEntries(
    entries.map(([name, text]) => [name, name === 'detail' ? text : printable(text)]),
  )
}
